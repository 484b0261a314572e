"""A linear text model as one JSON document that a short program can score texts with; its entries: docs/export.md."""

from typing import Any

from laconic.models.scoring.linear_text import LinearText
from laconic.text.analyzer import Analyzer
from laconic.text.rules import CUT, RegexRule
from laconic.text.tokenizer import Tokenizer

FORMAT = 1
KIND = "text classifier"


def portable(model: LinearText) -> dict[str, Any]:
    """Return the model as plain data for JSON.

    Parameters
    ----------
    model : LinearText
        With one of the tokenizers that are data; a tokenizer function cannot be written down.

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> scorer = TextClassifier().fit(["broken lamp", "kind thanks"], ["repair", "praise"]).to_scorer()
    >>> data = portable(scorer.model)
    >>> data["classes"], sorted(data["words"]), data["analyzer"]["ngrams"]
    (['praise', 'repair'], ['broken', 'kind', 'lamp', 'thanks'], [1, 1])
    """
    if reason := not_portable(model):
        raise ValueError(reason)
    data: dict[str, Any] = {
        "format": FORMAT,
        "kind": KIND,
        "classes": list(model.classes),
        "probabilistic": model.probabilistic,
        "cells": model.cells,
        "intercept": model.intercept.tolist(),
        "words": dict(zip(model.words, model.weights.tolist(), strict=True)),
        "analyzer": _analyzer(model.analyzer),
    }
    if model.cells == "tfidf":
        idf = model.vocabulary.inverse_document_frequency.tolist()
        data["idf"] = dict(zip(model.vocabulary.words, idf, strict=True))
    if model.calibration is not None:
        data["calibration"] = {name: one for name, one in model.calibration.to_json().items() if name != "made"}
    return data


def not_portable(model: LinearText) -> str:
    """Return a sentence that says why a model cannot be written down, or nothing if it can."""
    if model.analyzer.kind == "tokens":
        return "This model takes lists of tokens, not texts, so that it cannot score a text by itself."
    if not isinstance(model.analyzer.tokenizer, Tokenizer):
        name = model.analyzer.to_json()["tokenizer"]["name"]
        return f"This model finds its words by the Python function {name}, which runs in Python only."
    return ""


def _analyzer(analyzer: Analyzer) -> dict[str, Any]:
    tokenizer = analyzer.tokenizer
    assert isinstance(tokenizer, Tokenizer)
    rule = tokenizer.rule.to_json()
    if isinstance(tokenizer.rule, RegexRule):
        rule = {"kind": "regex", "regex": tokenizer.rule.expanded, **({"cut": CUT} if tokenizer.rule.link else {})}
    return {
        "kind": analyzer.kind,
        "ngrams": list(analyzer.ngrams),
        "strip_mail": analyzer.strip_mail,
        "lower": [tokenizer.lower.upper, tokenizer.lower.lower],
        "rule": rule,
        **({} if tokenizer.markup is None else {"markup": tokenizer.markup.to_json()}),
    }

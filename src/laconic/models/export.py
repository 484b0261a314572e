"""`export_model`: a saved model in the forms that other programs take.

- ``json``: one document that a short program in any language scores texts with; its entries: docs/export.md;
- ``sklearn``: a fitted scikit-learn pipeline of a vectorizer with a fixed vocabulary and a classifier, by joblib;
- ``onnx``: a graph over count vectors, in float64, so that its answers are those of Python. Input ``counts``: how often
  each word of the vocabulary occurs, one row per text. Outputs: ``margins``, ``label`` (the number of the class) and,
  where the model has them, ``probabilities``. The words, the classes and the analyzer are in the file's metadata.
"""

import json
import os
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from laconic.core.extras import need
from laconic.core.files import write_file
from laconic.models.scoring.linear_text import LinearText, folded
from laconic.text.analyzer import Analyzer
from laconic.text.rules import CUT, RegexRule
from laconic.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

    from laconic.models.scoring.scorer import Scorer

FORMS = {"json": ".json", "sklearn": ".joblib", "onnx": ".onnx"}
FORMAT = 1
KIND = "text classifier"
OPSET = 17


def export_model(scorer: "Scorer", form: str, path: str | os.PathLike) -> Path:
    """Write a model in another form, whole or not at all.

    Parameters
    ----------
    scorer : Scorer
        From `laconic.load` or `TextClassifier.to_scorer`.
    form : {"json", "sklearn", "onnx"}
    path : path
        The file; one that is there is replaced.

    Examples
    --------
    >>> import tempfile
    >>> from laconic.models import TextClassifier
    >>> scorer = TextClassifier().fit(["broken lamp", "kind thanks"], ["repair", "praise"]).to_scorer()
    >>> with tempfile.TemporaryDirectory() as place:
    ...     data = json.loads(export_model(scorer, "json", f"{place}/m.json").read_text())
    >>> data["kind"]
    'text classifier'
    """
    if form not in FORMS:
        raise ValueError(f"There is no form {form!r}; use {', '.join(FORMS)}.")
    target = Path(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"The folder {target.parent}, in which {target.name} is to be written, does not exist.")
    if form == "json":  # ASCII, so that words with lone surrogates survive
        content = json.dumps(portable(scorer.model), separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"
    elif form == "sklearn":
        import joblib

        joblib.dump(sklearn_pipeline(scorer.model), buffer := BytesIO())
        content = buffer.getvalue()
    else:
        content = onnx_model(scorer.model).SerializeToString()
    write_file(target, content)
    return target


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


def sklearn_pipeline(model: LinearText) -> "Pipeline":
    """Return a fitted pipeline with the same predictions; a sigmoid calibration goes into the weights."""
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import Pipeline
    from sklearn.svm import LinearSVC

    model = folded(model)
    # scikit-learn refuses an empty vocabulary; a word without weight changes nothing
    words = model.vocabulary.words or ("",)
    weights = model.dense_weights if model.vocabulary.words else np.zeros((1, len(model.outputs)))
    vectorizer: Any
    if model.cells == "tfidf":
        vectorizer = TfidfVectorizer(analyzer=model.analyzer.features, vocabulary=words)
        vectorizer.idf_ = model.vocabulary.inverse_document_frequency
    else:
        binary = model.cells == "binary"
        vectorizer = CountVectorizer(
            analyzer=model.analyzer.features, vocabulary=words, binary=binary, dtype=np.float64
        )
    classifier = LogisticRegression() if model.probabilistic else LinearSVC()
    classifier.coef_ = weights.T.copy()
    classifier.intercept_ = model.intercept.copy()
    classifier.classes_ = np.array(model.classes)
    classifier.n_features_in_ = len(words)
    classifier.n_iter_ = np.zeros(1, dtype=np.int32)
    return Pipeline([("words", vectorizer), ("weights", classifier)])


def onnx_model(model: LinearText) -> Any:
    """Return the graph as an ``onnx.ModelProto``."""
    onnx = need("onnx", "Writing ONNX")
    from onnx import helper, numpy_helper

    model = folded(model)
    words = list(model.vocabulary.words)
    constants = {"weights": model.dense_weights, "intercept": model.intercept, "zero": np.zeros(1), "one": np.ones(1)}
    nodes = [*_cells(model, constants, helper)]
    nodes += [
        helper.make_node("MatMul", ["cells", "weights"], ["sums"]),
        helper.make_node("Add", ["sums", "intercept"], ["margins"]),
    ]
    every = "margins"
    if len(model.outputs) == 1:  # the first class has the margin 0
        nodes += [helper.make_node("Sub", ["margins", "margins"], ["none"])]
        nodes += [helper.make_node("Concat", ["none", "margins"], ["every"], axis=1)]
        every = "every"
    nodes.append(helper.make_node("ArgMax", [every], ["label"], axis=1, keepdims=0))
    outputs: list[tuple[str, Any, Any]] = [("margins", onnx.TensorProto.DOUBLE, ["texts", len(model.outputs)])]
    outputs.append(("label", onnx.TensorProto.INT64, ["texts"]))
    if model.probabilistic:
        nodes.append(helper.make_node("Softmax", [every], ["probabilities"], axis=1))
        outputs.append(("probabilities", onnx.TensorProto.DOUBLE, ["texts", len(model.classes)]))
    graph = helper.make_graph(
        nodes,
        "laconic",
        [helper.make_tensor_value_info("counts", onnx.TensorProto.DOUBLE, ["texts", len(words)])],
        [helper.make_tensor_value_info(*one) for one in outputs],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="laconic")
    made.ir_version = 9  # of the opset; newer runtimes read it, older ones too
    facts = {"words": words, "classes": list(model.classes), "analyzer": model.analyzer.to_json()}
    helper.set_model_props(made, {name: json.dumps(value) for name, value in facts.items()})
    onnx.checker.check_model(made)
    return made


def _cells(model: LinearText, constants: dict[str, Any], helper: Any) -> list[Any]:
    """Return the nodes from counts to cells."""
    if model.cells == "count":
        return [helper.make_node("Identity", ["counts"], ["cells"])]
    if model.cells == "binary":
        constants["lowest"], constants["highest"] = np.array(0.0), np.array(1.0)
        return [helper.make_node("Clip", ["counts", "lowest", "highest"], ["cells"])]
    constants["idf"] = model.vocabulary.inverse_document_frequency
    return [
        helper.make_node("Mul", ["counts", "idf"], ["scaled"]),
        helper.make_node("ReduceL2", ["scaled"], ["length"], axes=[1], keepdims=1),
        # a text without any known word has no length: its row stays zero
        helper.make_node("Greater", ["length", "zero"], ["known"]),
        helper.make_node("Where", ["known", "length", "one"], ["divisor"]),
        helper.make_node("Div", ["scaled", "divisor"], ["cells"]),
    ]

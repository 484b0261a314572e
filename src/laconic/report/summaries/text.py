"""`summarize`: a model, and where wanted a corpus and some documents to explain, become one `Summary`."""

import json
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from laconic.core.folder import TIMINGS
from laconic.core.summaries.comparison import Comparison, Contender
from laconic.core.summaries.summary import (
    Alternative,
    ClassRow,
    Curves,
    Example,
    GroupWeight,
    Making,
    Scores,
    Selection,
    StructuredSummary,
    Summary,
    WordWeight,
)
from laconic.data.corpus import Corpus
from laconic.data.document import Document
from laconic.report.render.page import MANY_GROUPS
from laconic.report.summaries.python_code import python_code
from laconic.report.summaries.structured import folder_size, scorer_of, summarize_parser, summarize_tagger

POINTS = 100  # of a curve

if TYPE_CHECKING:
    from laconic.evaluate.metrics.evaluation import ClassScores
    from laconic.models import Scorer, TextClassifier
    from laconic.structured.parsing.estimator import DependencyParser
    from laconic.structured.parsing.scorer import ParseScorer
    from laconic.structured.tagging.estimator import SequenceTagger
    from laconic.structured.tagging.scorer import TagScorer


@overload
def summarize(
    model: "Scorer | TextClassifier",
    corpus: Corpus | None = None,
    *,
    title: str = "",
    comparison: Comparison | None = None,
    examples: Iterable[Document] = (),
    groups: int = 10,
    folder: str | os.PathLike | None = None,
) -> Summary: ...
@overload
def summarize(
    model: "TagScorer | SequenceTagger | ParseScorer | DependencyParser",
    corpus: tuple[Any, Sequence[Sequence[Any]]] | None = None,
    *,
    title: str = "",
    folder: str | os.PathLike | None = None,
) -> StructuredSummary: ...
def summarize(
    model: Any,
    corpus: Any = None,
    *,
    title: str = "",
    comparison: Comparison | None = None,
    examples: Iterable[Document] = (),
    groups: int = 10,
    folder: str | os.PathLike | None = None,
) -> Summary | StructuredSummary:
    """Return what a reader is shown about a model.

    Parameters
    ----------
    model : Scorer, TextClassifier, MultilabelTextClassifier, TagScorer, SequenceTagger, ParseScorer or DependencyParser
        Loaded or fitted. For a tagger or a parser a `StructuredSummary` is returned, which has no comparison, examples
        and groups.
    corpus : Corpus, or (sentences, tags or trees), optional
        Test set: labelled documents, or tagged or parsed sentences.
    title : str
    comparison : Comparison, optional
        The methods that were compared; a model saved by ``laconic fit`` brings its own comparison.
    examples : iterable of Document
        Documents to explain.
    groups : int
        Number of groups to list, strongest first.
    folder : path, optional
        Where the model is saved, for its size and the time of its fit.

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> model = TextClassifier().fit(["broken lamp", "kind thanks"], ["repair", "praise"])
    >>> summary = summarize(model, Corpus.from_lists(["a lamp"], ["repair"]))
    >>> summary.vocabulary_size, summary.scores.metrics["accuracy"]
    (4, 1.0)
    """
    from laconic.models.scoring.scorer import Scorer

    scorer = scorer_of(model)
    if not isinstance(scorer, Scorer):  # only then: taggers and parsers take a while to import
        return _structured(scorer)(model, corpus, title=title, folder=folder)
    if corpus is not None and corpus.labels is None:
        raise ValueError(f"The corpus {corpus.name!r} has no labels; a model can be scored only on labelled documents.")
    from laconic.models.export import not_portable, portable

    info, calibration, reason = scorer.info, scorer.model.calibration, not_portable(scorer.model)
    gap = (info.get("certificate") or {}).get("relative_gap")
    return Summary(
        title=title,
        classes=scorer.model.classes,
        outputs=scorer.model.outputs,
        words=_words(scorer),
        intercept=tuple(scorer.model.intercept.tolist()),
        vocabulary_size=scorer.model.n_vocabulary,
        gap=float("inf") if gap is None else gap,
        made=_made(info),
        comparison=comparison or _stored_comparison(info),
        scores=None if corpus is None else _scores(scorer, corpus),
        examples=tuple(_example(document, scorer) for document in examples),
        selection=_selection(scorer, groups),
        calibration={"kind": calibration.kind, **calibration.made} if calibration and calibration.made else {},
        portable=None if reason else portable(scorer.model),
        unscored=reason,
        path=_path(scorer),
        making=_making(info, folder),
        several=scorer.model.several,
    )


def _structured(scorer: Any) -> Callable[..., StructuredSummary]:
    """Return what summarizes a tagger or a parser."""
    from laconic.structured.parsing.scorer import ParseScorer
    from laconic.structured.tagging.scorer import TagScorer

    if isinstance(scorer, TagScorer):
        return summarize_tagger
    if isinstance(scorer, ParseScorer):
        return summarize_parser
    raise TypeError(f"summarize needs a model of laconic, loaded or fitted, got {type(scorer).__name__}.")


def _words(scorer: "Scorer") -> tuple[WordWeight, ...]:
    vocabulary = scorer.model.vocabulary
    texts = vocabulary.document_frequency.tolist()
    shares = scorer.model.frequency
    known = {} if shares is None else dict(zip(scorer.model.words, shares.tolist(), strict=True))
    return tuple(
        WordWeight(word, tuple(weights.values()), texts[vocabulary.index[word]], known.get(word))
        for word, weights in scorer.words.items()
    )


def _path(scorer: "Scorer") -> tuple[Alternative, ...]:
    path = scorer.model.path
    return tuple(
        Alternative(
            step.parameters,
            step.score,
            step.error,
            step.intercept,
            tuple(WordWeight(word, tuple(row)) for word, row in zip(step.words, step.weights.tolist(), strict=True)),
            step.chosen,
        )
        for step in (path.steps if path is not None else ())
    )


def _making(info: Mapping[str, Any], folder: str | os.PathLike | None) -> Making:
    extra = info.get("extra") or {}
    configuration = {
        "estimator": info.get("estimator"),
        **{name: extra.get(name) for name in ("recipe", "reading", "data", "versions")},
        "laconic": info.get("laconic"),
    }
    return Making(
        {name: value for name, value in configuration.items() if value is not None},
        partial(python_code, info),
        tuple(map(tuple, (info.get("certificate") or {}).get("trace", ()))),
        folder_size(folder),
        _seconds(folder),
    )


def _seconds(folder: str | os.PathLike | None) -> float | None:
    """Return how long the fit of a saved model took, where its folder says so."""
    if folder is None or not (timings := Path(folder) / TIMINGS).exists():
        return None
    return sum(json.loads(timings.read_bytes()).get("seconds", {}).values()) or None


def _selection(scorer: "Scorer", most: int) -> Selection | None:
    kept, weights = scorer.model.groups, scorer.model.weights
    if kept is None:
        return None
    numbers = kept.source, kept.n_selected, kept.n_removed
    if most == 0:  # a large family takes seconds to read
        return Selection(*numbers)
    groups, words = kept.groups, scorer.model.words
    norms, strength = groups.norms(weights), abs(weights).max(axis=1, initial=0.0)
    strongest = []
    for g in (-norms).argsort(kind="stable")[:most].tolist():
        members = sorted(groups.members(g).tolist(), key=lambda j: (-strength[j], j))
        strongest.append(GroupWeight(groups.names[g], float(norms[g]), tuple(words[j] for j in members)))
    return Selection(*numbers, len(groups), tuple(strongest))


def _made(info: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the model was made, in the words of its folder; what it does not say is left out."""
    extra, analyzer = info.get("extra") or {}, info["analyzer"]
    estimator = info.get("estimator") or {}
    parameters = {} if "settings" in info else estimator.get("parameters", {})  # of several labels each has its own
    made = {
        "method": extra.get("chosen", {}).get("method") or estimator.get("name"),
        "l1": parameters.get("l1"),
        "l2": parameters.get("l2"),
        "group": parameters.get("group"),
        "budget": parameters.get("budget"),
        "analyzer": analyzer["kind"],
        "ngrams": analyzer["ngrams"],
        "cells": info["cells"],
        "trained_on": extra.get("data", {}).get("train", {}).get("name"),
        "documents": info["n_documents"],
        "laconic": info.get("laconic"),
    }
    return {name: value for name, value in made.items() if value is not None}


def _stored_comparison(info: Mapping[str, Any]) -> Comparison | None:
    stored = (info.get("extra") or {}).get("comparison")
    if stored is None:
        return None

    def rows(name: str) -> tuple[Contender, ...]:
        known = ({key: row[key] for key in row if key != "curve"} for row in stored.get(name, ()))  # of older models
        return tuple(Contender(**{**row, "gap": math.inf if row["gap"] is None else row["gap"]}) for row in known)

    unpredicted = tuple(stored.get("unpredicted", ()))
    lists = {"contenders": rows("contenders"), "frontier": rows("frontier"), "unpredicted": unpredicted}
    return Comparison(**{**stored, **lists})


def _scores(scorer: "Scorer", corpus: Corpus) -> Scores:
    if scorer.model.several:
        return _scores_of_labels(scorer, corpus)
    from laconic.evaluate import evaluate
    from laconic.evaluate.inference import bootstrap_interval

    texts, labels = list(corpus.texts), list(corpus.labels or ())
    evaluation = evaluate(scorer, texts, labels)
    predicted = scorer.predict(texts)
    intervals = {name: bootstrap_interval(name, labels, predicted) for name in ("accuracy", "macro_f1")}
    probabilities = scorer.predict_proba(texts) if scorer.model.probabilistic else None
    return Scores(
        corpus=corpus.name,
        documents=evaluation.n_documents,
        metrics=evaluation.metrics,
        classes=_class_rows(evaluation.per_class),
        confusion=evaluation.confusion,
        undefined=evaluation.undefined,
        unlabelled=evaluation.unlabelled,
        reliability=evaluation.reliability,
        intervals={name: (interval.low, interval.high) for name, interval in intervals.items()},
        curves=None if probabilities is None else curves(labels, probabilities, scorer.model.classes),
    )


def curves(labels: Sequence[Any], probabilities: NDArray[np.float64], classes: Sequence[Any]) -> Curves:
    """Return precision against recall of each class that occurs, thinned to what a plot can show."""
    from sklearn.metrics import precision_recall_curve

    truth = np.asarray(labels)
    points = {}
    for column, label in enumerate(classes):
        if not (truth == label).any():
            continue
        precision, recall, _ = precision_recall_curve(truth == label, probabilities[:, column])
        shown = np.unique(np.linspace(0, len(recall) - 1, POINTS).round().astype(int))
        points[str(label)] = tuple(zip(recall[shown].tolist(), precision[shown].tolist(), strict=True))
    return Curves(points)


def _scores_of_labels(scorer: "Scorer", corpus: Corpus) -> Scores:
    from laconic.evaluate.metrics.evaluation import evaluate_labels

    evaluation = evaluate_labels(scorer.predict(list(corpus.texts)), corpus.labels or (), scorer.model.classes)
    rows = _class_rows(evaluation.per_label)
    return Scores(corpus.name, evaluation.n_documents, evaluation.metrics, rows, confusion=())


def _class_rows(per_class: "Iterable[ClassScores]") -> tuple[ClassRow, ...]:
    return tuple(ClassRow(*astuple(scores)) for scores in per_class)


def _example(document: Document, scorer: "Scorer") -> Example:
    explanation = scorer.explain(document.text)
    label = None if isinstance(document.label, tuple) else document.label
    parts = scorer.sentences(document)
    spans = [(part.start, part.end) for part in parts]
    influences = tuple(part.influence for part in parts if part.influence is not None)
    pulls = [0.0] * len(spans)
    for word, effect in explanation.effects():
        share = effect / max(len(word.spans), 1)
        for start, _ in word.spans:
            for i, (first, last) in enumerate(spans):
                if first <= start < last:
                    pulls[i] += share
    sentences = tuple((first, last, total) for (first, last), total in zip(spans, pulls, strict=True))
    odds = tuple(part.log_odds for part in parts if part.log_odds is not None)
    return Example(document.id, document.text, label, explanation, sentences, influences, odds)


def report_summary(
    folders: Sequence[str | os.PathLike], corpus: Corpus | None = None, *, title: str = "", documents: int = 0
) -> Summary:
    """Return the summary of the first saved model, compared with the others; it shows its worst `documents`."""
    from laconic.models import load

    if corpus is None and (documents or len(folders) > 1):
        what = "documents can be shown" if documents else "models can be compared"
        raise ValueError(f"Without labelled documents no {what}; give a corpus.")
    names = [Path(folder).resolve().name for folder in folders]
    if len(set(names)) < len(names):
        names = [str(folder) for folder in folders]
    scorers = [load(folder) for folder in folders]
    shown = [] if corpus is None or not documents else _worst_first(scorers[0], corpus, documents)
    summary = summarize(
        scorers[0], corpus, title=title or names[0], examples=shown, groups=MANY_GROUPS, folder=folders[0]
    )
    if len(folders) == 1 or corpus is None:
        return summary
    from laconic.evaluate import compare

    texts = list(corpus.texts)
    predictions = {name: scorer.predict(texts) for name, scorer in zip(names, scorers, strict=True)}
    rows = compare(list(corpus.labels or ()), predictions)
    versus = [{**row.to_dict(), "words": len(scorer.model.words)} for row, scorer in zip(rows, scorers, strict=True)]
    return replace(summary, versus=tuple(versus))


def _worst_first(scorer: Any, corpus: Corpus, number: int) -> list[Document]:
    """Return the documents whose true label is least likely; without probabilities the wrongly labelled ones first."""
    labels = list(corpus.labels or ())
    texts = list(corpus.texts)
    if scorer.model.probabilistic:
        column = {label: k for k, label in enumerate(scorer.model.classes)}
        shares = scorer.predict_proba(texts)
        goodness = [
            float(row[column[label]]) if label in column else 0.0 for row, label in zip(shares, labels, strict=True)
        ]
    else:
        goodness = [float(a == b) for a, b in zip(scorer.predict(texts).tolist(), labels, strict=True)]
    order = sorted(range(len(texts)), key=lambda i: goodness[i])[:number]
    every = list(corpus)
    return [every[i] for i in order]

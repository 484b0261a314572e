"""What the page's script is given: a summary as compact plain data, with what people read already in words."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from laconic.core.plain import plain
from laconic.core.summaries.comparison import Comparison
from laconic.core.summaries.summary import Alternative, Example, Making, Scores, Selection, StructuredSummary, Summary
from laconic.report.render.headline import fact, facts, lead

LONGEST = 1000  # characters of a document that are shown
LONGEST_SENTENCE = 80  # words of a sentence of a tagger or a parser
GROUPS_OF_A_WORD = 4
MOST_ROWS = 5000  # words in the table
MOST_WEIGHTS = 50_000  # of smaller and larger models, zeros apart


def page_data(summary: Summary) -> dict[str, Any]:
    """Return the data of the page."""
    model = summary.portable
    names = [str(label) for label in summary.classes]
    examples = summary.examples if len(summary.examples) > 1 else ()
    return {
        "title": summary.title or "A text model",
        "kind": "text classifier",
        "lead": lead(summary),
        "facts": facts(summary),
        "classes": names,
        "several": summary.several,
        "probabilistic": bool(model and model["probabilistic"]),
        "outputs": len(summary.outputs),
        "model": None if model is None else {**model, "classes": names, "words": _model_rows(model["words"])},
        "unscored": summary.unscored,
        "example": summary.examples[0].text if summary.examples else "",
        "words": _words(summary, with_weights=model is None),
        "kept": len(summary.words),
        "vocabulary": summary.vocabulary_size,
        "path": _path(summary),
        "comparison": None if summary.comparison is None else _comparison(summary.comparison),
        "groups": None if summary.selection is None else _groups(summary.selection),
        "scores": None if summary.scores is None else _scores(summary.scores),
        "documents": [_document(example, model is None) for example in examples],
        "versus": [dict(row) for row in summary.versus],
        "making": None if summary.making is None else _making(summary.making),
    }


def _model_rows(words: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    return {word: _sparse(weights, 12) for word, weights in words.items()}


def _sparse(weights: Sequence[float], digits: int) -> Any:
    """Return weights as a list or, where most are zero, as those that are not, by their places."""
    others = {str(place): _short(weight, digits) for place, weight in enumerate(weights) if weight}
    return others if 2 * len(others) < len(weights) else [_short(weight, digits) for weight in weights]


def _words(summary: Summary, with_weights: bool) -> list[dict[str, Any]]:
    """Return the words of the table, those with the largest effect first; a model that is there has their weights."""
    of: defaultdict[str, list[str]] = defaultdict(list)
    for group in summary.selection.groups if summary.selection is not None else ():
        for word in group.words:
            of[word].append(group.name)
    shown = sorted(summary.words, key=lambda one: -one.strength * max(one.documents, 1))[:MOST_ROWS]
    return [
        {
            "word": entry.word,
            "documents": entry.documents,
            **({"weights": _sparse(entry.weights, 6)} if with_weights else {}),
            **({} if entry.frequency is None else {"frequency": round(entry.frequency, 3)}),
            **({"groups": of[entry.word][:GROUPS_OF_A_WORD]} if entry.word in of else {}),
            **({"more": more} if (more := len(of.get(entry.word, ())) - GROUPS_OF_A_WORD) > 0 else {}),
        }
        for entry in shown
    ]


def _path(summary: Summary) -> dict[str, Any] | None:
    """Return the steps over one list of words; eight digits are enough for a look at other sizes.

    The model itself, which is one of them, is there already; the largest steps are left out above `MOST_WEIGHTS`.
    """
    if not summary.path or summary.comparison is None:
        return None
    steps, left = [], MOST_WEIGHTS
    for step in summary.path:
        left -= 0 if step.chosen else sum(weight != 0 for word in step.words for weight in word.weights)
        if step.chosen or left >= 0:
            steps.append(step)
    words = sorted({word.word for step in steps if not step.chosen for word in step.words})
    index = {word: number for number, word in enumerate(words)}
    return {
        "metric": summary.comparison.metric.replace("_", " "),
        "scored_on": summary.comparison.scored_on,
        "words": words,
        "steps": [
            {
                "score": _short(step.score),
                "error": _short(step.error),
                "chosen": step.chosen,
                "parameters": {name: value for name, value in step.parameters.items() if value},
                "size": len(step.words),
                **({} if step.chosen else _weights(step, index)),
            }
            for step in steps
        ],
    }


def _weights(step: Alternative, index: Mapping[str, int]) -> dict[str, Any]:
    return {
        "intercept": [_short(value, 8) for value in step.intercept],
        "rows": [index[word.word] for word in step.words],
        "weights": [_sparse(word.weights, 8) for word in step.words],
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "metric": comparison.metric.replace("_", " "),
        "scored_on": comparison.scored_on,
        "reason": comparison.reason,
        "contenders": [
            {
                "method": contender.method,
                "score": _short(contender.score),
                "error": _short(contender.error),
                "test": None if contender.test is None else _short(contender.test),
                "words": contender.words,
                "seconds": contender.seconds,
                "chosen": contender.chosen,
            }
            for contender in comparison.contenders
        ],
    }


def _groups(selection: Selection) -> dict[str, Any]:
    return {
        **asdict(selection),
        "groups": [{**asdict(group), "norm": _short(group.norm)} for group in selection.groups],
    }


def _scores(scores: Scores) -> dict[str, Any]:
    curves = scores.curves
    return {
        "corpus": scores.corpus,
        "documents": scores.documents,
        "metrics": [
            {"name": name.replace("_", " "), "value": _short(value), "interval": scores.intervals.get(name)}
            for name, value in scores.metrics.items()
        ],
        "classes": [{**asdict(row), "label": str(row.label)} for row in scores.classes],
        "confusion": scores.confusion,
        "precision_recall": None
        if curves is None
        else {
            label: [[_short(x, 4), _short(y, 4)] for x, y in points]
            for label, points in curves.precision_recall.items()
        },
        "reliability": None
        if scores.reliability is None
        else [(_short(each.probability, 4), _short(each.share, 4), each.documents) for each in scores.reliability.bins],
    }


def _document(example: Example, with_words: bool) -> dict[str, Any]:
    """Return a document; its words only if the page cannot score it itself."""
    why = example.explanation
    text = example.text[:LONGEST]
    odds = example.odds or tuple(total for *_, total in example.sentences)
    sentences = [
        [start, min(end, LONGEST), _short(value, 4)]
        for (start, end, _), value in zip(example.sentences, odds, strict=True)
        if start < LONGEST
    ]
    words = [
        [start, end, _short(value, 4), word.word]
        for word, value in (why.effects() if with_words else ())
        for start, end in word.spans
        if end <= LONGEST
    ]
    return {
        "id": example.id,
        "text": text,
        "cut": len(example.text) - len(text),
        "label": None if example.label is None else str(example.label),
        "predicted": str(why.label),
        "probability": None if why.probability is None else round(why.probability, 4),
        "sentences": sentences,
        "words": words,
    }


def _making(making: Making) -> dict[str, Any]:
    return {
        "code": making.code(),
        "configuration": json.dumps(plain(making.configuration, drop_none=True), indent=2, ensure_ascii=False),
        "trace": making.trace,
    }


def _short(value: float, digits: int = 6) -> float:
    return float(f"{value:.{digits}g}")


def structured_data(summary: StructuredSummary) -> dict[str, Any]:
    """Return the data of the page."""
    return {
        "title": summary.title or f"A {summary.kind}",
        "kind": summary.kind,
        "lead": _structured_lead(summary),
        "facts": _structured_facts(summary),
        "labels": list(summary.labels),
        "templates": _shortened(summary.templates),
        "edges": summary.edges,
        "features": _shortened(summary.features),
        "transitions": _shortened(summary.transitions),
        "memory": summary.memory,
        "corpus": summary.corpus,
        "scores": summary.scores,
        "confusions": summary.confusions,
        "sentences": [
            {
                "words": sentence.words[:LONGEST_SENTENCE],
                "true": sentence.true[:LONGEST_SENTENCE],
                "predicted": sentence.predicted[:LONGEST_SENTENCE],
                "true_heads": sentence.true_heads,
                "predicted_heads": sentence.predicted_heads,
                "cut": max(len(sentence.words) - LONGEST_SENTENCE, 0),
            }
            for sentence in summary.sentences
            if len(sentence.words) <= LONGEST_SENTENCE or not sentence.true_heads  # a tree cannot be cut
        ],
        "configuration": json.dumps(summary.configuration, indent=2, ensure_ascii=False, default=str),
    }


def _structured_lead(summary: StructuredSummary) -> str:
    kept = sum(row["kept"] for row in summary.templates)
    what = "tag" if summary.kind == "sequence tagger" else "relation"
    text = (
        f"This {summary.kind} predicts {len(summary.labels)} {what}s. It uses {kept} of {len(summary.templates)} "
        f"templates and has {summary.weights:,} non-zero weights."
    )
    best = _best(summary)
    return text + (f" Its {best[0]} on {summary.corpus} is {best[1]:.1%}." if best else "")


def _best(summary: StructuredSummary) -> tuple[str, float] | None:
    for row in summary.scores[1:2] or summary.scores[:1]:
        for key, name in (("f1", "F1"), ("accuracy", "accuracy")):
            if key in row:
                return name, row[key]
    return None


def _structured_facts(summary: StructuredSummary) -> list[dict[str, Any]]:
    kept = sum(row["kept"] for row in summary.templates)
    labels = ", ".join(summary.labels[:8]) + (" …" if len(summary.labels) > 8 else "")
    best = _best(summary)
    return [
        fact("Task", f"{len(summary.labels)} labels", labels),
        *([fact(best[0], f"{best[1]:.2%}", summary.corpus)] if best else []),
        fact("Templates kept", f"{kept}", f"of {len(summary.templates)}"),
        fact("Weights", f"{summary.weights:,}", "non-zero"),
        *([fact("Size", f"{summary.size / 1e3:,.0f} kB", "the whole model on disk")] if summary.size else []),
    ]


def _shortened(value: Any) -> Any:
    """Return plain data with five digits of every number that is not whole."""
    if isinstance(value, Mapping):
        return {name: _shortened(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_shortened(part) for part in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value

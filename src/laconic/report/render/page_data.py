"""What the page's script is given: a `Summary` as compact plain data, with what people read already in words."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from laconic.core.plain import plain
from laconic.core.summaries.comparison import Comparison
from laconic.core.summaries.summary import Example, Making, Scores, Selection, Summary, WordWeight
from laconic.report.render.headline import facts, lead

LONGEST = 1000  # characters of a document that are shown
GROUPS_OF_A_WORD = 4


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
        "model": None if model is None else {**model, "classes": names},
        "unscored": summary.unscored,
        "example": summary.examples[0].text if summary.examples else "",
        "words": _words(summary.words, summary.selection),
        "vocabulary": summary.vocabulary_size,
        "path": _path(summary),
        "comparison": None if summary.comparison is None else _comparison(summary.comparison),
        "groups": None if summary.selection is None else _groups(summary.selection),
        "scores": None if summary.scores is None else _scores(summary.scores),
        "documents": [_document(example, model is None) for example in examples],
        "versus": [dict(row) for row in summary.versus],
        "making": None if summary.making is None else _making(summary.making),
    }


def _words(words: Sequence[WordWeight], selection: Selection | None) -> list[dict[str, Any]]:
    of: defaultdict[str, list[str]] = defaultdict(list)
    for group in selection.groups if selection is not None else ():
        for word in group.words:
            of[word].append(group.name)
    return [
        {
            "word": entry.word,
            "weights": [_short(weight) for weight in entry.weights],
            "strength": _short(entry.strength),
            "documents": entry.documents,
            "frequency": None if entry.frequency is None else round(entry.frequency, 3),
            "groups": of[entry.word][:GROUPS_OF_A_WORD] if entry.word in of else [],
            "more": max(len(of[entry.word]) - GROUPS_OF_A_WORD, 0) if entry.word in of else 0,
        }
        for entry in words
    ]


def _path(summary: Summary) -> dict[str, Any] | None:
    """Return the steps over one list of words; eight digits are enough for a look at other sizes."""
    if not summary.path or summary.comparison is None:
        return None
    words = sorted({word.word for step in summary.path for word in step.words})
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
                "intercept": [_short(value, 8) for value in step.intercept],
                "rows": [index[word.word] for word in step.words],
                "weights": [[_short(weight, 8) for weight in word.weights] for word in step.words],
            }
            for step in summary.path
        ],
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

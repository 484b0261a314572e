"""What the page's script is given: a summary as compact plain data, with what people read already in words."""

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from laconic.core.summaries.comparison import Comparison
from laconic.core.summaries.summary import Alternative, Example, Making, Scores, Selection, StructuredSummary, Summary
from laconic.core.values import plain

LONGEST = 1000  # characters of a document that are shown
LONGEST_SENTENCE = 80  # words of a sentence of a tagger or a parser
GROUPS_OF_A_WORD = 4
MOST_ROWS = 5000  # words in the table
MOST_WEIGHTS = 50_000  # of smaller and larger models, zeros apart
PENALTIES = (("group", "λ_g"), ("l1", "λ₁"), ("l2", "λ₂"))
METHODS = {
    "none": "no penalty",
    "ridge": "ridge",
    "lasso": "lasso",
    "elastic": "elastic net",
    "omp": "orthogonal matching pursuit",
    "group": "group lasso",
    "gomp": "group matching pursuit",
}


def page_data(summary: Summary) -> dict[str, Any]:
    """Return the data of the page."""
    model = summary.portable
    rows = {word: _sparse(weights, 12) for word, weights in (model or {"words": {}})["words"].items()}
    names = [str(label) for label in summary.classes]
    examples = summary.examples if len(summary.examples) > 1 else ()
    return {
        "title": summary.title or "A text model",
        "kind": "text classifier",
        "lead": lead(summary),
        "making": None if summary.making is None else _making(summary.making),
        "facts": facts(summary),
        "classes": names,
        "several": summary.several,
        "probabilistic": bool(model and model["probabilistic"]),
        "outputs": len(summary.outputs),
        "model": None if model is None else {**model, "classes": names, "words": rows},
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
    }


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
    """Return the steps over one list of words; eight digits are enough for a look at other sizes."""
    # The model itself, which is one of them, is there already; the largest steps are left out above `MOST_WEIGHTS`.
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
    headings, rows = comparison.by_size
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
        "doubts": comparison.doubts,
        "by_size": {"headings": headings, "rows": rows, "chosen": [point.chosen for point in comparison.frontier]},
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


def lead(summary: Summary) -> str:
    """Return what the model does, in a sentence or two."""
    names = [str(label) for label in summary.classes]
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    if summary.several:
        does = f"assigns any of {f'{len(names)} labels' if len(names) > 4 else f'the labels {listed}'}"
    else:
        does = f"separates {f'{len(names)} classes' if len(names) > 4 else listed}"
    text = (
        f"This model {does} using {len(summary.words):,} of the {summary.vocabulary_size:,} words in its training data."
    )
    if summary.scores is not None and "accuracy" in summary.scores.metrics:
        right = summary.scores.metrics["accuracy"]
        text += f" It classifies {right:.1%} of the {summary.scores.documents:,} test documents correctly."
    return text


def facts(summary: Summary) -> list[dict[str, Any]]:
    """Return name, value and note of each fact."""
    made = summary.made
    names = [str(label) for label in summary.classes]
    task = f"{len(names)} labels, multi-label" if summary.several else f"{len(names)} classes"
    rows = [fact("Task", task, ", ".join(names[:8]) + (" …" if len(names) > 8 else ""))]
    if summary.scores is not None:
        rows.append(_score(summary.scores))
    elif summary.comparison is not None:
        rows.append(_tuned(summary.comparison))
    digits = ".2g" if summary.share < 0.1 else ".0f"
    share = f"{100 * summary.share:{digits}}% of the {summary.vocabulary_size:,} words in the training data"
    rows.append(fact("Words kept", f"{len(summary.words):,}", share))
    if summary.selection is not None:
        kept = summary.selection
        rows.append(fact("Groups kept", f"{kept.selected:,}", f"of {kept.selected + kept.removed:,}; {kept.source}"))
    if math.isfinite(summary.gap):
        note = "relative duality gap: provably within this relative distance of the optimum"
        rows.append(fact("Certificate", f"{max(summary.gap, 0.0):.1e}", note))
    else:
        rows.append(fact("Certificate", "none", "greedy selection: no optimality guarantee"))
    if "documents" in made:
        rows.append(fact("Trained on", f"{made['documents']:,} documents", str(made.get("trained_on", ""))))
    return [*rows, *_costs(summary.making), {**_method(summary), "wide": True}]


def fact(name: str, value: str, note: str = "") -> dict[str, Any]:
    """Return a row of the facts at the top of the page."""
    return {"name": name, "value": value, "note": note}


def _costs(making: Making | None) -> list[dict[str, Any]]:
    if making is None or making.size is None:
        return []
    if making.seconds is None:
        return [fact("Size", _bytes(making.size), "the whole model on disk")]
    note = "the whole model on disk; this fit alone, without tuning"
    return [fact("Size, time to train", f"{_bytes(making.size)}, {making.seconds:.2g} s", note)]


def _bytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(size / 1e3, 0.1):.0f} kB"


def _score(scores: Scores) -> dict[str, Any]:
    name = "accuracy" if "accuracy" in scores.metrics else next(iter(scores.metrics))
    where = f"on {scores.documents:,} documents" + (f" of {scores.corpus}" if scores.corpus else "")
    if name in scores.intervals:
        low, high = scores.intervals[name]
        where = f"95% interval {low:.3f} to {high:.3f}; {where}"
    if name == "accuracy":
        usual = max(scores.classes, key=lambda row: row.documents)
        where += f"; always {usual.label}: {usual.documents / scores.documents:.3f}"
    return fact(name.replace("_", " ").capitalize(), f"{scores.metrics[name]:.3f}", where)


def _tuned(comparison: Comparison) -> dict[str, Any]:
    kept = comparison.chosen
    name = comparison.metric.replace("_", " ").capitalize()
    always = comparison.majority and f"; {comparison.majority.method}: {comparison.majority.score:.3f}"
    note = f"{comparison.scored_on}; ± one standard error{always or ''}"
    return fact(name, f"{kept.score:.3f} ± {kept.error:.3f}", note)


def _method(summary: Summary) -> dict[str, Any]:
    made: Any = summary.made
    method = str(made.get("method", ""))
    penalties = [f"{sign} = {made[name]:.3g}" for name, sign in PENALTIES if made.get(name)]
    penalties += [f"budget {made['budget']:,}"] if "budget" in made else []
    reason = summary.comparison.reason if summary.comparison is not None else ""
    note = "; ".join([", ".join(penalties), reason] if penalties and reason else [", ".join(penalties) or reason])
    return fact("How it was chosen", METHODS.get(method, method) or "by hand", note)

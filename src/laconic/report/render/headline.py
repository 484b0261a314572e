"""The model at a glance: a sentence that says what it is, and the facts a reader asks for first."""

import math
from typing import Any

from laconic.core.summaries.comparison import Comparison
from laconic.core.summaries.summary import Making, Scores, Summary

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
    doubts = summary.comparison.doubts if summary.comparison is not None else []
    return " ".join([text, *doubts])


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
    return fact(name, f"{kept.score:.3f} ± {kept.error:.3f}", f"{comparison.scored_on}; ± one standard error")


def _method(summary: Summary) -> dict[str, Any]:
    made: Any = summary.made
    method = str(made.get("method", ""))
    penalties = [f"{sign} = {made[name]:.3g}" for name, sign in PENALTIES if made.get(name)]
    penalties += [f"budget {made['budget']:,}"] if "budget" in made else []
    reason = summary.comparison.reason if summary.comparison is not None else ""
    note = "; ".join([", ".join(penalties), reason] if penalties and reason else [", ".join(penalties) or reason])
    return fact("How it was chosen", METHODS.get(method, method) or "by hand", note)

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
    """Return what the model does, in a sentence or two.

    Parameters
    ----------
    summary : Summary

    Examples
    --------
    >>> from laconic.core.summaries.summary import WordWeight
    >>> lead(Summary("", ("praise", "repair"), ("repair",), (WordWeight("lamp", (1.5,)),), (0.1,), 400, 1e-7))
    'This model tells praise and repair apart by 1 word of the 400 in its training texts.'
    """
    names = [str(label) for label in summary.classes]
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    if summary.several:
        does = f"gives a text any of {f'{len(names)} labels' if len(names) > 4 else f'the labels {listed}'}"
    else:
        does = f"tells {f'{len(names)} classes' if len(names) > 4 else listed} apart"
    n = len(summary.words)
    words = f"{n:,} {'word' if n == 1 else 'words'}"
    text = f"This model {does} by {words} of the {summary.vocabulary_size:,} in its training texts."
    if summary.scores is not None and "accuracy" in summary.scores.metrics:
        right = summary.scores.metrics["accuracy"]
        text += f" It labels {100 * right:.1f} % of {summary.scores.documents:,} texts that it is tested on rightly."
    return text


def facts(summary: Summary) -> list[dict[str, Any]]:
    """Return name, value and note of each fact.

    Parameters
    ----------
    summary : Summary
    """
    made = summary.made
    names = [str(label) for label in summary.classes]
    task = f"{len(names)} labels, any number a text" if summary.several else f"{len(names)} classes"
    found = [_fact("Task", task, ", ".join(names[:8]) + (" …" if len(names) > 8 else ""))]
    if summary.scores is not None:
        found.append(_score(summary.scores))
    elif summary.comparison is not None:
        found.append(_tuned(summary.comparison))
    share = f"{100 * summary.share:.2g} % of the {summary.vocabulary_size:,} words of the training texts"
    found.append(_fact("Words kept", f"{len(summary.words):,}", share))
    if summary.selection is not None:
        one = summary.selection
        found.append(_fact("Groups kept", f"{one.selected:,}", f"of {one.selected + one.removed:,}; {one.source}"))
    if math.isfinite(summary.gap):
        note = "relative duality gap: so close to the best possible value of its objective, proven"
        found.append(_fact("Certificate", f"{max(summary.gap, 0.0):.1e}", note))
    else:
        found.append(_fact("Certificate", "none", "no bound tells how close the choice of words is to the best one"))
    if "documents" in made:
        found.append(_fact("Trained on", f"{made['documents']:,} texts", str(made.get("trained_on", ""))))
    found += _costs(summary.making)
    found.append({**_method(summary), "wide": True})
    return found


def _fact(name: str, value: str, note: str = "") -> dict[str, Any]:
    return {"name": name, "value": value, "note": note}


def _costs(making: Making | None) -> list[dict[str, Any]]:
    if making is None or making.size is None:
        return []
    if making.seconds is None:
        return [_fact("Size", _bytes(making.size), "the whole model on disk")]
    note = "the whole model on disk; this one fit, without the search for it"
    return [_fact("Size, time to train", f"{_bytes(making.size)}, {making.seconds:.2g} s", note)]


def _bytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(size / 1e3, 0.1):.0f} kB"


def _score(scores: Scores) -> dict[str, Any]:
    name = "accuracy" if "accuracy" in scores.metrics else next(iter(scores.metrics))
    where = f"on {scores.documents:,} texts" + (f" of {scores.corpus}" if scores.corpus else "")
    if name in scores.intervals:
        low, high = scores.intervals[name]
        where = f"95 % interval {low:.3f} to {high:.3f}; {where}"
    return _fact(name.replace("_", " ").capitalize(), f"{scores.metrics[name]:.3f}", where)


def _tuned(comparison: Comparison) -> dict[str, Any]:
    kept = comparison.chosen
    name = comparison.metric.replace("_", " ").capitalize()
    return _fact(name, f"{kept.score:.3f} ± {kept.error:.3f}", f"{comparison.scored_on}; ± one standard error")


def _method(summary: Summary) -> dict[str, Any]:
    made: Any = summary.made
    method = str(made.get("method", ""))
    penalties = [f"{sign} = {made[name]:.3g}" for name, sign in PENALTIES if made.get(name)]
    penalties += [f"budget {made['budget']:,}"] if "budget" in made else []
    reason = summary.comparison.reason if summary.comparison is not None else ""
    note = "; ".join([", ".join(penalties), reason] if penalties and reason else [", ".join(penalties) or reason])
    return _fact("How it was chosen", METHODS.get(method, method) or "by hand", note)

"""Thresholds of probabilities that reach a goal on held-out documents; the goals: docs/trust.md.

A threshold lies half-way between the last probability that reaches it and the next that does not, so that it does not
depend on the last bit of an exponential.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

GOALS = ("precision", "recall", "cost", "f1")
LEAST = 10
A_POINT = 0.01  # the best F1 of few documents is luck; what is nearly as good on both sides of a threshold is not


@dataclass(frozen=True)
class Goal:
    """What a threshold must reach, such as ``precision=0.95``."""

    kind: str
    value: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in GOALS:
            raise ValueError(f"The goal of a threshold is {', '.join(GOALS)}, not {self.kind!r}.")
        if not (np.isfinite(self.value) and self.value > 0.0) or (self.kind != "cost" and self.value > 1.0):
            allowed = "a positive number" if self.kind == "cost" else "above 0 and at most 1"
            raise ValueError(f"{self.kind}={self.value:g} is not possible: it must be {allowed}.")

    def __str__(self) -> str:
        return self.kind if self.kind == "f1" else f"{self.kind}={self.value:g}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the goal that a text such as ``recall=0.9`` names."""
        if str(text).strip() == "f1":
            return cls("f1")
        kind, equals, value = str(text).partition("=")
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not equals or number != number:
            raise ValueError(f"{text!r} is not a goal of a threshold; write precision=0.95, recall=0.9, cost=5 or f1.")
        return cls(kind.strip(), number)


@dataclass(frozen=True)
class Threshold:
    """A threshold and what it does on the documents it was chosen on.

    Attributes
    ----------
    label : str, int or bool
    goal : str
    value : float
    precision, recall : float
    low, high : float
        95% interval of the precision (Wilson).
    documents : int
        Number of documents that reach it.
    """

    label: Any
    goal: str
    value: float
    precision: float
    recall: float
    low: float
    high: float
    documents: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def parse_goals(given: Any, classes: Sequence[Any]) -> dict[Any, Goal]:
    """Return the goal of each class that has one; a goal of its own (``"spam:recall=0.9"``) overrides one for all."""
    if isinstance(given, Mapping):
        pairs = [(label, str(goal)) for label, goal in given.items()]
    else:
        texts = [given] if isinstance(given, str) else list(given)
        pairs = [_named(text) for text in texts]
    by_name = {str(label): label for label in classes}
    goals: dict[Any, Goal] = {}
    for label, text in pairs:
        if label is None:
            continue
        if str(label) not in by_name:
            raise ValueError(
                f"There is no class {str(label)!r} to set a threshold for; the classes are "
                f"{', '.join(map(repr, by_name))}."
            )
        if by_name[str(label)] in goals:
            raise ValueError(f"The class {str(label)!r} has two threshold goals; give it one.")
        goals[by_name[str(label)]] = Goal.parse(text)
    everyone = [text for label, text in pairs if label is None]
    if len(everyone) > 1:
        raise ValueError(f"There are two goals for every class, {everyone[0]} and {everyone[1]}; give one.")
    if everyone:
        goal = Goal.parse(everyone[0])
        goals = {label: goals.get(label, goal) for label in classes}
    return goals


def choose_threshold(
    label: Any, scores: NDArray[np.float64], positive: NDArray[np.bool_], goal: Goal, weight: NDArray | None = None
) -> Threshold:
    """Choose the threshold of one class.

    Parameters
    ----------
    label
        The class, for error messages.
    scores : array of shape (n,)
        Its predicted probabilities.
    positive : array of bool
        Which documents have the label.
    goal : Goal
    weight : array of shape (n,), optional
        Weights of the documents.

    Raises
    ------
    ValueError
        If no threshold reaches the goal; the message says which one is possible.

    Examples
    --------
    >>> scores = np.linspace(0.0, 1.0, 101)
    >>> threshold = choose_threshold("spam", scores, scores > 0.6, Goal("precision", 0.8))
    >>> round(threshold.value, 3), round(threshold.precision, 2), threshold.recall
    (0.505, 0.8, 1.0)
    """
    w = np.ones(len(scores)) if weight is None else np.asarray(weight, dtype=np.float64)
    if not positive.any():
        raise ValueError(f"No document has the label {label!r}, so its threshold cannot be chosen; add some.")
    order = np.argsort(-scores, kind="stable")
    sorted_scores = scores[order]
    ends = np.append(np.flatnonzero(np.diff(sorted_scores)), len(scores) - 1)  # equal scores stay together
    hits = np.cumsum(w[order] * positive[order])[ends]
    taken = np.cumsum(w[order])[ends]
    precision, recall, counts = hits / taken, hits / hits[-1], ends + 1
    if goal.kind == "precision":
        at = _lowest_precise(label, goal.value, precision, recall, counts)
    elif goal.kind == "recall":
        at = int(np.flatnonzero(recall >= goal.value - 1e-12)[0])
    elif goal.kind == "cost":
        at = _cheapest(label, goal.value, taken - hits, hits)
    else:
        at = middle_of_best(hits, taken)
    last = sorted_scores[ends[at]]
    following = sorted_scores[ends[at] + 1] if at + 1 < len(ends) else 0.0
    low, high = wilson(precision[at], taken[at] ** 2 / np.sum(w[order][: ends[at] + 1] ** 2))
    return Threshold(
        label,
        str(goal),
        float((last + following) / 2.0) or float(np.finfo(float).tiny),
        float(precision[at]),
        float(recall[at]),
        low,
        high,
        int(counts[at]),
    )


def _lowest_precise(label: Any, wanted: float, precision: NDArray, recall: NDArray, counts: NDArray) -> int:
    """Return the place of the lowest threshold with the wanted precision, or say which precision is possible."""
    enough = counts >= min(LEAST, counts[-1])
    reached = np.flatnonzero(enough & (precision >= wanted))
    if len(reached):
        return int(reached[-1])
    best = np.flatnonzero(enough)[np.argmax(precision[enough])]
    raise ValueError(
        f"No threshold gives {label!r} a precision of {wanted:g} on {counts[-1]:,} documents: at most "
        f"{precision[best]:.3f} is possible (with a recall of {recall[best]:.3f}; a threshold must rest on at "
        f"least {LEAST} documents). Ask for less, or improve the model."
    )


def _cheapest(label: Any, cost: float, false_positives: NDArray, hits: NDArray) -> int:
    """Return the place of the cheapest threshold, or say that never giving the label is cheaper than any."""
    costs = cost * false_positives + (hits[-1] - hits)
    at = int(np.argmin(costs))
    if costs[at] > hits[-1]:
        raise ValueError(
            f"At a cost of {cost:g} for a wrong {label!r}, no threshold is cheaper than never giving it. Ask "
            "for less, or improve the model."
        )
    return at


def middle_of_best(hits: NDArray, taken: NDArray) -> int:
    """Return the place with nearly the best F1 that is nearest to the middle, by ratios of documents, of all such."""
    f1 = 2.0 * hits / (taken + hits[-1])
    slack = max(A_POINT, min(1.0 / hits[-1], f1.max() / 2.0))
    near = np.flatnonzero(f1 >= f1.max() - slack)
    size = np.log(taken[near])
    return int(near[np.argmin(np.abs(size - size.mean()))])


def _named(text: str) -> tuple[str | None, str]:
    label, colon, goal = str(text).rpartition(":")
    return (label if colon else None), goal


def wilson(share: float, n: float, z: float = 1.959963984540054) -> tuple[float, float]:
    """Return the 95% interval of a share of n documents (Wilson 1927)."""
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return float(max(middle - half, 0.0)), float(min(middle + half, 1.0))

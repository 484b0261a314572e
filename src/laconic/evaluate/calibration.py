r"""Calibrations of margins, how reliable probabilities are, and thresholds of them, on held-out documents.

The sigmoid is the maximum likelihood of softmax(a·f + c), a ≥ 0, with Platt's targets: with N_k documents of class k of
K, such a document counts as (N_k + 1)/(N_k + K) of its class and 1/(N_k + K) of every other, so that the solution is
finite on separable documents too. The isotonic curve is the increasing one of least squares, its probabilities kept
between 1/(n + 2) and 1 − 1/(n + 2), because n documents cannot prove that an event is impossible.

For `reliability` documents are cut into ten bins of equal counts by their probability; the calibration error is
:math:`\sum_b \tfrac{n_b}{n} |\text{share}_b - \text{mean}_b|`, the mean distance between the probability of a bin and
the share that is true in it. The probability is that of the second of two classes, else that of the most likely class.
The terminal and the page both show these bins.

A threshold reaches a goal (docs/trust.md). It lies half-way between the last probability that reaches it and the next
that does not, so that it does not depend on the last bit of an exponential.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from laconic.core.calibration import Calibration, Curve, log_odds
from laconic.core.summaries.summary import Bin, Reliability

Array = NDArray[np.float64]
BINS = 10
GOALS = ("precision", "recall", "cost", "f1")
LEAST = 10
A_POINT = 0.01  # the best F1 of few documents is luck; what is nearly as good on both sides of a threshold is not


def fit_calibration(kind: str, margins: Array, codes: NDArray[np.intp], n_classes: int) -> Calibration:
    """Fit how margins become probabilities.

    Parameters
    ----------
    kind : {"sigmoid", "isotonic", "none"}
    margins : array of shape (n,) for two classes, else (n, n_classes)
    codes : array of int
        The number of each document's class.
    n_classes : int

    Examples
    --------
    >>> margins, codes = np.array([-9.0, -8.0, 8.0, 9.0] * 50), np.array([0, 1, 0, 1] * 50)
    >>> fit_calibration("sigmoid", margins, codes, 2).probabilities(np.array([9.0])).round(2)
    array([[0.47, 0.53]])
    """
    F = margins[:, None] if margins.ndim == 1 else margins
    if kind == "sigmoid":
        scale, shift = _sigmoid(F, codes, n_classes)
        return Calibration("sigmoid", scale, shift)
    if kind == "isotonic":
        Z = log_odds(F)
        own = (1,) if F.shape[1] == 1 else range(n_classes)
        return Calibration("isotonic", curves=tuple(_curve(Z[:, i], codes == k) for i, k in enumerate(own)))
    return Calibration(kind)


def fit_calibration_of_several(kind: str, margins: Array, has: NDArray[np.bool_]) -> Calibration:
    """Fit one calibration per label of a multi-label model: margins and labels of shape (n, n_labels)."""
    if kind == "sigmoid":
        fits = [_sigmoid(margins[:, [k]], has[:, k].astype(np.intp), 2) for k in range(margins.shape[1])]
        scale, shift = (tuple(fit[part][0] for fit in fits) for part in (0, 1))
        return Calibration("sigmoid", scale, shift, several=True)
    if kind == "isotonic":
        curves = tuple(_curve(margins[:, k], has[:, k]) for k in range(margins.shape[1]))
        return Calibration("isotonic", curves=curves, several=True)
    return Calibration(kind, several=True)


def _sigmoid(F: Array, codes: NDArray[np.intp], n_classes: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    from scipy.optimize import minimize
    from scipy.special import log_softmax

    counts = np.bincount(codes, minlength=n_classes)
    table = (np.ones((n_classes, n_classes)) + np.diag(counts)) / (counts + n_classes)[:, None]
    T = table[codes]
    Z = np.column_stack([np.zeros(len(F)), F]) if F.shape[1] == 1 else F
    # Margins on one scale, so that steps in the slope and in the shifts are of one size.
    unit = float(np.std(Z - Z.mean(axis=1, keepdims=True)))
    varies = unit > 0.0 and np.ptp(F, axis=0).max() > 0.0
    Z = Z / unit if varies else np.zeros_like(Z)

    def loss(parameters: Array) -> tuple[float, Array]:
        log_q = log_softmax(parameters[0] * Z + np.append(0.0, parameters[1:]), axis=1)
        rest = np.exp(log_q) - T
        return -float(np.sum(T * log_q)) / len(Z), np.append(np.sum(rest * Z), rest[:, 1:].sum(axis=0)) / len(Z)

    start = np.zeros(n_classes)
    start[0] = unit if varies else 0.0
    bounds: Any = [(0.0, None), *[(None, None)] * (n_classes - 1)]
    options = {"maxiter": 1000, "ftol": 1e-15, "gtol": 1e-9}
    solution = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    slope, shifts = float(solution[0]) / (unit if varies else 1.0), solution[1:]
    if F.shape[1] == 1:
        return (slope,), (float(shifts[0]),)
    every = np.append(0.0, shifts)
    return (slope,) * n_classes, tuple((every - every.mean()).tolist())


def _curve(z: Array, positive: NDArray[np.bool_]) -> Curve:
    from sklearn.isotonic import IsotonicRegression

    fitted = IsotonicRegression().fit(z, positive.astype(np.float64))
    least = 1.0 / (len(z) + 2)
    q = np.clip(fitted.y_thresholds_, least, 1.0 - least)
    return tuple(fitted.X_thresholds_.tolist()), tuple(np.maximum.accumulate(q).tolist())


def reliability(
    Q: NDArray[np.float64], codes: NDArray[np.intp], bins: int = BINS, weight: NDArray | None = None
) -> Reliability:
    """Compare predicted probabilities with the true classes.

    Parameters
    ----------
    Q : array of shape (n, n_classes)
        Probabilities.
    codes : array of int
        The number of each document's class.
    bins : int
    weight : array of shape (n,), optional
        How much each document counts.

    Examples
    --------
    >>> sure = reliability(np.array([[0.1, 0.9]] * 10), np.array([1] * 9 + [0]))
    >>> round(sure.error, 3), round(sure.brier, 3), sure.bins[0].documents
    (0.0, 0.09, 10)
    """
    w = np.ones(len(Q)) if weight is None else weight
    own = Q[np.arange(len(Q)), codes]
    brier = 0.5 * (np.sum(Q * Q, axis=1) - 2.0 * own + 1.0)
    losses = -np.log(np.maximum(own, np.finfo(float).tiny))
    if Q.shape[1] == 2:
        predicted, true = Q[:, 1], codes == 1
    else:
        predicted, true = Q.max(axis=1), Q.argmax(axis=1) == codes
    rows, error = binned(predicted, true, bins, w)
    return Reliability(error, float(np.average(brier, weights=w)), float(np.average(losses, weights=w)), rows)


def binned(
    predicted: NDArray[np.float64], true: NDArray[np.bool_], bins: int = BINS, weight: NDArray | None = None
) -> tuple[tuple[Bin, ...], float]:
    """Return bins of equal counts (equal probabilities stay together) and the calibration error over them."""
    w = np.ones(len(predicted)) if weight is None else weight
    order = np.argsort(predicted, kind="stable")
    p, y, w = predicted[order], true[order].astype(np.float64), w[order]
    edges = np.unique(np.searchsorted(p, p[(np.arange(1, bins) * len(p)) // bins], side="left"))
    cuts = [0, *(edge for edge in edges.tolist() if edge > 0), len(p)]
    rows, error = [], 0.0
    for a, b in pairwise(cuts):
        mean, share = np.average(p[a:b], weights=w[a:b]), np.average(y[a:b], weights=w[a:b])
        rows.append(Bin(float(mean), float(share), b - a))
        error += float(w[a:b].sum() / w.sum() * abs(mean - share))
    return tuple(rows), error


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

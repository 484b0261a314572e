"""Random problems: a matrix, labels, weights, edits, groups and levels, drawn together so that they mean something."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tools.attack.matrices import Array, Matrix, random_matrix

LOSSES = ("logistic", "softmax", "squared", "squared_hinge")
PENALTIES = ("none", "ridge", "lasso", "elastic net", "group", "sparse group", "tree", "overlapping")


@dataclass(frozen=True)
class Draw:
    """One problem in the caller's own terms."""

    matrix: Matrix
    y: Any
    loss: str
    penalty: str
    intercept: bool
    l1: float
    l2: float
    group: float
    groups: tuple[tuple[int, ...], ...]
    group_weights: tuple[float, ...]
    sample_weight: Array | None
    class_weight: Any
    tol: float
    ban: tuple[int, ...] = ()
    keep: tuple[int, ...] = ()
    signs: Mapping[Any, str] = field(default_factory=dict)
    factors: Mapping[Any, float] = field(default_factory=dict)

    def __str__(self) -> str:
        n, p = self.matrix.dense.shape
        edits = {name: getattr(self, name) for name in ("ban", "keep", "signs", "factors") if getattr(self, name)}
        return (
            f"{self.loss}, {self.penalty}, {n} x {p} {type(self.matrix.given).__name__}, l1={self.l1:.3g} "
            f"l2={self.l2:.3g} group={self.group:.3g}, intercept={self.intercept}, tol={self.tol:g}, "
            f"weights={self.sample_weight is not None}, class_weight={self.class_weight}{f', {edits}' if edits else ''}"
        )


def random_draw(rng: np.random.Generator, penalties: tuple[str, ...] = PENALTIES) -> Draw:
    """Return a random problem."""
    matrix = random_matrix(rng)
    n, p = matrix.dense.shape
    loss = LOSSES[rng.integers(len(LOSSES))]
    if loss == "softmax" and n < 5:
        loss = "logistic"
    y = _labels(rng, matrix.dense, loss)
    penalty = penalties[rng.integers(len(penalties))]
    intercept = bool(rng.random() < 0.7)
    weight = _weights(rng, n)
    level = _size(matrix.dense, y, loss, intercept) * 10.0 ** rng.uniform(-3.0, 0.1)
    lists = random_groups(rng, p, penalty)
    return Draw(
        matrix,
        y,
        loss,
        penalty,
        intercept,
        l1=level if penalty in ("lasso", "elastic net", "sparse group") else 0.0,
        l2=_ridge(rng, penalty, level),
        group=level if lists else 0.0,
        groups=lists,
        group_weights=tuple(float(d) for d in rng.uniform(0.5, 2.0, len(lists))),
        sample_weight=weight,
        class_weight=_class_weight(rng, y, loss, weight),
        tol=float(rng.choice([1e-6, 1e-6, 1e-6, 1e-4, 1e-9])),
        **_edits(rng, p, y, loss),
    )


def random_groups(rng: np.random.Generator, p: int, penalty: str) -> tuple[tuple[int, ...], ...]:
    """Return lists of features of the structure that a penalty's name asks for; none for penalties without groups."""
    if penalty in ("group", "sparse group", "tree"):
        order = rng.permutation(p)[: rng.integers(max(1, p // 2), p + 1)]
        ends = np.sort(rng.choice(len(order), min(len(order) - 1, int(rng.integers(0, 6))), replace=False))
        lists = [tuple(map(int, part)) for part in np.split(order, ends) if len(part)]
        if penalty == "tree":
            inner = [one[: rng.integers(1, len(one) + 1)] for one in lists]
            lists = [*lists, *(one for one in inner if one not in lists)]
        return tuple(lists)
    if penalty == "overlapping":
        sizes = rng.integers(1, min(p, 6) + 1, rng.integers(2, 9))
        return tuple(tuple(map(int, rng.choice(p, size, replace=False))) for size in sizes)
    return ()


def _labels(rng: np.random.Generator, X: Array, loss: str) -> Any:
    n, p = X.shape
    signal = X @ (rng.normal(size=p) / np.maximum(np.abs(X).max(axis=0), 1e-300)) + rng.normal(size=n)
    if loss == "squared":
        return signal * 10.0 ** rng.integers(-2, 3) + rng.normal()
    k = int(rng.integers(3, 5)) if loss == "softmax" else 2
    codes = np.searchsorted(np.quantile(signal, np.arange(1, k) / k), signal)
    codes[rng.permutation(n)[:k]] = np.arange(k)
    return np.array(["a", "b", "c", "d"])[codes]


def _weights(rng: np.random.Generator, n: int) -> Array | None:
    if rng.random() < 0.6:
        return None
    s = rng.uniform(0.1, 3.0, n)
    if rng.random() < 0.4:
        s[rng.integers(n)] = 0.0
    return s


def _class_weight(rng: np.random.Generator, y: Any, loss: str, weight: Array | None) -> Any:
    if loss == "squared" or rng.random() < 0.75:
        return None
    if rng.random() < 0.5:
        return "balanced"
    found = {str(k): float(rng.uniform(0.2, 3.0)) for k in np.unique(y)}
    if len(found) > 2 and rng.random() < 0.4:
        found["b"] = 0.0
    return found


def _edits(rng: np.random.Generator, p: int, y: Any, loss: str) -> dict[str, Any]:
    if rng.random() < 0.6:
        return {}
    which = [int(j) for j in rng.permutation(p)]
    found: dict[str, Any] = {}
    if rng.random() < 0.4:
        found["ban"] = tuple(which[:2])
    if rng.random() < 0.3:
        found["keep"] = tuple(which[2:4])
    label = "" if loss != "softmax" else "a"
    if rng.random() < 0.5:
        found["signs"] = {j: str(rng.choice(["+", "-"])) + label for j in which[4:9]}
    if rng.random() < 0.4:
        found["factors"] = {j: float(10.0 ** rng.uniform(-1, 1)) for j in which[7:12]}
    return found


def _ridge(rng: np.random.Generator, penalty: str, level: float) -> float:
    if penalty in ("ridge", "elastic net"):
        return float(level * 10.0 ** rng.uniform(-2, 1))
    return float(level * 0.1) if penalty not in ("none", "lasso") and rng.random() < 0.25 else 0.0


def _size(X: Array, y: Any, loss: str, intercept: bool) -> float:
    """Return about the level from which on all weights are zero."""
    targets = y if loss == "squared" else np.where(y == np.unique(y)[-1], 0.5, -0.5)
    largest = float(np.abs(X.T @ (targets - targets.mean() * intercept)).max(initial=0.0))
    return largest if largest > 0.0 else 1.0

r"""Values and lower bounds of penalised logistic and softmax regressions, in plain numpy.

.. math:: P(W, b) = \sum_i \mathrm{loss}(y_i, W^\top x_i + b) + \lambda_1 \|W\|_1 + \lambda_2 \|W\|_2^2

Nothing here comes from laconic, so that the optimum a race is measured against is an independent one. The lower bound
is the value of the dual at a point made from W: with class probabilities p_i and residuals α_i = onehot(y_i) − p_i,

.. math:: D(\alpha) = \sum_i \mathrm{entropy}(p_i) - \Omega^*(X^\top \alpha)

for every α whose columns sum to zero (where b is free). b is chosen so that they do, and without an l2 part α is shrunk
until no entry of Xᵀα exceeds λ₁.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr, expit, logsumexp, softmax

from benchmarks.task import Task

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Objective:
    """A kind of model: with or without intercept, two classes (one output) or many, l1 and l2 as shares of λ."""

    name: str
    title: str
    intercept: bool
    many_classes: bool
    l1_share: float
    l2_share: float
    group_size: int = 0

    def task(self, lam: float, n_classes: int) -> Task:
        """Return the task at one λ."""
        return Task(self.l1_share * lam, self.l2_share * lam, self.intercept, n_classes, self.group_size)

    def lambda_max(self, X, y: NDArray) -> float:
        """Return the smallest λ at which all weights are zero; for a ridge, which has none, that of the lasso."""
        outputs = int(y.max()) + 1 if self.many_classes else 1
        b = _best_intercept(np.zeros((len(y), outputs)), y) if self.intercept else np.zeros(outputs)
        residual = _residual(np.zeros((len(y), outputs)) + b, y)
        return float(_sizes(X.T @ residual, self.group_size).max()) / (self.l1_share or 1.0)


def value(task: Task, X, y: NDArray, W: Array, b: Array) -> float:
    """Return P(W, b)."""
    margins = X @ W + b
    if margins.shape[1] == 1:
        loss = np.logaddexp(0.0, np.where(y == 1, -1.0, 1.0) * margins[:, 0]).sum()
    else:
        loss = (logsumexp(margins, axis=1) - margins[np.arange(len(y)), y]).sum()
    norms = _norms(W, task.group_size).sum() if task.group_size else np.abs(W).sum()
    return float(loss + task.l1 * norms + task.l2 * (W**2).sum())


def bound(task: Task, X, y: NDArray, W: Array) -> float:
    """Return a value that P never goes below, tight where W is optimal."""
    margins = X @ W
    if task.intercept:
        margins = margins + _best_intercept(margins, y)
    residual = _residual(margins, y)
    if task.intercept:
        residual -= residual.mean(axis=0)
    correlation = _sizes(X.T @ residual, task.group_size)
    if task.l2 > 0.0:
        scale = 1.0
        conjugate = float((np.maximum(correlation - task.l1, 0.0) ** 2).sum() / (4.0 * task.l2))
    else:
        # A hair inside, so that rounding never makes the point infeasible.
        scale = min(1.0, task.l1 / correlation.max() * (1.0 - 1e-14))
        conjugate = 0.0
    return _entropy(scale * residual, y) - conjugate


def _norms(W: Array, group_size: int) -> Array:
    """√size·‖W_g‖ of neighbouring rows."""
    starts = np.arange(0, len(W), group_size)
    squares = np.add.reduceat((W**2).sum(axis=1), starts) if len(W) else np.zeros(0)
    return np.sqrt(squares * np.diff([*starts, len(W)]))


def _sizes(C: Array, group_size: int) -> Array:
    """How large correlations are against λ: |c_j|, or ‖c_g‖/√size."""
    if not group_size:
        return np.abs(C)
    return _norms(C, group_size) / np.diff([*range(0, len(C), group_size), len(C)])


def _residual(margins: Array, y: NDArray) -> Array:
    """Onehot(y) minus the probabilities; one column for two classes."""
    if margins.shape[1] == 1:
        return (y == 1)[:, None] - expit(margins)
    residual = -softmax(margins, axis=1)
    residual[np.arange(len(y)), y] += 1.0
    return residual


def _entropy(residual: Array, y: NDArray) -> float:
    """Summed entropy of the probabilities onehot(y) − residual."""
    if residual.shape[1] == 1:
        # The probability of the label the document does not have: small ones keep their digits this way.
        wrong = np.clip(np.where(y == 1, residual[:, 0], -residual[:, 0]), 0.0, 1.0)
        return float((entr(wrong) - (1.0 - wrong) * np.log1p(-np.minimum(wrong, 1.0 - 1e-16))).sum())
    probabilities = -residual
    probabilities[np.arange(len(y)), y] += 1.0
    return float(entr(np.clip(probabilities, 0.0, 1.0)).sum())


def _best_intercept(margins: Array, y: NDArray, steps: int = 100) -> Array:
    """The b that minimises the loss at given margins without intercept, by Newton's method with halving."""
    b = np.zeros(margins.shape[1])
    task = Task(0.0, 0.0, True, 2)
    none = np.zeros((0, margins.shape[1]))
    empty = np.zeros((len(y), 0))

    def loss(b: Array) -> float:
        return value(task, empty, y, none, margins + b)

    best = loss(b)
    for _ in range(steps):
        gradient = -_residual(margins + b, y).sum(axis=0)
        if margins.shape[1] == 1:
            p = expit(margins + b)
            hessian = (p * (1.0 - p)).sum(axis=0)[:, None]
        else:
            p = softmax(margins + b, axis=1)
            hessian = np.diag(p.sum(axis=0)) - p.T @ p
        # Adding a constant to all intercepts changes nothing: the shortest solution of a singular system.
        step = np.linalg.lstsq(hessian, -gradient, rcond=None)[0]
        if -gradient @ step <= 1e-14 * best:
            # Too little left to see in the loss, but not in its gradient: the last step is a full one.
            return b + step
        size = 1.0
        while size > 1e-10 and loss(b + size * step) > best:
            size /= 2.0
        b = b + size * step
        best = loss(b)
    return b

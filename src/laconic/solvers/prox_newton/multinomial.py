r"""Proximal Newton for softmax with an l1 part.

The quadratic model couples the classes through :math:`H_i = s_i(\mathrm{diag}(p_i) - p_i p_i^\top + \nu_i I)`. It is
minimised class by class: with the other classes held, class k sees a one-output model with curvature
:math:`s_i(p_{ik}(1-p_{ik}) + \nu_i)`, on a working set of its own, so most (word, class) pairs are never touched; then
all nonzero weights and the intercepts move at once. ν is the curvature that the outer loop adds per document. Documents
bend in few classes only; what is next to nothing becomes a ridge (`laconic.kernels.linear.softmax_quadratic`).

Far from the optimum the model is a poor guide: from zero weights, small penalties are reached by way of larger ones.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.penalties.base import sides_of
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import InMemoryProblem
from laconic.core.solution import Solution
from laconic.kernels.linear.softmax_quadratic import (
    Quadratic,
    bend,
    collect,
    curvature_product,
    predicted_changes,
    quadratic,
    spread,
    sweep,
)
from laconic.solvers.prox_newton.outer_loop import solve_proximal, working_set
from laconic.solvers.prox_newton.support_step import SupportStep
from laconic.solvers.warm_path import Trail
from laconic.solvers.warm_start import zero_point

STAGE, STAGE_TOL = 0.3, 0.1  # from one penalty to the next on the way to a small one, and their relative gap
MAX_ROUNDS = 20
ROUGH = 1e-4  # models minimised more exactly than this leave out less
SWEEPS = 2  # in a row, before a Newton step
LEAST, MOST = 1e-4, 1e-3  # a probability up to this share of λ₁ per cell, but no larger one, bends next to nothing


def solve_multinomial(
    problem: InMemoryProblem,
    penalty: ElasticNetPenalty,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    trail: Trail | None = None,
) -> Solution:
    """Minimise softmax loss plus an elastic net with λ₁ > 0 or λ₂ > 0; parameters as in ``solve_proximal``."""
    trail = Trail(problem) if trail is None else trail

    def solved(penalty: ElasticNetPenalty, tol: float) -> Solution:
        def model_at(W: Array, F: Array, C: Array) -> _Model:
            return _Model(problem, penalty, W, F, C)

        return solve_proximal(problem, penalty, model_at, start, tol, max_iter, trail)

    if start is None and trail.is_empty:
        for factor in _stages(problem, penalty):
            solved(replace(penalty, l1=factor * penalty.l1), STAGE_TOL)
            trail.forget(2)
    return solved(penalty, tol)


def _stages(problem: InMemoryProblem, penalty: ElasticNetPenalty) -> Array:
    """Return factors of λ₁ that fall in even steps from where all weights are zero to one, both left out."""
    l1 = _levels(problem, penalty)
    c = np.abs(problem.correlations(problem.residual(zero_point(problem, penalty).F))).max(axis=1)
    largest = float(np.max(c[l1 > 0.0] / l1[l1 > 0.0], initial=1.0))
    return np.asarray(np.geomspace(largest, 1.0, int(np.ceil(np.log(largest) / -np.log(STAGE))) + 1)[1:-1])


def _levels(problem: InMemoryProblem, penalty: ElasticNetPenalty) -> Array:
    return np.broadcast_to(np.asarray(penalty.l1, dtype=np.float64), (problem.n_features,))


class _Chosen(NamedTuple):
    """(word, class) pairs class by class, those of class k from ``ends[k]`` to ``ends[k + 1]``."""

    words: NDArray[np.intp]
    classes: NDArray[np.intp]
    ends: NDArray[np.int64]


def _chosen(C: Array, l1: Array, W: Array) -> _Chosen:
    """Return the nonzero weights and the worst violators of every class."""
    live = np.flatnonzero(np.any((np.abs(C) > l1[:, None]) | (W != 0.0), axis=1))
    C, W, l1 = (np.asarray(part[live], order="F") for part in (C, W, l1))
    sets = [live[working_set(C[:, k], l1, W[:, k] != 0.0)] for k in range(C.shape[1])]
    sizes = np.array([0, *map(len, sets)])
    return _Chosen(np.concatenate(sets), np.repeat(np.arange(len(sets)), sizes[1:]), np.cumsum(sizes))


class _Model:
    """The quadratic model at one point, and the step that minimises it."""

    def __init__(self, problem: InMemoryProblem, penalty: ElasticNetPenalty, W: Array, F: Array, C: Array) -> None:
        self.problem, self.l2, self.F = problem, penalty.l2, F
        l1, sides = _levels(problem, penalty), sides_of(penalty.sides, problem.n_features, problem.n_outputs)
        self.P = problem.curvature(F)
        self.chosen = words, classes, _ = _chosen(C, l1, W)
        self.l1, self.sides, self.old = l1[words], sides[words, classes], W[words, classes]
        self.columns = problem.columns(words)
        cell = float(np.abs(self.columns.data).mean()) if len(self.columns.data) else 1.0
        level = float(self.l1.min(initial=np.inf)) / max(cell * float(problem.weight.mean()), 1e-300)
        self.least = min(LEAST * level, MOST)
        self.size = max(float(np.abs(W).sum()), 1e-300)

    def minimise(self, damping: Array, theta: float, allowed: float) -> None:
        """Sweep class by class, with Newton steps on the support of all classes when that crawls."""
        problem, slack = self.problem, allowed / self.size
        ends = self.chosen.ends
        least = self.least * min(1.0, theta / ROUGH)
        model = quadratic(*self.columns, ends, self.P, problem.y, problem.weight, damping, least)
        Z, mean = np.zeros(len(model.pairs.p)), np.zeros(problem.n_samples)
        # The weights, and the moves of the intercepts after them.
        self.new = np.concatenate([self.old, np.zeros(problem.n_outputs)])
        penalty = self.l1, self.l2, self.sides
        gained, step = 0.0, SupportStep(theta, slack)
        for _ in range(MAX_ROUNDS):
            gain, off = sweep(model, self.old, self.new, *penalty, Z, mean, problem.fit_intercept, slack, SWEEPS)
            gained += gain
            if gain <= theta * gained or off <= slack:
                break
            gained += self._step_on_support(model, step, Z, mean)
        change = np.zeros((problem.n_features, problem.n_outputs))
        change[self.chosen.words, self.chosen.classes] = self.new[: len(self.old)] - self.old
        self.Z = problem.margins(change, self.new[len(self.old) :])

    def _step_on_support(self, model: Quadratic, step: SupportStep, Z: Array, mean: Array) -> float:
        """Move the nonzero weights of all classes, and the intercepts, at once; return by how much the model fell."""
        K, l2 = self.problem.n_outputs, self.l2
        size = len(self.old)
        some = np.flatnonzero(self.new[:size])
        ends = np.searchsorted(some, self.chosen.ends)
        both = np.concatenate([some, np.arange(size, size + K)])
        here, moved, last = self.new[both], self.new[both], slice(len(some), None)
        here[last] = 0.0
        moved[: len(some)] -= self.old[some]
        R, pull, weights = Z.copy(), np.empty(len(both)), model.weights
        bend(model.pairs, R, mean)
        collect(model, some, ends, R, pull)
        slope = weights.slope[both] - pull - weights.rest[both] * moved - 2.0 * l2 * here
        slope[: len(some)] -= self.l1[some] * np.sign(here[: len(some)])
        diagonal = weights.curvature[both] + weights.rest[both] + 2.0 * l2
        # A common shift of all intercepts changes nothing; with a curvature of its own it stays at zero.
        diagonal[last] = diagonal[last] + 1.0 - 2.0 * l2 if self.problem.fit_intercept else 0.0

        def product(d: Array, out: Array) -> None:
            curvature_product(model, some, ends, d, R, mean, out)
            out[: len(some)] += 2.0 * l2 * d[: len(some)]
            out[last] += d[last].sum()

        move, fall = step(here, slope, product, diagonal)
        if fall > 0.0:
            self.new[both] += move
            spread(model, some, ends, move, R)
            Z += R
        bend(model.pairs, Z.copy(), mean)
        return fall

    @property
    def residual(self) -> Array:
        """The residual that the model predicts at its minimum."""
        return self.problem.residual(self.F) - self.problem.curvature_product(self.P, self.Z)

    def loss_changes(self) -> tuple[Array, Array]:
        linear, quadratic = np.empty((2, self.problem.n_samples))
        predicted_changes(self.P, self.problem.y, self.problem.weight, self.Z, linear, quadratic)
        return linear, quadratic

    def penalty_change(self, W: Array, t: float) -> float:
        new = self._weights(t)
        change = self.l1 * (np.abs(new) - np.abs(self.old)) + self.l2 * (new * new - self.old * self.old)
        return float(change.sum())

    def apply(self, W: Array, b: Array, t: float) -> None:
        W[self.chosen.words, self.chosen.classes] = self._weights(t)
        b += t * self.new[len(self.old) :]

    def _weights(self, t: float) -> Array:
        new = self.new[: len(self.old)]
        return new if t == 1.0 else self.old + t * (new - self.old)

r"""Proximal Newton for softmax with an l1 part.

The quadratic model couples the classes through :math:`H_i = s_i(\mathrm{diag}(p_i) - p_i p_i^\top + \nu_i I)`. It is
minimised class by class: with the other classes held, class k sees the one-output model with curvature
:math:`s_i(p_{ik}(1-p_{ik}) + \nu_i)` and residual
:math:`\alpha_{ik} - s_i(p_{ik}(z_{ik} - p_i^\top z_i) + \nu_i z_{ik})`, on a working set of its own, so most
(word, class) pairs are never touched. ν is the curvature that the outer loop adds per document.
"""

from functools import partial
from itertools import pairwise

import numpy as np

from laconic.core.losses import Array
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import InMemoryProblem
from laconic.core.sign_constraints import Sides, sides_of
from laconic.core.solution import Solution
from laconic.kernels.linear.columns import accumulate, correlate
from laconic.kernels.linear.softmax import bend_softmax
from laconic.solvers.prox_newton.coordinate import QuadraticModel
from laconic.solvers.prox_newton.outer_loop import solve_proximal, working_set
from laconic.solvers.prox_newton.support_step import SupportStep
from laconic.solvers.warm_path import Trail

MAX_ROUNDS = 20


def solve_multinomial(
    problem: InMemoryProblem,
    penalty: ElasticNetPenalty,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    trail: Trail | None = None,
) -> Solution:
    """Minimise softmax loss plus an elastic net with λ₁ > 0 or λ₂ > 0; parameters as in ``solve_proximal``."""
    l1 = np.broadcast_to(np.asarray(penalty.l1, dtype=np.float64), (problem.n_features,))
    model_at = partial(_Model, problem, penalty, l1, sides_of(penalty.sides, problem.n_features, problem.n_outputs))
    return solve_proximal(problem, penalty, model_at, start, tol, max_iter, trail)


class _Model:
    """The quadratic model at one point, and the step that minimises it."""

    def __init__(
        self,
        problem: InMemoryProblem,
        penalty: ElasticNetPenalty,
        l1: Array,
        sides: Sides,
        W: Array,
        F: Array,
        C: Array,
    ) -> None:
        self.problem, self.penalty = problem, penalty
        # One row a class: a class's numbers lie together.
        self.P = np.ascontiguousarray(problem.curvature(F).T)
        self.alpha = np.ascontiguousarray(problem.residual(F).T)
        self.sets = [working_set(C[:, k], l1, W[:, k] != 0.0) for k in range(problem.n_outputs)]
        self.columns = [problem.columns(J) for J in self.sets]
        self.l1 = [l1[J] for J in self.sets]
        self.sides = [sides[J, k] for k, J in enumerate(self.sets)]
        self.weights = [W[J, k] for k, J in enumerate(self.sets)]
        self.moves = np.zeros(problem.n_outputs)
        self.Zt = np.zeros_like(self.P)
        self.mean = np.zeros(problem.n_samples)
        self.size = max(float(np.abs(W).sum()), 1e-300)

    def minimise(self, damping: Array, theta: float, allowed: float) -> None:
        """Sweep class by class, with Newton steps on the support of all classes when that crawls."""
        slack = allowed / self.size
        gained, step = 0.0, SupportStep(theta, slack)
        s, fit_intercept = self.problem.weight, self.problem.fit_intercept
        models = []
        for k, columns in enumerate(self.columns):
            p = self.P[k]
            h = s * (p * (1.0 - p) + damping)
            models.append(QuadraticModel(columns, h, self.l1[k], self.penalty.l2, fit_intercept, self.sides[k]))
        for _ in range(MAX_ROUNDS):
            rests = [self._sweep(k, model, damping, theta, slack) for k, model in enumerate(models)]
            gain = sum(rest[0] for rest in rests)
            gained += gain
            if gain <= theta * gained or max(rest[1] for rest in rests) <= slack:
                break
            gained += self._step_on_support(models, damping, step)
        self.residual = self._residual(damping).T

    def _sweep(self, k: int, model: QuadraticModel, damping: Array, theta: float, slack: float) -> tuple[float, float]:
        """Sweep over the words of class ``k``; return what it gained, and by how much slopes were off."""
        p, z, w = self.P[k], self.Zt[k], self.weights[k]
        r = self.alpha[k] - self.problem.weight * (p * (z - self.mean) + damping * z)
        old = w.copy()
        gain, _ = model.sweep(w, r, 0.0, theta, slack)
        self._move(k, w - old, float(r.sum() / model.total) if model.fit_intercept else 0.0)
        return gain, float((model.curvature * np.abs(w - old)).max(initial=0.0))

    def _move(self, k: int, move: Array, shift: float) -> None:
        """Write into the margins what a move of class ``k``'s weights and intercept changes."""
        dz = np.full(self.problem.n_samples, shift)
        accumulate(*self.columns[k], move, dz)
        self.Zt[k] += dz
        self.mean += self.P[k] * dz
        self.moves[k] += shift

    def _residual(self, damping: Array) -> Array:
        """Return the residual of the model after the step, one row a class."""
        R = self.Zt.copy()
        bend_softmax(self.P, self.problem.weight, damping, R)
        return self.alpha - R

    def _step_on_support(self, models: list[QuadraticModel], damping: Array, step: SupportStep) -> float:
        """Move the nonzero weights of all classes, and the intercepts, at once; return by how much the model fell."""
        s, l2, fit_intercept = self.problem.weight, self.penalty.l2, self.problem.fit_intercept
        K = len(models)
        supports = [np.flatnonzero(w) for w in self.weights]
        columns = [c.take(A) for c, A in zip(self.columns, supports, strict=True)]
        ends = np.cumsum([0, *map(len, supports)])
        parts = [slice(*pair) for pair in pairwise(ends)]
        size, Z = ends[-1], np.empty_like(self.P)

        def gather(R: Array, out: Array) -> None:
            for k, part in enumerate(parts):
                correlate(*columns[k], R[k], out[part])
            if fit_intercept:
                out[size:] = R.sum(axis=1)

        def product(d: Array, out: Array) -> None:
            Z[:] = d[size:, None] if fit_intercept else 0.0
            for k, part in enumerate(parts):
                accumulate(*columns[k], d[part], Z[k])
            bend_softmax(self.P, s, damping, Z)
            gather(Z, out)
            out[:size] += 2.0 * l2 * d[:size]
            # A common shift of all intercepts changes nothing; with a curvature of its own it stays at zero.
            out[size:] += d[size:].sum()

        unknowns = size + (K if fit_intercept else 0)
        here, level, slope = np.zeros(unknowns), np.zeros(unknowns), np.empty(unknowns)
        here[:size] = np.concatenate([w[A] for w, A in zip(self.weights, supports, strict=True)])
        level[:size] = np.concatenate([l1[A] for l1, A in zip(self.l1, supports, strict=True)])
        gather(self._residual(damping), slope)
        slope -= 2.0 * l2 * here + level * np.sign(here)
        curvatures = [model.curvature[A] + 2.0 * l2 for model, A in zip(models, supports, strict=True)]
        if fit_intercept:
            curvatures.append(np.array([model.total + 1.0 for model in models]))
        move, fall = step(here, slope, product, np.concatenate(curvatures))
        if fall > 0.0:
            for k, (A, part) in enumerate(zip(supports, parts, strict=True)):
                full = np.zeros_like(self.weights[k])
                full[A] = move[part]
                self.weights[k] += full
                self._move(k, full, float(move[size + k]) if fit_intercept else 0.0)
        return fall

    @property
    def Z(self) -> Array:
        return self.Zt.T

    def loss_changes(self) -> tuple[Array, Array]:
        HZ = self.problem.curvature_product(self.P.T, self.Z)
        return -(self.alpha * self.Zt).sum(axis=0), 0.5 * (HZ * self.Z).sum(axis=1)

    def penalty_change(self, W: Array, t: float) -> float:
        total = 0.0
        for k, J in enumerate(self.sets):
            part, old = self.penalty.restrict(J), W[J, k]
            total += part.value(old + t * (self.weights[k] - old)) - part.value(old)
        return total

    def apply(self, W: Array, b: Array, t: float) -> None:
        for k, J in enumerate(self.sets):
            W[J, k] = self.weights[k] if t == 1.0 else W[J, k] + t * (self.weights[k] - W[J, k])
        b += t * self.moves

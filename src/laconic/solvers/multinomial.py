r"""Proximal Newton for softmax with an l1 part.

The quadratic model couples the classes through :math:`H_i = s_i(\mathrm{diag}(p_i) - p_i p_i^\top + \nu_i I)`. It is
minimised class by class: with the other classes held, class k sees the one-output model with curvature
:math:`s_i(p_{ik}(1-p_{ik}) + \nu_i)` and residual
:math:`\alpha_{ik} - s_i(p_{ik}(z_{ik} - p_i^\top z_i) + \nu_i z_{ik})`, on a working set of its own, so most
(word, class) pairs are never touched. The damping ν is per document: just what makes its quadratic an upper bound where
the last step led, so a few very long documents do not slow down all others.
"""

from typing import Any

import numpy as np

from laconic.core.losses import Array
from laconic.core.solution import Solution, Step
from laconic.kernels._compile import announce_compilation
from laconic.kernels.coordinate import accumulate
from laconic.solvers.certificate import certify
from laconic.solvers.coordinate import (
    MAX_MODELS,
    QuadraticModel,
    decreases,
    forcing,
    missing_curvature,
    relative_gap,
    working_set,
)

needs = frozenset({"columns"})

MAX_ROUNDS = 30


def solve_multinomial(
    problem: Any, penalty: Any, start: Solution | None = None, tol: float = 1e-6, max_iter: int = 200
) -> Solution:
    """Minimise softmax loss plus an elastic net with λ₁ > 0; parameters as in ``solve_coordinate``."""
    announce_compilation()
    l1 = np.broadcast_to(np.asarray(penalty.l1, dtype=np.float64), (problem.n_features,))
    W = np.zeros((problem.n_features, problem.n_outputs)) if start is None else start.weights.copy()
    b = np.zeros(problem.n_outputs) if start is None else start.intercept.copy()
    F = problem.margins(W, b)
    best_dual = -np.inf
    trace: list[Step] = []
    converged = False
    damping = np.zeros(problem.n_samples)
    for _ in range(max_iter + 1):
        shift = problem.intercept(F)
        b, F = b + shift, F + shift
        objective, dual, C = certify(problem, penalty, W, F)
        best_dual = max(best_dual, dual)
        trace.append(Step(objective, best_dual, int(np.any(W != 0.0, axis=1).sum())))
        relative = relative_gap(objective, best_dual)
        converged = relative <= tol
        if converged or len(trace) > max_iter:
            break
        model = _Model(problem, penalty, l1, W, F, C)
        before = problem.loss_values(F)
        for _ in range(MAX_MODELS):
            model.minimise(damping, forcing(relative))
            moved = F + model.Z
            change = problem.loss_values(moved) - before
            foretold = model.loss_changes()
            wanted = missing_curvature(change - foretold, problem.weight * (model.Z * model.Z).sum(axis=1))
            if decreases(change, foretold, model.penalty_change(W), objective):
                break
            damping = np.maximum(damping, 2.0 * wanted)
        else:
            break
        damping = 0.5 * wanted
        model.apply(W, b)
        F = moved
    return Solution(W, b, objective, best_dual, converged, len(trace) - 1, tuple(trace))


class _Model:
    """The quadratic model at one point, and the step that minimises it."""

    def __init__(self, problem: Any, penalty: Any, l1: Array, W: Array, F: Array, C: Array) -> None:
        self.problem, self.penalty = problem, penalty
        self.P = np.asfortranarray(problem.curvature(F))
        self.alpha = np.asfortranarray(problem.residual(F))
        self.sets = [working_set(C[:, k : k + 1], l1, W[:, k] != 0.0) for k in range(problem.n_outputs)]
        self.columns = [problem.columns(J) for J in self.sets]
        self.l1 = [l1[J] for J in self.sets]
        self.weights = [W[J, k] for k, J in enumerate(self.sets)]
        self.moves = np.zeros(problem.n_outputs)
        self.Z = np.zeros_like(self.P)
        self.mean = np.zeros(problem.n_samples)

    def minimise(self, damping: Array, theta: float) -> None:
        """Go round the classes until a round gains less than ``theta`` of all that was gained."""
        s, free = self.problem.weight, self.problem.fit_intercept
        models = []
        for k, columns in enumerate(self.columns):
            p = self.P[:, k]
            models.append(QuadraticModel(columns, s * (p * (1.0 - p) + damping), self.l1[k], self.penalty.l2, free))
        gained = 0.0
        for _ in range(MAX_ROUNDS):
            gain = 0.0
            for k, model in enumerate(models):
                p, z = self.P[:, k], self.Z[:, k]
                r = self.alpha[:, k] - s * (p * (z - self.mean) + damping * z)
                old = self.weights[k].copy()
                gain += model.minimise(self.weights[k], r, theta, rounds=1)
                move = float(r.sum() / model.h.sum()) if free and model.h.any() else 0.0
                dz = np.full(len(s), move)
                accumulate(*model.columns, self.weights[k] - old, dz)
                z += dz
                self.mean += p * dz
                self.moves[k] += move
            gained += gain
            if gain <= theta * gained:
                break

    def loss_changes(self) -> Array:
        """Return the change of each document's loss that the model foretells, without the damping."""
        HZ = self.problem.curvature_product(self.P, self.Z)
        return ((0.5 * HZ - self.alpha) * self.Z).sum(axis=1)

    def penalty_change(self, W: Array) -> float:
        """Return the change of the penalty."""
        return sum(
            (part := self.penalty.restrict(J)).value(self.weights[k]) - part.value(W[J, k])
            for k, J in enumerate(self.sets)
        )

    def apply(self, W: Array, b: Array) -> None:
        """Write the step into weights and intercept."""
        for k, J in enumerate(self.sets):
            W[J, k] = self.weights[k]
        b += self.moves

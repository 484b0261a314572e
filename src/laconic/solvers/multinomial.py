r"""Proximal Newton for softmax with an l1 part.

The quadratic model couples the classes through :math:`H_i = s_i(\mathrm{diag}(p_i) - p_i p_i^\top + \nu_i I)`. It is
minimised class by class: with the other classes held, class k sees the one-output model with curvature
:math:`s_i(p_{ik}(1-p_{ik}) + \nu_i)` and residual
:math:`\alpha_{ik} - s_i(p_{ik}(z_{ik} - p_i^\top z_i) + \nu_i z_{ik})`, on a working set of its own, so most
(word, class) pairs are never touched. ν is the curvature that the outer loop adds per document.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from laconic.core.losses import Array
from laconic.core.solution import Solution
from laconic.kernels.coordinate import accumulate
from laconic.solvers.coordinate import QuadraticModel
from laconic.solvers.proximal import solve_proximal, working_set
from laconic.solvers.support import LARGEST, gram, walk

needs = frozenset({"columns"})

MAX_ROUNDS = 20
SUPPORT_TURNS = (2, 5, 10)


def solve_multinomial(
    problem: Any, penalty: Any, start: Solution | None = None, tol: float = 1e-6, max_iter: int = 200
) -> Solution:
    """Minimise softmax loss plus an elastic net with λ₁ > 0; parameters as in ``solve_proximal``."""
    solution = solve_proximal(problem, penalty, partial(_Model, problem, penalty), start, tol, max_iter)
    # A common shift of all classes changes nothing: centred intercepts make the answer one.
    return replace(solution, intercept=solution.intercept - solution.intercept.mean())


class _Model:
    """The quadratic model at one point, and the step that minimises it."""

    def __init__(self, problem: Any, penalty: Any, l1: Array, W: Array, F: Array, C: Array) -> None:
        self.problem, self.penalty = problem, penalty
        self.P = np.asfortranarray(problem.curvature(F))
        self.alpha = np.asfortranarray(problem.residual(F))
        self.sets = [working_set(C[:, k], l1, W[:, k] != 0.0) for k in range(problem.n_outputs)]
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
        for turn in range(MAX_ROUNDS):
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
            if turn in SUPPORT_TURNS:
                gained += self.step_on_support(damping)

    def step_on_support(self, damping: Array) -> float:
        """Move to the minimum of the model over the nonzero weights of all classes at once, signs held."""
        s, l2, free = self.problem.weight, self.penalty.l2, self.problem.fit_intercept
        supports = [np.flatnonzero(w) for w in self.weights]
        size = sum(map(len, supports))
        if not 0 < size <= LARGEST:
            return 0.0
        n, n_classes = self.P.shape
        parts = [
            sp.csc_array(tuple(columns), shape=(n, len(w)))[:, A]
            for columns, w, A in zip(self.columns, self.weights, supports, strict=True)
        ]
        if free:  # the intercepts are further columns of ones, one a class
            parts += [sp.csc_array(np.ones((n, 1)))] * n_classes
        classes = [*range(n_classes)] * (2 if free else 1)
        # Σ s (diag p − ppᵀ + νI): the second term joins all classes, the others only each class with its intercept.
        G = -gram(sp.hstack([X * self.P[:, [k]] for X, k in zip(parts, classes, strict=True)], format="csr"), s)
        ends = np.cumsum([len(A) for A in supports])
        for k, A in enumerate(supports):
            own, X = np.arange(ends[k] - len(A), ends[k]), parts[k]
            if free:
                own, X = np.append(own, size + k), sp.hstack([X, parts[n_classes + k]])
            G[np.ix_(own, own)] += gram(sp.csr_array(X), s * (self.P[:, k] + damping))
        G[np.arange(size), np.arange(size)] += 2.0 * l2
        R = self.alpha - s[:, None] * (self.P * (self.Z - self.mean[:, None]) + damping[:, None] * self.Z)
        here = np.concatenate([w[A] for w, A in zip(self.weights, supports, strict=True)])
        level = np.concatenate([l1[A] for l1, A in zip(self.l1, supports, strict=True)])
        slope = np.concatenate([X.T @ R[:, k] for X, k in zip(parts, classes, strict=True)])
        slope[:size] -= 2.0 * l2 * here + level * np.sign(here)
        unsigned = n_classes if free else 0
        new, fallen = walk(G, slope, np.concatenate([here, np.zeros(unsigned)]), unsigned)
        if fallen <= 0.0:
            return 0.0
        for k, A in enumerate(supports):
            at = slice(ends[k] - len(A), ends[k])
            dz = parts[k] @ (new[at] - here[at]) + (new[size + k] if free else 0.0)
            self.weights[k][A] = new[at]
            self.Z[:, k] += dz
            self.mean += self.P[:, k] * dz
            self.moves[k] += new[size + k] if free else 0.0
        return fallen

    def loss_changes(self) -> tuple[Array, Array]:
        """Return the linear and the quadratic part of each document's foretold change, without the damping."""
        HZ = self.problem.curvature_product(self.P, self.Z)
        return -(self.alpha * self.Z).sum(axis=1), 0.5 * (HZ * self.Z).sum(axis=1)

    def penalty_change(self, W: Array, t: float) -> float:
        """Return the change of the penalty by a step of length ``t``."""
        total = 0.0
        for k, J in enumerate(self.sets):
            part, old = self.penalty.restrict(J), W[J, k]
            total += part.value(old + t * (self.weights[k] - old)) - part.value(old)
        return total

    def apply(self, W: Array, b: Array, t: float) -> None:
        """Write a step of length ``t`` into weights and intercept."""
        for k, J in enumerate(self.sets):
            W[J, k] = self.weights[k] if t == 1.0 else W[J, k] + t * (self.weights[k] - W[J, k])
        b += t * self.moves

"""What the quadratic models of one output share, whatever the penalty: descent over a working set, and Newton steps."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.problem import Columns, InMemoryProblem
from laconic.kernels.linear.columns import accumulate, correlate
from laconic.solvers.prox_newton.support_step import Product

SWEEPS = 2  # in a row, before a Newton step
ROUGH = 1e-3  # a model minimised no better than this is not checked by a last sweep: the certificate does that
MAX_STEPS = 50


class Quadratic(ABC):
    """The model −α·z + ½ zᵀHz + Σ λ₂w² plus norms, of one output over some columns; λ₂ may be one number for all."""

    curvature: Array
    """Σ h x² of every column, and Σ h x."""
    weight: Array

    def __init__(self, columns: Columns, h: Array, l2: float | Array, fit_intercept: bool) -> None:
        self.columns, self.h = columns, h
        self.l2 = np.full(len(columns.start), l2)
        self.total = float(h.sum())
        self.fit_intercept = fit_intercept and self.total > 0.0

    def minimise(self, w: Array, r: Array, theta: float, slack: float) -> None:
        """Sweep, with Newton steps when sweeps crawl; ``w`` and residual ``r`` change in place."""
        gained, done = 0.0, False
        for _ in range(MAX_STEPS):
            gained, done = self.sweep(w, r, gained, theta, slack)
            if done:
                break
            gained += self._step(w, r)
            if theta >= ROUGH:
                break

    @abstractmethod
    def sweep(self, w: Array, r: Array, gained: float, theta: float, slack: float) -> tuple[float, bool]:
        """Sweep a few times; return all gained, ``gained`` before it, and whether sweeping came to rest."""

    @abstractmethod
    def _movable(self, w: Array) -> NDArray[np.bool_]:
        """Say which weights a Newton step moves: those around which the penalty is smooth."""

    @abstractmethod
    def _pull(self, A: NDArray[np.intp], here: Array) -> Array:
        """Return the slope of the ridge, and of what else the step does not see, at the weights ``here`` of ``A``."""

    @abstractmethod
    def _move(
        self, A: NDArray[np.intp], here: Array, slope: Array, product: Product, diagonal: Array
    ) -> tuple[Array, float]:
        """Return a move of the weights of ``A``, and by how much the model falls."""

    def _step(self, w: Array, r: Array) -> float:
        """Move all weights that may at once towards the model's minimum; return by how much the model fell."""
        A = np.flatnonzero(self._movable(w))
        columns, here, hx, ridge = self.columns.take(A), w[A], self.weight[A], 2.0 * self.l2[A]
        z, slope = np.empty(len(self.h)), np.empty(len(A))

        def product(d: Array, out: Array) -> None:
            z[:] = 0.0
            accumulate(*columns, d, z)
            np.multiply(z, self.h, out=z)
            correlate(*columns, z, out)
            if self.fit_intercept:
                out -= (z.sum() / self.total) * hx
            if ridge.any():
                out += ridge * d

        correlate(*columns, r, slope)
        diagonal = self.curvature[A]
        if self.fit_intercept:
            slope -= (r.sum() / self.total) * hx
            diagonal = np.maximum(diagonal - hx * hx / self.total, 1e-12 * diagonal)
        slope -= self._pull(A, here)
        move, fall = self._move(A, here, slope, product, diagonal + ridge)
        if fall > 0.0:
            w[A] = here + move
            z[:] = 0.0
            accumulate(*columns, move, z)
            r -= self.h * z
        return fall


class OneOutputModel(ABC):
    """The model of one output at one point, and the step that minimises it over a working set ``J``."""

    residual: Array
    Z: Array

    def __init__(self, problem: InMemoryProblem, J: NDArray[np.intp], W: Array, F: Array) -> None:
        self.problem, self.J = problem, J
        self.columns = problem.columns(J)
        self.old = W[J, 0]
        self.alpha, self.h = problem.residual(F)[:, 0], problem.curvature(F)[:, 0]

    @abstractmethod
    def _quadratic(self, h: Array, allowed: float) -> tuple[Quadratic, float]:
        """Return the model with curvature ``h``, and by how much slopes may be off to lose at most ``allowed``."""

    def minimise(self, damping: Array, theta: float, allowed: float) -> None:
        h, fit_intercept = self.h + self.problem.weight * damping, self.problem.fit_intercept
        self.new, r = self.old.copy(), self.alpha.copy()
        quadratic, slack = self._quadratic(h, allowed)
        quadratic.minimise(self.new, r, theta, slack)
        self.move = float(r.sum() / h.sum()) if fit_intercept and h.any() else 0.0
        self.residual = (r - h * self.move)[:, None]
        z = np.full(self.problem.n_samples, self.move)
        accumulate(*self.columns, self.new - self.old, z)
        self.Z = z[:, None]

    def loss_changes(self) -> tuple[Array, Array]:
        z = self.Z[:, 0]
        return -self.alpha * z, 0.5 * self.h * z * z

    @abstractmethod
    def penalty_change(self, W: Array, t: float) -> float:
        """Return the change of the penalty by a step of length ``t``."""

    def apply(self, W: Array, b: Array, t: float) -> None:
        W[self.J, 0] = self._weights(t)
        b += t * self.move

    def _weights(self, t: float) -> Array:
        return np.asarray(self.new if t == 1.0 else self.old + t * (self.new - self.old))

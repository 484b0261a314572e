r"""Losses, their derivatives and their conjugates.

A loss is a sum over documents, :math:`L(F) = \sum_i s_i\,\ell(y_i, f_i)`, of margins ``F`` of shape
``(n_samples, n_outputs)`` (one output except for softmax) with sample weights :math:`s_i > 0`. Every loss offers

* ``values``: :math:`\ell(y_i, f_i)` for every document;
* ``residual``: :math:`\alpha = -\partial L/\partial F`, the shape of ``F``;
* ``curvature``: second derivatives, in the form the solvers use (see each class);
* ``dual_value``: :math:`-L^*(-\alpha) = -\sum_i s_i\,\ell^*(y_i, -\alpha_i/s_i)`, a lower bound's first half;
* ``intercept``: the shift b of all margins that minimises :math:`L(F + 1b^\top)`;
* ``admit``: a vector near a residual moved to where :math:`L^*(-\alpha)` is finite;
* ``balance``: the residual moved to :math:`\sum_i \alpha_i = 0`, what a free intercept asks of a dual point;
* ``steepest``: the largest :math:`|\alpha_i|/s_i` that there is, at any margins;
* ``totals``: all that ``balance`` must know of the other documents, a sum over them.

Targets are ±1 for two classes, class numbers 0 … K−1 for softmax, real numbers for squared loss.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FAR = 3.0  # the factor between a class's mass and what is wanted from which on its intercept is scaled, not stepped
FLAT = 1e-100  # curvature per document below which no step can be told from an infinite one


class Loss(Protocol):
    """What a solver may ask of a loss; the formulas stand at the top of this file."""

    name: ClassVar[str]
    scalar_curvature: ClassVar[bool]
    steepest: ClassVar[float]

    def n_outputs(self, y: NDArray) -> int: ...
    def values(self, y: NDArray, F: Array) -> Array: ...
    def residual(self, y: NDArray, F: Array, s: Array) -> Array: ...
    def curvature(self, y: NDArray, F: Array, s: Array) -> Array: ...
    def curvature_product(self, h: Array, s: Array, Z: Array) -> Array: ...
    def dual_value(self, y: NDArray, alpha: Array, s: Array) -> float: ...
    def intercept(self, y: NDArray, F: Array, s: Array) -> Array: ...
    def admit(self, y: NDArray, alpha: Array, s: Array) -> Array: ...
    def totals(self, y: NDArray, alpha: Array, s: Array) -> Array: ...
    def balance(self, y: NDArray, alpha: Array, s: Array, totals: Array | None = None) -> Array: ...


class _OneOutput:
    """Shared by the losses of a single margin: curvature is one number a document."""

    scalar_curvature: ClassVar[bool] = True

    def n_outputs(self, y: NDArray) -> int:
        return 1

    def curvature_product(self, h: Array, s: Array, Z: Array) -> Array:
        """Return the Hessian of the loss times ``Z``, both over margins."""
        return h * Z


@dataclass(frozen=True)
class Logistic(_OneOutput):
    r"""Logistic loss :math:`\log(1 + e^{-yf})` for labels ±1; :math:`-\ell^*` is the entropy of p = \|α\|/s.

    Examples
    --------
    >>> import numpy as np
    >>> loss, y, s = Logistic(), np.array([1.0, -1.0]), np.ones(2)
    >>> loss.values(y, np.zeros((2, 1))).round(4)
    array([0.6931, 0.6931])
    >>> loss.residual(y, np.zeros((2, 1)), s).ravel()
    array([ 0.5, -0.5])
    """

    name: ClassVar[str] = "logistic"
    steepest: ClassVar[float] = 1.0

    def values(self, y: NDArray, F: Array) -> Array:
        m = y * F[:, 0]
        return np.log1p(np.exp(-np.abs(m))) + np.maximum(-m, 0.0)

    def residual(self, y: NDArray, F: Array, s: Array) -> Array:
        return (s * y * _sigmoid(-y * F[:, 0]))[:, None]

    def curvature(self, y: NDArray, F: Array, s: Array) -> Array:
        e = np.exp(-np.abs(F[:, 0]))
        return (s * e / (1.0 + e) ** 2)[:, None]

    def dual_value(self, y: NDArray, alpha: Array, s: Array) -> float:
        p = np.clip(y * alpha[:, 0] / s, 0.0, 1.0)
        return -float(s @ (_xlogx(p) + _xlogx(1.0 - p)))

    def intercept(self, y: NDArray, F: Array, s: Array) -> Array:
        def bend(b: float, alpha: Array) -> float:
            # The second derivative is |α|(1 − |α|/s): no further exponentials.
            return float(np.abs(alpha).sum() - (alpha[:, 0] / s) @ alpha[:, 0])

        return _newton_shift(self, y, F, s, bend)

    def admit(self, y: NDArray, alpha: Array, s: Array) -> Array:
        return (s * y * np.clip(y * alpha[:, 0] / s, 0.0, 1.0))[:, None]

    def totals(self, y: NDArray, alpha: Array, s: Array) -> Array:
        return _sides(alpha)

    def balance(self, y: NDArray, alpha: Array, s: Array, totals: Array | None = None) -> Array:
        return _shrink_heavier_side(alpha, _sides(alpha) if totals is None else totals)


@dataclass(frozen=True)
class SquaredHinge(_OneOutput):
    r"""Squared hinge :math:`\max(0, 1 - yf)^2` for labels ±1; :math:`-\ell^* = a - a^2/4` with a = yα/s ≥ 0.

    Examples
    --------
    >>> import numpy as np
    >>> SquaredHinge().values(np.array([1.0, -1.0]), np.array([[2.0], [0.0]]))
    array([0., 1.])
    """

    name: ClassVar[str] = "squared_hinge"
    steepest: ClassVar[float] = float("inf")

    def values(self, y: NDArray, F: Array) -> Array:
        return np.maximum(1.0 - y * F[:, 0], 0.0) ** 2

    def residual(self, y: NDArray, F: Array, s: Array) -> Array:
        return (2.0 * s * y * np.maximum(1.0 - y * F[:, 0], 0.0))[:, None]

    def curvature(self, y: NDArray, F: Array, s: Array) -> Array:
        return (2.0 * s * (y * F[:, 0] < 1.0))[:, None]

    def dual_value(self, y: NDArray, alpha: Array, s: Array) -> float:
        a = np.maximum(y * alpha[:, 0] / s, 0.0)
        return float(s @ (a - 0.25 * a * a))

    def intercept(self, y: NDArray, F: Array, s: Array) -> Array:
        return _newton_shift(self, y, F, s, lambda b, alpha: float(self.curvature(y, F + b, s).sum()))

    def admit(self, y: NDArray, alpha: Array, s: Array) -> Array:
        return (y * np.maximum(y * alpha[:, 0], 0.0))[:, None]

    def totals(self, y: NDArray, alpha: Array, s: Array) -> Array:
        return _sides(alpha)

    def balance(self, y: NDArray, alpha: Array, s: Array, totals: Array | None = None) -> Array:
        return _shrink_heavier_side(alpha, _sides(alpha) if totals is None else totals)


@dataclass(frozen=True)
class Squared(_OneOutput):
    r"""Squared loss :math:`\tfrac12 (y - f)^2`; :math:`-\ell^* = \alpha y - \alpha^2/2` per unit weight.

    Examples
    --------
    >>> import numpy as np
    >>> Squared().values(np.array([3.0]), np.array([[1.0]]))
    array([2.])
    """

    name: ClassVar[str] = "squared"
    steepest: ClassVar[float] = float("inf")

    def values(self, y: NDArray, F: Array) -> Array:
        return 0.5 * (y - F[:, 0]) ** 2

    def residual(self, y: NDArray, F: Array, s: Array) -> Array:
        return (s * (y - F[:, 0]))[:, None]

    def curvature(self, y: NDArray, F: Array, s: Array) -> Array:
        return s[:, None].copy()

    def dual_value(self, y: NDArray, alpha: Array, s: Array) -> float:
        a = alpha[:, 0]
        return float(a @ y - 0.5 * (a @ (a / s)))

    def intercept(self, y: NDArray, F: Array, s: Array) -> Array:
        return np.array([s @ (y - F[:, 0]) / s.sum()])

    def admit(self, y: NDArray, alpha: Array, s: Array) -> Array:
        return alpha

    def totals(self, y: NDArray, alpha: Array, s: Array) -> Array:
        return np.array([alpha.sum(), s.sum()])

    def balance(self, y: NDArray, alpha: Array, s: Array, totals: Array | None = None) -> Array:
        total, weight = self.totals(y, alpha, s) if totals is None else totals
        return alpha - (s * (total / weight))[:, None]


@dataclass(frozen=True)
class Softmax:
    r"""Multinomial logistic loss :math:`\log\sum_k e^{f_k} - f_y` for classes 0 … K−1.

    ``curvature`` is the matrix of class probabilities P; the Hessian of document i is
    :math:`s_i(\mathrm{diag}(p_i) - p_i p_i^\top)`. :math:`-\ell^*` is the entropy of :math:`q = e_y - \alpha/s`.

    Examples
    --------
    >>> import numpy as np
    >>> loss = Softmax(3)
    >>> loss.values(np.array([0, 2]), np.zeros((2, 3))).round(4)
    array([1.0986, 1.0986])
    """

    n_classes: int
    name: ClassVar[str] = "softmax"
    steepest: ClassVar[float] = 1.0
    scalar_curvature: ClassVar[bool] = False

    def n_outputs(self, y: NDArray) -> int:
        return self.n_classes

    def values(self, y: NDArray, F: Array) -> Array:
        top = F.max(axis=1)
        return np.log(np.exp(F - top[:, None]).sum(axis=1)) + top - F[np.arange(len(y)), y]

    def residual(self, y: NDArray, F: Array, s: Array) -> Array:
        return self._residual(y, softmax(F), s)

    def curvature(self, y: NDArray, F: Array, s: Array) -> Array:
        return softmax(F)

    def curvature_product(self, h: Array, s: Array, Z: Array) -> Array:
        """Return the Hessian of the loss times ``Z``, both over margins; ``h`` are the probabilities."""
        return (s[:, None] * h) * (Z - (h * Z).sum(axis=1, keepdims=True))

    def dual_value(self, y: NDArray, alpha: Array, s: Array) -> float:
        return -float(s @ _xlogx(self._distribution(y, alpha, s)).sum(axis=1))

    def intercept(self, y: NDArray, F: Array, s: Array) -> Array:
        """Return centred intercepts by Newton's method; the Hessian is singular along equal shifts."""
        wanted = np.bincount(y, weights=s, minlength=self.n_classes)
        b = np.zeros(self.n_classes)
        value = float(s @ self.values(y, F))
        for _ in range(100):
            P = softmax(F + b)
            mass = s[:, None] * P
            gradient = mass.sum(axis=0) - wanted
            if np.abs(gradient).max() <= 1e-14 * s.sum():
                break
            share = np.where(wanted > 0.0, wanted / np.maximum(mass.sum(axis=0), 1e-300), 1.0)
            H = np.diag(mass.sum(axis=0)) - mass.T @ P
            if share.max() > FAR or share.min() < 1.0 / FAR or np.trace(H) <= FLAT * s.sum():
                # Far away the curvature vanishes and Newton's step means nothing; scaling the classes' masses to what
                # is wanted never raises the loss (iterative scaling, Darroch & Ratcliff 1972).
                b = b + np.log(np.clip(share, 1e-100, 1e100))
                b -= b.mean()
                value = float(s @ self.values(y, F + b))
                continue
            step = -np.linalg.lstsq(H, gradient, rcond=None)[0]
            step -= step.mean()
            new, t = float(s @ self.values(y, F + (b + step))), 1.0
            while new > value and t > 1e-10:
                t *= 0.5
                new = float(s @ self.values(y, F + (b + t * step)))
            if new >= value:
                # No further decrease can be seen in floating point; keep the last full step's gain in the gradient.
                if np.abs(step).max() < 1e-6:
                    b = b + step
                break
            b, value = b + t * step, new
        return b - b.mean()

    def admit(self, y: NDArray, alpha: Array, s: Array) -> Array:
        Q = self._distribution(y, alpha, s)
        Q[~Q.any(axis=1)] = 1.0
        return self._residual(y, Q / Q.sum(axis=1, keepdims=True), s)

    def totals(self, y: NDArray, alpha: Array, s: Array) -> Array:
        wanted = np.bincount(y, weights=s, minlength=self.n_classes)
        return np.stack([wanted, s @ self._distribution(y, alpha, s)])

    def balance(self, y: NDArray, alpha: Array, s: Array, totals: Array | None = None) -> Array:
        """Mix every row with one distribution whose weight is just large enough to make the columns sum to zero."""
        Q = self._distribution(y, alpha, s)
        wanted, have = self.totals(y, alpha, s) if totals is None else totals
        if not wanted.all():
            Q, have = _without_classes(Q, have, wanted == 0.0, int(wanted.argmax()))
        miss = wanted - have
        # r = (wanted + (1 − t)/t · miss) / Σs must be a distribution: t is the smallest share that keeps r ≥ 0.
        t = min(1.0, 2.0 * float(np.max(np.abs(miss) / np.maximum(wanted, 1e-300))))
        if t > 0.0:
            r = np.maximum(wanted + (1.0 - t) / t * miss, 0.0) / wanted.sum()
            Q = (1.0 - t) * Q + t * r
        return self._residual(y, Q, s)

    def _residual(self, y: NDArray, Q: Array, s: Array) -> Array:
        alpha = -Q
        alpha[np.arange(len(y)), y] += 1.0
        return alpha * s[:, None]

    def _distribution(self, y: NDArray, alpha: Array, s: Array) -> Array:
        Q = -alpha / s[:, None]
        Q[np.arange(len(y)), y] += 1.0
        return np.clip(Q, 0.0, 1.0)


def _without_classes(Q: Array, have: Array, gone: NDArray[np.bool_], other: int) -> tuple[Array, Array]:
    """Return distributions and their totals with the mass of classes that no document has given to another one."""
    Q, have = Q.copy(), have.copy()
    for A in (Q.T, have):
        A[other] += A[gone].sum(axis=0)
        A[gone] = 0.0
    return Q, have


def softmax(F: Array) -> Array:
    """Return the class probabilities of margins ``F``, row by row.

    Examples
    --------
    >>> import numpy as np
    >>> softmax(np.zeros((1, 4)))
    array([[0.25, 0.25, 0.25, 0.25]])
    """
    P = np.exp(F - F.max(axis=1, keepdims=True))
    P /= P.sum(axis=1, keepdims=True)
    return P


def _sigmoid(t: Array) -> Array:
    e = np.exp(-np.abs(t))
    return np.where(t >= 0, 1.0, e) / (1.0 + e)


def _xlogx(p: Array) -> Array:
    return p * np.log(np.where(p > 0.0, p, 1.0))


def _sides(alpha: Array) -> Array:
    return np.array([np.maximum(alpha, 0.0).sum(), np.maximum(-alpha, 0.0).sum()])


def _shrink_heavier_side(alpha: Array, sides: Array) -> Array:
    positive, negative = sides
    if positive > negative:
        return np.where(alpha > 0, alpha * (negative / positive), alpha)
    if negative > positive:
        return np.where(alpha < 0, alpha * (positive / negative), alpha)
    return alpha


def _newton_shift(loss: Loss, y: NDArray, F: Array, s: Array, bend: Callable[[float, Array], float]) -> Array:
    """Solve Σα(F + b) = 0 for one output by Newton's method inside a bracket; ``bend(b, α)`` is −∂Σα/∂b."""
    low, high, b = -np.inf, np.inf, 0.0
    for _ in range(200):
        alpha = loss.residual(y, F + b, s)
        total = float(alpha.sum())
        if abs(total) <= 1e-13 * float(np.abs(alpha).sum()):
            break
        if total > 0:
            low = b
        else:
            high = b
        slope = bend(b, alpha)
        step = total / slope if slope > 0 else np.sign(total) * np.inf
        new = b + float(np.clip(step, -4.0, 4.0))
        if not low < new < high:
            new = 0.5 * (low + high)
        if new == b:
            break
        b = new
    return np.array([b])

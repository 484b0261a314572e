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
* ``classifies``: whether targets are classes, so that a loss near zero says that they can be separated;
* ``totals``: all that ``balance`` must know of the other documents, a sum over them;
* ``encode``: targets from class numbers 0 … K−1 or target values: ±1 for two classes, class numbers for softmax, real
  numbers for a regression.

A new loss of one margin is one class: a subclass of ``OneOutput`` with a name, ``values``, ``residual``, ``curvature``
and ``dual_value``, and ``admit`` where its conjugate is not finite everywhere; listed in `BINARY` it is a ``loss=``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Targets = NDArray[Any]

FAR = 3.0  # the factor between a class's mass and what is wanted from which on its intercept is scaled, not stepped
FLAT = 1e-100  # curvature per document below which no step can be told from an infinite one


class Loss(Protocol):
    """What a solver may ask of a loss; the formulas stand at the top of this file."""

    name: ClassVar[str]
    scalar_curvature: ClassVar[bool]
    steepest: ClassVar[float]
    classifies: ClassVar[bool]

    def n_outputs(self, y: Targets) -> int: ...
    def encode(self, labels: ArrayLike) -> Targets: ...
    def values(self, y: Targets, F: Array) -> Array: ...
    def residual(self, y: Targets, F: Array, s: Array) -> Array: ...
    def curvature(self, y: Targets, F: Array, s: Array) -> Array: ...
    def curvature_product(self, h: Array, s: Array, Z: Array) -> Array: ...
    def dual_value(self, y: Targets, alpha: Array, s: Array) -> float: ...
    def intercept(self, y: Targets, F: Array, s: Array) -> Array: ...
    def admit(self, y: Targets, alpha: Array, s: Array) -> Array: ...
    def totals(self, y: Targets, alpha: Array, s: Array) -> Array: ...
    def balance(self, y: Targets, alpha: Array, s: Array, totals: Array | None = None) -> Array: ...


class OneOutput(Loss, Protocol):
    """What the losses of a single margin share: curvature is one number a document, and dual points may be shrunk."""

    scalar_curvature: ClassVar[bool] = True
    steepest: ClassVar[float] = float("inf")
    classifies: ClassVar[bool] = False

    def n_outputs(self, y: Targets) -> int:
        return 1

    def encode(self, labels: ArrayLike) -> Targets:
        return np.asarray(labels, dtype=np.float64)

    def curvature_product(self, h: Array, s: Array, Z: Array) -> Array:
        return h * Z

    def intercept(self, y: Targets, F: Array, s: Array) -> Array:
        return _newton_shift(self, y, F, s, lambda b, alpha: float(self.curvature(y, F + b, s).sum()))

    def admit(self, y: Targets, alpha: Array, s: Array) -> Array:
        return alpha

    def totals(self, y: Targets, alpha: Array, s: Array) -> Array:
        return np.array([np.maximum(alpha, 0.0).sum(), np.maximum(-alpha, 0.0).sum()])

    def balance(self, y: Targets, alpha: Array, s: Array, totals: Array | None = None) -> Array:
        """Shrink the residuals of the heavier sign."""
        positive, negative = self.totals(y, alpha, s) if totals is None else totals
        if positive > negative:
            return np.where(alpha > 0, alpha * (negative / positive), alpha)
        if negative > positive:
            return np.where(alpha < 0, alpha * (positive / negative), alpha)
        return alpha


def _signs(labels: ArrayLike) -> Targets:
    return np.where(np.asarray(labels) == 1, 1.0, -1.0)


@dataclass(frozen=True)
class Logistic(OneOutput):
    r"""Logistic loss :math:`\log(1 + e^{-yf})` for labels ±1; :math:`-\ell^*` is the entropy of p = \|α\|/s."""

    name: ClassVar[str] = "logistic"
    steepest: ClassVar[float] = 1.0
    classifies: ClassVar[bool] = True

    def encode(self, labels: ArrayLike) -> Targets:
        return _signs(labels)

    def values(self, y: Targets, F: Array) -> Array:
        m = y * F[:, 0]
        return np.log1p(np.exp(-np.abs(m))) + np.maximum(-m, 0.0)

    def residual(self, y: Targets, F: Array, s: Array) -> Array:
        return (s * y * _sigmoid(-y * F[:, 0]))[:, None]

    def curvature(self, y: Targets, F: Array, s: Array) -> Array:
        e = np.exp(-np.abs(F[:, 0]))
        return (s * e / (1.0 + e) ** 2)[:, None]

    def dual_value(self, y: Targets, alpha: Array, s: Array) -> float:
        p = np.clip(y * alpha[:, 0] / s, 0.0, 1.0)
        return -float(s @ (_xlogx(p) + _xlogx(1.0 - p)))

    def intercept(self, y: Targets, F: Array, s: Array) -> Array:
        def curvature(b: float, alpha: Array) -> float:
            # The second derivative is |α|(1 − |α|/s): no further exponentials.
            return float(np.abs(alpha).sum() - (alpha[:, 0] / s) @ alpha[:, 0])

        return _newton_shift(self, y, F, s, curvature)

    def admit(self, y: Targets, alpha: Array, s: Array) -> Array:
        return (s * y * np.clip(y * alpha[:, 0] / s, 0.0, 1.0))[:, None]


@dataclass(frozen=True)
class SquaredHinge(OneOutput):
    r"""Squared hinge :math:`\max(0, 1 - yf)^2` for labels ±1; :math:`-\ell^* = a - a^2/4` with a = yα/s ≥ 0."""

    name: ClassVar[str] = "squared_hinge"
    classifies: ClassVar[bool] = True

    def encode(self, labels: ArrayLike) -> Targets:
        return _signs(labels)

    def values(self, y: Targets, F: Array) -> Array:
        return np.maximum(1.0 - y * F[:, 0], 0.0) ** 2

    def residual(self, y: Targets, F: Array, s: Array) -> Array:
        return (2.0 * s * y * np.maximum(1.0 - y * F[:, 0], 0.0))[:, None]

    def curvature(self, y: Targets, F: Array, s: Array) -> Array:
        return (2.0 * s * (y * F[:, 0] < 1.0))[:, None]

    def dual_value(self, y: Targets, alpha: Array, s: Array) -> float:
        a = np.maximum(y * alpha[:, 0] / s, 0.0)
        return float(s @ (a - 0.25 * a * a))

    def admit(self, y: Targets, alpha: Array, s: Array) -> Array:
        return (y * np.maximum(y * alpha[:, 0], 0.0))[:, None]


@dataclass(frozen=True)
class Squared(OneOutput):
    r"""Squared loss :math:`\tfrac12 (y - f)^2`; :math:`-\ell^* = \alpha y - \alpha^2/2` per unit weight."""

    name: ClassVar[str] = "squared"

    def values(self, y: Targets, F: Array) -> Array:
        return 0.5 * (y - F[:, 0]) ** 2

    def residual(self, y: Targets, F: Array, s: Array) -> Array:
        return (s * (y - F[:, 0]))[:, None]

    def curvature(self, y: Targets, F: Array, s: Array) -> Array:
        return s[:, None].copy()

    def dual_value(self, y: Targets, alpha: Array, s: Array) -> float:
        a = alpha[:, 0]
        return float(a @ y - 0.5 * (a @ (a / s)))

    def intercept(self, y: Targets, F: Array, s: Array) -> Array:
        return np.array([s @ (y - F[:, 0]) / s.sum()])

    def totals(self, y: Targets, alpha: Array, s: Array) -> Array:
        return np.array([alpha.sum(), s.sum()])

    def balance(self, y: Targets, alpha: Array, s: Array, totals: Array | None = None) -> Array:
        total, weight = self.totals(y, alpha, s) if totals is None else totals
        return np.asarray(alpha - (s * (total / weight))[:, None])


@dataclass(frozen=True)
class Softmax(Loss):
    r"""Multinomial logistic loss :math:`\log\sum_k e^{f_k} - f_y` for classes 0 … K−1; ``curvature`` returns P."""

    # The Hessian of document i is s_i(diag(p_i) − p_i p_iᵀ), and −ℓ* is the entropy of q = e_y − α/s.

    n_classes: int
    name: ClassVar[str] = "softmax"
    steepest: ClassVar[float] = 1.0
    classifies: ClassVar[bool] = True
    scalar_curvature: ClassVar[bool] = False

    def n_outputs(self, y: Targets) -> int:
        return self.n_classes

    def encode(self, labels: ArrayLike) -> Targets:
        return np.asarray(labels, dtype=np.intp)

    def values(self, y: Targets, F: Array) -> Array:
        top = F.max(axis=1)
        return np.asarray(np.log(np.exp(F - top[:, None]).sum(axis=1)) + top - F[np.arange(len(y)), y])

    def residual(self, y: Targets, F: Array, s: Array) -> Array:
        return self._residual(y, softmax(F), s)

    def curvature(self, y: Targets, F: Array, s: Array) -> Array:
        return softmax(F)

    def curvature_product(self, h: Array, s: Array, Z: Array) -> Array:
        """Return the Hessian of the loss times ``Z``, both over margins; ``h`` are the probabilities."""
        return np.asarray((s[:, None] * h) * (Z - (h * Z).sum(axis=1, keepdims=True)))

    def dual_value(self, y: Targets, alpha: Array, s: Array) -> float:
        return -float(s @ _xlogx(self._distribution(y, alpha, s)).sum(axis=1))

    def intercept(self, y: Targets, F: Array, s: Array) -> Array:
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
        return np.asarray(b - b.mean())

    def admit(self, y: Targets, alpha: Array, s: Array) -> Array:
        Q = self._distribution(y, alpha, s)
        Q[~Q.any(axis=1)] = 1.0
        return self._residual(y, Q / Q.sum(axis=1, keepdims=True), s)

    def totals(self, y: Targets, alpha: Array, s: Array) -> Array:
        wanted = np.bincount(y, weights=s, minlength=self.n_classes)
        return np.stack([wanted, s @ self._distribution(y, alpha, s)])

    def balance(self, y: Targets, alpha: Array, s: Array, totals: Array | None = None) -> Array:
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

    def _residual(self, y: Targets, Q: Array, s: Array) -> Array:
        alpha = -Q
        alpha[np.arange(len(y)), y] += 1.0
        return alpha * s[:, None]

    def _distribution(self, y: Targets, alpha: Array, s: Array) -> Array:
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


BINARY: dict[str, Callable[[], Loss]] = {loss.name: loss for loss in (Logistic, SquaredHinge)}  # of two classes


def classification_loss(name: str, n_classes: int) -> Loss:
    """Return the loss of that name for so many classes; only the logistic one, as softmax, takes more than two."""
    if name not in BINARY:
        raise ValueError(f"loss is {name!r}; allowed are {' and '.join(map(repr, BINARY))}.")
    if n_classes == 2:
        return BINARY[name]()
    if name != Logistic.name:
        raise ValueError(
            f"Only binary classification is supported by loss={name!r}, but y has {n_classes} classes. Use "
            f"loss='logistic', or sklearn.multiclass.OneVsRestClassifier around this estimator."
        )
    return Softmax(n_classes)


def softmax(F: Array) -> Array:
    """Return the class probabilities of margins ``F``, row by row."""
    P = np.exp(F - F.max(axis=1, keepdims=True))
    P /= P.sum(axis=1, keepdims=True)
    return np.asarray(P)


def _sigmoid(t: Array) -> Array:
    e = np.exp(-np.abs(t))
    return np.where(t >= 0, 1.0, e) / (1.0 + e)


def _xlogx(p: Array) -> Array:
    return p * np.log(np.where(p > 0.0, p, 1.0))


def _newton_shift(loss: Loss, y: Targets, F: Array, s: Array, curvature: Callable[[float, Array], float]) -> Array:
    """Solve Σα(F + b) = 0 for one output by Newton's method inside a bracket; ``curvature(b, α)`` is −∂Σα/∂b."""
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
        slope = curvature(b, alpha)
        step = total / slope if slope > 0 else np.sign(total) * np.inf
        new = b + float(np.clip(step, -4.0, 4.0))
        if not low < new < high:
            new = 0.5 * (low + high)
        if new == b:
            break
        b = new
    return np.array([b])

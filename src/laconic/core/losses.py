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

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Targets = NDArray[Any]

FAR = 3.0  # the factor between a class's mass and what is wanted from which on its intercept is scaled, not stepped
BLOCK = 1 << 15  # numbers at a time
SEEN = 1e-14  # share of a loss by which it is seen to fall
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
        values = np.empty(len(F))
        for rows in _blocks(F):
            values[rows] = _exponentials(F[rows], y[rows])[2]
        return values

    def residual(self, y: Targets, F: Array, s: Array) -> Array:
        alpha = softmax(F)
        for rows in _blocks(F):
            _into_residual(alpha[rows], y[rows], s[rows])
        return alpha

    def curvature(self, y: Targets, F: Array, s: Array) -> Array:
        return softmax(F)

    def curvature_product(self, h: Array, s: Array, Z: Array) -> Array:
        """Return the Hessian of the loss times ``Z``, both over margins; ``h`` are the probabilities."""
        product = np.empty(Z.shape)
        for rows in _blocks(Z):
            P, some = h[rows], Z[rows]
            np.subtract(some, np.einsum("ik,ik->i", P, some)[:, None], out=product[rows])
            product[rows] *= P
            product[rows] *= s[rows, None]
        return product

    def dual_value(self, y: Targets, alpha: Array, s: Array) -> float:
        entropies = np.empty(len(alpha))
        for rows in _blocks(alpha):
            entropies[rows] = _xlogx(self._distribution(y[rows], alpha[rows], s[rows])).sum(axis=1)
        return -float(s @ entropies)

    def intercept(self, y: Targets, F: Array, s: Array) -> Array:
        """Return centred intercepts by Newton's method; the Hessian is singular along equal shifts."""
        wanted = np.bincount(y, weights=s, minlength=self.n_classes)
        if wanted.all() and not F.any():
            b = np.log(wanted)
            return np.asarray(b - b.mean())
        b = np.zeros(self.n_classes)
        value, mass, H = self._shifted(y, F, b, s)
        for _ in range(100):
            gradient = mass - wanted
            if np.abs(gradient).max() <= 1e-14 * s.sum():
                break
            share = np.where(wanted > 0.0, wanted / np.maximum(mass, 1e-300), 1.0)
            if share.max() > FAR or share.min() < 1.0 / FAR or np.trace(H) <= FLAT * s.sum():
                # Far away the curvature vanishes and Newton's step means nothing; scaling the classes' masses to what
                # is wanted never raises the loss (iterative scaling, Darroch & Ratcliff 1972).
                b = b + np.log(np.clip(share, 1e-100, 1e100))
                b -= b.mean()
                value, mass, H = self._shifted(y, F, b, s)
                continue
            step, t = -np.linalg.lstsq(H, gradient, rcond=None)[0], 1.0
            step -= step.mean()
            if -float(gradient @ step) <= SEEN * value:
                # The loss falls by less than floating point shows; the step still makes the gradient smaller.
                b = b + step
                break
            new = self._shifted(y, F, b + step, s)
            while new[0] >= value and t > 1e-10:
                t *= 0.5
                new = self._shifted(y, F, b + t * step, s)
            if new[0] >= value:
                break
            b, (value, mass, H) = b + t * step, new
        return np.asarray(b - b.mean())

    def _shifted(self, y: Targets, F: Array, b: Array, s: Array) -> tuple[float, Array, Array]:
        """Return the loss at margins with a shift, and its first and second derivatives in the shift."""
        value, mass, squares = 0.0, np.zeros(self.n_classes), np.zeros((self.n_classes, self.n_classes))
        for rows in _blocks(F):
            E, total, values = _exponentials(F[rows] + b, y[rows])
            value += float(s[rows] @ values)
            E *= (np.sqrt(s[rows]) / total)[:, None]
            mass += np.sqrt(s[rows]) @ E
            squares += E.T @ E
        return value, mass, np.diag(mass) - squares

    def admit(self, y: Targets, alpha: Array, s: Array) -> Array:
        admitted = np.empty(alpha.shape)
        for rows in _blocks(alpha):
            Q = self._distribution(y[rows], alpha[rows], s[rows])
            total = Q.sum(axis=1)
            Q[total == 0.0], total[total == 0.0] = 1.0, self.n_classes
            np.divide(Q, total[:, None], out=admitted[rows])
            _into_residual(admitted[rows], y[rows], s[rows])
        return admitted

    def totals(self, y: Targets, alpha: Array, s: Array) -> Array:
        have = np.zeros(self.n_classes)
        for rows in _blocks(alpha):
            have += s[rows] @ self._distribution(y[rows], alpha[rows], s[rows])
        return np.stack([np.bincount(y, weights=s, minlength=self.n_classes), have])

    def balance(self, y: Targets, alpha: Array, s: Array, totals: Array | None = None) -> Array:
        """Mix every row with one distribution whose weight is just large enough to make the columns sum to zero."""
        wanted, have = self.totals(y, alpha, s) if totals is None else totals
        gone, other = wanted == 0.0, int(wanted.argmax())
        have = _without_classes(have, gone, other)
        miss = wanted - have
        # r = (wanted + (1 − t)/t · miss) / Σs must be a distribution: t is the smallest share that keeps r ≥ 0.
        t = min(1.0, 2.0 * float(np.max(np.abs(miss) / np.maximum(wanted, 1e-300))))
        r = np.maximum(wanted + (1.0 - t) / t * miss, 0.0) / wanted.sum() if t > 0.0 else wanted
        balanced = np.empty(alpha.shape)
        for rows in _blocks(alpha):
            Q = _without_classes(self._distribution(y[rows], alpha[rows], s[rows]), gone, other)
            balanced[rows] = (1.0 - t) * Q + t * r if t > 0.0 else Q
            _into_residual(balanced[rows], y[rows], s[rows])
        return balanced

    def _distribution(self, y: Targets, alpha: Array, s: Array) -> Array:
        Q = -alpha / s[:, None]
        Q[np.arange(len(y)), y] += 1.0
        return np.asarray(np.clip(Q, 0.0, 1.0, out=Q))


def _blocks(A: Array) -> Iterator[slice]:
    """Yield rows of a matrix, as many at a time as stay in fast memory through a formula of several steps."""
    step = max(1, BLOCK // A.shape[1])
    return (slice(first, first + step) for first in range(0, len(A), step))


def _exponentials(F: Array, y: Targets) -> tuple[Array, Array, Array]:
    """Return the exponentials of margins over the largest of each row, their sums, and the loss of each row."""
    top = F.max(axis=1)
    E = np.exp(F - top[:, None])
    total = E.sum(axis=1)
    return E, total, np.log(total) + top - F[np.arange(len(y)), y]


def _into_residual(Q: Array, y: Targets, s: Array) -> None:
    """Turn distributions into residuals s(e_y − q), in place."""
    np.negative(Q, out=Q)
    Q[np.arange(len(y)), y] += 1.0
    Q *= s[:, None]


def _without_classes(Q: Array, gone: NDArray[np.bool_], other: int) -> Array:
    """Return distributions, or their totals, with the mass of classes that no document has given to another one."""
    if not gone.any():
        return Q
    Q = Q.copy()
    Q[..., other] += Q[..., gone].sum(axis=-1)
    Q[..., gone] = 0.0
    return Q


BINARY: dict[str, Callable[[], Loss]] = {loss.name: loss for loss in (Logistic, SquaredHinge)}  # of two classes


def classification_loss(name: str, n_classes: int) -> Loss:
    """Return the loss of that name for a number of classes; only the logistic one, as softmax, takes more than two."""
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
    P = np.empty(F.shape)
    for rows in _blocks(F):
        np.subtract(F[rows], F[rows].max(axis=1, keepdims=True), out=P[rows])
        np.exp(P[rows], out=P[rows])
        P[rows] /= P[rows].sum(axis=1, keepdims=True)
    return P


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

r"""The oracle: objective and lower bound of a problem, in dense numpy from their definitions.

.. math:: P(W, b) = \sum_i s_i\,\ell(y_i, x_i^\top W + b)
   + \sum_j \lambda_j|f_j w_j| + \lambda_2\|f w\|_2^2 + \sum_g r_g\|(f w)_g\|_2

A lower bound comes from any vector α that the dual admits: :math:`-L^*(-\alpha) - \Omega^*(X^\top\alpha)`. To bound
:math:`\Omega^*` it is enough to write :math:`X^\top\alpha` as a sum of parts, one for λ₁ and one for every group, and
what no part takes; the parts are found by projecting in turn.
"""

from dataclasses import dataclass

import numpy as np

from tools.attack.draws import Draw
from tools.attack.matrices import Array

KEPT = 1e-3  # the share of a level that a kept feature pays
SWEEPS = 1500
EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Plain:
    """A problem as the formula has it, over columns that are already divided by their factors."""

    X: Array
    y: Array  # targets, ±1, or one row of zeros and a one per document
    s: Array
    loss: str
    intercept: bool
    levels: Array
    l2: float
    groups: tuple[tuple[int, ...], ...]
    radii: tuple[float, ...]
    factors: Array
    low: Array  # the lowest and the highest value that every weight may take: 0 or infinite
    high: Array

    @property
    def n_outputs(self) -> int:
        """The number of weights per feature."""
        return self.y.shape[1]

    @property
    def penalised(self) -> bool:
        """Whether every feature that may have a weight pays for it."""
        reached = (self.levels > 0.0) | (self.l2 > 0.0)
        for members, radius in zip(self.groups, self.radii, strict=True):
            reached[list(members)] |= radius > 0.0
        return bool(reached[(self.low < self.high).any(axis=1)].all())


def plain(draw: Draw) -> Plain:
    """Return the problem that a draw means."""
    X, s = draw.matrix.dense, _document_weights(draw)
    counted = s > 0.0
    factors = np.ones(X.shape[1])
    factors[list(draw.factors)] = list(draw.factors.values())
    Y = _targets(draw)
    low, high = _sides(draw, Y.shape[1])
    levels, groups, radii = _levels(draw)
    return Plain(
        (X / factors)[counted], Y[counted], s[counted], draw.loss, draw.intercept, levels, draw.l2, groups, radii,
        factors, low, high,
    )  # fmt: skip


def margins(one: Plain, W: Array, b: Array) -> Array:
    """Return the margins of weights over divided columns."""
    return one.X @ W + b


def losses(one: Plain, F: Array) -> Array:
    """Return the loss of every document, times its weight."""
    if one.loss == "squared":
        return one.s * 0.5 * (one.y[:, 0] - F[:, 0]) ** 2
    if one.loss == "softmax":
        top = F.max(axis=1)
        return one.s * (np.log(np.exp(F - top[:, None]).sum(axis=1)) + top - (one.y * F).sum(axis=1))
    m = one.y[:, 0] * F[:, 0]
    return one.s * (np.logaddexp(0.0, -m) if one.loss == "logistic" else np.maximum(1.0 - m, 0.0) ** 2)


def penalty(one: Plain, W: Array) -> float:
    """Return the penalty of weights over divided columns."""
    norms = sum(r * np.linalg.norm(W[list(g)]) for g, r in zip(one.groups, one.radii, strict=True))
    return float((one.levels[:, None] * np.abs(W)).sum() + one.l2 * (W**2).sum() + norms)


def objective(one: Plain, W: Array, b: Array) -> float:
    """Return the objective."""
    return float(losses(one, margins(one, W, b)).sum()) + penalty(one, W)


def noise(one: Plain, W: Array, b: Array) -> float:
    """Return what rounding may change in the objective."""
    F = margins(one, W, b)
    error = 64.0 * EPSILON * (np.abs(one.X) @ np.abs(W) + np.abs(b))
    bend = 2.0 * one.s[:, None] * error**2 + EPSILON * one.s[:, None] * np.abs(F)
    return float((np.abs(residual(one, F)) * error + bend).sum()) + 1e-11 * abs(objective(one, W, b))


def residual(one: Plain, F: Array) -> Array:
    """Return minus the derivative of the loss by the margins."""
    if one.loss == "squared":
        return one.s[:, None] * (one.y - F)
    if one.loss == "softmax":
        P = np.exp(F - F.max(axis=1, keepdims=True))
        return one.s[:, None] * (one.y - P / P.sum(axis=1, keepdims=True))
    m = one.y * F
    if one.loss == "logistic":
        return one.s[:, None] * one.y * np.exp(-np.logaddexp(0.0, m))
    return 2.0 * one.s[:, None] * one.y * np.maximum(1.0 - m, 0.0)


def lower_bound(one: Plain, W: Array, b: Array) -> float:
    """Return a number that no objective is below, minus infinity where this way finds none."""
    alpha = residual(one, margins(one, W, b))
    if one.intercept:
        alpha = _balanced(one, alpha)
    C = one.X.T @ alpha
    C = np.clip(C, np.where(one.low < 0.0, -np.inf, 0.0), np.where(one.high > 0.0, np.inf, 0.0))
    size, rest = _split(one, C)
    if one.l2 > 0.0:
        return _dual_value(one, alpha) - float((rest**2).sum()) / (4.0 * one.l2)
    return _dual_value(one, alpha / max(1.0, size * (1.0 + 4.0 * EPSILON))) if np.isfinite(size) else -np.inf


def _dual_value(one: Plain, alpha: Array) -> float:
    """Return −L*(−α)."""
    a = alpha / one.s[:, None]
    if one.loss == "squared":
        return float(one.s @ (a * one.y - 0.5 * a**2)[:, 0])
    if one.loss == "squared_hinge":
        m = one.y * a
        return float(one.s @ (m - 0.25 * m**2)[:, 0])
    Q = np.clip(one.y - a, 0.0, 1.0) if one.loss == "softmax" else np.hstack([one.y * a, 1.0 - one.y * a])
    Q = np.clip(Q, 0.0, 1.0)
    return -float(one.s @ (Q * np.log(np.where(Q > 0.0, Q, 1.0))).sum(axis=1))


def _balanced(one: Plain, alpha: Array) -> Array:
    """Return a residual nearby whose columns sum to zero, as a free intercept asks."""
    if one.loss == "squared":
        return alpha - one.s[:, None] * alpha.sum() / one.s.sum()
    if one.loss != "softmax":
        up, down = alpha.clip(min=0.0).sum(), -alpha.clip(max=0.0).sum()
        least = min(up, down)
        return np.where(alpha > 0.0, alpha * least / max(up, 1e-300), alpha * least / max(down, 1e-300))
    wanted = one.s @ one.y
    Q = np.where(wanted > 0.0, one.y - alpha / one.s[:, None], 0.0)
    Q /= Q.sum(axis=1, keepdims=True)
    miss = wanted - one.s @ Q
    m = float(np.max(-miss[wanted > 0.0] / wanted[wanted > 0.0]))
    t = max(m, 0.0) / (1.0 + max(m, 0.0))
    if t > 0.0:
        Q = (1.0 - t) * Q + t * np.maximum(wanted + miss * (1.0 - t) / t, 0.0) / one.s.sum()
    return one.s[:, None] * (one.y - Q)


def _split(one: Plain, C: Array) -> tuple[float, Array]:
    """Return the largest share of its radius that a part takes when all is taken, and what the parts leave."""
    parts = [np.zeros_like(C) for _ in one.groups]
    box, rest, size = np.zeros_like(C), C.copy(), float(np.abs(C).max(initial=0.0))
    for _ in range(SWEEPS):
        before = rest.copy()
        whole = rest + box
        box = np.clip(whole, -one.levels[:, None], one.levels[:, None])
        rest = whole - box
        for part, members, radius in zip(parts, one.groups, one.radii, strict=True):
            rows = list(members)
            whole = rest[rows] + part[rows]
            length = float(np.linalg.norm(whole))
            part[rows] = whole * min(1.0, radius / length if length > 0.0 else 1.0)
            rest[rows] = whole - part[rows]
        if np.abs(rest - before).max(initial=0.0) <= 1e-15 * size:
            break
    return _largest_share(one, box, parts, rest), rest


def _largest_share(one: Plain, box: Array, parts: list[Array], rest: Array) -> float:
    """Return the polar norm's bound when what is left goes to the part with the largest radius."""
    radius = one.levels.copy()
    owner = np.full(len(radius), -1)
    for g, members in enumerate(one.groups):
        better = [j for j in members if one.radii[g] > radius[j]]
        radius[better], owner[better] = one.radii[g], g
    if np.any(rest[radius == 0.0] != 0.0):
        return np.inf
    box = box + np.where((owner == -1)[:, None], rest, 0.0)
    shares = [float((np.abs(box) / np.where(one.levels > 0.0, one.levels, np.inf)[:, None]).max(initial=0.0))]
    for g, part in enumerate(parts):
        whole = part + np.where((owner == g)[:, None], rest, 0.0)
        shares.append(float(np.linalg.norm(whole)) / one.radii[g] if one.radii[g] > 0.0 else 0.0)
    return max(shares)


def _document_weights(draw: Draw) -> Array:
    s = np.ones(len(draw.y)) if draw.sample_weight is None else draw.sample_weight.copy()
    if draw.class_weight is None:
        return s
    classes, counts = np.unique(draw.y, return_counts=True)
    balanced = dict(zip(classes, len(draw.y) / (len(classes) * counts), strict=True))
    by_class = balanced if draw.class_weight == "balanced" else draw.class_weight
    return s * np.array([by_class[k] for k in draw.y])


def _targets(draw: Draw) -> Array:
    if draw.loss == "squared":
        return np.asarray(draw.y, dtype=float)[:, None]
    classes = np.unique(draw.y)
    hot = (draw.y[:, None] == classes).astype(float)
    return hot if len(classes) > 2 else hot[:, 1:] - hot[:, :1]


def _sides(draw: Draw, n_outputs: int) -> tuple[Array, Array]:
    low, high = (np.full((draw.matrix.dense.shape[1], n_outputs), way) for way in (-np.inf, np.inf))
    for j, sign in draw.signs.items():
        (low if sign[0] == "+" else high)[j, 0] = 0.0
    low[list(draw.ban)] = high[list(draw.ban)] = 0.0
    return low, high


def _levels(draw: Draw) -> tuple[Array, tuple[tuple[int, ...], ...], tuple[float, ...]]:
    """Return λ₁ of every feature, and the groups without kept features with their radii."""
    levels = np.full(draw.matrix.dense.shape[1], draw.l1)
    levels[list(draw.keep)] = KEPT * (draw.l1 or draw.group)
    left = [tuple(j for j in members if j not in draw.keep) for members in draw.groups]
    kept = [(g, draw.group * d) for g, d in zip(left, draw.group_weights, strict=True) if g]
    return levels, tuple(g for g, _ in kept), tuple(r for _, r in kept)

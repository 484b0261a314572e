"""Blocks of features side by side: the groups of a penalty, and features in no group as blocks of their own."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.penalties.base import NEITHER, Sides, rows, sides_of, soft
from laconic.core.penalties.group import GroupedPenalty
from laconic.kernels.linear.blocks import Levels
from laconic.solvers.prox_newton.group_step import Norms

ROOM = 500


class Part:
    """Some blocks side by side: block b holds ``features[ends[b]:ends[b + 1]]``; ``sides`` are by output too."""

    def __init__(
        self, features: NDArray[np.intp], sizes: NDArray[np.int64], radii: Array, l1: Array, sides: Sides
    ) -> None:
        self.features, self.sizes, self.radii, self.l1, self.sides = features, sizes, radii, l1, sides
        self.ends = np.concatenate([[0], np.cumsum(sizes)])
        least = np.minimum.reduceat(l1, self.ends[:-1]) if len(sizes) else np.zeros(0)
        levels = np.maximum(radii, least)
        top = float(levels.max(initial=0.0))
        # What slopes may be off by is measured in levels; a block without a penalty takes the largest.
        self.levels = np.where(levels > 0.0, levels, top if top > 0.0 else 1.0)

    @cached_property
    def tolerances(self) -> Array:
        """By how much the slope of every feature may be off so that its block's is off by its level, on average."""
        return np.repeat(self.levels / np.sqrt(self.sizes), self.sizes)

    def take(self, features: NDArray[np.intp], mask: NDArray[np.bool_]) -> "Part":
        """Return the blocks that have features in ``mask``, which are ``features``."""
        counts = np.add.reduceat(mask, self.ends[:-1], dtype=np.int64) if len(self.sizes) else self.sizes
        kept = counts > 0
        levels = self.l1[features], self.sides[features]
        return Part(self.features[features], counts[kept], self.radii[kept], *levels)

    def with_ridge(self, ridge: Array, sides: Sides) -> Levels:
        """Return what the penalty asks of the blocks, with a ridge for every feature, as kernels take it."""
        return Levels(self.ends, self.radii, self.levels, self.l1, np.ascontiguousarray(sides), ridge)

    def norms(self, w: Array) -> Array:
        """Return the norm of every block."""
        squares = w * w if w.ndim == 1 else np.einsum("jk,jk->j", w, w)
        return np.sqrt(np.add.reduceat(squares, self.ends[:-1])) if len(self.sizes) else np.zeros(0)

    def norm(self, w: Array) -> float:
        """Return λ₁‖w‖₁ + Σ ρ_b‖w_b‖."""
        return float(np.sum(rows(self.l1, w) * np.abs(w)) + self.radii @ self.norms(w))

    def smooth(self, w: Array) -> NDArray[np.bool_]:
        """Say which weights may move smoothly: nonzero ones, and zeros without λ₁ that may take both sides."""
        live = np.repeat((self.norms(w) > 0.0) | (self.radii == 0.0), self.sizes)
        return np.asarray((w != 0.0) | (live & (self.l1 == 0.0) & (self.sides[:, 0] == 0)))

    def norms_at(self, here: Array, keep: NDArray[np.bool_]) -> Norms:
        """Return the norms of the blocks that have weights in ``keep`` (flat), at these weights."""
        outputs = keep.size // max(len(self.features), 1)
        counts = np.add.reduceat(keep.ravel(), outputs * self.ends[:-1], dtype=np.int64)
        alive = (counts > 0) & (self.radii > 0.0)
        pointers = np.concatenate([[0], np.cumsum(counts[alive])])
        return Norms(pointers, np.flatnonzero(np.repeat(alive, counts)), self.radii[alive], here)


class Blocks(Part):
    """All blocks of a penalty on disjoint groups."""

    def __init__(self, penalty: GroupedPenalty) -> None:
        groups = penalty.groups
        l1 = np.broadcast_to(np.asarray(penalty.l1, dtype=np.float64), (groups.n_features,))
        alone = np.flatnonzero(~groups.covered)
        features = np.concatenate([groups.indices, alone])
        ones = np.ones(len(alone))
        sizes = np.concatenate([groups.sizes, ones.astype(np.int64)])
        sides = sides_of(penalty.sides, groups.n_features, 1)[features]
        super().__init__(features, sizes, np.concatenate([penalty.radii, 0.0 * ones]), l1[features], sides)

    def working_set(self, C: Array, W: Array) -> Part:
        """Return the nonzero and unpenalised blocks, and as many features that violate ‖S(Xᵀα, λ₁)‖ ≤ ρ most."""
        held = (self.norms(W[self.features]) > 0.0) | self.unpenalised
        excess = (self.norms(soft(C[self.features], self.l1)) - self.radii) / np.sqrt(self.sizes)
        violators = np.flatnonzero((excess > 0.0) & ~held)
        room = max(ROOM, int(self.sizes[held].sum()))
        if self.sizes[violators].sum() > room:
            violators = violators[np.argsort(-excess[violators], kind="stable")]
            violators = violators[: max(1, int(np.searchsorted(np.cumsum(self.sizes[violators]), room)))]
        chosen = held
        chosen[violators] = True
        members = np.repeat(chosen, self.sizes)
        levels = self.l1[members], self.sides[members]
        return Part(self.features[members], self.sizes[chosen], self.radii[chosen], *levels)

    @cached_property
    def unpenalised(self) -> NDArray[np.bool_]:
        """Mask of the blocks with a feature that neither λ₁ nor a group reaches."""
        return np.asarray((self.radii == 0.0) & (np.minimum.reduceat(self.l1, self.ends[:-1]) == 0.0))


def free_features(penalty: GroupedPenalty) -> NDArray[np.bool_] | None:
    """Return the mask of the features that no part of a penalty on groups reaches, None where there are none."""
    if penalty.l2 > 0.0:
        return None
    free = np.broadcast_to(np.asarray(penalty.l1) == 0.0, (penalty.groups.n_features,)).copy()
    free[penalty.groups.indices[np.repeat(penalty.radii > 0.0, penalty.groups.sizes)]] = False
    if penalty.sides is not None:
        free &= np.any(penalty.sides.reshape(len(free), -1) != NEITHER, axis=1)
    return free if free.any() else None

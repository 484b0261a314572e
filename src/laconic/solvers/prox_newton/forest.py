"""Groups of a working set that are nested or disjoint, cut to it, over weights of one or several outputs."""

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.penalties.base import Sides, cut, sides_of, soft
from laconic.core.penalties.group import GroupedPenalty
from laconic.kernels.linear.overlapping import shrink_groups
from laconic.solvers.prox_newton.group_step import Norms
from laconic.solvers.prox_newton.layout import Part


class Forest:
    """Groups as (indptr, indices, radii), children before parents, over features with λ₁ and sides of their own."""

    def __init__(
        self, indptr: NDArray[np.int64], indices: NDArray[np.int32], radii: Array, l1: Array, sides: Sides
    ) -> None:
        self.indptr, self.indices, self.radii, self.l1, self.sides = indptr, indices, radii, l1, sides
        self.sizes = np.diff(indptr)
        self.leaf = np.zeros(len(radii), dtype=bool)
        for array in (indptr, indices):
            array.flags.writeable = False

    @classmethod
    def of(cls, penalty: GroupedPenalty, n_outputs: int) -> "Forest":
        """Return all groups of a penalty that have a radius."""
        groups = penalty.groups
        order = np.argsort(groups.sizes, kind="stable")
        order = order[penalty.radii[order] > 0.0]
        sizes = groups.sizes[order]
        indptr = np.concatenate([[0], np.cumsum(sizes)])
        places = np.arange(indptr[-1]) + np.repeat(groups.indptr[order] - indptr[:-1], sizes)
        l1 = np.broadcast_to(np.asarray(penalty.l1, dtype=np.float64), (groups.n_features,))
        sides = sides_of(penalty.sides, groups.n_features, n_outputs)
        return cls(indptr, groups.indices[places], penalty.radii[order], l1, sides)

    def cut(self, keep: NDArray[np.intp]) -> "Forest":
        """Return the groups as seen by some features, ascending; equal ones are merged, those without a member gone."""
        place = np.full(len(self.l1), -1, dtype=np.int32)
        place[keep] = np.arange(len(keep), dtype=np.int32)
        members = place[self.indices]
        kept = members >= 0
        counts = _sums(kept.astype(np.int64), self.indptr)
        alive = np.flatnonzero(counts)
        ends = np.concatenate([[0], np.cumsum(counts[alive])])
        members = members[kept]
        # Nested groups of equal size that share a member are equal; members ascend, so the first will do.
        key = members[ends[:-1]].astype(np.int64) * (len(keep) + 1) + counts[alive]
        _, first, twin = np.unique(key, return_index=True, return_inverse=True)
        order = np.argsort(first)
        radii = np.bincount(twin, weights=self.radii[alive], minlength=len(first))[order].astype(np.float64)
        mask = np.zeros(len(alive), dtype=bool)
        mask[first] = True
        sizes = counts[alive]
        pointers = np.concatenate([[0], np.cumsum(sizes[mask])])
        return Forest(pointers, members[np.repeat(mask, sizes)], radii, self.l1[keep], self.sides[keep])

    def by_cells(self) -> tuple["Forest", NDArray[np.intp], Part]:
        """Return the forest by cells (groups that hold no other, or single features), its order and its cells."""
        first, groups = self.by_feature
        n = len(self.l1)
        smallest = np.full(n, -1)
        covered = np.diff(first) > 0
        smallest[covered] = groups[first[:-1][covered]]
        leaf = np.bincount(smallest[covered], minlength=len(self.radii)) == self.sizes
        inside = covered.copy()
        inside[covered] = leaf[smallest[covered]]
        cell = np.where(inside, smallest, len(self.radii) + np.arange(n))
        order = np.argsort(cell, kind="stable")
        names, sizes = np.unique(cell, return_counts=True)
        within = names < len(self.radii)
        radii = np.zeros(len(names))
        radii[within] = self.radii[names[within]]
        place = np.empty(n, dtype=np.int32)
        place[order] = np.arange(n, dtype=np.int32)
        l1, sides = self.l1[order], self.sides[order]
        forest = Forest(self.indptr, place[self.indices], self.radii, l1, sides)
        forest.leaf = leaf
        return forest, order, Part(order, sizes, radii, l1, sides)

    def squares(self, w: Array) -> Array:
        """Return ‖w_g‖² of every group."""
        return np.asarray(_sums(np.einsum("jk,jk->j", w, w)[self.indices], self.indptr))

    def norm(self, w: Array) -> float:
        """Return λ₁‖w‖₁ + Σ ρ_g‖w_g‖."""
        return float(np.sum(self.l1[:, None] * np.abs(w)) + self.radii @ np.sqrt(self.squares(w)))

    def zeros(self, w: Array) -> NDArray[np.bool_]:
        """Return the mask of features in a group that is zero."""
        mask = np.zeros(len(w), dtype=bool)
        mask[self.indices[np.repeat(self.squares(w) == 0.0, self.sizes)]] = True
        return mask

    def rise(self, C: Array, w: Array) -> Array:
        """Return where zero weights want to leave zero, the prox of the zero groups' norms at C; zero at an optimum."""
        zero = self.squares(w) == 0.0
        p = soft(cut(C, self.sides), self.l1)
        p[w != 0.0] = 0.0
        shrink_groups(p, self.indptr, self.indices, np.where(zero, self.radii, 0.0), np.arange(len(self.radii)))
        return p

    def tops(self, w: Array) -> NDArray[np.int64]:
        """Return, per feature, its largest zero group, or minus one."""
        top = np.full(len(w), -1)
        zero = self.squares(w) == 0.0
        # Parents come after their children and overwrite them.
        top[self.indices[np.repeat(zero, self.sizes)]] = np.repeat(np.flatnonzero(zero), self.sizes[zero])
        return top

    def pull(self, w: Array) -> tuple[Array, NDArray[np.bool_]]:
        """Return Σ ρ_g/‖w_g‖ over the nonzero groups of every feature but its cell, and whether one of them is zero."""
        squares = np.where(self.leaf, np.inf, self.squares(w))
        factors = np.divide(self.radii, np.sqrt(squares), out=np.zeros(len(squares)), where=squares > 0.0)
        pull = np.bincount(self.indices, weights=np.repeat(factors, self.sizes), minlength=len(w)).astype(np.float64)
        zero = np.zeros(len(w), dtype=bool)
        zero[self.indices[np.repeat(squares == 0.0, self.sizes)]] = True
        return pull, zero

    @cached_property
    def covered(self) -> NDArray[np.bool_]:
        """Mask of the features that are in some group."""
        mask = np.zeros(len(self.l1), dtype=bool)
        mask[self.indices] = True
        return mask

    @cached_property
    def by_feature(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The groups of every feature, as pointers and numbers."""
        shape = len(self.radii), len(self.l1)
        table = sp.csr_array(
            (np.ones(len(self.indices), dtype=np.int8), self.indices, self.indptr), shape=shape
        ).tocsc()
        return table.indptr.astype(np.int32), table.indices.astype(np.int32)

    def smooth(self, w: Array) -> NDArray[np.bool_]:
        """Say which weights may move smoothly: nonzero ones, and zeros without λ₁ that may take both sides."""
        return np.asarray((w != 0.0) | ((~self.zeros(w) & (self.l1 == 0.0))[:, None] & (self.sides == 0)))

    def norms_at(self, w: Array, keep: NDArray[np.bool_]) -> Norms:
        """Return the nonzero norms over the weights in ``keep``, numbered as in ``w[keep]``."""
        alive = self.squares(w) > 0.0
        members = self.indices[np.repeat(alive, self.sizes)]
        number = np.cumsum(keep.ravel()).reshape(keep.shape) - 1
        counts = _sums(keep.sum(axis=1)[members], np.concatenate([[0], np.cumsum(self.sizes[alive])]))
        flat = number[members].ravel()[keep[members].ravel()]
        pointers = np.concatenate([[0], np.cumsum(counts)])
        return Norms(pointers, flat, self.radii[alive], w[keep])


def _sums(values: Any, indptr: NDArray[np.int64]) -> Any:
    """Return the sum of every group's values; no group is empty."""
    return np.add.reduceat(values, indptr[:-1]) if len(indptr) > 1 else np.zeros(0, dtype=values.dtype)

r"""The norms of a penalty as balls of the dual: λ₁ and λ_g alike, for all features or for a working set.

:math:`\Psi(w) = \sum_g \rho_g\|w_g\|` with λ₁ as one group per feature, so that every group g has a dual variable
:math:`\xi_g`, :math:`\|\xi_g\| \le \rho_g`, one entry a member. Seen by a working set many groups are equal: they are
one ball whose radius is the sum of theirs, and each of them has its share of the common ξ. With several outputs a
group holds all entries of its features, and λ₁ is a ball of every entry.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from laconic.core.group_parts import merge_equal
from laconic.core.losses import Array
from laconic.core.penalties.group import GroupedPenalty
from laconic.kernels.linear.overlapping import absorb, count_members, gather_members, group_norms, growth
from laconic.solvers.overlapping.slices import entries

PASSES = 100  # over the balls in a row, to let them take up what is left


@dataclass(frozen=True)
class Balls:
    """Sets of entries with a radius each."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    radii: Array
    n_entries: int

    @classmethod
    def of(cls, penalty: GroupedPenalty, n_outputs: int = 1) -> "Balls":
        """Return the balls of a penalty, the smallest sets first; those of radius zero are left out."""
        groups = penalty.groups
        l1 = np.broadcast_to(np.asarray(penalty.l1, dtype=np.float64), (groups.n_features,))
        single = np.flatnonzero(l1 > 0.0)
        radii = penalty.group * groups.weights
        alive = np.flatnonzero(radii > 0.0)
        order = alive[np.argsort(groups.sizes[alive], kind="stable")]
        sizes = groups.sizes[order]
        starts = np.cumsum(sizes) - sizes
        take = np.arange(int(sizes.sum())) + np.repeat(groups.indptr[:-1][order] - starts, sizes)
        own, shared = entries(single, n_outputs), entries(groups.indices[take], n_outputs)
        ends = [len(own) + n_outputs * starts, [len(own) + len(shared)]]
        return cls(
            np.concatenate([np.arange(len(own)), *ends]).astype(np.int64),
            np.concatenate([own, shared]).astype(np.int32),
            np.concatenate([np.repeat(l1[single], n_outputs), radii[order]]),
            n_outputs * groups.n_features,
        )

    @cached_property
    def n_single(self) -> int:
        """How many sets have one member; they come first."""
        return int(np.count_nonzero(self.sizes == 1))

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The number of members of every set."""
        return np.diff(self.indptr)

    def value(self, w: Array) -> float:
        """Return Ψ(w)."""
        return float(group_norms(w, self.radii, self.indptr, self.indices))

    def total(self, xi: Array) -> Array:
        """Return Σ_g ξ_g, one number an entry."""
        return np.bincount(self.indices, weights=xi, minlength=self.n_entries).astype(np.float64)

    def reach(self) -> Array:
        """Return for every entry the sum of the radii of its balls."""
        return self.total(np.repeat(self.radii, self.sizes))

    def start(self, w: Array) -> Array:
        """Return ξ_g = ρ_g w_g/‖w_g‖, zero where w_g is."""
        squares = np.add.reduceat(w[self.indices] ** 2, self.indptr[:-1]) if len(self.radii) else np.zeros(0)
        norms = np.sqrt(squares)
        pull = np.divide(self.radii, norms, out=np.zeros_like(norms), where=norms > 0.0)
        return np.repeat(pull, self.sizes) * w[self.indices]

    def take_up(self, c: Array, xi: Array, held: NDArray[np.bool_], slack: float) -> Array:
        """Let balls take up ``c`` of entries not ``held`` as far as they can, ``xi`` in place; return c − Σ_g ξ_g."""
        # Held members keep their ξ and leave a smaller ball to the others; balls of one entry, which serve no other, go
        # first.
        n = self.n_single
        own = self.indices[:n]
        limits = np.bincount(own, weights=self.radii[:n], minlength=self.n_entries)
        taken = np.clip(c, -limits, limits)
        free = ~held[own]
        xi[:n][free] = (taken[own] * self.radii[:n] / np.where(limits > 0.0, limits, 1.0)[own])[free]
        rest = np.where(held, 0.0, c - taken)
        shared = slice(int(self.indptr[n]), None)
        members, tail = self.indices[shared], xi[shared]
        fixed = held[members]
        live = (rest != 0.0)[members]
        tail[~(fixed | live)] = 0.0
        if live.any():
            starts = self.indptr[n:-1] - self.indptr[n]
            radii, sizes = self.radii[n:], self.sizes[n:]
            # Held members may fill the ball, and rounding make them seem to overfill it.
            room = np.maximum(radii**2 - np.add.reduceat(np.where(fixed, tail * tail, 0.0), starts), 0.0)
            counts = np.add.reduceat(live.astype(np.int64), starts)
            closed = room <= (1e-12 * radii) ** 2
            tail[live & np.repeat(closed, sizes)] = 0.0
            places = np.flatnonzero(live & np.repeat(~closed, sizes))
            which = np.flatnonzero((counts > 0) & ~closed)
            indptr = np.concatenate([[0], np.cumsum(counts[which])])
            part, indices = tail[places], members[places]
            rest -= np.bincount(indices, weights=part, minlength=self.n_entries)
            absorb(rest, part, np.sqrt(room[which]), indptr, indices, slack, PASSES)
            tail[places] = part
        return c - self.total(xi)

    def absorb(self, c: Array, xi: Array) -> None:
        """Let all balls in turn take up what ξ leaves of the correlations ``c``, in place."""
        slack = 1e-12 * float(np.abs(c).max(initial=0.0))
        absorb(c - self.total(xi), xi, self.radii, self.indptr, self.indices, slack, PASSES)

    def growth(self, r: Array, xi: Array, reach: Array) -> float:
        """Return by which factor all balls must grow to hold ξ and what is left, ``r``; infinite where none reaches."""
        if np.any(r[reach == 0.0] != 0.0):
            return np.inf
        # What is left of an entry goes to its balls by their radii.
        return float(growth(r / np.where(reach > 0.0, reach, 1.0), xi, self.radii, self.indptr, self.indices))


class Restriction:
    """Balls as a working set sees them, and the way there and back of their dual variables."""

    def __init__(self, balls: Balls, J: NDArray[np.intp]) -> None:
        number = np.full(balls.n_entries, -1, dtype=np.int32)
        number[J] = np.arange(len(J), dtype=np.int32)
        counts = np.empty(len(balls.radii), dtype=np.int64)
        total = count_members(balls.indptr, balls.indices, number, counts)
        self.places, seen = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int32)
        gather_members(balls.indptr, balls.indices, number, self.places, seen)
        alive = np.flatnonzero(counts)
        sizes = counts[alive]
        indptr = np.concatenate([[0], np.cumsum(sizes)])
        twin, first, merged, indices = merge_equal(indptr, seen)
        radii = np.bincount(twin, weights=balls.radii[alive], minlength=len(first)).astype(np.float64)
        self.balls = Balls(merged.astype(np.int64), indices.astype(np.int32), radii, len(J))
        self._slots = np.arange(len(self.places)) + np.repeat(merged[:-1][twin] - indptr[:-1], sizes)
        self._shares = np.repeat(balls.radii[alive] / radii[twin], sizes)

    def down(self, xi: Array) -> Array:
        """Return the common ξ of merged balls: the sum of theirs."""
        slots = self._slots
        return np.bincount(slots, weights=xi[self.places], minlength=len(self.balls.indices)).astype(np.float64)

    def up(self, common: Array, xi: Array) -> None:
        """Write every ball's share of the common ξ into ``xi``."""
        xi[self.places] = self._shares * common[self._slots]

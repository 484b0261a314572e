r"""Scores of atoms, and the search for the best one.

With c = Xᵀα over the columns of a group G that are not yet chosen, the criteria of Skianis et al. (2018) are

* ``sum``: :math:`\|c_G\|^2`, ``mean``: :math:`\|c_G\|^2/|G|`, ``norm``: :math:`\|c_G\|/|G|`;
* ``projection``: :math:`c_G^\top(X_G^\top X_G + \varepsilon I)^{-1}c_G`, divided by |G| where asked.

The root of each is a seminorm of α that moves by at most a constant times ‖α − α₀‖ (1 for unit columns and all but
``sum``). From step to step the residual moves much in few documents, those with the words that have just entered: c
follows α exactly there, by their rows alone, and the little that is left bounds the error of every score. Only atoms
that may still win are looked at in full. Sample weights enter as :math:`\sqrt{s_i}` times every row, so a document of
weight two counts as two documents.
"""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from laconic.core.groups import Groups
from laconic.core.losses import Array
from laconic.core.penalties.base import Sides, cut
from laconic.core.problem import LinearProblem
from laconic.kernels.linear.pursuit import ROUNDING, TIE, follow_rows, score_atoms

POWERS = {"sum": 0.0, "mean": -0.5, "norm": -1.0}
BLUR = 0.005  # error of the scores, as a share of the last best one, that is left to the second look
WORTH = 0.3  # share of the documents (or atoms) up to which following some pays


@dataclass(frozen=True)
class Criterion:
    """How atoms are scored: the measure, ε of the projection, and whether that is divided by |G|."""

    name: Literal["sum", "projection", "mean", "norm"] = "mean"
    ridge: float = 0.0
    divide: bool = True


class Atoms(NamedTuple):
    """Groups of columns to choose from: atom a is ``members[ends[a]:ends[a + 1]]``."""

    members: NDArray[np.int32]
    ends: NDArray[np.int64]

    @classmethod
    def columns(cls, n_features: int) -> "Atoms":
        """Return one atom per column."""
        return cls(np.arange(n_features, dtype=np.int32), np.arange(n_features + 1))

    @classmethod
    def of(cls, groups: Groups, singletons: Literal["all", "outside", "none"]) -> "Atoms":
        """Return the groups, followed by single columns: all, those in no group, or none."""
        if singletons == "none":
            return cls(groups.indices.copy(), groups.indptr.copy())
        single = np.ones(groups.n_features, dtype=bool)
        if singletons == "outside":
            single[groups.indices] = False
        alone = np.flatnonzero(single).astype(np.int32)
        ends = groups.indptr[-1] + np.arange(1, len(alone) + 1)
        return cls(np.concatenate([groups.indices, alone]), np.concatenate([groups.indptr, ends]))

    def single_columns(self, n_features: int) -> NDArray[np.intp] | None:
        """Return the first atom of every column, −1 for none, if all are single and in the order of their columns."""
        if not (np.diff(self.ends) == 1).all():
            return None
        atom_of = np.full(n_features, -1, dtype=np.intp)
        found, first = np.unique(self.members, return_index=True)
        atom_of[found] = first
        return atom_of if (np.diff(first) > 0).all() else None


class Found(NamedTuple):
    """The best atom: the columns it still has, |x_jᵀα| of each as searched, its score, and its undivided measure."""

    atom: int
    features: NDArray[np.intp]
    sizes: Array
    score: float
    undivided: float


class Scout:
    """Finds the atom with the highest score, columns times ``scale``; pulls to barred ``sides`` count as zero."""

    def __init__(
        self, problem: LinearProblem, atoms: Atoms, criterion: Criterion, scale: Array, sides: Sides | None = None
    ) -> None:
        self._problem, self._atoms, self._criterion, self._sides = problem, atoms, criterion, sides
        self._scale = scale
        self._gone = np.zeros(problem.n_features, dtype=np.bool_)
        self._owners = _owners(atoms, problem.n_features)
        sizes = np.diff(atoms.ends)
        self._singles = bool((sizes == 1).all())
        self._plain = self._singles and np.array_equal(atoms.members, np.arange(problem.n_features))
        self._power = -0.5 * criterion.divide if criterion.name == "projection" else POWERS[criterion.name]
        longest = float((np.sqrt(problem.column_squares()) * scale).max(initial=0.0))
        largest = float(sizes.max(initial=1)) ** max(0.5 + self._power, 0.0)
        self._reach = 1.0 if criterion.name == "projection" else longest * largest
        self._rows = problem.rows
        self._root = np.sqrt(problem.weight)
        self._near: tuple[Array, Array] | None = None
        self._last = 0.0
        self._scale_squares = self._scale**2
        self._projected: tuple[Array, Array, NDArray[np.intp]] | None = None
        self._shrunk: set[int] = set()
        self._factors: dict[int, tuple[int, Any]] = {}

    def best(self, R: Array, room: int) -> Found | None:
        """Return the best atom for the residual ``R``, a row an output, with at most ``room`` columns left, or None."""
        winner, score = self._search(R, room)
        if winner < 0 or score <= 0.0:
            return None
        features = self._left(winner)
        sizes = np.linalg.norm(self._correlations(features, R), axis=0)
        size = float(np.sum(sizes**2))
        return Found(winner, features, sizes, score**2, size if len(sizes) > 1 or not self._singles else size**0.5)

    def remove(self, features: NDArray[np.intp]) -> None:
        """Take columns out of all atoms."""
        self._gone[features] = True
        if self._criterion.name == "projection":
            indptr, owners = self._owners
            for j in features:
                self._shrunk.update(owners[indptr[j] : indptr[j + 1]].tolist())

    def some_left(self) -> bool:
        """Say whether any atom has columns left that are not all zero."""
        members = self._atoms.members
        return bool((~self._gone[members] & (self._scale[members] > 0.0)).any())

    def _search(self, R: Array, room: int) -> tuple[int, float]:
        if self._criterion.name == "projection":
            return self._search_projections(R, room)
        C, error = self._follow(R)
        C = cut(C, self._sides)
        scores = self._scores_by(np.einsum("jk,jk->j", C, C) if C.shape[1] > 1 else C[:, 0] ** 2)
        if room < self._problem.n_features:
            scores[self._counts() > room] = -1.0
        highest = float(scores.max(initial=-1.0))
        error = 2.0 * self._reach * error * (1.0 + 1e-9) + ROUNDING * self._last
        likely = np.flatnonzero(scores >= max(highest * (1.0 - TIE) - error, 0.0))
        exact = self._exactly(likely, R)
        self._last = float(exact.max(initial=-1.0))
        first = np.flatnonzero(exact >= self._last * (1.0 - TIE))
        return (int(likely[first[0]]), self._last) if len(first) else (-1, -1.0)

    def _scores_by(self, squares: Array) -> Array:
        """Return the scores of all atoms by the squares of the columns' correlations."""
        squares = squares * self._scale_squares
        if self._singles:
            np.sqrt(squares, out=squares)
            squares[self._gone] = -1.0
            scores = squares if self._plain else squares[self._atoms.members]
        else:
            scores = np.empty(len(self._atoms.ends) - 1)
            score_atoms(squares, *self._atoms, self._gone, self._power, scores)
        return scores

    def _exactly(self, which: NDArray[np.intp], R: Array) -> Array:
        """Return the scores of some atoms by the residual itself."""
        if self._singles:
            return np.asarray(np.linalg.norm(self._correlations(self._atoms.members[which].astype(np.intp), R), axis=0))
        parts = [self._left(a) for a in which.tolist()]
        sizes = np.array([len(part) for part in parts], dtype=np.float64)
        if not len(parts):
            return sizes
        C = self._correlations(np.concatenate(parts), R)
        begins = np.concatenate([[0], np.cumsum(sizes[:-1])]).astype(np.intp)
        return np.sqrt(np.add.reduceat(np.einsum("kj,kj->j", C, C), begins)) * sizes**self._power

    def _counts(self) -> Array:
        """Return how many columns every atom has left."""
        left = np.append(~self._gone[self._atoms.members], False)
        return np.add.reduceat(left.astype(np.float64), self._atoms.ends[:-1])

    def _follow(self, R: Array) -> tuple[Array, float]:
        """Return XᵀR up to an error, and a bound on the length of what was left out of R."""
        if self._near is not None:
            R0, C = self._near
            squares = np.einsum("ki,ki->i", R - R0, R - R0) / self._problem.weight
            left = _fewest(squares, (BLUR * self._last / self._reach) ** 2)
            if left is not None:
                which, rest = left
                follow_rows(*self._rows, which, np.ascontiguousarray((R[:, which] - R0[:, which]).T), C)
                R0[:, which] = R[:, which]
                return C, rest**0.5
        C = self._problem.correlations(np.ascontiguousarray(R.T))
        self._near = R.copy(), C
        return C, 0.0

    def _left(self, atom: int) -> NDArray[np.intp]:
        members = self._atoms.members[self._atoms.ends[atom] : self._atoms.ends[atom + 1]]
        return members[~self._gone[members]].astype(np.intp)

    def _correlations(self, features: NDArray[np.intp], R: Array) -> Array:
        C = self._problem.some_correlations(features, R) * self._scale[features]
        return C if self._sides is None else cut(C.T, self._sides[features]).T

    def _search_projections(self, R: Array, room: int) -> tuple[int, float]:
        seen = self._some_projections(R, room)
        if seen is None:
            scores = np.array([self._project(a, R, room) for a in range(len(self._atoms.ends) - 1)])
            self._projected = R.copy(), scores, np.argsort(-scores, kind="stable")
            self._shrunk.clear()
            seen = dict(enumerate(scores.tolist()))
        highest = max(seen.values(), default=-1.0)
        return min((a for a, score in seen.items() if score >= highest * (1.0 - TIE)), default=-1), highest

    def _some_projections(self, R: Array, room: int) -> dict[int, float] | None:
        """Return the scores of the atoms that may win; None when these are too many to be worth a choice."""
        if self._projected is None or self._sides is not None:  # cut pulls may move a projection by more
            return None
        R0, bounds, order = self._projected
        shift = self._reach * float(np.linalg.norm((R - R0) / self._root)) * (1.0 + 1e-9)
        seen = {a: self._project(a, R, room) for a in sorted(self._shrunk)}
        highest = max(seen.values(), default=-1.0)
        for a in order.tolist():
            if bounds[a] + shift < highest * (1.0 - TIE):
                break
            if len(seen) > WORTH * len(order):
                return None
            if a not in seen:
                seen[a] = self._project(a, R, room)
                highest = max(highest, seen[a])
        return seen

    def _project(self, atom: int, R: Array, room: int) -> float:
        """Return the root of the projection criterion of one atom, −1 when it has no columns or too many."""
        features = self._left(atom)
        if not len(features) or len(features) > room:
            return -1.0
        C = self._correlations(features, R)
        factor = self._factor(atom, features)
        return float(np.sqrt(max(np.vdot(C.T, cho_solve(factor, C.T)), 0.0)) * len(features) ** self._power)

    def _factor(self, atom: int, features: NDArray[np.intp]) -> Any:
        """Return the Cholesky factor of X_GᵀX_G + εI, kept until the group loses columns."""
        known = self._factors.get(atom)
        if known is None or known[0] != len(features):
            gram = self._problem.gram(features) * np.outer(self._scale[features], self._scale[features])
            # Columns that are copies of each other make it singular; a trace of ridge then projects all the same.
            ridge = max(self._criterion.ridge, 1e-10 * float(np.trace(gram)) / len(features), 1e-300)
            known = len(features), cho_factor(gram + ridge * np.eye(len(features)))
            self._factors[atom] = known
        return known[1]


def _fewest(squares: Array, enough: float) -> tuple[NDArray[np.intp], float] | None:
    """Return the fewest entries without which the others sum to at most ``enough``, and that sum; None for too many."""
    most = int(WORTH * len(squares))
    total = float(squares.sum())
    if total <= enough:
        return np.zeros(0, dtype=np.intp), total
    top = np.argpartition(squares, len(squares) - most)[-most:] if most else np.zeros(0, dtype=np.intp)
    top = top[np.argsort(-squares[top])]
    rest = total - np.cumsum(squares[top])
    short = np.flatnonzero(rest <= enough)
    # Summed anew: a difference of large sums could be too small by rounding.
    if not len(short):
        return None
    which = top[: short[0] + 1]
    left = np.ones(len(squares), dtype=bool)
    left[which] = False
    return np.sort(which), float(squares[left].sum())


def inverse_lengths(lengths: Array) -> Array:
    """Return 1/‖x_j‖, zero for columns without cells."""
    return np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0.0)


def _owners(atoms: Atoms, n_features: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which atoms hold each column, in compressed form."""
    order = np.argsort(atoms.members, kind="stable")
    atom = np.repeat(np.arange(len(atoms.ends) - 1), np.diff(atoms.ends))[order]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(atoms.members, minlength=n_features))])
    return indptr, atom

"""Groups of features: the structure that language offers to a penalty.

A `Groups` is a list of feature sets with one weight d_g each, as in Ω(w) = λ_g Σ_g d_g‖w_g‖₂. It is stored like a
compressed sparse row matrix: the members of group g are ``indices[indptr[g]:indptr[g + 1]]``, in ascending order.

Three structures matter to whoever uses them: *disjoint* groups share no feature; of two groups of a *tree* (a laminar
family) one holds the other or they share nothing; all others are *overlapping*.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.core import group_parts as checks
from laconic.core.files import read_json, write_file
from laconic.core.group_parts import UnitNames

if TYPE_CHECKING:
    from scipy.sparse import csc_array

_PARTS = ("indptr", "indices", "weights", "n_features", "_labels", "features_sha256", "source", "_merged")


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Groups:
    """A frozen list of feature sets with weights and names.

    `Groups.from_lists`, `Groups.from_dict` and `Groups.singletons` are the usual doors; the constructor takes the
    compressed arrays themselves. Everything is checked once, here. Empty groups are dropped together with their weights
    and names: they penalise nothing. The stored arrays are read-only.

    Parameters
    ----------
    indptr : array of shape (n_groups + 1,)
        Where each group starts in `indices`.
    indices : array of int
        The members of all groups, one group after another.
    weights : array of shape (n_groups,)
        d_g, finite and not negative.
    n_features : int
        How many features there are, in groups or not.
    names : sequence of str, optional
        What a person reads in a report; all different. Without it the groups are called "group 0", "group 1", …
        `laconic.core.group_parts.UnitNames` stay unmade until they are asked for.
    features_sha256 : str, optional
        Hash of the feature names that the groups were made for.
    source : str
        Where the groups come from, in words.

    Examples
    --------
    >>> groups = Groups.from_lists([[0, 1], [1, 2, 3]], n_features=5)
    >>> groups.structure, len(groups), groups.members(1).tolist()
    ('overlapping', 2, [1, 2, 3])
    >>> groups.norms([3.0, 4.0, 0.0, 0.0, 9.0]).tolist()
    [5.0, 4.0]
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    weights: NDArray[np.float64]
    n_features: int
    features_sha256: str | None
    source: str
    _labels: tuple[str, ...] | UnitNames | None
    _merged: tuple[Groups, NDArray[Any], NDArray[Any]] | None

    def __init__(
        self,
        indptr: ArrayLike,
        indices: ArrayLike,
        weights: ArrayLike,
        n_features: int,
        names: Sequence[str] | None = None,
        features_sha256: str | None = None,
        source: str = "",
    ) -> None:
        n_features = checks.feature_count(n_features)
        pointers = checks.pointers(indptr, np.size(indices))
        labels = checks.labels(names, len(pointers) - 1)
        d = checks.group_weights(weights, len(pointers) - 1, labels)
        members = checks.members(pointers, indices, n_features, labels)
        filled = np.diff(pointers) > 0
        if not filled.all():
            pointers = np.concatenate([pointers[:1], pointers[1:][filled]])
            d = d[filled]
            labels = checks.kept_labels(labels, filled)
        self._fill(pointers, members, d, n_features, labels, features_sha256, source, None)

    def _fill(self, indptr: NDArray[Any], indices: NDArray[Any], weights: NDArray[Any], *rest: Any) -> None:
        """Set the attributes of frozen groups; the last, `_merged`, says from which groups names are made if asked."""
        fixed = checks.frozen(indptr, np.int64), checks.frozen(indices, np.int32), checks.frozen(weights, np.float64)
        for name, part in zip(_PARTS, (*fixed, *rest), strict=True):
            object.__setattr__(self, name, part)

    @classmethod
    def from_lists(
        cls,
        lists: Iterable[Sequence[int] | NDArray[Any]],
        n_features: int,
        weights: ArrayLike | Literal["sqrt"] | None = None,
        names: Sequence[str] | None = None,
        features_sha256: str | None = None,
        source: str = "",
    ) -> Groups:
        """Make groups from one list of feature numbers per group.

        Parameters
        ----------
        lists : iterable of sequences of int
            The members of each group, in any order, each once. Empty lists are dropped with their names.
        n_features : int
            How many features there are.
        weights : array, number, "sqrt" or None
            d_g for each group, or one number for all; "sqrt" and None mean the square root of the group's size.
        names, features_sha256, source
            As in `Groups`.

        Examples
        --------
        >>> Groups.from_lists([[2, 0], [], [1]], n_features=3, weights=1.0).weights.tolist()
        [1.0, 1.0]
        """
        parts = list(lists)
        sizes = np.fromiter((checks.size(part, g) for g, part in enumerate(parts)), dtype=np.int64, count=len(parts))
        indptr = np.concatenate([[0], np.cumsum(sizes)])
        indices = checks.flat(parts, indptr)
        d = checks.spread_weights(weights, sizes)
        return cls(indptr, indices, d, n_features, names, features_sha256, source)

    @classmethod
    def from_dict(
        cls,
        members: Mapping[str, Sequence[Any]],
        feature_names: Sequence[Any],
        weights: ArrayLike | Literal["sqrt"] | None = None,
        features_sha256: str | None = None,
        source: str = "",
    ) -> Groups:
        """Make groups from ``{group name: [feature name, …]}``; a feature that is not in `feature_names` is refused.

        Examples
        --------
        >>> groups = Groups.from_dict({"space": ["moon", "orbit"]}, feature_names=["disk", "moon", "orbit"])
        >>> groups.names, groups.members(0).tolist()
        (('space',), [1, 2])
        """
        index = {name: j for j, name in enumerate(feature_names)}
        if len(index) != len(feature_names):
            raise ValueError("feature_names holds a name twice; groups by name need one number per name.")
        lists = [checks.numbers_of(name, features, index) for name, features in members.items()]
        return cls.from_lists(lists, len(index), weights, tuple(members), features_sha256, source)

    @classmethod
    def singletons(cls, n_features: int) -> Groups:
        """Make one group of weight 1 for every feature.

        Examples
        --------
        >>> Groups.singletons(3).sizes.tolist()
        [1, 1, 1]
        """
        n = checks.feature_count(n_features)
        return cls(np.arange(n + 1), np.arange(n), np.ones(n), n, source="singletons")

    # What they are

    def __len__(self) -> int:
        return len(self.weights)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Groups):
            return NotImplemented
        return self is other or (hash(self) == hash(other) and self.fingerprint() == other.fingerprint())

    def __hash__(self) -> int:
        return hash((self.n_features, len(self), len(self.indices)))  # cheap; equal groups have equal sizes

    def __repr__(self) -> str:
        source = f", source={self.source!r}" if self.source else ""
        return f"Groups({len(self)} groups, {len(self.indices)} members, {self.n_features} features{source})"

    @cached_property
    def names(self) -> Sequence[str]:
        """One name per group, all different."""
        if self._labels is not None:
            return self._labels
        if self._merged is None:
            return tuple(f"group {g}" for g in range(len(self)))
        parent, first, count = self._merged
        pairs = zip(first, count, strict=True)
        return checks.distinct(parent.names[g] if k == 1 else f"{parent.names[g]} + {k - 1} more" for g, k in pairs)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many features each group has, at least one."""
        return np.diff(self.indptr)

    @cached_property
    def covered(self) -> NDArray[np.bool_]:
        """Mask of the features that are in some group."""
        mask = np.zeros(self.n_features, dtype=bool)
        mask[self.indices] = True
        return mask

    @property
    def structure(self) -> Literal["disjoint", "tree", "overlapping"]:
        """The simplest of the three structures that holds."""
        return "disjoint" if self.disjoint else "tree" if self.laminar else "overlapping"

    @property
    def disjoint(self) -> bool:
        """Whether no two groups share a feature."""
        return self.shared is None

    @property
    def laminar(self) -> bool:
        """Whether any two groups are nested or disjoint; equal groups are nested."""
        return self.crossing is None

    @property
    def overlapping(self) -> bool:
        """Whether two groups share a feature and neither holds the other."""
        return not self.laminar

    @cached_property
    def shared(self) -> tuple[int, int, int] | None:
        """Two groups and a feature in both of them; None when the groups are disjoint."""
        return checks.first_shared(self.indptr, self.indices)

    @cached_property
    def crossing(self) -> tuple[int, int, int] | None:
        """Two groups that share a feature though neither holds the other, and that feature; None for a tree."""
        return None if self.disjoint else checks.first_crossing(self.indptr, self.indices)

    def members(self, g: int) -> NDArray[np.int32]:
        """Return the features of group `g` (counted from 0), ascending."""
        if not 0 <= g < len(self):
            raise IndexError(f"There is no group {g}: there are {len(self)} groups, counted from 0.")
        return self.indices[self.indptr[g] : self.indptr[g + 1]]

    def norms(self, w: ArrayLike) -> NDArray[np.float64]:
        """Return ‖w_g‖₂ of every group; for `w` of shape (n_features, n_outputs) the Frobenius norm of its rows."""
        w = np.asarray(w, dtype=np.float64)
        if w.ndim not in (1, 2) or w.shape[0] != self.n_features:
            raise ValueError(
                f"w has shape {w.shape}; these groups need ({self.n_features},) or ({self.n_features}, n_outputs)."
            )
        squares = w * w if w.ndim == 1 else np.einsum("jk,jk->j", w, w)
        return np.sqrt(np.add.reduceat(squares[self.indices], self.indptr[:-1])) if len(self) else np.zeros(0)

    # What can be made from them

    def restrict(self, features: ArrayLike) -> Groups:
        """Return the groups as seen by some of the features, with equal groups merged.

        Feature ``features[k]`` becomes feature k. Groups without a member left vanish. Groups that became equal turn
        into one whose weight is the sum of theirs, named after the first of them ("topic 3 + 2 more"), so that
        Σ d_g‖w_g‖ stays the same for every w that is zero elsewhere. No weight is computed anew from a size.

        Parameters
        ----------
        features : array of int or bool
            Feature numbers, each once, in any order; or a mask of length n_features.

        Examples
        --------
        >>> groups = Groups.from_lists([[0, 1], [0, 1, 2], [3]], n_features=4, weights=[1.0, 2.0, 5.0])
        >>> small = groups.restrict([1, 0])
        >>> small.names, small.members(0).tolist(), small.weights.tolist()
        (('group 0 + 1 more',), [0, 1], [3.0])
        """
        chosen = checks.subset(features, self.n_features)
        cut = self._by_feature[:, chosen].tocsr()
        alive = np.flatnonzero(np.diff(cut.indptr))
        twin, first, indptr, indices = checks.merge_equal(np.append(cut.indptr[alive], cut.indptr[-1]), cut.indices)
        weights = np.bincount(twin, weights=self.weights[alive], minlength=len(first))
        origin = (self, alive[first], np.bincount(twin, minlength=len(first)))
        return _make(indptr, indices, weights, len(chosen), None, None, self.source, origin)

    def take(self, groups: ArrayLike) -> Groups:
        """Return some of the groups, with their weights and names.

        Parameters
        ----------
        groups : array of int
            Numbers of groups, each once, in the order wanted.

        Examples
        --------
        >>> Groups.from_lists([[0], [1, 2], [3]], n_features=4).take([2, 1]).names
        ('group 2', 'group 1')
        """
        chosen = checks.subset(groups, len(self), "Group")
        indptr = np.concatenate([[0], np.cumsum(self.sizes[chosen])])
        within = np.arange(indptr[-1]) + np.repeat(self.indptr[:-1][chosen] - indptr[:-1], self.sizes[chosen])
        origin = (self, chosen, np.ones(len(chosen), dtype=np.int64))
        rest = (self.n_features, None, self.features_sha256, self.source, origin)
        return _make(indptr, self.indices[within], self.weights[chosen], *rest)

    def split_singletons(self) -> tuple[NDArray[np.float64], Groups]:
        """Return for each feature the sum of the weights of its singleton groups, and the groups of two or more.

        Singletons are a weighted l1 penalty on a weight vector. Only for one output: with several, a group of one
        feature is the norm of a row, not a sum of absolute values.

        Examples
        --------
        >>> l1, rest = Groups.from_lists([[0], [0], [1, 2]], n_features=3).split_singletons()
        >>> l1.tolist(), rest.names
        ([2.0, 0.0, 0.0], ('group 2',))
        """
        single = self.sizes == 1
        l1 = np.bincount(
            self.indices[self.indptr[:-1][single]], weights=self.weights[single], minlength=self.n_features
        )
        return l1.astype(np.float64), self.take(np.flatnonzero(~single))

    def __add__(self, other: Groups) -> Groups:
        if not isinstance(other, Groups):
            return NotImplemented
        sha = checks.joint_sha256(self.n_features, other.n_features, self.features_sha256, other.features_sha256)
        named = not (self._anonymous and other._anonymous)
        return Groups(
            np.concatenate([self.indptr, self.indptr[-1] + other.indptr[1:]]),
            np.concatenate([self.indices, other.indices]),
            np.concatenate([self.weights, other.weights]),
            self.n_features,
            checks.distinct(chain(self.names, other.names)) if named else None,
            sha,
            " + ".join(dict.fromkeys(s for s in (self.source, other.source) if s)),
        )

    def __mul__(self, factor: float) -> Groups:
        if not isinstance(factor, (int, float, np.number)):
            return NotImplemented
        if not (math.isfinite(factor) and factor >= 0):
            raise ValueError(f"Groups were multiplied by {factor}; the factor must be a finite number, 0 or larger.")
        weights = self.weights * float(factor)
        rest = (self.n_features, self._labels, self.features_sha256, self.source, self._merged)
        return _make(self.indptr, self.indices, weights, *rest)

    __rmul__ = __mul__

    def check_features(self, sha256: str | None, n_features: int) -> None:
        """Raise ValueError unless the groups were made for these features: their number, and the hash of their names.

        Hashes are compared only when both sides have one.

        Examples
        --------
        >>> Groups.singletons(3).check_features(None, 3)
        """
        checks.same_features(self.n_features, n_features, self.features_sha256, sha256)

    def fingerprint(self) -> str:
        """Return a sha256 over members, weights, names and the features they were made for (not over `source`)."""
        return checks.fingerprint(self)

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary of lists, numbers and strings that `from_json` turns back into the same groups."""
        return checks.describe(self, None if self._anonymous else list(self.names))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Groups:
        """Return the groups that `to_json` described; everything is checked again."""
        return cls(**checks.arguments(data))

    def save(self, path: str | Path) -> None:
        """Write a JSON file; an existing file is replaced at once or not at all."""
        write_file(path, json.dumps(self.to_json(), allow_nan=False))  # ASCII, so that lone surrogates survive

    @classmethod
    def read(cls, path: str | Path) -> Groups:
        """Read a file that `save` wrote."""
        return cls.from_json(read_json(path, "groups"))

    # A frozen value needs no copies; a pickle carries its names instead of the groups that it was cut from.

    def __copy__(self) -> Groups:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Groups:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        names = None if self._anonymous else self.names
        state = (self.indptr, self.indices, self.weights, self.n_features, names, self.features_sha256, self.source)
        return Groups, state

    @property
    def _anonymous(self) -> bool:
        return self._labels is None and self._merged is None

    @cached_property
    def _by_feature(self) -> csc_array:
        from scipy.sparse import csr_array

        ones = np.ones(len(self.indices), dtype=np.int8)
        return csr_array((ones, self.indices, self.indptr), shape=(len(self), self.n_features)).tocsc()


def _make(*parts: Any) -> Groups:
    """Return groups made of parts known to be right, without checking them."""
    groups = object.__new__(Groups)
    groups._fill(*parts)
    return groups

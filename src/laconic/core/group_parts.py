"""What a `Groups` accepts: every check on its parts, with a sentence that names the group at fault; and its storage.

Questions about many sets at once take time near linear in the number of members. Sets are compressed: set g is
``indices[indptr[g]:indptr[g + 1]]``, ascending and never empty.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from laconic.core.groups import Groups

MOST_FEATURES = 1 << 26  # that groups of few members may speak of
_KEYS = ("indptr", "indices", "weights", "n_features", "names", "features_sha256", "source")
_INTEGERS = (int, np.integer)
_LARGEST = np.iinfo(np.int32).max


def feature_count(n_features: Any) -> int:
    """Return `n_features` as an int of at least 0 that 32-bit indices can reach."""
    if isinstance(n_features, bool) or not isinstance(n_features, _INTEGERS):
        raise TypeError(f"n_features is {n_features!r}; it must be an integer, the number of features.")
    if not 0 <= n_features <= _LARGEST:
        raise ValueError(f"n_features is {n_features}; it must lie between 0 and {_LARGEST}.")
    return int(n_features)


def pointers(indptr: ArrayLike, n_members: int) -> NDArray[np.int64]:
    """Return `indptr` as int64, checked to start at 0, never fall, and end at `n_members`."""
    array = np.asarray(indptr)
    if array.ndim != 1 or not array.size or array.dtype.kind not in "iu":
        raise ValueError(f"indptr has shape {array.shape} and type {array.dtype}; it must be a list of integers.")
    array = array.astype(np.int64)
    if array[0] != 0 or array[-1] != n_members or (np.diff(array) < 0).any():
        raise ValueError(
            f"indptr must rise from 0 to the number of members, {n_members}; it goes from {array[0]} to {array[-1]}."
        )
    return array


def labels(names: Sequence[str] | None, n_groups: int) -> tuple[str, ...] | UnitNames | None:
    """Return `names` as a tuple of distinct strings, one per group; names that are not made yet stay so."""
    if names is None:
        return None
    if isinstance(names, str):
        raise TypeError(f"names is the string {names!r}; it must be a list with one name per group.")
    result = names if isinstance(names, UnitNames) else tuple(names)
    if len(result) != n_groups:
        raise ValueError(f"There are {len(result)} names for {n_groups} groups; give one name per group.")
    if isinstance(result, UnitNames):
        return result
    seen: set[str] = set()
    for g, name in enumerate(result):
        if not isinstance(name, str):
            raise TypeError(f"The name of group {g} is {name!r}; names must be strings.")
        if name in seen:
            raise ValueError(f"Two groups are called {name!r}; names must be distinct.")
        seen.add(name)
    return result


def kept_labels(
    names: tuple[str, ...] | UnitNames | None, keep: NDArray[np.bool_]
) -> tuple[str, ...] | UnitNames | None:
    """Return the names of the groups that are kept."""
    if isinstance(names, UnitNames):
        return names.take(keep)
    return None if names is None else tuple(name for name, kept in zip(names, keep, strict=True) if kept)


def spread_weights(weights: Any, sizes: NDArray[np.int64]) -> Any:
    """Return one weight per group: the root of its size by default, or the same number for all."""
    if weights is None or (isinstance(weights, str) and weights == "sqrt"):
        return np.sqrt(sizes)
    return np.full(len(sizes), weights) if np.ndim(weights) == 0 and not isinstance(weights, str) else weights


def group_weights(weights: ArrayLike, n_groups: int, names: Sequence[str] | None) -> NDArray[np.float64]:
    """Return the weights as float64, one finite number ≥ 0 per group."""
    if isinstance(weights, str):
        raise ValueError(f'weights is {weights!r}; it must be "sqrt", a number or one number per group.')
    array = np.array(weights, dtype=np.float64)
    if array.shape != (n_groups,):
        raise ValueError(f"weights has shape {array.shape}; there are {n_groups} groups: give one number per group.")
    bad = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if bad.size:
        g = int(bad[0])
        raise ValueError(f"The weight of {called(g, names)} is {array[g]}; weights must be finite and 0 or larger.")
    return array


def members(
    indptr: NDArray[np.int64], indices: ArrayLike, n_features: int, names: Sequence[str] | None
) -> NDArray[np.int32]:
    """Return the members as int32, ascending in every group, checked to be in range and distinct in their group."""
    array = np.asarray(indices)
    if not array.size:
        return np.zeros(0, dtype=np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(f"The members of groups must be integers (feature numbers); they have type {array.dtype}.")
    outside = np.flatnonzero((array < 0) | (array >= n_features))
    if outside.size:
        at = int(outside[0])
        raise ValueError(
            f"{called(_owner(indptr, at), names)} has the member {array[at]}; "
            f"features are numbered from 0 to {n_features - 1}."
        )
    result = array.astype(np.int32)
    inside = np.ones(len(result), dtype=bool)
    inside[indptr[:-1][indptr[:-1] < len(result)]] = False
    rising = np.diff(result) > 0
    if not (rising | ~inside[1:]).all():
        owner = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        result = result[np.lexsort((result, owner))]
        twice = np.flatnonzero((np.diff(result) == 0) & inside[1:])
        if twice.size:
            at = int(twice[0])
            raise ValueError(
                f"{called(_owner(indptr, at), names)} has the member {result[at]} twice; name each member once."
            )
    return result


def size(part: Any, g: int) -> int:
    """Return the length of list `g`, refusing what is not a flat list."""
    if isinstance(part, (str, bytes)) or not hasattr(part, "__len__") or getattr(part, "ndim", 1) != 1:
        raise TypeError(f"Group {g} is {part!r}; it must be a list of feature numbers.")
    return len(part)


def flat(parts: list[Any], indptr: NDArray[np.int64]) -> NDArray[Any]:
    """Return the members of all groups as one integer array."""
    if parts and all(isinstance(part, np.ndarray) for part in parts):
        wrong = next((g for g, part in enumerate(parts) if part.size and part.dtype.kind not in "iu"), None)
        if wrong is not None:
            raise TypeError(f"Group {wrong} has members of type {parts[wrong].dtype}; members must be integers.")
        return np.concatenate([part for part in parts if part.size] or [np.zeros(0, dtype=np.int32)])
    values = list(chain.from_iterable(parts))
    try:
        array = np.array(values) if values else np.zeros(0, dtype=np.int32)
    except (ValueError, OverflowError):  # lists inside lists, numbers beyond 64 bits
        array = np.array(values, dtype=object)
    if array.ndim == 1 and array.dtype.kind in "iu":
        return array
    at = next((k for k, value in enumerate(values) if type(value) is bool or not isinstance(value, _INTEGERS)), 0)
    raise TypeError(
        f"Group {_owner(indptr, at)} has the member {values[at]!r}; members must be integers (feature numbers)."
    )


def numbers_of(group: str, features: Iterable[Any], index: Mapping[Any, int]) -> list[int]:
    """Return the numbers of named features."""
    if isinstance(features, str):
        raise TypeError(f"Group {group!r} is the string {features!r}; it must be a list of feature names.")
    result = []
    for feature in features:
        if feature not in index:
            raise ValueError(
                f"Group {group!r} has the feature {feature!r}, which is not among the {len(index)} features; "
                "take it out or check its spelling."
            )
        result.append(index[feature])
    return result


def subset(features: ArrayLike, n_features: int, what: str = "Feature") -> NDArray[np.int64]:
    """Return distinct feature numbers (or, if `what` says so, group numbers) in range; a mask becomes numbers."""
    array = np.asarray(features)
    many = f"{what.lower()}s"
    if array.dtype == bool:
        if array.shape != (n_features,):
            raise ValueError(f"The mask of {many} has shape {array.shape}; it must be ({n_features},).")
        return np.flatnonzero(array)
    if not array.size:
        return np.zeros(0, dtype=np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(f"{many} has type {array.dtype} and shape {array.shape}; give a list of numbers.")
    if array.min() < 0 or array.max() >= n_features:
        wrong = array.min() if array.min() < 0 else array.max()
        raise ValueError(f"{what} {wrong} does not exist; {many} are numbered from 0 to {n_features - 1}.")
    counts = np.bincount(array)
    if counts.max() > 1:
        raise ValueError(f"{what} {counts.argmax()} is asked for twice; name each {what.lower()} once.")
    return array.astype(np.int64)


def same_features(ours: int, theirs: int, our_sha256: str | None, their_sha256: str | None) -> None:
    """Raise ValueError unless groups and data speak of the same features."""
    if ours != theirs:
        raise ValueError(
            f"The groups were made for {ours} features, but there are {theirs}; build them again for this vocabulary."
        )
    if our_sha256 is not None and their_sha256 is not None and our_sha256 != their_sha256:
        raise ValueError(
            f"The groups were made for another vocabulary (hash {our_sha256[:12]}…, this one has "
            f"{their_sha256[:12]}…); build them again for this vocabulary."
        )


def joint_sha256(ours: int, theirs: int, our_sha256: str | None, their_sha256: str | None) -> str | None:
    """Return the hash of the features of two families of groups that are joined; they must speak of the same."""
    if ours != theirs:
        raise ValueError(
            f"Groups over {ours} and over {theirs} features cannot be joined; build both for the same vocabulary."
        )
    sha = our_sha256 or their_sha256
    if sha != (their_sha256 or sha):
        raise ValueError("These groups were made for two different vocabularies; build both for the same one.")
    return sha


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names with " (2)", " (3)", … behind those that came before."""
    given = list(names)
    taken, result, tried = set(given), [], dict.fromkeys(given, 1)
    seen: set[str] = set()
    for name in given:
        unique = name
        while unique in seen or (unique != name and unique in taken):
            tried[name] += 1
            unique = f"{name} ({tried[name]})"
        seen.add(unique)
        result.append(unique)
    return tuple(result)


def called(g: int, names: Sequence[str] | None) -> str:
    """Return how a message speaks of group `g`."""
    return f"Group {g}" if names is None else f"Group {g} ({names[g]!r})"


def _owner(indptr: NDArray[np.int64], at: int) -> int:
    return int(np.searchsorted(indptr, at, side="right")) - 1


def describe(groups: Groups, names: list[str] | None) -> dict[str, Any]:
    """Return lists, numbers and strings from which `arguments` gets back every part of the groups."""
    return {
        "kind": "groups",
        "format": 1,
        "n_features": groups.n_features,
        "features_sha256": groups.features_sha256,
        "source": groups.source,
        "names": names,
        **{name: getattr(groups, name).tolist() for name in ("weights", "indptr", "indices")},
    }


def fingerprint(groups: Groups) -> str:
    """Return a sha256 that is the same on every machine."""
    digest = hashlib.sha256(f"{groups.n_features} {groups.features_sha256}\n".encode())
    for array, kind in ((groups.indptr, "<i8"), (groups.indices, "<i4"), (groups.weights, "<f8")):
        digest.update(np.ascontiguousarray(array, dtype=kind).tobytes())
    for name in groups.names:
        # Lengths keep the names ("a", "bc") and ("ab", "c") apart.
        encoded = name.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


def arguments(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Groups` held by a dictionary that `Groups.to_json` made."""
    if not isinstance(data, Mapping) or data.get("kind") != "groups":
        raise ValueError('This is not a description of groups: it must be an object with "kind": "groups".')
    if data.get("format") != 1:
        raise ValueError(f"Groups of format {data.get('format')!r} cannot be read; this version of laconic reads 1.")
    missing = [key for key in _KEYS if key not in data]
    if missing:
        raise ValueError(f"The description of groups lacks {', '.join(missing)}; it was cut or edited. Save it again.")
    for key in ("features_sha256", "source"):
        if not isinstance(data[key], str) and not (key == "features_sha256" and data[key] is None):
            raise ValueError(f"{key} is {data[key]!r} in the description of groups; it must be a string.")
    n_features, indices = data["n_features"], data["indices"]
    if isinstance(n_features, int) and isinstance(indices, list) and n_features > MOST_FEATURES + len(indices):
        raise ValueError(
            f"n_features is {n_features}, but the description has {len(indices)} members of groups; with so few it may "
            f"be {MOST_FEATURES} at most."
        )
    return {key: data[key] for key in _KEYS}


def frozen(array: NDArray[Any], kind: type[np.generic]) -> NDArray[Any]:
    """Return an array of a type, contiguous and read-only."""
    fixed = np.ascontiguousarray(array, dtype=kind)
    fixed.flags.writeable = False
    return fixed


def first_shared(indptr: NDArray[Any], indices: NDArray[Any]) -> tuple[int, int, int] | None:
    """Return two sets and an element of both; None when no two sets meet."""
    twice = np.flatnonzero(np.bincount(indices) > 1) if indices.size else indices
    if not twice.size:
        return None
    first, second = np.searchsorted(indptr, np.flatnonzero(indices == twice[0])[:2], side="right") - 1
    return int(first), int(second), int(twice[0])


def first_crossing(indptr: NDArray[Any], indices: NDArray[Any]) -> tuple[int, int, int] | None:
    """Return two sets that meet though neither holds the other, and an element of both; None for a laminar family."""
    # In a laminar family all elements of a set, from the largest on, were last seen in the same larger set.
    if not indices.size:
        return None
    sizes = np.diff(indptr)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    ranks = np.repeat(rank, sizes)
    order = np.lexsort((ranks, indices))
    last = np.full(len(indices), -1)
    again = indices[order[1:]] == indices[order[:-1]]
    last[order[1:][again]] = ranks[order[:-1][again]]
    highest = np.maximum.reduceat(last, indptr[:-1])
    torn = np.flatnonzero(highest != np.minimum.reduceat(last, indptr[:-1]))
    if not torn.size:
        return None
    g = int(torn[0])
    element = indices[indptr[g] + np.argmax(last[indptr[g] : indptr[g + 1]])]
    return g, int(np.flatnonzero(rank == highest[g])[0]), int(element)


def merge_equal(
    indptr: NDArray[Any], indices: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the class of every set, classes numbered by their first sets; these sets; and one set per class."""
    twin, first = _classes(indptr, indices)
    kept = np.zeros(len(twin), dtype=bool)
    kept[first] = True
    sizes = np.diff(indptr)
    return twin, first, np.concatenate([[0], np.cumsum(sizes[first])]), indices[np.repeat(kept, sizes)]


def _classes(indptr: NDArray[Any], indices: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    sizes = np.diff(indptr)
    if not sizes.size:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    salt = 0
    while True:
        hashes = np.add.reduceat(_scramble(indices.astype(np.uint64), salt), indptr[:-1])
        _, first, twin = np.unique(hashes, return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty(len(first), dtype=np.int64)
        number[order] = np.arange(len(first))
        twin, first = number[twin], first[order]
        other = first[twin]
        there = np.arange(len(indices)) + np.repeat(indptr[other] - indptr[:-1], sizes)
        if np.array_equal(sizes, sizes[other]) and np.array_equal(indices, indices[there]):
            return twin, first
        salt += 1  # two different sets had one 64-bit hash


def _scramble(values: NDArray[np.uint64], salt: int) -> NDArray[np.uint64]:
    # The finaliser of splitmix64: a bijection that makes sums of its values good hashes of sets.
    z = values + np.uint64((0x9E3779B97F4A7C15 * (salt + 1)) % 2**64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


class UnitNames(Sequence[str]):
    """Names such as "sentence 2 of doc 4711": part ``numbers[i]`` of a document, all of it without ``unit``."""

    # Made only when they are asked for: as strings, millions of names would take more room than the groups themselves.

    def __init__(self, unit: str, ids: Sequence[str], documents: ArrayLike, numbers: ArrayLike) -> None:
        self.unit = unit
        self.ids = ids
        self.documents: NDArray[np.int32] = np.asarray(documents, dtype=np.int32)
        self.numbers: NDArray[np.int32] = np.asarray(numbers, dtype=np.int32)
        if self.documents.shape != self.numbers.shape or self.documents.ndim != 1:
            raise ValueError(
                f"There are {self.documents.size} documents and {self.numbers.size} numbers of parts; give one of each "
                "for every name."
            )

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return tuple(self.take(np.arange(len(self))[index]))
        document = f"doc {self.ids[self.documents[index]]}"
        return f"{self.unit} {self.numbers[index]} of {document}" if self.unit else document

    def take(self, chosen: ArrayLike) -> UnitNames:
        """Return the names at some positions (or of a mask), still unmade."""
        chosen = np.asarray(chosen)
        return UnitNames(self.unit, self.ids, self.documents[chosen], self.numbers[chosen])

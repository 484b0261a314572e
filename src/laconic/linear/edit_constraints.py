"""From `Edits` to what a solver needs: sides of weights, kept columns and factors of columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from laconic.core.edits import Edits, Word, check_apart
from laconic.core.groups import Groups
from laconic.core.penalties.base import DOWN, NEITHER, UP, Sides
from laconic.core.solution import Solution

KEPT = 1e-3  # share of λ₁ that a kept word pays


@dataclass(frozen=True)
class Edited:
    """Edits over the columns of one matrix: the sides of weights, the columns to keep, and factors of columns."""

    sides: Sides | None = None
    kept: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    factors: NDArray[np.float64] | None = None

    @property
    def banned(self) -> NDArray[np.intp]:
        """The columns that must not be used."""
        if self.sides is None:
            return np.zeros(0, dtype=np.intp)
        return np.flatnonzero(np.all(self.sides == NEITHER, axis=1))

    @property
    def signed(self) -> bool:
        """Whether some weight may take one side of zero only."""
        return self.sides is not None and bool(np.isin(self.sides, (UP, DOWN)).any())

    def scaled(self, X: Any) -> Any:
        """Return X with every column divided by its factor."""
        return X if self.factors is None else sp.csc_array(X) @ sp.diags_array(1.0 / self.factors)

    def unscaled(self, solution: Solution, features: NDArray[np.intp] | None = None) -> Solution:
        """Return a solution on scaled columns, all or some, as one on the columns as they are."""
        if self.factors is None:
            return solution
        factors = self.factors if features is None else self.factors[features]
        return replace(solution, weights=solution.weights / factors[:, None])

    def rescaled(self, solution: Solution) -> Solution:
        """Return a solution on the columns as they are as one on scaled columns."""
        return solution if self.factors is None else replace(solution, weights=solution.weights * self.factors[:, None])

    @property
    def sides_without_kept(self) -> Sides | None:
        """The sides with kept words banned: what λ_max is to look at, since no λ makes kept words zero."""
        if not len(self.kept):
            return self.sides
        if self.sides is None:
            return None
        sides = self.sides.copy()
        sides[self.kept] = NEITHER
        return sides

    def levels(self, l1: Any, group: float, n_features: int) -> Any:
        """Return λ₁ of every feature, all but none for kept ones; the number given where there are none of these."""
        if not len(self.kept):
            return l1
        least = np.where(np.broadcast_to(l1, n_features) > 0.0, l1, group)[self.kept]
        if not np.any(least > 0.0):
            return l1
        levels = np.array(np.broadcast_to(l1, n_features), dtype=np.float64)
        levels[self.kept] = KEPT * least
        return levels

    def without_kept(self, groups: Groups) -> Groups:
        """Return the groups without kept words; their weights stay as they are, those left without words are gone."""
        free = np.ones(groups.n_features, dtype=bool)
        free[self.kept] = False
        inside = free[groups.indices]
        if inside.all():
            return groups
        indptr = np.concatenate([[0], np.cumsum(inside)])[groups.indptr]
        return Groups(
            indptr,
            groups.indices[inside],
            groups.weights,
            groups.n_features,
            groups.names,
            groups.features_sha256,
            groups.source,
        )


def resolve_edits(
    edits: Edits | None,
    n_features: int,
    feature_names: Sequence[str] | None = None,
    classes: Sequence[Any] | None = None,
    groups: Groups | None = None,
) -> Edited:
    """Return edits as arrays; what does not fit the matrix, its labels (None: a regression) or groups is refused."""
    if not edits:
        return Edited()
    if feature_names is not None and any(isinstance(word, str) for word in edits.words):
        edits = edits.numbered({str(name): j for j, name in enumerate(feature_names)})
    _check_numbers(edits.words, n_features)
    banned, kept = _with_groups(edits, groups)
    n_outputs = 1 if classes is None or len(classes) == 2 else len(classes)
    sides = np.zeros((n_features, n_outputs), dtype=np.int8)
    for word, sign in edits.signs.items():
        output, side = _direction(word, sign, classes)
        sides[int(word), output] = side
    sides[banned] = NEITHER
    factors = None
    if edits.factors:
        factors = np.ones(n_features)
        factors[[int(word) for word in edits.factors]] = list(edits.factors.values())
    return Edited(sides if sides.any() or kept else None, np.array(kept, dtype=np.intp), factors)


def spelled_out(edits: Edits, groups: Groups | None, words: Sequence[str]) -> Edits:
    """Return edits with the words of groups in place of the groups' names."""
    if not (edits.ban_groups or edits.keep_groups):
        return edits
    ban, keep = (
        {words[j]: name for name in names for j in _members(name, groups)}
        for names in (edits.ban_groups, edits.keep_groups)
    )
    _check_lists((*edits.ban, *ban), (*edits.keep, *keep), edits, {**keep, **ban})
    return replace(edits, ban=(*edits.ban, *ban), keep=(*edits.keep, *keep), ban_groups=(), keep_groups=())


def check_signs(edits: Edits, classes: Sequence[Any]) -> None:
    """Raise ValueError where a sign names a label that does not exist, or none where there are more than two."""
    for word, sign in edits.signs.items():
        _direction(word, sign, classes)


def check_edits(edits: Any) -> None:
    """Raise TypeError unless ``edits`` is None or `Edits`."""
    if edits is not None and not isinstance(edits, Edits):
        raise TypeError(f"edits is a {type(edits).__name__}; make it a laconic.Edits, e.g. Edits(ban=[…]).")


def _check_numbers(words: Iterable[Word], n_features: int) -> None:
    for word in words:
        if isinstance(word, str):
            raise ValueError(
                f"The edits name the word {word!r}, but X has no feature names; pass X as a DataFrame, give column "
                "numbers, or use a TextClassifier."
            )
        if isinstance(word, bool) or not isinstance(word, (int, np.integer)) or not 0 <= word < n_features:
            raise ValueError(f"The edits name column {word!r}, but X has columns 0 to {n_features - 1}.")


def _with_groups(edits: Edits, groups: Groups | None) -> tuple[list[int], list[int]]:
    """Return banned and kept columns, those of named groups included."""
    lists: list[list[int]] = []
    of: dict[int, str] = {}
    for words, names in ((edits.ban, edits.ban_groups), (edits.keep, edits.keep_groups)):
        found = {j: name for name in names for j in _members(name, groups)}
        of |= found
        lists.append(list(dict.fromkeys([*(int(word) for word in words), *found])))
    _check_lists(lists[0], lists[1], edits, of)
    return lists[0], lists[1]


def _check_lists(ban: Sequence[Any], keep: Sequence[Any], edits: Edits, of: Mapping[Any, str]) -> None:
    """Refuse contradictions between the words of lists, those of named groups included."""
    for words, others, first, second in (
        (ban, keep, "banned", "kept"),
        (ban, edits.signs, "banned", "given a sign"),
        (ban, edits.factors, "banned", "given a factor"),
        (keep, edits.factors, "kept", "given a factor"),
    ):
        check_apart(words, others, first, second, of)


def _members(name: str, groups: Groups | None) -> list[int]:
    if groups is None:
        raise ValueError(f"The edits name the group {name!r}, but there are no groups here; use words.")
    found = [g for g, other in enumerate(groups.names) if other == name]
    found = found or [g for g, other in enumerate(groups.names) if other.split(":")[0] == name]
    if len(found) != 1:
        known = ", ".join(map(repr, list(groups.names)[:5]))
        what = "There is no group" if not found else f"{len(found)} groups begin with"
        raise ValueError(f"{what} {name!r}; the {len(groups)} groups are {known}{', …' if len(groups) > 5 else ''}.")
    return groups.members(found[0]).tolist()


def _direction(word: Word, sign: str, classes: Sequence[Any] | None) -> tuple[int, int]:
    """Return the output whose weight a sign constrains, and the side that is left to it."""
    side, label = (UP if sign[0] == "+" else DOWN), sign[1:]
    if not label:
        if classes is not None and len(classes) > 2:
            raise ValueError(
                f"The sign of {word!r} names no label, but there are {len(classes)}: write such as "
                f"'{sign}{classes[0]}'."
            )
        return 0, side
    names = [] if classes is None else [str(one) for one in classes]
    if label not in names:
        labels = ", ".join(map(repr, names)) or "none"
        raise ValueError(f"The sign of {word!r} names the label {label!r}; the labels are {labels}.")
    place = names.index(label)
    if len(names) == 2:
        return 0, side if place == 1 else -side
    return place, side

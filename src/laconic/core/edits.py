r"""`Edits`: what a person has decided about single words and groups, before any fit.

* A banned word has weight zero.
* A kept word is in no group and pays a thousandth of λ₁ (of λ_g where λ₁ = 0): all but free, yet so that an optimum and
  a certificate exist even for a word that only one class uses. A ridge counts for it as for any other. A pursuit takes
  kept words first.
* A word with a sign has a weight on one side of zero, or none.
* A factor f lets a word count as if its cells were f times smaller: the penalty is Ω(f∘w), i.e. f·λ₁ and f²·λ₂, and in
  a group's norm the weight counts f times. A pursuit divides the word's score by f.

All of these leave the problem convex, and the duality gap covers them (`laconic.core.penalties.base`).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, Self

Word = str | int

NAMED = 10  # unknown words that a message names


@dataclass(frozen=True)
class Edits:
    """Bans, words to keep, signs and factors.

    Parameters
    ----------
    ban, keep : sequence of str or int
        Words (for a matrix without feature names: column numbers) that must not be used, and that must.
    signs : mapping from word to str
        ``"+"`` or ``"-"`` for a weight that must not be negative or positive; followed by a label, ``"+spam"``, for the
        weight towards that label. With two classes ``"+"`` is towards ``classes_[1]``; with more a label is needed.
    factors : mapping from word to float
        How much more (above 1) or less (below) a word's penalty counts.
    ban_groups, keep_groups : sequence of str
        Names of groups, all words of which are banned or kept.
    skip_unknown : bool
        Whether words that a vocabulary lacks are passed over; otherwise they are refused.

    Examples
    --------
    >>> edits = Edits(ban=["edu"], signs={"thanks": "-"})
    >>> edits.ban, edits.signs, bool(Edits())
    (('edu',), {'thanks': '-'}, False)
    >>> Edits(ban=["edu"], keep=["edu"])
    Traceback (most recent call last):
    ...
    ValueError: 'edu' is to be both banned and kept; take it from one of the two.
    """

    ban: tuple[Word, ...] = ()
    keep: tuple[Word, ...] = ()
    signs: Mapping[Word, str] = field(default_factory=dict)
    factors: Mapping[Word, float] = field(default_factory=dict)
    ban_groups: tuple[str, ...] = ()
    keep_groups: tuple[str, ...] = ()
    skip_unknown: bool = False

    def __post_init__(self) -> None:
        for name in ("ban", "keep", "ban_groups", "keep_groups"):
            object.__setattr__(self, name, _listed(name, getattr(self, name)))
        for name in ("signs", "factors"):
            if not isinstance(getattr(self, name), Mapping):
                raise TypeError(f"{name} is {getattr(self, name)!r}; it must be a mapping from words.")
            object.__setattr__(self, name, dict(getattr(self, name)))
        for word, sign in self.signs.items():
            if not (isinstance(sign, str) and sign[:1] in ("+", "-")):
                raise ValueError(
                    f"The sign of {word!r} is {sign!r}; it must begin with + or -, such as '+' or '-spam'."
                )
        for word, factor in self.factors.items():
            if isinstance(factor, bool) or not isinstance(factor, (int, float)) or not 0 < factor < math.inf:
                raise ValueError(
                    f"The factor of {word!r} is {factor!r}; it must be a finite number above 0 (instead of an "
                    "infinite one ban the word, instead of 0 keep it)."
                )
        for first, second, words, others in (
            ("banned", "kept", self.ban, self.keep),
            ("banned", "given a sign", self.ban, self.signs),
            ("banned", "given a factor", self.ban, self.factors),
            ("kept", "given a factor", self.keep, self.factors),
            ("banned", "kept", self.ban_groups, self.keep_groups),
        ):
            check_apart(words, others, first, second)

    def __bool__(self) -> bool:
        return any(getattr(self, one.name) for one in fields(self) if one.name != "skip_unknown")

    @property
    def words(self) -> tuple[Word, ...]:
        """All words that are named, each once."""
        return tuple(dict.fromkeys((*self.ban, *self.keep, *self.signs, *self.factors)))

    def numbered(self, index: Mapping[str, int]) -> Self:
        """Return the same edits with numbers for words.

        Parameters
        ----------
        index : mapping
            The number of every word of a vocabulary.

        Examples
        --------
        >>> Edits(ban=["edu"], factors={"com": 2.0}).numbered({"com": 0, "edu": 1})
        Edits(ban=(1,), keep=(), signs={}, factors={0: 2.0}, ban_groups=(), keep_groups=(), skip_unknown=False)
        """
        unknown = [word for word in self.words if word not in index]
        if unknown and not self.skip_unknown:
            raise ValueError(_unknown(unknown, index))
        return replace(
            self,
            ban=tuple(index[str(word)] for word in self.ban if word in index),
            keep=tuple(index[str(word)] for word in self.keep if word in index),
            signs={index[str(word)]: sign for word, sign in self.signs.items() if word in index},
            factors={index[str(word)]: factor for word, factor in self.factors.items() if word in index},
        )

    def then(self, later: "Edits") -> "Edits":
        """Return these edits followed by later ones, which win where both name a word or a group.

        Examples
        --------
        >>> Edits(ban=["a", "b"]).then(Edits(keep=["a"])).ban
        ('b',)
        """
        again, groups = set(later.words), {*later.ban_groups, *later.keep_groups}
        return Edits(
            (*(one for one in self.ban if one not in again), *later.ban),
            (*(one for one in self.keep if one not in again), *later.keep),
            {**{word: sign for word, sign in self.signs.items() if word not in again}, **later.signs},
            {**{word: factor for word, factor in self.factors.items() if word not in again}, **later.factors},
            (*(one for one in self.ban_groups if one not in groups), *later.ban_groups),
            (*(one for one in self.keep_groups if one not in groups), *later.keep_groups),
            later.skip_unknown,
        )

    def of_label(self, label: Any, labels: Sequence[Any]) -> Self:
        """Return what is asked of the weights towards one label where a text may have several of them.

        A sign names a label, and is asked of the weights towards that one alone; all else is asked of every label.
        """
        names = [str(one) for one in labels]
        for word, sign in self.signs.items():
            if sign[1:] not in names:
                what = f"names the label {sign[1:]!r}" if sign[1:] else "names no label"
                raise ValueError(
                    f"The sign of {word!r} {what}; write such as '{sign[0]}{names[0]}': the labels are "
                    f"{', '.join(map(repr, names))}."
                )
        own = {word: sign[0] for word, sign in self.signs.items() if sign[1:] == str(label)}
        return replace(self, signs=own)

    def to_json(self) -> dict[str, Any]:
        """Return the edits as plain data; what is empty is left out, and whether one fit skipped unknown words."""
        found = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "skip_unknown"}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items() if value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Make edits from what `to_json` returned."""
        allowed = [one.name for one in fields(cls)]
        if unknown := [name for name in data if name not in allowed]:
            raise ValueError(f"Edits have no entry {unknown[0]!r}; their entries are {', '.join(allowed)}.")
        return cls(**data)


def check_apart(
    words: Iterable[Any], others: Iterable[Any], first: str, second: str, of: Mapping[Any, str] | None = None
) -> None:
    """Raise ValueError where two lists share a word; ``of`` says in which group a word is that came with one."""
    known = set(others)
    if both := [word for word in words if word in known]:
        group = f" (in the group {of[both[0]]!r})" if of and both[0] in of else ""
        more = f" and {len(both) - 1} more are" if len(both) > 1 else " is"
        raise ValueError(f"{both[0]!r}{group}{more} to be both {first} and {second}; take it from one of the two.")


def _listed(name: str, given: Any) -> tuple[Word, ...]:
    if isinstance(given, (str, bytes)) or not isinstance(given, (Sequence, set, frozenset)):
        raise TypeError(f"{name} is {given!r}; it must be a list of words.")
    return tuple(dict.fromkeys(sorted(given, key=str) if isinstance(given, (set, frozenset)) else given))


def _unknown(unknown: Sequence[Word], index: Mapping[str, int]) -> str:
    named = [_with_hint(word, index) for word in unknown[:NAMED]]
    more = f" and {len(unknown) - NAMED} more" if len(unknown) > NAMED else ""
    those = "This word is" if len(unknown) == 1 else f"These {len(unknown)} words are"
    return (
        f"{those} not in the vocabulary: {', '.join(named)}{more}. Take them out, or skip unknown words "
        "(skip_unknown=True, on the command line --skip-unknown)."
    )


def _with_hint(word: Word, index: Mapping[str, int]) -> str:
    if not isinstance(word, str):
        return repr(word)
    lower = word.lower()
    near = [lower] if lower in index and lower != word else []
    if not near and len(index) <= 200_000:
        near = get_close_matches(word, [one for one in index if one[:1] == word[:1]], 1, 0.8)
    return f"{word!r} (did you mean {near[0]!r}?)" if near else repr(word)

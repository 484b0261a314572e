"""`Corpus`: texts with ids and, where known, labels, sentences and trees; validated once, then frozen.

Its fingerprint is the sha256 over the documents sorted by id, each as the lengths of id, label and text followed by the
three themselves (UTF-8; the label as JSON, so that 1, "1" and true differ). The order of documents does not matter.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from laconic.data.document import Document, Label
from laconic.data.labels import AnyLabel, clean_label, unify_labels, warn_of_twins


@dataclass(frozen=True, repr=False)
class Corpus:
    """Documents as parallel tuples; make one with `Corpus.from_lists` or `laconic.data.read`, which validate.

    Attributes
    ----------
    texts : tuple of str
    labels : tuple or None
        One label (or tuple of labels) per document, all of one type; None if the corpus is unlabelled.
    ids : tuple of str
        Unique.
    sentences : tuple of tuples of str, or None
        The sentences as given by the source, for all documents or none.
    trees : tuple of str, or None
        Bracketed trees as given by the source, for all documents or none.
    name : str

    Examples
    --------
    >>> corpus = Corpus.from_lists(["good film", "bad film", ""], ["pos", "neg", "neg"], name="films")
    >>> corpus
    Corpus('films', 3 documents, 2 classes)
    >>> corpus.class_counts()
    {'neg': 2, 'pos': 1}
    >>> [document.id for document in corpus.subset([2, 0])]
    ['3', '1']
    """

    texts: tuple[str, ...]
    labels: tuple[AnyLabel, ...] | None
    ids: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...] | None = None
    trees: tuple[str, ...] | None = None
    name: str = ""

    @classmethod
    def from_lists(
        cls,
        texts: Iterable[str],
        labels: Iterable[Any] | None = None,
        ids: Iterable[Any] | None = None,
        sentences: Iterable[Iterable[str]] | None = None,
        trees: Iterable[str] | None = None,
        name: str = "",
    ) -> "Corpus":
        """Validate parallel lists and return them as a corpus.

        Parameters
        ----------
        texts : iterable of str
            At least one; empty strings are allowed.
        labels : iterable or None
            Strings, whole numbers, booleans or lists of these; none may be missing or NaN. Mixed types become ``str``,
            blanks around strings are cut off, and labels that differ only in case give a warning.
        ids : iterable of str or int, or None
            Unique; without them the documents are numbered "1", "2", ...
        sentences : iterable of lists of str, or None
        trees : iterable of str, or None
        name : str

        Raises
        ------
        ValueError
            If the corpus is empty, lengths differ, a text is no string, a label is missing, or an id occurs twice.

        Examples
        --------
        >>> Corpus.from_lists(["a", "b"], [1.0, 2.0]).labels
        (1, 2)
        """
        return build_corpus(texts, labels, ids, sentences, trees, name)

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[Document]:
        for i, (identifier, text) in enumerate(zip(self.ids, self.texts, strict=True)):
            yield Document(
                identifier,
                text,
                None if self.labels is None else self.labels[i],
                None if self.sentences is None else self.sentences[i],
                None if self.trees is None else self.trees[i],
            )

    def __repr__(self) -> str:
        classes = "no labels" if self.labels is None else f"{len(self.classes)} classes"
        return f"Corpus({self.name!r}, {len(self)} documents, {classes})"

    @property
    def classes(self) -> tuple[Label, ...]:
        """The labels that occur, sorted; empty without labels."""
        return tuple(self.class_counts())

    def class_counts(self) -> dict[Label, int]:
        """Return the number of documents of each class, in sorted order of the classes."""
        counts: Counter[Label] = Counter()
        for label in self.labels or ():
            counts.update(label if isinstance(label, tuple) else (label,))
        return dict(sorted(counts.items()))  # one type in a corpus, so they have an order

    def subset(self, indices: Iterable[int]) -> "Corpus":
        """Return the documents at ``indices`` (0-based, each at most once), in that order.

        Raises
        ------
        ValueError
            If there are no indices, one occurs twice or is out of range.
        """
        chosen = [int(i) for i in indices]
        if not chosen:
            raise ValueError("a subset needs at least one index, got none")
        if len(set(chosen)) < len(chosen):
            raise ValueError(f"indices of a subset must differ, got {len(chosen) - len(set(chosen))} repeated")
        if min(chosen) < 0 or max(chosen) >= len(self):
            wrong = min(chosen) if min(chosen) < 0 else max(chosen)
            raise ValueError(
                f"index {wrong} is out of range: the corpus has {len(self)} documents (0 to {len(self) - 1})"
            )

        def pick(values: tuple[Any, ...] | None) -> Any:
            return None if values is None else tuple(values[i] for i in chosen)

        return replace(
            self,
            texts=pick(self.texts),
            labels=pick(self.labels),
            ids=pick(self.ids),
            sentences=pick(self.sentences),
            trees=pick(self.trees),
        )

    def one_vs_rest(self, label: Label) -> "Corpus":
        """Return the corpus with label True for documents that have ``label`` (alone or in their list), else False.

        Examples
        --------
        >>> Corpus.from_lists(["a", "b"], [["art"], ["art", "law"]]).one_vs_rest("law").labels
        (False, True)
        """
        if label not in self.classes:
            raise ValueError(f"label {label!r} does not occur; the classes are {_some(self.classes)}")
        labels = tuple(label in one if isinstance(one, tuple) else one == label for one in self.labels or ())
        return replace(self, labels=labels)

    def fingerprint(self) -> str:
        """Return the sha256 (hex) over the sorted (id, label, text); see the module's docstring."""
        digest = hashlib.sha256()
        for i in sorted(range(len(self)), key=self.ids.__getitem__):
            label = json.dumps(None if self.labels is None else self.labels[i])
            parts = [part.encode("utf-8", "surrogatepass") for part in (self.ids[i], label, self.texts[i])]
            digest.update(b"%d %d %d\n" % (len(parts[0]), len(parts[1]), len(parts[2])))
            digest.update(b"".join(parts))
        return digest.hexdigest()

    def describe(self) -> dict[str, Any]:
        """Return counts as a plain dict that can be written as JSON.

        Examples
        --------
        >>> facts = Corpus.from_lists(["abc", ""], ["x", "y"]).describe()
        >>> facts["documents"], facts["classes"], facts["characters"], facts["empty_documents"]
        (2, {'x': 1, 'y': 1}, 3, 1)
        """
        return {
            "name": self.name,
            "documents": len(self),
            "classes": {str(label): count for label, count in self.class_counts().items()},
            "labelled": self.labels is not None,
            "several_labels": any(isinstance(label, tuple) for label in self.labels or ()),
            "characters": sum(map(len, self.texts)),
            "empty_documents": sum(not text.strip() for text in self.texts),
            "given_sentences": None if self.sentences is None else sum(map(len, self.sentences)),
            "given_trees": self.trees is not None,
            "fingerprint": self.fingerprint(),
        }


def build_corpus(
    texts: Iterable[Any],
    labels: Iterable[Any] | None,
    ids: Iterable[Any] | None,
    sentences: Iterable[Any] | None,
    trees: Iterable[Any] | None,
    name: str,
    place: Callable[[int], str] | None = None,
) -> Corpus:
    """Validate and freeze; ``place(i)`` says where document i stands in its file, for error messages."""
    if isinstance(texts, (str, bytes)):
        raise ValueError(f"texts must be a list of strings, got a single {type(texts).__name__}; put it in a list")
    texts = tuple(texts)
    size = len(texts)
    if size == 0:
        raise ValueError(f"the corpus {name!r} is empty; at least one document is needed")
    kept_ids = tuple(str(i + 1) for i in range(size)) if ids is None else _check_ids(tuple(ids), size, place)
    where = place or (lambda i: f"document {kept_ids[i]!r}")
    corpus = Corpus(
        texts=tuple(_check_text(text, where, i) for i, text in enumerate(texts)),
        labels=None if labels is None else _check_labels(tuple(labels), kept_ids, where, place is not None),
        ids=kept_ids,
        sentences=None if sentences is None else _check_sentences(tuple(sentences), size, where),
        trees=None if trees is None else _check_trees(tuple(trees), size, where),
        name=name,
    )
    warn_of_twins(corpus.labels or (), name)
    return corpus


def clean_id(value: Any) -> str:
    """Return an id as a string; only strings and whole numbers are ids."""
    if isinstance(value, str):
        if value:
            return str(value)
        raise ValueError("the id is an empty string; give every document an id, or none")
    label = None if isinstance(value, (list, tuple, set)) else clean_label(value)
    if label is None or isinstance(label, bool):
        raise ValueError(f"the id {value!r} is of type {type(value).__name__}; an id is a string or a whole number")
    return str(label)


def _check_length(values: tuple[Any, ...], what: str, size: int) -> None:
    if len(values) != size:
        raise ValueError(f"there are {size} texts but {len(values)} {what}; give one for each text")


def _check_text(text: Any, where: Callable[[int], str], i: int) -> str:
    if type(text) is str:
        return text
    if isinstance(text, str):  # numpy.str_ and other subclasses become plain strings
        return str(text)
    raise ValueError(f"{where(i)}: the text is {text!r} of type {type(text).__name__}; a text must be a string")


def _check_ids(ids: tuple[Any, ...], size: int, place: Callable[[int], str] | None) -> tuple[str, ...]:
    _check_length(ids, "ids", size)
    cleaned: list[str] = []
    for i, value in enumerate(ids):
        try:
            cleaned.append(clean_id(value))
        except ValueError as error:
            raise ValueError(f"{place(i) if place else f'text number {i + 1}'}: {error}") from None
    if len(set(cleaned)) < size:
        counts = Counter(cleaned)
        first = next(i for i, one in enumerate(cleaned) if counts[one] > 1)
        twins = [i for i, one in enumerate(cleaned) if one == cleaned[first]]
        places = " and ".join(place(i) if place else f"text number {i + 1}" for i in twins[:2])
        repeated = [one for one, count in counts.items() if count > 1]
        raise ValueError(
            f"ids must be unique, but {len(repeated)} occur more than once: {_some(repeated)}; "
            f"the first is at {places}. Give unique ids (id_col names their column) or none at all"
        )
    return tuple(cleaned)


def _check_labels(
    labels: tuple[Any, ...], ids: tuple[str, ...], where: Callable[[int], str], placed: bool
) -> tuple[AnyLabel, ...]:
    _check_length(labels, "labels", len(ids))
    cleaned: list[AnyLabel] = []
    missing: list[int] = []
    for i, value in enumerate(labels):
        try:
            label = clean_label(value)
        except ValueError as error:
            raise ValueError(f"{where(i)}: {error}") from None
        if label is None:
            missing.append(i)
        else:
            cleaned.append(label)
    if missing:
        first = f"; the first is at {where(missing[0])}" if placed else ""
        raise ValueError(
            f"{len(missing)} of {len(ids)} documents have no label (missing, NaN or blank): "
            f"ids {_some([ids[i] for i in missing])}{first}. Label them or leave them out"
        )
    return unify_labels(cleaned)


def _check_sentences(sentences: tuple[Any, ...], size: int, where: Callable[[int], str]) -> tuple[tuple[str, ...], ...]:
    _check_length(sentences, "lists of sentences", size)
    kept = []
    for i, given in enumerate(sentences):
        if given is None or isinstance(given, (str, bytes)):
            raise ValueError(
                f"{where(i)}: sentences are {given!r}; give a list of strings for every document, or for none"
            )
        given = tuple(given)
        if not all(isinstance(sentence, str) for sentence in given):
            raise ValueError(
                f"{where(i)}: sentences must be strings, got {next(s for s in given if type(s) is not str)!r}"
            )
        kept.append(given)
    return tuple(kept)


def _check_trees(trees: tuple[Any, ...], size: int, where: Callable[[int], str]) -> tuple[str, ...]:
    _check_length(trees, "trees", size)
    for i, tree in enumerate(trees):
        if not isinstance(tree, str):
            raise ValueError(
                f"{where(i)}: the tree is {tree!r}; give a bracketed string for every document, or no trees"
            )
    return trees


def _some(values: Iterable[Any], most: int = 5) -> str:
    shown = [repr(value) for value in values]
    return ", ".join(shown[:most]) + (", ..." if len(shown) > most else "")

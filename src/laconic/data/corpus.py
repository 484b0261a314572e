"""`Corpus`: texts with ids and, where known, labels, sentences and trees; validated once, then frozen. `Splits`: three.

Its fingerprint is the sha256 over the documents sorted by id, each as the lengths of id, label and text followed by the
three themselves (UTF-8; the label as JSON, so that 1, "1" and true differ). The order of documents does not matter.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, repeat
from typing import Any

from laconic.core.values import excerpt, some
from laconic.data.document import Document
from laconic.data.labels import AnyLabel, Label, clean_each, clean_label, unify_labels, warn_of_twins


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
        sentences: Iterable[Any] | None = None,
        trees: Iterable[Any] | None = None,
        name: str = "",
        place: Callable[[int], str] | None = None,
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
        place : callable, optional
            For errors: where document i stands in its file, as ``place(i)``.

        Examples
        --------
        >>> Corpus.from_lists(["a", "b"], [1.0, 2.0]).labels
        (1, 2)
        """
        if isinstance(texts, (str, bytes)):
            raise ValueError(f"texts must be a list of strings, got a single {type(texts).__name__}; put it in a list")
        texts = tuple(texts)
        if not texts:
            raise ValueError(f"the corpus {name!r} is empty; at least one document is needed")
        given = {"ids": ids, "labels": labels, "lists of sentences": sentences, "trees": trees}
        lists = {what: tuple(values) for what, values in given.items() if values is not None}
        for what, values in lists.items():
            if len(values) != len(texts):
                raise ValueError(f"there are {len(texts)} texts but {len(values)} {what}; give one for each text")
        by_number = place or (lambda i: f"text number {i + 1}")
        kept = _check_ids(lists["ids"], by_number) if "ids" in lists else tuple(str(i + 1) for i in range(len(texts)))
        where = place or (lambda i: f"document {kept[i]!r}")
        split, parsed = lists.get("lists of sentences"), lists.get("trees")
        corpus = cls(
            tuple(clean_each(texts, where, _clean_text)),
            _check_labels(lists["labels"], kept, where, place is not None) if "labels" in lists else None,
            kept,
            None if split is None else tuple(clean_each(split, where, _clean_sentences)),
            None if parsed is None else tuple(clean_each(parsed, where, _clean_tree)),
            name,
        )
        warn_of_twins(corpus.labels or (), name, stacklevel=3 if place is None else 4)  # for who called this, or read
        return corpus

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[Document]:
        rows = self.ids, self.texts, self.labels, self.sentences, self.trees
        return map(Document, *(repeat(None, len(self)) if row is None else row for row in rows))

    def __repr__(self) -> str:
        classes = "no labels" if self.labels is None else f"{len(self.classes)} classes"
        return f"Corpus({self.name!r}, {len(self)} documents, {classes})"

    @cached_property
    def classes(self) -> tuple[Label, ...]:
        """The labels that occur, sorted; empty without labels."""
        return tuple(self.class_counts())

    def class_counts(self) -> dict[Label, int]:
        """Return the number of documents of each class, in sorted order of the classes."""
        lists = (label if isinstance(label, tuple) else (label,) for label in self.labels or ())
        counts = Counter(chain.from_iterable(lists))
        return dict(sorted(counts.items()))  # one type in a corpus, so they have an order

    def subset(self, indices: Iterable[int]) -> "Corpus":
        """Return the documents at ``indices`` (0-based, each at most once, one at least), in that order."""
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
        rows = {name: getattr(self, name) for name in ("texts", "labels", "ids", "sentences", "trees")}
        picked: dict[str, Any] = {name: tuple(row[i] for i in chosen) for name, row in rows.items() if row is not None}
        return replace(self, **picked)

    def one_vs_rest(self, label: Label) -> "Corpus":
        """Return the corpus with label True for documents that have ``label`` (alone or in their list), else False.

        Examples
        --------
        >>> Corpus.from_lists(["a", "b"], [["art"], ["art", "law"]]).one_vs_rest("law").labels
        (False, True)
        """
        if label not in self.classes:
            raise ValueError(f"label {excerpt(label)} does not occur; the classes are {some(self.classes)}")
        labels = tuple(label in own if isinstance(own, tuple) else own == label for own in self.labels or ())
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


def clean_id(value: Any) -> str:
    """Return an id as a string; only strings and whole numbers are ids."""
    if isinstance(value, str):
        if value:
            return str(value)
        raise ValueError("the id is an empty string; give every document an id, or none")
    label = None if isinstance(value, (list, tuple, set)) else clean_label(value)
    if label is None or isinstance(label, bool):
        raise ValueError(f"the id {excerpt(value)} is of type {type(value).__name__}; use a string or a whole number")
    return str(label)


def _clean_text(text: Any) -> str:
    if isinstance(text, str):
        return str(text)  # numpy.str_ and other subclasses become plain strings
    raise ValueError(f"the text is {excerpt(text)} of type {type(text).__name__}; a text must be a string")


def _check_ids(ids: tuple[Any, ...], where: Callable[[int], str]) -> tuple[str, ...]:
    cleaned = clean_each(ids, where, clean_id)
    if len(set(cleaned)) < len(ids):
        counts = Counter(cleaned)
        repeated = [identifier for identifier, count in counts.items() if count > 1]
        twins = [i for i, identifier in enumerate(cleaned) if identifier == repeated[0]]
        places = " and ".join(map(where, twins[:2]))
        raise ValueError(
            f"ids must be unique, but {len(repeated)} occur more than once: {some(repeated)}; "
            f"the first is at {places}. Give unique ids (id_col names their column) or none at all"
        )
    return tuple(cleaned)


def _check_labels(
    labels: tuple[Any, ...], ids: tuple[str, ...], where: Callable[[int], str], placed: bool
) -> tuple[AnyLabel, ...]:
    cleaned = clean_each(labels, where)
    if missing := [i for i, label in enumerate(cleaned) if label is None]:
        first = f"; the first is at {where(missing[0])}" if placed else ""
        raise ValueError(
            f"{len(missing)} of {len(ids)} documents have no label (missing, NaN or blank): "
            f"ids {some(ids[i] for i in missing)}{first}. Label them or leave them out{' (drop_unlabelled)' * placed}"
        )
    return unify_labels(label for label in cleaned if label is not None)


def _clean_sentences(given: Any) -> tuple[str, ...]:
    if given is None or isinstance(given, (str, bytes)):
        raise ValueError(f"sentences are {excerpt(given)}; give a list of strings for every document, or for none")
    sentences = tuple(given)
    if wrong := [sentence for sentence in sentences if not isinstance(sentence, str)]:
        raise ValueError(f"sentences must be strings, got {excerpt(wrong[0])}")
    return sentences


def _clean_tree(tree: Any) -> str:
    if isinstance(tree, str):
        return tree
    raise ValueError(f"the tree is {excerpt(tree)}; give a bracketed string for every document, or no trees")


@dataclass(frozen=True)
class Splits:
    """The training, development and test corpus of one data set.

    Examples
    --------
    >>> part = Corpus.from_lists(["a b", "c d"], ["x", "y"])
    >>> {split: len(corpus) for split, corpus in Splits(part, part, part)}
    {'train': 2, 'dev': 2, 'test': 2}
    """

    train: Corpus
    dev: Corpus
    test: Corpus

    def __iter__(self) -> Iterator[tuple[str, Corpus]]:
        """Yield ``(name of the split, corpus)`` in the order train, dev, test."""
        yield "train", self.train
        yield "dev", self.dev
        yield "test", self.test

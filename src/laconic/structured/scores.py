"""Scores of tagged sentences, span F1 as in the CoNLL evaluation script and token accuracy; and of dependency trees.

Tags that mark no spans, such as parts of speech, are each a type, and every token is a span of its own.

Punctuation is hard to attach and says little. The CoNLL-X script leaves out tokens all of whose characters are Unicode
punctuation; in Universal Dependencies tokens tagged PUNCT are meant. Both are counted beside all tokens. Relations of
Universal Dependencies count as in its script: a subtype (``nsubj:pass``) is left out of the comparison.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.data.annotated.tagged_files import Span, guess_scheme, spans, stray_tag

PUNCT = "PUNCT"


@dataclass(frozen=True)
class SpanScore:
    """Precision, recall and F1 of spans, as shares of 1; 0 where there is nothing to count."""

    right: int
    predicted: int
    true: int

    @property
    def precision(self) -> float:
        """Right spans among those predicted."""
        return self.right / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """Right spans among the true ones."""
        return self.right / self.true if self.true else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        both = self.predicted + self.true
        return 2 * self.right / both if both else 0.0


@dataclass(frozen=True)
class TagScores:
    """The share of tokens with the right tag, and the scores of spans, of all types and of each, sorted."""

    accuracy: float
    overall: SpanScore
    types: dict[str, SpanScore]
    sentences: int
    tokens: int

    def to_dict(self) -> dict:
        """Return numbers for JSON."""
        return {
            "sentences": self.sentences,
            "tokens": self.tokens,
            "accuracy": self.accuracy,
            **_numbers(self.overall),
            "types": {kind: _numbers(score) for kind, score in self.types.items()},
        }


def score_tags(true: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> TagScores:
    """Compare predicted tags with true ones, one list a sentence."""
    # A span counts as right if type, first and last token all are. Tags that break the scheme are read as the CoNLL
    # script reads them (see `laconic.data.annotated.tagged_files.spans`).
    if len(true) != len(predicted):
        raise ValueError(f"There are tags of {len(true)} sentences to compare with those of {len(predicted)}.")
    right: Counter[str] = Counter()
    found: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    units = _tokens if guess_scheme(true) is None and stray_tag(true) is None else spans
    same = tokens = 0
    for number, (gold, given) in enumerate(zip(true, predicted, strict=True)):
        if len(gold) != len(given):
            raise ValueError(f"Sentence {number} has {len(gold)} true tags and {len(given)} predicted ones.")
        tokens += len(gold)
        same += sum(a == b for a, b in zip(gold, given, strict=True))
        a, b = units(gold), units(given)
        wanted.update(span.kind for span in a)
        found.update(span.kind for span in b)
        right.update(span.kind for span in set(a) & set(b))
    types = {kind: SpanScore(right[kind], found[kind], wanted[kind]) for kind in sorted(set(wanted) | set(found))}
    overall = SpanScore(right.total(), found.total(), wanted.total())
    return TagScores(same / tokens if tokens else 0.0, overall, types, len(true), tokens)


def _tokens(tags: Sequence[str]) -> list[Span]:
    return [Span(tag, place, place + 1) for place, tag in enumerate(tags)]


def _numbers(score: SpanScore) -> dict[str, float]:
    return {name: getattr(score, name) for name in ("precision", "recall", "f1", "right", "predicted", "true")}


@dataclass(frozen=True)
class AttachmentScore:
    """Right tokens among those counted; shares of 1, 0 where there is nothing to count."""

    tokens: int
    right_heads: int
    right_arcs: int | None = None

    @property
    def uas(self) -> float:
        """Unlabelled attachment score."""
        return self.right_heads / self.tokens if self.tokens else 0.0

    @property
    def las(self) -> float | None:
        """Labelled attachment score; None without relations."""
        if self.right_arcs is None:
            return None
        return self.right_arcs / self.tokens if self.tokens else 0.0


@dataclass(frozen=True)
class AttachmentScores:
    """Scores over all tokens, without punctuation by the rule of CoNLL-X, and without tokens that are tagged PUNCT."""

    # ``complete`` is the share of sentences in which all heads are right.

    all: AttachmentScore
    words: AttachmentScore
    ud_words: AttachmentScore
    complete: float
    sentences: int

    def to_dict(self) -> dict:
        """Return numbers for JSON."""
        parts = {"all": self.all, "without punctuation": self.words, "without PUNCT": self.ud_words}
        return {
            "sentences": self.sentences,
            "complete": self.complete,
            **{name: {"tokens": one.tokens, "uas": one.uas, "las": one.las} for name, one in parts.items()},
        }


def is_punctuation(word: str) -> bool:
    """Say whether all characters of a word are Unicode punctuation, as the CoNLL-X script asks."""
    return all(unicodedata.category(letter).startswith("P") for letter in word)


def score_trees(
    sentences: Sentences,
    true: NDArray[np.int64],
    predicted: NDArray[np.int64],
    true_relations: Sequence[str] | None = None,
    predicted_relations: Sequence[str] | None = None,
) -> AttachmentScores:
    """Compare predicted trees with true ones.

    Parameters
    ----------
    sentences : Sentences
        With the column ``word``, and ``pos`` if tokens tagged PUNCT are to be left out.
    true, predicted : ndarray of int64
        Heads of all tokens, sentences one after another.
    true_relations, predicted_relations : sequence of str, optional
        Both or none.

    Examples
    --------
    >>> sentences = Sentences.of([["We", "sang", "."]])
    >>> scores = score_trees(sentences, np.array([2, 0, 2]), np.array([2, 0, 1]))
    >>> round(scores.all.uas, 3), scores.words.uas
    (0.667, 1.0)
    """
    if len(true) != len(predicted) or len(true) != sentences.n_tokens:
        raise ValueError(
            f"There are {len(true)} true heads and {len(predicted)} predicted ones for {sentences.n_tokens} tokens."
        )
    heads = np.asarray(true) == np.asarray(predicted)
    arcs = None
    if true_relations is not None and predicted_relations is not None:
        same = [
            plain_relation(a) == plain_relation(b) for a, b in zip(true_relations, predicted_relations, strict=True)
        ]
        arcs = heads & np.array(same, dtype=np.bool_)
    words = sentences.columns["word"]
    punctuation = {word: is_punctuation(word) for word in set(words)}
    counted = ~np.array([punctuation[word] for word in words], dtype=np.bool_)
    tags = sentences.columns.get("pos")
    tagged = counted if tags is None else np.array([tag != PUNCT for tag in tags], dtype=np.bool_)
    wrong = np.concatenate([[0], np.cumsum(~heads)])
    lengths = sentences.lengths > 0
    complete = (wrong[sentences.ends[1:]] == wrong[sentences.ends[:-1]])[lengths]
    every = np.ones(len(heads), dtype=np.bool_)
    parts = [
        AttachmentScore(int(of.sum()), int(heads[of].sum()), None if arcs is None else int(arcs[of].sum()))
        for of in (every, counted, tagged)
    ]
    share = float(complete.mean()) if len(complete) else 0.0
    return AttachmentScores(parts[0], parts[1], parts[2], share, len(sentences))


def plain_relation(relation: str) -> str:
    """Return a relation without its subtype."""
    return relation.split(":")[0] or relation

"""Scores of tagged sentences: span F1 as in the CoNLL evaluation script, per type, and token accuracy.

Tags that mark no spans, such as parts of speech, are each a type, and every token is a span of its own.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from laconic.data.annotated.tagged_files import Span, guess_scheme, spans, stray_tag


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

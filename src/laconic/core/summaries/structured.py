"""`StructuredSummary`: a tagger or a parser as its reader sees it: templates, features, scores, sentences."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class MarkedSentence:
    """A sentence with true and predicted tags; for a parser the relations, and heads counted from 1 (0: root)."""

    words: tuple[str, ...]
    true: tuple[str, ...]
    predicted: tuple[str, ...]
    true_heads: tuple[int, ...] = ()
    predicted_heads: tuple[int, ...] = ()


@dataclass(frozen=True)
class StructuredSummary:
    """A structured model as its reader sees it."""

    title: str
    kind: str  # "sequence tagger" or "dependency parser"
    labels: tuple[str, ...]
    weights: int  # how many are not zero
    templates: tuple[Mapping[str, Any], ...] = ()  # those of the model by falling norm, then those that were dropped
    edges: tuple[tuple[int, int], ...] = ()  # pairs of templates by number, the coarser one first, none between them
    features: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)  # label to its strongest features
    transitions: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # "⊥" is the start of a sentence
    memory: tuple[int, ...] = ()  # features that the learner held, per epoch
    corpus: str = ""  # test set
    scores: tuple[Mapping[str, Any], ...] = ()  # rows of ``name`` and numbers, the overall one first
    confusions: tuple[tuple[str, str, int], ...] = ()  # true label, predicted label, count; the most frequent first
    sentences: tuple[MarkedSentence, ...] = ()  # the worst first
    configuration: Mapping[str, Any] = field(default_factory=dict)
    size: int | None = None  # bytes of its folder

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain dicts and lists."""
        return asdict(self)

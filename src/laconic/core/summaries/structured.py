"""`StructuredSummary`: a tagger or a parser as its reader sees it: templates, features, scores, sentences."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class MarkedSentence:
    """A sentence with what is true and what the model says.

    Attributes
    ----------
    words : tuple of str
    true, predicted : tuple of str
        One tag a word; of a parser the relations to the heads.
    true_heads, predicted_heads : tuple of int
        Of a parser: the head of each word, counted from 1; 0 is the root.
    """

    words: tuple[str, ...]
    true: tuple[str, ...]
    predicted: tuple[str, ...]
    true_heads: tuple[int, ...] = ()
    predicted_heads: tuple[int, ...] = ()


@dataclass(frozen=True)
class StructuredSummary:
    """A structured model as its reader sees it.

    Attributes
    ----------
    title : str
    kind : {"sequence tagger", "dependency parser"}
    labels : tuple of str
    weights : int
        How many are not zero.
    templates : tuple of mapping
        Those of the model first, by falling norm, then those that were dropped: ``template``, ``kept``, ``norm``,
        ``features``, ``weights``, ``strength``.
    edges : tuple of (int, int)
        The order of templates, coarser before finer, by their numbers in ``templates``; none between them.
    features : mapping
        Label to its strongest features: ``template``, ``values``, ``weight``.
    transitions : mapping
        Label to label to weight; "⊥" is the start of a sentence.
    memory : tuple of int
        Features that the learner held, epoch by epoch.
    corpus : str
        What the scores are of.
    scores : tuple of mapping
        Rows of ``name`` and numbers, all together first.
    confusions : tuple of (str, str, int)
        True label, predicted label, how often; the most frequent first.
    sentences : tuple of MarkedSentence
        The worst first.
    configuration : mapping
    size : int or None
        Bytes of its folder.

    Examples
    --------
    >>> StructuredSummary("chunks", "sequence tagger", ("B-NP", "O"), 12).to_dict()["labels"]
    ('B-NP', 'O')
    """

    title: str
    kind: str
    labels: tuple[str, ...]
    weights: int
    templates: tuple[Mapping[str, Any], ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    features: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)
    transitions: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    memory: tuple[int, ...] = ()
    corpus: str = ""
    scores: tuple[Mapping[str, Any], ...] = ()
    confusions: tuple[tuple[str, str, int], ...] = ()
    sentences: tuple[MarkedSentence, ...] = ()
    configuration: Mapping[str, Any] = field(default_factory=dict)
    size: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain dicts and lists."""
        return asdict(self)

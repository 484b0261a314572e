"""`Summary`: everything a reader is shown about a model, as plain data from which every table and page is made.

A model has one output per class, or, for two classes, a single output that speaks for the second class. What a
renderer needs per class (the words that speak for it) is asked for with `Summary.words_for`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from laconic.core.summaries.comparison import Comparison
from laconic.core.summaries.explanation import Contribution, Explanation, Label
from laconic.core.summaries.reliability import Reliability


@dataclass(frozen=True)
class WordWeight:
    """A word of the model and its weights, one per output.

    Attributes
    ----------
    word : str
    weights : tuple of float
    documents : int
        Training texts that hold it.
    frequency : float or None
        In which share of halves of the training texts it was chosen again; None if nobody looked.
    """

    word: str
    weights: tuple[float, ...]
    documents: int = 0
    frequency: float | None = None

    @property
    def strength(self) -> float:
        """The largest absolute weight."""
        return max(map(abs, self.weights))


@dataclass(frozen=True)
class ClassRow:
    """Scores of one class; ``documents`` is how many truly have it."""

    label: Label
    precision: float
    recall: float
    f1: float
    documents: int


@dataclass(frozen=True)
class Curves:
    """Precision against recall: label to points (recall, precision), one per threshold shown, falling in recall."""

    precision_recall: Mapping[str, tuple[tuple[float, float], ...]]


@dataclass(frozen=True)
class Scores:
    """How a model does on labelled documents.

    Attributes
    ----------
    corpus : str
        Name of the documents.
    documents : int
    metrics : mapping
        Name to value.
    classes : tuple of ClassRow
    confusion : tuple of tuples of int
        Row: true class, column: predicted class, both in the order of ``classes``; empty where a text may have several.
    undefined : mapping
        Name of a metric that cannot be computed here to the reason.
    unlabelled : int
        Documents that reached no threshold and got no label; they count as errors and are not in the confusion.
    reliability : Reliability or None
        Of a model with probabilities.
    intervals : mapping
        Name of a metric to the ends of its 95 % bootstrap interval.
    curves : Curves or None
        Of a model with probabilities.
    """

    corpus: str
    documents: int
    metrics: Mapping[str, float]
    classes: tuple[ClassRow, ...]
    confusion: tuple[tuple[int, ...], ...]
    undefined: Mapping[str, str] = field(default_factory=dict)
    unlabelled: int = 0
    reliability: Reliability | None = None
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    curves: Curves | None = None


def pull(explanation: Explanation, word: Contribution) -> float:
    """Return what a word did for (or, below zero, against) the label that was predicted.

    Examples
    --------
    >>> word = Contribution("thanks", 1.0, (-2.0,), ((0, 6),))
    >>> pull(Explanation("praise", ("praise", "repair"), (0.9, 0.1), ("repair",), (0.0,), (-2.0,), (word,)), word)
    2.0
    """
    if len(explanation.outputs) > 1:
        return word.contributions[explanation.outputs.index(explanation.label)]
    return word.contributions[0] if explanation.label == explanation.outputs[0] else -word.contributions[0]


@dataclass(frozen=True)
class Example:
    """One document with the reasons for its label.

    Attributes
    ----------
    id : str
    text : str
    label : str, int, bool or None
        The true label, if known.
    explanation : Explanation
    sentences : tuple of (start, end, pull)
        Its sentences in code points, and what the words of each add to the margin of the predicted label.
    influences : tuple of float
        For each sentence log P(predicted label | text) − log P(predicted label | text without the sentence); empty for
        a model without probabilities.
    odds : tuple of float
        The same of log P / (1 − P).
    """

    id: str
    text: str
    label: Label | None
    explanation: Explanation
    sentences: tuple[tuple[int, int, float], ...] = ()
    influences: tuple[float, ...] = ()
    odds: tuple[float, ...] = ()

    @property
    def telling(self) -> int | None:
        """Position of the sentence that speaks most for the predicted label; None if none does."""
        best = max(range(len(self.sentences)), key=lambda i: self.sentences[i][2], default=None)
        return None if best is None or self.sentences[best][2] <= 0 else best


@dataclass(frozen=True)
class Alternative:
    """A smaller or larger model of the same path: another budget of a pursuit, or another λ₁.

    Attributes
    ----------
    parameters : mapping
    score, error : float
        In tuning, with its standard error.
    intercept : tuple of float
    words : tuple of WordWeight
    chosen : bool
        Whether this is the model itself.
    """

    parameters: Mapping[str, Any]
    score: float
    error: float
    intercept: tuple[float, ...]
    words: tuple[WordWeight, ...]
    chosen: bool = False


@dataclass(frozen=True)
class Making:
    """How a model was made, and what it takes.

    Attributes
    ----------
    configuration : mapping
        What its folder says: estimator, recipe, data with their fingerprints, versions.
    code : str
        The Python that fits it again; empty where that is not known.
    trace : tuple of (objective, dual objective or None, words)
        Of the solver.
    size : int or None
        Bytes of its folder.
    seconds : float or None
        Of its fit.
    """

    configuration: Mapping[str, Any]
    code: str = ""
    trace: tuple[tuple[float, float | None, float], ...] = ()
    size: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class GroupWeight:
    """A selected group: its name, its norm ‖w_g‖₂ and the words of the model in it, strongest first."""

    name: str
    norm: float
    words: tuple[str, ...]


@dataclass(frozen=True)
class Selection:
    """Which groups of words a model selected.

    Attributes
    ----------
    source : str
        Where the groups come from.
    selected, removed : int
        How many groups are in the model and how many are not.
    different : int or None
        How many of the selected ones differ in their words of the model; None if nobody looked.
    groups : tuple of GroupWeight
        The strongest of these, strongest first.
    """

    source: str
    selected: int
    removed: int
    different: int | None = None
    groups: tuple[GroupWeight, ...] = ()


@dataclass(frozen=True)
class Summary:
    """A model as its reader sees it.

    Attributes
    ----------
    title : str
    classes : tuple
        All labels, sorted.
    outputs : tuple
        The label each weight vector speaks for: ``classes[1:]`` of two classes, else ``classes``.
    words : tuple of WordWeight
        The words with a nonzero weight, strongest first.
    intercept : tuple of float
        One per output.
    vocabulary_size : int
        Words of the training texts.
    gap : float
        Relative duality gap; infinite without a certificate.
    made : mapping
        How the model was made: a fact's name to its value.
    comparison : Comparison or None
    scores : Scores or None
    examples : tuple of Example
    selection : Selection or None
        Of a model with groups.
    calibration : mapping
        Of a calibrated model: its kind, what it was made on, figures before and after, thresholds by class.
    portable : mapping or None
        The model itself as data, see `laconic.models.export.portable`, so that a page can score texts; not part of
        `to_dict`.
    unscored : str
        Why ``portable`` is None, in a sentence.
    path : tuple of Alternative
        Smaller and larger models beside this one, the smallest first; not part of `to_dict`.
    making : Making or None
    versus : tuple of mapping
        Of several models on the same documents: scores, sizes and paired tests, each against the first; see
        `laconic.evaluate.Versus`.
    several : bool
        Whether a text may have several of the classes.

    Examples
    --------
    >>> words = (WordWeight("lamp", (1.5,)), WordWeight("thanks", (-1.0,)))
    >>> summary = Summary("letters", ("praise", "repair"), ("repair",), words, (0.1,), 400, 1e-7)
    >>> summary.words_for("praise"), summary.words_for("repair")
    ([('thanks', 1.0)], [('lamp', 1.5)])
    >>> summary.share
    0.005
    """

    title: str
    classes: tuple[Label, ...]
    outputs: tuple[Label, ...]
    words: tuple[WordWeight, ...]
    intercept: tuple[float, ...]
    vocabulary_size: int
    gap: float
    made: Mapping[str, Any] = field(default_factory=dict)
    comparison: Comparison | None = None
    scores: Scores | None = None
    examples: tuple[Example, ...] = ()
    selection: Selection | None = None
    calibration: Mapping[str, Any] = field(default_factory=dict)
    portable: Mapping[str, Any] | None = field(default=None, repr=False)
    unscored: str = ""
    path: tuple[Alternative, ...] = field(default=(), repr=False)
    making: Making | None = None
    versus: tuple[Mapping[str, Any], ...] = ()
    several: bool = False

    @property
    def share(self) -> float:
        """Words of the model divided by words of the training texts."""
        return len(self.words) / self.vocabulary_size if self.vocabulary_size else 0.0

    def words_for(self, label: Label) -> list[tuple[str, float]]:
        """Return the words that decide about a class with their weights for it, strongest first.

        Of two classes each word speaks for exactly one, and its weight is given as positive; of more classes a word may
        also speak against a class, with a negative weight.
        """
        if label not in self.classes:
            raise ValueError(f"The model has no class {label!r}; its classes are {', '.join(map(repr, self.classes))}.")
        if len(self.outputs) == 1:
            sign = 1.0 if label == self.outputs[0] else -1.0
            found = [(one.word, sign * one.weights[0]) for one in self.words if sign * one.weights[0] > 0.0]
        else:
            at = self.outputs.index(label)
            found = [(one.word, one.weights[at]) for one in self.words if one.weights[at] != 0.0]
        return sorted(found, key=lambda pair: (-abs(pair[1]), pair[0]))

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain dicts and lists."""
        examples = [{**asdict(one), "explanation": one.explanation.to_dict()} for one in self.examples]
        left_out = ("portable", "path")
        kept = asdict(replace(self, portable=None, path=()))
        shown = {name: value for name, value in kept.items() if name not in left_out}
        own = {"made": dict(self.made), "calibration": dict(self.calibration)}
        return {**shown, **own, "share": self.share, "examples": examples}

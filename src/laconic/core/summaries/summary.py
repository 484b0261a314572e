"""`Summary`: everything a reader is shown about a model, as plain data from which every table and page is made.

A model has one output per class, or, for two classes, a single output for the second class. `Summary.words_for` gives
the words of one class. A `StructuredSummary` is the same of a tagger or a parser.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from laconic.core.summaries.comparison import Comparison
from laconic.core.summaries.explanation import Explanation, Label


@dataclass(frozen=True)
class WordWeight:
    """A word of the model and its weights, one per output."""

    word: str
    weights: tuple[float, ...]
    documents: int = 0  # number of training documents that contain it
    frequency: float | None = None  # share of refits on random halves that selected it; None without such refits

    @property
    def strength(self) -> float:
        """The largest absolute weight."""
        return max(map(abs, self.weights))

    def effect(self, output: int) -> float:
        """The absolute weight for an output times the training documents with the word, where these were counted."""
        return abs(self.weights[output]) * max(self.documents, 1)


@dataclass(frozen=True)
class ClassRow:
    """Scores of one class; ``documents`` is how many truly have it."""

    label: Label
    precision: float
    recall: float
    f1: float
    documents: int


@dataclass(frozen=True)
class Bin:
    """Documents of similar probability: their mean probability, the share that has the label, their number."""

    probability: float
    share: float
    documents: int


@dataclass(frozen=True)
class Reliability:
    """What `laconic.evaluate.reliability` finds.

    Attributes
    ----------
    error : float
        Expected calibration error, with bins of equal counts.
    brier : float
        Mean squared error of the probabilities, halved over the classes so that it is that of one class of two.
    log_loss : float
        Mean of −ln(probability of the true class).
    bins : tuple of Bin

    Examples
    --------
    >>> Reliability(0.02, 0.1, 0.3, (Bin(0.9, 0.88, 100),)).to_dict()["bins"]
    [{'probability': 0.9, 'share': 0.88, 'documents': 100}]
    """

    error: float
    brier: float
    log_loss: float
    bins: tuple[Bin, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**asdict(self), "bins": list(map(asdict, self.bins))}


@dataclass(frozen=True)
class Curves:
    """Precision against recall: label to points (recall, precision), one per threshold shown, falling in recall."""

    precision_recall: Mapping[str, tuple[tuple[float, float], ...]]


@dataclass(frozen=True)
class Scores:
    """How a model does on labelled documents."""

    corpus: str
    documents: int
    metrics: Mapping[str, float]
    classes: tuple[ClassRow, ...]
    confusion: tuple[tuple[int, ...], ...]  # true by predicted class, in the order of `classes`; empty if multi-label
    undefined: Mapping[str, str] = field(default_factory=dict)  # metric that cannot be computed here to the reason
    unlabelled: int = 0  # documents that reached no threshold: errors, and not in the confusion
    reliability: Reliability | None = None  # of a model with probabilities, as `curves`
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # metric to its 95% bootstrap interval
    curves: Curves | None = None


@dataclass(frozen=True)
class Example:
    """One document with the reasons for its label; places are in code points."""

    id: str
    text: str
    label: Label | None  # the true one, if known
    explanation: Explanation
    sentences: tuple[tuple[int, int, float], ...] = ()  # start, end, sum of its words' effects on the label
    influences: tuple[float, ...] = ()  # per sentence; log P(label | text) − log P(label | text without it)
    odds: tuple[float, ...] = ()  # the same for log P / (1 − P)

    @property
    def telling(self) -> int | None:
        """Position of the sentence with the largest contribution to the predicted label; None if none is positive."""
        best = max(range(len(self.sentences)), key=lambda i: self.sentences[i][2], default=None)
        return None if best is None or self.sentences[best][2] <= 0 else best


@dataclass(frozen=True)
class Alternative:
    """A smaller or larger model of the same path: another budget of a pursuit, or another λ₁."""

    parameters: Mapping[str, Any]
    score: float  # in tuning
    error: float  # its standard error
    intercept: tuple[float, ...]
    words: tuple[WordWeight, ...]
    chosen: bool = False  # whether this is the model itself


@dataclass(frozen=True)
class Making:
    """How a model was made, and what it takes."""

    configuration: Mapping[str, Any]  # what its folder says: estimator, recipe, data with fingerprints, versions
    code: Callable[[], str] = field(default=str, compare=False)  # the Python that fits it again; imports the estimators
    trace: tuple[tuple[float, float | None, float], ...] = ()  # of the solver: objective, dual objective, words
    size: int | None = None  # bytes of its folder
    seconds: float | None = None  # of its fit


@dataclass(frozen=True)
class GroupWeight:
    """A selected group: its name, its norm ‖w_g‖₂ and the words of the model in it, strongest first."""

    name: str
    norm: float
    words: tuple[str, ...]


@dataclass(frozen=True)
class Selection:
    """Which groups of words a model selected."""

    source: str
    selected: int
    removed: int
    different: int | None = None  # how many selected ones differ in their words of the model; None if not counted
    groups: tuple[GroupWeight, ...] = ()  # the strongest of these, strongest first


@dataclass(frozen=True)
class Summary:
    """A model as its reader sees it.

    Attributes
    ----------
    title : str
    classes : tuple
        All labels, sorted.
    outputs : tuple
        The label of each weight vector: ``classes[1:]`` of two classes, else ``classes``.
    words : tuple of WordWeight
        The words with a nonzero weight, strongest first.
    intercept : tuple of float
        One per output.
    vocabulary_size : int
        Number of words in the training data.
    gap : float
        Relative duality gap; infinite without a certificate.
    made : mapping
        How the model was made: method, penalties, feature values, training set.
    comparison : Comparison or None
    scores : Scores or None
    examples : tuple of Example
    selection : Selection or None
        For a model with groups.
    calibration : mapping
        For a calibrated model: its kind, what it was made on, figures before and after, thresholds by class.
    portable : mapping or None
        The model itself as data, see `laconic.models.export`, so that a page can score documents; not
        part of `to_dict`.
    unscored : str
        Why ``portable`` is None, in a sentence.
    path : tuple of Alternative
        Smaller and larger models beside this one, the smallest first; not part of `to_dict`.
    making : Making or None
    versus : tuple of mapping
        Several models on the same documents: scores, sizes and paired tests, each against the first; see
        `laconic.evaluate.Versus`.
    several : bool
        Whether the model is multi-label.

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
        """Words of the model divided by words in the training data."""
        return len(self.words) / self.vocabulary_size if self.vocabulary_size else 0.0

    def words_for(self, label: Label) -> list[tuple[str, float]]:
        """Return the words with a weight for a class and that weight, those with the largest `effect` first.

        With two classes, each word is evidence for exactly one, and its weight is given as positive; with more classes
        a word may also be evidence against a class, with a negative weight.
        """
        if label not in self.classes:
            raise ValueError(f"The model has no class {label!r}; its classes are {', '.join(map(repr, self.classes))}.")
        single = len(self.outputs) == 1
        at = 0 if single else self.outputs.index(label)
        sign = -1.0 if single and label != self.outputs[0] else 1.0
        own = [one for one in self.words if (sign * one.weights[at] > 0.0 if single else one.weights[at] != 0.0)]
        own.sort(key=lambda one: (-one.effect(at), one.word))
        return [(one.word, sign * one.weights[at]) for one in own]

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain dicts and lists, without the model itself and the code that fits it again."""
        examples = [{**asdict(one), "explanation": one.explanation.to_dict()} for one in self.examples]
        left_out = ("portable", "path")
        kept = asdict(replace(self, portable=None, path=()))
        shown = {name: value for name, value in kept.items() if name not in left_out}
        own = {"made": dict(self.made), "calibration": dict(self.calibration)}
        if self.making is not None:
            shown["making"].pop("code")
        return {**shown, **own, "share": self.share, "examples": examples}


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

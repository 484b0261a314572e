"""`check`: does a model still fit the texts that come in now?

Each finding has a value, what it was when the model was made, a limit, and a verdict: it fails only where the limit is
passed by more than chance. Words and unknown words are looked at in any texts; labels, calibration and thresholds only
in labelled ones.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from laconic.data.corpus import Corpus
from laconic.evaluate.calibration.reliability import reliability
from laconic.evaluate.calibration.thresholds import wilson
from laconic.evaluate.inference.drift import drift
from laconic.evaluate.metrics.evaluation import evaluate

if TYPE_CHECKING:
    from laconic.models.scoring.scorer import Scorer

LIMITS = {"drift": 0.2, "unknown": 0.25, "empty": 0.05, "shares": 0.1, "calibration": 0.05}
MOST = 10
SLACK = 0.02  # of accuracies, where folds of few documents agree too well


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes
    ----------
    name : str
    value : float
        Now.
    before : float or None
        When the model was made, where that is known.
    limit : float or None
        What the value (or its change) may be.
    ok : bool
    says : str
        One sentence.
    """

    name: str
    value: float
    before: float | None
    limit: float | None
    ok: bool
    says: str


@dataclass(frozen=True)
class ChangedWord:
    """A word of the model and the share of documents that have it, before and now."""

    word: str
    before: float
    now: float


@dataclass(frozen=True)
class Check:
    """What `check` found.

    Attributes
    ----------
    documents : int
    findings : tuple of Finding
    words : tuple of ChangedWord
        Those whose change matters most for the model.

    Examples
    --------
    >>> Check(10, (Finding("drift", 0.5, 0.0, 0.2, False, "Much has changed."),)).ok
    False
    """

    documents: int
    findings: tuple[Finding, ...]
    words: tuple[ChangedWord, ...] = field(default=())

    @property
    def ok(self) -> bool:
        """Whether every finding is within its limit."""
        return all(one.ok for one in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**asdict(self), "ok": self.ok}


def check(scorer: "Scorer", corpus: Corpus, limits: Mapping[str, float] | None = None) -> Check:
    """Compare new texts with those that a model was made from.

    Parameters
    ----------
    scorer : Scorer
        A loaded model.
    corpus : Corpus
        New texts, with labels or without.
    limits : mapping, optional
        In place of `LIMITS`: "drift" (of word frequencies, see `laconic.evaluate.inference.drift`), "unknown" (by
        which share the
        words of the model in a text may become fewer), "empty" (by how much the share of texts without any may grow),
        "shares" (by how much shares of classes may change in total), "calibration" (error).

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> texts, y = ["a broken lamp", "kind thanks to you"] * 20, ["repair", "praise"] * 20
    >>> scorer = TextClassifier().fit(texts, y).to_scorer()
    >>> check(scorer, Corpus.from_lists(texts, y)).ok
    True
    >>> found = check(scorer, Corpus.from_lists(["eine kaputte Lampe", "vielen Dank"] * 20))
    >>> [one.name for one in found.findings if not one.ok]
    ['drift', 'unknown words', 'texts without words']
    """
    unknown = sorted(set(limits or {}) - set(LIMITS))
    if unknown:
        raise ValueError(f"There is no limit {unknown[0]!r}; the limits are {', '.join(LIMITS)}.")
    allowed = {**LIMITS, **(limits or {})}
    counts, kept, different = _counted(scorer, corpus.texts)
    findings, words = _words(scorer, counts, len(corpus), allowed["drift"])
    findings += _unknown(scorer, kept, different, allowed)
    if corpus.labels is not None:
        findings += _labelled(scorer, corpus, allowed)
    return Check(len(corpus), tuple(findings), words)


def _counted(scorer: "Scorer", texts: Sequence[str]) -> tuple[Counter[str], np.ndarray, np.ndarray]:
    """Return in how many texts each word of the model stands, and of each text its words of the model and all words."""
    known, features = frozenset(scorer.model.words), scorer.model.analyzer.features
    counts: Counter[str] = Counter()
    kept, different = np.zeros(len(texts)), np.zeros(len(texts))
    for i, text in enumerate(texts):
        words = set(features(text))
        own = words & known
        counts.update(own)
        kept[i], different[i] = len(own), len(words)
    return counts, kept, different


def _words(
    scorer: "Scorer", counts: Counter[str], n: int, limit: float
) -> tuple[list[Finding], tuple[ChangedWord, ...]]:
    model = scorer.model
    frequency = model.vocabulary.document_frequency.astype(np.float64)
    before = np.array([frequency[model.vocabulary.index[word]] for word in model.words])
    now = np.array([counts[word] for word in model.words], dtype=np.float64)
    strength = np.abs(model.weights).max(axis=1, initial=0.0)
    found = drift(before, model.vocabulary.n_documents, now, n, strength)
    words = tuple(
        ChangedWord(model.words[j], float(found.before[j]), float(found.now[j])) for j in found.changed[:MOST]
    )
    says = (
        f"{len(found.changed):,} of {len(model.words):,} words of the model have become more or less frequent, beyond "
        f"chance; {found.value:.0%} of what the model hears has changed."
    )
    return [Finding("drift", found.value, 0.0, limit, found.value <= limit, says)], words


def _unknown(scorer: "Scorer", kept: np.ndarray, different: np.ndarray, allowed: Mapping[str, float]) -> list[Finding]:
    reference = scorer.info.get("reference") or {}
    share = float(kept.sum() / max(different.sum(), 1.0))
    empty = float(np.mean(kept == 0))
    if not reference:
        says = f"{1 - share:.1%} of the different words of a text have no weight in the model."
        return [Finding("unknown words", 1.0 - share, None, None, True, says)]
    was = reference["known"]
    ok = share >= (1.0 - allowed["unknown"]) * was
    says = f"{share:.1%} of the different words of a text are words of the model; it was {was:.1%}."
    findings = [Finding("unknown words", 1.0 - share, 1.0 - was, 1.0 - (1.0 - allowed["unknown"]) * was, ok, says)]
    limit = reference["empty"] + allowed["empty"]
    low, _ = wilson(empty, len(kept))
    says = f"{empty:.1%} of the texts have no word of the model; it was {reference['empty']:.1%}."
    return [*findings, Finding("texts without words", empty, reference["empty"], limit, low <= limit, says)]


def _labelled(scorer: "Scorer", corpus: Corpus, allowed: Mapping[str, float]) -> list[Finding]:
    labels: list[Any] = list(corpus.labels or ())
    classes: list[Any] = list(scorer.model.classes)
    counts = Counter(labels)
    strange = sorted((label for label in counts if label not in classes), key=str)
    says = (
        f"The texts have labels that the model does not know: {', '.join(map(repr, strange[:5]))}."
        if strange
        else "All labels are known to the model."
    )
    share = sum(counts[label] for label in strange) / len(labels)
    findings = [Finding("labels", share, 0.0, 0.0, not strange, says)]
    places = [i for i, label in enumerate(labels) if label in classes]
    if not places:
        return findings
    texts, truth = [corpus.texts[i] for i in places], [labels[i] for i in places]
    findings += _shares(scorer, counts, len(truth), allowed["shares"])
    findings += _accuracy(scorer, texts, truth)
    if scorer.model.probabilistic:
        codes = np.array([classes.index(label) for label in truth])
        Q = scorer.predict_proba(texts)
        promised = scorer.model.calibration is not None and scorer.model.calibration.kind != "none"
        findings += _calibration(Q, codes, allowed["calibration"] if promised else None)
        findings += _thresholds(scorer, texts, truth)
    return findings


def _shares(scorer: "Scorer", counts: Counter[Any], n: int, limit: float) -> list[Finding]:
    reference = (scorer.info.get("reference") or {}).get("shares")
    if reference is None:
        return []
    now = np.array([counts[label] / n for label in scorer.model.classes])
    distance = 0.5 * float(np.abs(now - np.array(reference)).sum())
    chance = 0.5 * float(np.sum(2.0 * np.sqrt(now * (1.0 - now) / n)))
    most = int(np.argmax(np.abs(now - np.array(reference))))
    says = f"{scorer.model.classes[most]!r} is the label of {now[most]:.1%} of the texts; it was {reference[most]:.1%}."
    return [Finding("shares of classes", distance, 0.0, limit, distance - chance <= limit, says)]


def _accuracy(scorer: "Scorer", texts: list[str], truth: list[Any]) -> list[Finding]:
    accuracy = evaluate(scorer, texts, truth).metrics["accuracy"]
    stored = (scorer.info.get("extra") or {}).get("comparison") or {}
    chosen = next((one for one in stored.get("contenders", ()) if one["chosen"]), None)
    abstains = scorer.model.calibration is not None and scorer.model.calibration.thresholds is not None
    if chosen is None or stored["metric"] != "accuracy" or abstains:
        return [Finding("accuracy", accuracy, None, None, True, f"{accuracy:.1%} of the labels are right.")]
    low, high = wilson(accuracy, len(truth))
    limit = chosen["score"] - max(2.0 * chosen["error"], SLACK)
    says = f"{accuracy:.1%} [{low:.1%}, {high:.1%}] of the labels are right; it was {chosen['score']:.1%}."
    return [Finding("accuracy", accuracy, chosen["score"], limit, high >= limit, says)]


def _calibration(Q: np.ndarray, codes: np.ndarray, limit: float | None) -> list[Finding]:
    """Fail where the error is above the limit and the bins disagree with their probabilities beyond chance.

    A model that was never calibrated promised nothing: it has no limit.
    """
    from scipy.stats import chi2

    found = reliability(Q, codes)
    terms = [
        one.documents
        * (one.share - one.probability) ** 2
        / max(one.probability * (1.0 - one.probability), 0.5 / one.documents)
        for one in found.bins
    ]
    by_chance = float(chi2.sf(sum(terms), len(terms)))
    says = f"Probabilities are {found.error:.3f} away from the truth on average (by chance alone: p = {by_chance:.2g})."
    ok = limit is None or found.error <= limit or by_chance >= 0.01
    return [Finding("calibration", found.error, None, limit, ok, says)]


def _thresholds(scorer: "Scorer", texts: list[str], truth: list[Any]) -> list[Finding]:
    """Fail where a precision or recall that a threshold was chosen for is out of reach of the interval."""
    made = {} if scorer.model.calibration is None else scorer.model.calibration.made
    findings = []
    said = list(scorer.predict(texts))
    for one in made.get("thresholds", ()):
        kind, _, goal = one["goal"].partition("=")
        if kind == "cost":
            continue
        pairs = zip(said, truth, strict=True)
        own = [a == b for a, b in pairs if (a if kind == "precision" else b) == one["label"]]
        if not own:
            continue
        share = float(np.mean(own))
        low, high = wilson(share, len(own))
        says = f"{one['label']!r} has a {kind} of {share:.3f} [{low:.3f}, {high:.3f}]; it was chosen for {goal}."
        name = f"{kind} of {one['label']}"
        findings.append(Finding(name, share, one[kind], float(goal), high >= float(goal), says))
    return findings

"""`check`: does a model still fit the texts that come in now?

Each finding has a value, what it was when the model was made, a limit, and a verdict: it fails only where the limit is
exceeded by more than chance. Words and unknown words are looked at in any texts; labels, calibration and thresholds
only in labelled ones.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from laconic.data.corpus import Corpus
from laconic.evaluate.calibration import reliability, wilson
from laconic.evaluate.inference import drift
from laconic.evaluate.metrics.evaluation import evaluate

if TYPE_CHECKING:
    from laconic.models.scoring.scorer import Scorer

LIMITS = {"drift": 0.2, "unknown": 0.25, "empty": 0.05, "shares": 0.1, "calibration": 0.05}
MOST = 10
SLACK = 0.02  # of accuracies, where folds of few documents agree too well


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: its value now and before, where known, what it may be, and a sentence on it."""

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
        return all(finding.ok for finding in self.findings)

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
        Instead of `LIMITS`: "drift" (of word frequencies, see `laconic.evaluate.inference`), "unknown" (by which
        share the words of the model in a text may become fewer), "empty" (by how much the share of texts without any
        may grow), "shares" (by how much shares of classes may change in total), "calibration" (error).

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> texts, y = ["a broken lamp", "kind thanks to you"] * 20, ["repair", "praise"] * 20
    >>> scorer = TextClassifier().fit(texts, y).to_scorer()
    >>> check(scorer, Corpus.from_lists(texts, y)).ok
    True
    >>> german = check(scorer, Corpus.from_lists(["eine kaputte Lampe", "vielen Dank"] * 20))
    >>> [finding.name for finding in german.findings if not finding.ok]
    ['drift', 'unknown words', 'texts without words']
    """
    if unknown := sorted(set(limits or {}) - set(LIMITS)):
        raise ValueError(f"There is no limit {unknown[0]!r}; the limits are {', '.join(LIMITS)}.")
    allowed = {**LIMITS, **(limits or {})}
    counts, kept, different = _counted(scorer, corpus.texts)
    drifted, words = _drift(scorer, counts, len(corpus), allowed["drift"])
    findings = [drifted, *_unknown(scorer, kept, different, allowed)]
    if corpus.labels is not None:
        findings += _labelled(scorer, corpus, allowed)
    return Check(len(corpus), tuple(findings), words)


def _counted(scorer: "Scorer", texts: Sequence[str]) -> tuple[Counter[str], np.ndarray, np.ndarray]:
    """Return how many texts have each word of the model, and of each text its words of the model and all its words."""
    known, features = frozenset(scorer.model.words), scorer.model.analyzer.features
    every = [set(features(text)) for text in texts]
    own = [words & known for words in every]
    counts = Counter(word for words in own for word in words)
    return counts, np.array([*map(len, own)], dtype=np.float64), np.array([*map(len, every)], dtype=np.float64)


def _drift(scorer: "Scorer", counts: Counter[str], n: int, limit: float) -> tuple[Finding, tuple[ChangedWord, ...]]:
    model = scorer.model
    frequency = model.vocabulary.document_frequency.astype(np.float64)
    before = np.array([frequency[model.vocabulary.index[word]] for word in model.words])
    now = np.array([counts[word] for word in model.words], dtype=np.float64)
    strength = np.abs(model.weights).max(axis=1, initial=0.0)
    shift = drift(before, model.vocabulary.n_documents, now, n, strength)
    words = [ChangedWord(model.words[j], float(shift.before[j]), float(shift.now[j])) for j in shift.changed[:MOST]]
    says = (
        f"{len(shift.changed):,} of {len(model.words):,} words of the model have become more or less frequent, beyond "
        f"chance; {shift.value:.0%} of the model's weighted word frequency has shifted."
    )
    return Finding("drift", shift.value, 0.0, limit, shift.value <= limit, says), tuple(words)


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
    says = "All labels are known to the model."
    if strange:
        says = f"The texts have labels that the model does not know: {', '.join(map(repr, strange[:5]))}."
    share = sum(counts[label] for label in strange) / len(labels)
    unknown = Finding("labels", share, 0.0, 0.0, not strange, says)
    known = [(text, label) for text, label in zip(corpus.texts, labels, strict=True) if label in classes]
    if not known:
        return [unknown]
    texts, truth = map(list, zip(*known, strict=True))
    shares = _shares(scorer, counts, len(truth), allowed["shares"])
    findings = [unknown, *shares, _accuracy(scorer, texts, truth)]
    if not scorer.model.probabilistic:
        return findings
    codes = np.array([classes.index(label) for label in truth])
    promised = scorer.model.calibration is not None and scorer.model.calibration.kind != "none"
    limit = allowed["calibration"] if promised else None
    return [*findings, _calibration(scorer.predict_proba(texts), codes, limit), *_thresholds(scorer, texts, truth)]


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


def _accuracy(scorer: "Scorer", texts: list[str], truth: list[Any]) -> Finding:
    accuracy = evaluate(scorer, texts, truth).metrics["accuracy"]
    stored = (scorer.info.get("extra") or {}).get("comparison") or {}
    chosen = next((row for row in stored.get("contenders", ()) if row["chosen"]), None)
    abstains = scorer.model.calibration is not None and scorer.model.calibration.thresholds is not None
    if chosen is None or stored["metric"] != "accuracy" or abstains:
        return Finding("accuracy", accuracy, None, None, True, f"{accuracy:.1%} of the labels are right.")
    low, high = wilson(accuracy, len(truth))
    limit = chosen["score"] - max(2.0 * chosen["error"], SLACK)
    says = f"{accuracy:.1%} [{low:.1%}, {high:.1%}] of the labels are right; it was {chosen['score']:.1%}."
    return Finding("accuracy", accuracy, chosen["score"], limit, high >= limit, says)


def _calibration(Q: np.ndarray, codes: np.ndarray, limit: float | None) -> Finding:
    """Fail where the error is above the limit and beyond chance; a model that was never calibrated has no limit."""
    from scipy.stats import chi2

    made = reliability(Q, codes)
    terms = [
        part.documents
        * (part.share - part.probability) ** 2
        / max(part.probability * (1.0 - part.probability), 0.5 / part.documents)
        for part in made.bins
    ]
    by_chance = float(chi2.sf(sum(terms), len(terms)))
    says = f"Probabilities are {made.error:.3f} away from the truth on average (by chance alone: p = {by_chance:.2g})."
    return Finding(
        "calibration", made.error, None, limit, limit is None or made.error <= limit or by_chance >= 0.01, says
    )


def _thresholds(scorer: "Scorer", texts: list[str], truth: list[Any]) -> list[Finding]:
    """Fail where a precision or recall that a threshold was chosen for is out of reach of the interval."""
    chosen = [] if scorer.model.calibration is None else scorer.model.calibration.made.get("thresholds", ())
    pairs = list(zip(scorer.predict(texts), truth, strict=True))
    findings = []
    for threshold in chosen:
        label, (kind, _, goal) = threshold["label"], threshold["goal"].partition("=")
        own = [said == true for said, true in pairs if (said if kind == "precision" else true) == label]
        if kind in ("cost", "f1") or not own:
            continue
        share = float(np.mean(own))
        low, high = wilson(share, len(own))
        says = f"{label!r} has a {kind} of {share:.3f} [{low:.3f}, {high:.3f}]; it was chosen for {goal}."
        findings.append(Finding(f"{kind} of {label}", share, threshold[kind], float(goal), high >= float(goal), says))
    return findings

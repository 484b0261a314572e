"""What changed from one model to another: words, groups, and the labels of documents."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from laconic.core.summaries.explanation import Label
from laconic.models.edit.warm_start import check_same_labels
from laconic.models.scoring.scorer import Scorer

KINDS = ("came", "went", "turned", "moved")


@dataclass(frozen=True)
class WordChange:
    """A word's weight towards a label before and after; zero where the model lacks it."""

    word: str
    label: Label
    before: float
    after: float

    @property
    def kind(self) -> str:
        """Whether it ``came``, ``went``, ``turned`` (changed its sign) or ``moved``."""
        if self.before == 0.0:
            return "came"
        if self.after == 0.0:
            return "went"
        return "turned" if self.before * self.after < 0.0 else "moved"


@dataclass(frozen=True)
class LabelChange:
    """A document that the two models label differently, of several labels as tuples; ``truth`` is None without one."""

    id: str
    before: Any
    after: Any
    truth: Any = None


@dataclass(frozen=True)
class ModelDiff:
    """What changed from one model to another.

    Attributes
    ----------
    words : tuple of WordChange
        All weights that are not the same, the largest change first.
    sizes : (int, int)
        Words of the two models.
    groups_came, groups_went : tuple of str
    documents : tuple of LabelChange
        In the order of the texts.
    n_documents : int
    """

    words: tuple[WordChange, ...]
    sizes: tuple[int, int]
    groups_came: tuple[str, ...] = ()
    groups_went: tuple[str, ...] = ()
    documents: tuple[LabelChange, ...] = ()
    n_documents: int = 0

    def of_kind(self, kind: str) -> tuple[WordChange, ...]:
        """Return the changes of one kind: "came", "went", "turned" or "moved"."""
        return tuple(change for change in self.words if change.kind == kind)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        kinds = {kind: [vars(change) for change in self.of_kind(kind)] for kind in KINDS}
        return {
            "words": {"before": self.sizes[0], "after": self.sizes[1], **kinds},
            "groups": {"came": list(self.groups_came), "went": list(self.groups_went)},
            "documents": {"seen": self.n_documents, "changed": [vars(change) for change in self.documents]},
        }


def diff_models(
    before: Scorer,
    after: Scorer,
    texts: Sequence[Any] = (),
    ids: Sequence[str] | None = None,
    labels: Sequence[Label] | None = None,
) -> ModelDiff:
    """Compare two models of the same labels, word by word and, where there are texts, document by document.

    Parameters
    ----------
    before, after : Scorer
        As `laconic.load` returns them.
    texts : sequence of str, optional
        Documents to label with both.
    ids, labels : sequences, optional
        Their ids (numbers from 0 if there are none) and true labels.

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> texts, labels = ["broken lamp", "kind thanks", "broken bench"], ["repair", "praise", "repair"]
    >>> before = TextClassifier().fit(texts, labels).to_scorer()
    >>> after = TextClassifier().fit(texts[:2], labels[:2]).to_scorer()
    >>> [(one.word, one.kind) for one in diff_models(before, after).words if one.kind != "moved"]
    [('bench', 'went')]
    """
    if before.model.several != after.model.several:
        raise ValueError("One of the models gives a text several labels and the other gives it one; they have no diff.")
    check_same_labels(before.model, after.model.classes)
    first, second = _weights(before), _weights(after)
    changes = [
        WordChange(word, label, first.get((word, label), 0.0), second.get((word, label), 0.0))
        for word, label in sorted({*first, *second}, key=lambda pair: (pair[0], str(pair[1])))
    ]
    changed = [change for change in changes if change.before != change.after]
    changed.sort(key=lambda change: -abs(change.after - change.before))
    earlier, later = _groups(before), _groups(after)
    return ModelDiff(
        tuple(changed),
        (len(before.model.words), len(after.model.words)),
        tuple(name for name in later if name not in set(earlier)),
        tuple(name for name in earlier if name not in set(later)),
        _label_changes(before, after, texts, ids, labels) if len(texts) else (),
        len(texts),
    )


def _label_changes(
    before: Scorer, after: Scorer, texts: Sequence[Any], ids: Sequence[str] | None, labels: Sequence[Label] | None
) -> tuple[LabelChange, ...]:
    names = [str(i) for i in range(len(texts))] if ids is None else ids
    truths = [None] * len(texts) if labels is None else labels
    in_order = [tuple(sorted(truth)) if isinstance(truth, tuple) else truth for truth in truths]
    rows = zip(names, _predicted(before, texts), _predicted(after, texts), in_order, strict=True)
    return tuple(LabelChange(*row) for row in rows if row[1] != row[2])


def _predicted(scorer: Scorer, texts: Sequence[Any]) -> list[Any]:
    labels = scorer.predict(texts)
    return labels if isinstance(labels, list) else labels.tolist()


def _weights(scorer: Scorer) -> dict[tuple[str, Label], float]:
    model = scorer.model
    return {
        (word, label): float(weight)
        for word, row in zip(model.words, model.weights, strict=True)
        for label, weight in zip(model.outputs, row, strict=True)
        if weight != 0.0
    }


def _groups(scorer: Scorer) -> tuple[str, ...]:
    return () if scorer.model.groups is None else tuple(scorer.model.groups.groups.names)

"""`MultilabelTextClassifier`: texts with several labels each, one vocabulary and one model for all of them.

Every label has weights of its own, fitted against the texts without it (a logistic model each), over the words of one
shared vocabulary; P(label | text) = 1/(1 + exp(−margin)), and a text has each label that reaches its threshold, 0.5
without another. All labels go into one folder.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import KFold
from sklearn.utils.validation import check_is_fitted

from laconic.core.calibration import KINDS, Calibration
from laconic.core.folder import check_target
from laconic.core.groups import Groups
from laconic.core.kept_groups import KeptGroups
from laconic.core.solution import Solution
from laconic.evaluate.calibration.calibrators import fit_calibration_of_several
from laconic.evaluate.calibration.reliability import binned
from laconic.evaluate.calibration.thresholds import choose_threshold, parse_goals
from laconic.evaluate.metrics.multilabel import label_matrix
from laconic.linear import ElasticNetClassifier
from laconic.linear.edit_constraints import check_edits
from laconic.linear.pursuit_base import Pursuer
from laconic.models.edit.warm_start import matched_start, older_model
from laconic.models.folder.estimator import estimator_facts, plain
from laconic.models.folder.model import model_facts, save_model
from laconic.models.label_lists import checked_label_lists, label_classes
from laconic.models.scoring.linear_text import LinearText
from laconic.models.scoring.says_why import SaysWhy
from laconic.models.scoring.scorer import MultilabelScorer
from laconic.models.search.shared_fit import designed, estimator_on
from laconic.models.text_classifier import TextClassifier
from laconic.text import Design, Vocabulary

if TYPE_CHECKING:
    from laconic.evaluate.resampling.stability_selection import Stability


class MultilabelTextClassifier(SaysWhy, BaseEstimator):
    """Give texts any number of labels by linear models over their words.

    Parameters
    ----------
    estimator : classifier of `laconic.linear`, optional
        Fitted once per label; None is ``ElasticNetClassifier(l1=1.0, l2=0.0)``, a lasso.
    settings : mapping, optional
        Parameters of the estimator for single labels, such as ``{"law": {"l1": 2.0}}``.
    text : TextClassifier, optional
        How texts become features: its analyzer, tokenizer, n-grams, cells, document frequencies and ``strip_mail``; its
        groups, for an estimator that has groups; and its edits, of which a sign must name its label.

    Attributes
    ----------
    classes_ : ndarray
        Labels, sorted.
    estimators_ : list
        One fitted estimator per label.
    vocabulary_ : laconic.text.Vocabulary
    n_words_ : int
        Words with a nonzero weight for any label.
    calibration_ : laconic.core.calibration.Calibration

    Examples
    --------
    >>> texts = ["broken lamp", "kind thanks", "thanks for the lamp", "hello"] * 5
    >>> labels = [["repair"], ["praise"], ["praise", "repair"], []] * 5
    >>> model = MultilabelTextClassifier().fit(texts, labels)
    >>> model.predict(["lamp, thanks", "hello you"])
    [('praise', 'repair'), ()]
    """

    def __init__(
        self, estimator: Any = None, settings: Mapping[Any, Mapping[str, Any]] | None = None, text: Any = None
    ) -> None:
        self.estimator = estimator
        self.settings = settings
        self.text = text

    def fit(self, texts: Iterable[Any], y: Iterable[Any], start: Any = None) -> Self:
        """Learn the vocabulary and the weights of every label.

        Parameters
        ----------
        texts : list of str, Corpus or documents
        y : list of lists of labels
            One list for each text; it may be empty.
        start : fitted MultilabelTextClassifier or MultilabelScorer, optional
            An older model with the same labels, whose weights are the start; see `laconic.TextClassifier.fit`.
        """
        documents, labels, classes = self._checked(texts, y)
        began = time.perf_counter()
        design, estimator = designed(self.text_classifier(), documents)
        return self._fit(design, estimator, label_matrix(labels, classes), classes, start, began)

    def fit_design(self, design: Design, y: Iterable[Any], groups: Groups | None = None, start: Any = None) -> Self:
        """Learn the weights of every label on a matrix that was made before, of the same text parameters.

        Parameters
        ----------
        design : laconic.text.Design
        y, start
            As in `fit`.
        groups : laconic.Groups, optional
            Over the words of the design.
        """
        _, labels, classes = self._checked(range(design.X.shape[0]), y)
        began = time.perf_counter()
        estimator = estimator_on(self.text_classifier(), design, groups)
        return self._fit(design, estimator, label_matrix(labels, classes), classes, start, began)

    def _checked(self, texts: Iterable[Any], y: Iterable[Any]) -> tuple[list[Any], list[tuple[Any, ...]], list[Any]]:
        """Return documents, labels and classes; whatever does not fit them is refused."""
        documents, labels = list(texts), checked_label_lists(y)
        if len(documents) != len(labels):
            raise ValueError(f"There are {len(documents)} texts but {len(labels)} lists of labels; give one for each.")
        classes = label_classes(labels)
        wanted = {str(label) for label in classes}
        if strange := [label for label in self.settings or {} if str(label) not in wanted]:
            raise ValueError(f"There are settings for {strange[0]!r}, which is no label of any text.")
        edits = self.text_classifier().edits
        check_edits(edits)
        if edits:
            edits.of_label(classes[0], classes)  # refuses signs of other labels
        return documents, labels, classes

    def _of_label(self, estimator: Any, label: Any, classes: list[Any]) -> Any:
        """Return the unfitted estimator of one label."""
        settings = {str(one): given for one, given in (self.settings or {}).items()}
        own = clone(estimator).set_params(**settings.get(str(label), {}))
        edits = getattr(own, "edits", None)
        return own.set_params(edits=edits.of_label(label, classes)) if edits else own

    def _fit(
        self, design: Design, estimator: Any, has: NDArray[np.bool_], classes: list[Any], start: Any, began: float
    ) -> Self:
        middle = time.perf_counter()
        older = None if start is None else matched_start(older_model(start), design.vocabulary, classes)
        self.estimators_ = []
        for k, label in enumerate(classes):
            own = self._of_label(estimator, label, classes)
            given: dict[str, Any] = {}
            if older is not None and not isinstance(own, Pursuer):
                given["start"] = Solution(older.weights[:, [k]], older.intercept[[k]], np.inf, -np.inf)
            self.estimators_.append(own.fit(design.X, has[:, k], **given))
        self.classes_ = np.array(classes)
        self.vocabulary_ = design.vocabulary
        self.coef_ = np.vstack([one.coef_ for one in self.estimators_])
        self.intercept_ = np.concatenate([one.intercept_ for one in self.estimators_])
        self.n_words_ = int(np.count_nonzero(self.coef_.any(axis=0)))
        self.calibration_ = Calibration(several=True)
        self.timings_ = {"design": middle - began, "fit": time.perf_counter() - middle}
        return self

    @property
    def dual_gap_(self) -> float:
        """The largest relative duality gap of all labels."""
        check_is_fitted(self)
        return max(float(getattr(one, "dual_gap_", np.inf)) for one in self.estimators_)

    def stability(
        self,
        texts: Iterable[Any],
        y: Iterable[Any],
        *,
        progress: Callable[[int, int], None] | None = None,
        **options: Any,
    ) -> dict[Any, "Stability"]:
        """Say for every label which words are selected again on halves of the texts.

        Parameters
        ----------
        texts, y
            As in `fit`.
        progress : callable, optional
            Called as ``progress(done, total)`` after every fit.
        **options
            Of `laconic.stability`: ``pairs``, ``errors`` (of each label), ``threshold``, ``words``, ``seed``.

        Examples
        --------
        >>> texts = ["broken lamp", "kind thanks", "thanks for the lamp", "hello"] * 5
        >>> labels = [["repair"], ["praise"], ["praise", "repair"], []] * 5
        >>> found = MultilabelTextClassifier().stability(texts, labels, pairs=2, threshold=1.0)
        >>> {label: one.stable for label, one in found.items()}
        {'praise': ('thanks',), 'repair': ('lamp',)}
        """
        from laconic.evaluate.resampling.stability_selection import stability

        documents, labels, classes = self._checked(texts, y)
        design, estimator = designed(self.text_classifier(), documents)
        has = label_matrix(labels, classes)
        found = {}
        for k, label in enumerate(classes):

            def advance(done: int, total: int, k: int = k) -> None:
                if progress is not None:
                    progress(k * total + done, len(classes) * total)

            try:
                found[label] = stability(
                    self._of_label(estimator, label, classes),
                    design.X,
                    has[:, k],
                    names=design.vocabulary.words,
                    progress=advance,
                    **options,
                )
            except ValueError as error:
                raise ValueError(f"The label {label!r}: {error}") from error
        return found

    def decision_function(self, texts: Iterable[Any]) -> NDArray[np.float64]:
        """Return the margin of every label, shape (n_texts, n_labels)."""
        check_is_fitted(self)
        bag = self.text_classifier().bag_of_words()
        X = bag.transform([getattr(one, "text", one) for one in texts], self.vocabulary_)
        return np.asarray(X @ self.coef_.T) + self.intercept_

    def predict_proba(self, texts: Iterable[Any]) -> NDArray[np.float64]:
        """Return the probability of every label, shape (n_texts, n_labels)."""
        return self.calibration_.probabilities(self.decision_function(texts))

    def predict(self, texts: Iterable[Any]) -> list[tuple[Any, ...]]:
        """Return the labels of each text, sorted; a text may have none."""
        names = self.classes_.tolist()
        return [
            tuple(names[k] for k in np.flatnonzero(row)) for row in self.calibration_.has(self.predict_proba(texts))
        ]

    def calibrate(
        self,
        texts: Iterable[Any],
        y: Iterable[Any],
        kind: str = "sigmoid",
        *,
        thresholds: Any = None,
        folds: int | None = None,
        seed: int = 0,
    ) -> Self:
        """Calibrate every label and choose its threshold; see `laconic.TextClassifier.calibrate`.

        Parameters
        ----------
        texts, y
            Labelled documents: held-out ones; or, with ``folds``, those of the fit.
        kind : {"sigmoid", "isotonic", "none"}
        thresholds : str, list of str or mapping, optional
            ``"precision=0.9"`` for every label, or ``{"law": "recall=0.8"}``; other labels keep 0.5.
        folds, seed : int
            Calibrate out of fold.
        """
        check_is_fitted(self)
        if kind not in KINDS:
            raise ValueError(f"There is no calibration {kind!r}; use {', '.join(map(repr, KINDS))}.")
        classes = self.classes_.tolist()
        goals = {} if thresholds is None else parse_goals(thresholds, classes)
        documents, labels = list(texts), checked_label_lists(y)
        has = label_matrix(labels, classes)
        if absent := [label for k, label in enumerate(classes) if not has[:, k].any()]:
            raise ValueError(f"None of the documents has the label {absent[0]!r}; calibration needs all labels.")
        if folds is None:
            margins = self.decision_function(documents)
        else:
            margins = self._out_of_fold(documents, labels, folds, seed)
        found = fit_calibration_of_several(kind, margins, has)
        Q = found.probabilities(margins)
        before = Calibration(several=True).probabilities(margins)
        made: dict[str, Any] = {"on": "out of fold" if folds else "held-out documents", "documents": len(labels)}
        made["before"] = {"error": binned(before.ravel(), has.ravel())[1]}
        if kind != "none":
            made["after"] = {"error": binned(Q.ravel(), has.ravel())[1]}
        chosen = {
            k: choose_threshold(label, Q[:, k], has[:, k], goals[label])
            for k, label in enumerate(classes)
            if label in goals
        }
        if chosen:
            made["thresholds"] = [one.to_dict() for one in chosen.values()]
            limits = tuple(chosen[k].value if k in chosen else None for k in range(len(classes)))
            found = replace(found, thresholds=limits)
        self.calibration_ = replace(found, made=made)
        return self

    def save(self, folder: str | os.PathLike, overwrite: bool = False, extra: Mapping[str, Any] | None = None) -> Path:
        """Save the model as one folder; `laconic.load` brings it back as a `MultilabelScorer`."""
        check_target(folder, overwrite)
        timings = {"seconds": self.timings_, "saved": datetime.now(UTC).isoformat(timespec="seconds")}
        made = {**self._made(), "extra": dict(extra or {})}
        return save_model(folder, self._extracted(), made, timings=timings, overwrite=overwrite)

    def to_scorer(self) -> MultilabelScorer:
        """Return the light scorer that `laconic.load` would return for this model."""
        model = self._extracted()
        return MultilabelScorer(model, {**model_facts(model), **self._made()})

    def _out_of_fold(self, documents: list[Any], labels: Sequence[Any], folds: int, seed: int) -> NDArray[np.float64]:
        margins = np.zeros((len(documents), len(self.classes_)))
        for fit, held_out in KFold(folds, shuffle=True, random_state=seed).split(documents):
            own = [labels[i] for i in fit]
            if absent := sorted(set(self.classes_.tolist()) - {one for row in own for one in row}, key=str):
                raise ValueError(
                    f"The label {absent[0]!r} is too rare for {folds} folds; use fewer folds, a dev set, or drop it."
                )
            part = clone(self).fit([documents[i] for i in fit], own)
            margins[held_out] = part.decision_function([documents[i] for i in held_out])
        return margins

    def text_classifier(self) -> TextClassifier:
        """Return an unfitted `TextClassifier` that reads texts as this one does, with the same groups and edits."""
        lasso = ElasticNetClassifier(l1=1.0, l2=0.0)
        text = TextClassifier() if self.text is None else clone(self.text)
        return text.set_params(estimator=lasso if self.estimator is None else self.estimator)

    def _made(self) -> dict[str, Any]:
        text = self.text_classifier()
        return {
            "min_df": plain(text.min_df),
            "max_df": plain(text.max_df),
            "estimator": estimator_facts(text.estimator),
            "settings": [[label, plain(dict(one))] for label, one in (self.settings or {}).items()],
            "certificate": {"relative_gap": self.dual_gap_ if np.isfinite(self.dual_gap_) else None},
            **({"edits": text.edits.to_json()} if text.edits else {}),
        }

    def _extracted(self) -> LinearText:
        check_is_fitted(self)
        text, vocabulary = self.text_classifier(), self.vocabulary_
        kept = np.flatnonzero(self.coef_.any(axis=0))
        words = tuple(vocabulary.words[j] for j in kept)
        if text.cells != "tfidf":
            vocabulary = Vocabulary(words, vocabulary.document_frequency[kept], vocabulary.n_documents)
        return LinearText(
            analyzer=text.bag_of_words().analyzer,
            cells=text.cells,
            classes=tuple(self.classes_.tolist()),
            probabilistic=True,
            words=words,
            weights=np.ascontiguousarray(self.coef_.T[kept]),
            intercept=self.intercept_,
            vocabulary=vocabulary,
            n_vocabulary=len(self.vocabulary_),
            groups=self._kept_groups(kept),
            calibration=self.calibration_,
            several=True,
        )

    def _kept_groups(self, kept: NDArray[np.intp]) -> KeptGroups | None:
        """Return the groups that any label selected, cut to the kept words."""
        groups = getattr(self.estimators_[0], "groups_", None)
        if groups is None or not hasattr(self.estimators_[0], "selected_groups_"):
            return None
        selected = {int(g) for one in self.estimators_ for g in one.selected_groups_.indices}
        return KeptGroups.cut(groups, sorted(selected), kept)

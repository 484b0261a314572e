"""`MultilabelTextClassifier`: texts with several labels each, one vocabulary and one model for all of them.

Every label has weights of its own, fitted against the texts without it (a logistic model each), over the words of one
shared vocabulary; P(label | text) = 1/(1 + exp(−margin)), and a text has each label that reaches its threshold, 0.5
without another. All labels go into one folder.
"""

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import KFold
from sklearn.utils.validation import check_is_fitted

from laconic.core.calibration import KINDS, Calibration
from laconic.core.folder import check_target
from laconic.data.labels import clean_label, unify_labels
from laconic.evaluate.calibrating import fit_calibration_of_several
from laconic.evaluate.reliable import binned
from laconic.evaluate.several import label_matrix
from laconic.evaluate.thresholds import choose_threshold, parse_goals
from laconic.linear import ElasticNetClassifier
from laconic.models.joint_fit import designed
from laconic.models.linear_text import LinearText
from laconic.models.scorer import MultilabelScorer
from laconic.models.stored import model_facts, save_model
from laconic.models.stored_estimator import estimator_facts, plain
from laconic.models.text_classifier import TextClassifier
from laconic.text import Vocabulary


class MultilabelTextClassifier(BaseEstimator):
    """Give texts any number of labels by linear models over their words.

    Parameters
    ----------
    estimator : classifier of `laconic.linear`, optional
        Fitted once per label; None is ``ElasticNetClassifier(l1=1.0, l2=0.0)``, a lasso.
    settings : mapping, optional
        Parameters of the estimator for single labels, such as ``{"law": {"l1": 2.0}}``.
    text : TextClassifier, optional
        How texts become features: its analyzer, tokenizer, n-grams, cells, document frequencies and ``strip_mail``.

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

    def fit(self, texts: Iterable[Any], y: Iterable[Any]) -> Self:
        """Learn the vocabulary and the weights of every label.

        Parameters
        ----------
        texts : list of str, Corpus or documents
        y : list of lists of labels
            One list for each text; it may be empty.
        """
        documents, labels = list(texts), checked_label_lists(y)
        if len(documents) != len(labels):
            raise ValueError(f"There are {len(documents)} texts but {len(labels)} lists of labels; give one for each.")
        classes = _classes(labels)
        wanted = {str(label) for label in classes}
        if strange := [label for label in self.settings or {} if str(label) not in wanted]:
            raise ValueError(f"There are settings for {strange[0]!r}, which is no label of any text.")
        start = time.perf_counter()
        design, estimator = designed(self._text(), documents)
        middle = time.perf_counter()
        has = label_matrix(labels, classes)
        settings = {str(label): one for label, one in (self.settings or {}).items()}
        self.estimators_ = [
            clone(estimator).set_params(**settings.get(str(label), {})).fit(design.X, has[:, k])
            for k, label in enumerate(classes)
        ]
        self.classes_ = np.array(classes)
        self.vocabulary_ = design.vocabulary
        self.coef_ = np.vstack([one.coef_ for one in self.estimators_])
        self.intercept_ = np.concatenate([one.intercept_ for one in self.estimators_])
        self.n_words_ = int(np.count_nonzero(self.coef_.any(axis=0)))
        self.calibration_ = Calibration(several=True)
        self.timings_ = {"design": middle - start, "fit": time.perf_counter() - middle}
        return self

    def decision_function(self, texts: Iterable[Any]) -> NDArray[np.float64]:
        """Return the margin of every label, shape (n_texts, n_labels)."""
        check_is_fitted(self)
        bag = self._text().bag_of_words()
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

    def _text(self) -> TextClassifier:
        lasso = ElasticNetClassifier(l1=1.0, l2=0.0)
        text = TextClassifier() if self.text is None else clone(self.text)
        return text.set_params(estimator=lasso if self.estimator is None else self.estimator, groups=None)

    def _made(self) -> dict[str, Any]:
        text = self._text()
        gaps = [float(one.dual_gap_) for one in self.estimators_ if hasattr(one, "dual_gap_")]
        worst = max(gaps, default=float("inf"))
        return {
            "min_df": plain(text.min_df),
            "max_df": plain(text.max_df),
            "estimator": estimator_facts(text.estimator),
            "settings": [[label, plain(dict(one))] for label, one in (self.settings or {}).items()],
            "certificate": {"relative_gap": worst if np.isfinite(worst) else None},
        }

    def _extracted(self) -> LinearText:
        check_is_fitted(self)
        text, vocabulary = self._text(), self.vocabulary_
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
            calibration=self.calibration_,
            several=True,
        )


def checked_label_lists(y: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return lists of labels as tuples of one type; a single label is a list of one.

    Examples
    --------
    >>> checked_label_lists([["b", "a"], "c", []])
    [('b', 'a'), ('c',), ()]
    """
    if isinstance(y, str | bytes | Mapping) or not isinstance(y, Iterable):
        raise ValueError(f"y must be a list with one list of labels for each text, but got {type(y).__name__}.")
    cleaned = []
    for position, given in enumerate(y):
        try:
            label = clean_label(given)
        except ValueError as error:
            raise ValueError(f"The labels at position {position} (counting from 0) cannot be used: {error}.") from None
        if label is None:
            raise ValueError(f"The labels at position {position} (counting from 0) are missing; give an empty list.")
        cleaned.append(label if isinstance(label, tuple) else (label,))
    return [one if isinstance(one, tuple) else (one,) for one in unify_labels(cleaned)]


def _classes(labels: Sequence[tuple[Any, ...]]) -> list[Any]:
    classes = sorted({label for row in labels for label in row})
    if len(classes) < 2:
        raise ValueError(f"The texts have {len(classes)} different labels; several labels need at least two.")
    everywhere = [label for label in classes if all(label in row for row in labels)]
    if everywhere:
        raise ValueError(
            f"All {len(labels)} texts have the label {everywhere[0]!r}; there is nothing to learn about it."
        )
    return classes

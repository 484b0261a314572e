"""`MultilabelTextClassifier`: texts with several labels each, one vocabulary and one model for all of them.

Every label has weights of its own, fitted against the texts without it (a logistic model each), over the words of one
shared vocabulary; P(label | text) = 1/(1 + exp(−margin)), and a text has each label that reaches its threshold, 0.5
without another. All labels go into one folder.

`OnePerLabel`: a linear model of every label over the columns of one matrix, fitted against the rows without it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from scipy.sparse import csc_array, issparse
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from laconic.core.calibration import Calibration
from laconic.core.groups import Groups
from laconic.core.selected_groups import SelectedGroups
from laconic.core.solution import Solution
from laconic.evaluate.resampling.stability_selection import Stability, stability
from laconic.linear import ElasticNetClassifier
from laconic.linear.pursuit_base import Pursuer
from laconic.models.folder.estimator import encoded, estimator_facts, finite
from laconic.models.links import INDEPENDENT
from laconic.models.search.shared_fit import designed, fit_on_design, fit_together
from laconic.models.text_classifier import TextClassifier
from laconic.models.text_model import TextModel, warn_if_empty
from laconic.solvers.dispatch import one_blas_thread
from laconic.text import Design


@dataclass(eq=False, repr=False)
class OnePerLabel(BaseEstimator):
    """One clone of an estimator for each label; ``settings`` are parameters of single labels, by their names."""

    estimator: Any
    classes: Sequence[Any]
    settings: Mapping[Any, Mapping[str, Any]] | None = None

    @property
    def groups(self) -> Any:
        """The groups that every label is fitted with."""
        return getattr(self.estimator, "groups", None)

    def fit(self, X: Any, y: NDArray[np.bool_], start: Solution | None = None) -> Self:
        """Fit every label to its column of y, from its own column of the weights of ``start``."""
        columns = csc_array(X) if issparse(X) else X

        def fitted(k: int) -> Any:
            own = self.of_label(self.classes[k])
            if start is None or isinstance(own, Pursuer):
                return own.fit(columns, y[:, k])
            own_start = Solution(start.weights[:, [k]], start.intercept[[k]], np.inf, -np.inf)
            return own.fit(columns, y[:, k], start=own_start)

        with one_blas_thread(), ThreadPoolExecutor(effective_n_jobs(-1)) as pool:
            self.estimators_ = list(pool.map(fitted, range(len(self.classes))))
        self.classes_ = np.array(self.classes)
        self.coef_ = np.vstack([own.coef_ for own in self.estimators_])
        self.intercept_ = np.concatenate([own.intercept_ for own in self.estimators_])
        self.dual_gap_ = max(float(getattr(own, "dual_gap_", np.inf)) for own in self.estimators_)
        self._select_groups()
        return self

    def of_label(self, label: Any) -> Any:
        """Return the unfitted estimator of one label."""
        settings = {str(name): given for name, given in (self.settings or {}).items()}
        own = clone(self.estimator).set_params(**settings.get(str(label), {}))
        edits = getattr(own, "edits", None)
        return own.set_params(edits=edits.of_label(label, self.classes)) if edits else own

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the margin of every label, shape (n_rows, n_labels)."""
        return np.asarray(X @ self.coef_.T) + self.intercept_

    def _select_groups(self) -> None:
        """Note the groups that any label selected, where the estimator has groups."""
        selected = [own.selected_groups_ for own in self.estimators_ if hasattr(own, "selected_groups_")]
        groups = getattr(self.estimators_[0], "groups_", None)
        if groups is None or not selected:
            return
        squares = np.zeros(len(groups))
        for own in selected:
            squares[own.indices] += own.norms**2
        self.groups_, self.selected_groups_ = groups, SelectedGroups.of(groups, np.sqrt(squares))


class MultilabelTextClassifier(TextModel):
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

    link = INDEPENDENT
    calibration_: Calibration

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
        fit_together([self], texts, y, start=start)
        warn_if_empty(self)
        return self

    def fit_design(self, design: Design, y: Iterable[Any], groups: Groups | None = None, start: Any = None) -> Self:
        """Learn the weights of every label on a matrix that was made before, of the same text parameters; see `fit`.

        `groups` are over the words of the design.
        """
        fit_on_design(self, design, y, groups, start)
        return self

    @property
    def estimators_(self) -> list[Any]:
        """The fitted estimator of each label."""
        return self.estimator_.estimators_

    @property
    def coef_(self) -> NDArray[np.float64]:
        """The weights, shape (n_labels, n_words)."""
        return self.estimator_.coef_

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """The intercept of each label."""
        return self.estimator_.intercept_

    @property
    def dual_gap_(self) -> float:
        """The largest relative duality gap of all labels."""
        check_is_fitted(self)
        return self.estimator_.dual_gap_

    def stability(
        self,
        texts: Iterable[Any],
        y: Iterable[Any],
        *,
        progress: Callable[[int, int], None] | None = None,
        **options: Any,
    ) -> dict[Any, Stability]:
        """Say for every label which words are selected again on random halves of the texts.

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
        documents = list(texts)
        labels = self.link.checked(y, len(documents))
        classes = self.link.classes(labels)
        design, estimator = designed(self._reader(), documents)
        every, has = self._over(estimator, classes), self.link.has(labels, classes)
        stable = {}
        for k, label in enumerate(classes):

            def advance(done: int, total: int, k: int = k) -> None:
                if progress is not None:
                    progress(k * total + done, len(classes) * total)

            given: dict[str, Any] = {"names": design.vocabulary.words, "progress": advance, **options}
            try:
                stable[label] = stability(every.of_label(label), design.X, has[:, k], **given)
            except ValueError as error:
                raise ValueError(f"The label {label!r}: {error}") from error
        return stable

    def predict(self, texts: Iterable[Any]) -> list[tuple[Any, ...]]:
        """Return the labels of each text, sorted; a text may have none."""
        names, has = self.classes_.tolist(), self.calibration_.has(self.predict_proba(texts))
        return [tuple(names[k] for k in np.flatnonzero(row)) for row in has]

    def text_classifier(self) -> TextClassifier:
        """Return an unfitted `TextClassifier` that reads texts as this one does, with the same groups and edits."""
        lasso = ElasticNetClassifier(l1=1.0, l2=0.0)
        text = TextClassifier() if self.text is None else clone(self.text)
        return text.set_params(estimator=lasso if self.estimator is None else self.estimator)

    _reader = text_classifier

    def _over(self, estimator: Any, classes: list[Any]) -> OnePerLabel:
        self.link.check_edits(self._reader().edits, classes)
        names = {str(label) for label in classes}
        if strange := [label for label in self.settings or {} if str(label) not in names]:
            raise ValueError(f"There are settings for {strange[0]!r}, which is no label of any text.")
        return OnePerLabel(estimator, classes, self.settings)

    def _estimator_facts(self) -> dict[str, Any]:
        return {
            "estimator": estimator_facts(self.text_classifier().estimator),
            "settings": [[label, encoded(dict(settings))] for label, settings in (self.settings or {}).items()],
            "certificate": {"relative_gap": finite(self.dual_gap_)},
        }

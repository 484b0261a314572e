"""`TextClassifier`: raw strings in, labels out; a bag of words and a linear estimator as one scikit-learn estimator."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from laconic.core.edits import Edits
from laconic.core.folder import check_target
from laconic.evaluate.tuning.grid_fits import own_copies
from laconic.models.folder.estimator import certificate_facts, estimator_facts, plain
from laconic.models.folder.extract import calibrates, extract
from laconic.models.folder.model import model_facts, save_model, warn_of_function
from laconic.models.inputs import checked_documents, checked_labels
from laconic.models.scoring.decisions import most_likely, named, probabilities
from laconic.models.scoring.says_why import SaysWhy
from laconic.models.scoring.scorer import Scorer
from laconic.models.search.shared_fit import default_estimator, designed, fit_together
from laconic.text import Analyzer, BagOfWords, CountedTexts, Tokenizer

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

    from laconic.core.calibration import Calibration
    from laconic.core.selected_groups import SelectedGroups
    from laconic.evaluate.resampling.stability_selection import Stability


def _estimator_predicts_probabilities(self: "TextClassifier") -> bool:
    estimator = getattr(self, "estimator_", self.estimator)
    if calibrates(getattr(self, "calibration_", None)):
        return True
    if estimator is not None:
        estimator.predict_proba  # noqa: B018  raises AttributeError with a sentence of its own
    return True


class TextClassifier(SaysWhy, ClassifierMixin, BaseEstimator):
    """Classify texts by a linear model over their words.

    Parameters
    ----------
    estimator : scikit-learn classifier, optional
        Fitted on the matrix of words; None is ``ElasticNetClassifier()``, a ridge, or with groups
        ``GroupLassoClassifier(group=0.01, l1=0.1)``. To save, explain or export a model it must be linear (``coef_``,
        ``intercept_``, ``classes_``).
    groups : builder, Groups, mapping or list of these, optional
        Groups of words for the estimator's parameter ``groups``: a builder such as `laconic.groups.SentenceGroups` or
        `laconic.groups.BrownGroups`, or a sum of several, which is called on the training texts (in cross-validation on
        those of each fold); finished `laconic.Groups` of the same vocabulary; or ``{name: [word, …]}``. Of a list the
        families are put together.
    analyzer : {"word", "char", "char_wb", "tokens"}, default="word"
        What a feature is; with "tokens", texts are lists of strings.
    tokenizer : {"default", "wnut2018"}, Tokenizer or callable, default="default"
        What a word is. A function ``text -> list of str`` is stored only by its name.
    ngrams : (int, int), default=(1, 1)
        Shortest and longest n-gram.
    cells : {"binary", "count", "tfidf"}, default="binary"
        What a cell of the matrix holds.
    min_df, max_df : int or float, default=1 and 1.0
        Keep words in at least / at most so many documents: an int is a number of documents, a float a share of them.
    strip_mail : bool, default=False
        Blank out mail headers, quotations and signatures first.
    edits : Edits, optional
        Words to ban or keep, signs and factors, by their words; see `laconic.Edits`.

    Attributes
    ----------
    classes_ : ndarray
        Labels, sorted.
    estimator_ : classifier
        The fitted estimator.
    vocabulary_ : laconic.text.Vocabulary
        The words of the training texts, in the order of the estimator's features.
    n_vocabulary_ : int
        Their number; of a model that was loaded, the number when it was trained.
    n_words_ : int
        Words with any nonzero weight.
    selected_groups_ : laconic.core.selected_groups.SelectedGroups
        The groups that the estimator kept, strongest first; only with groups.
    path_ : laconic.models.search.model_path.ModelPath
        Smaller and larger models beside this one; only of a model that `laconic.models.search.fit_text.fit_text` made.
    selection_frequency_ : ndarray
        How often each word was chosen again on halves of the texts; the same.
    timings_ : dict
        Seconds spent on the matrix and the groups ("design") and on the fit ("fit").
    reference_ : dict
        Of the training texts: shares of the classes ("shares"), of the different words of a text that have a weight
        ("known") and of texts without any such word ("empty"); for ``laconic check``.
    calibration_ : laconic.core.calibration.Calibration or None
        How margins become probabilities and labels, after `calibrate`; a fit forgets it.

    Examples
    --------
    >>> texts = ["broken lamp", "broken bench", "kind thanks", "thanks again"]
    >>> model = TextClassifier().fit(texts, ["repair", "repair", "praise", "praise"])
    >>> model.predict(["a broken door", "thanks"]).tolist()
    ['repair', 'praise']
    >>> why = model.explain("So broken!")
    >>> why.label, [(word.word, word.spans) for word in why.words]
    ('repair', [('broken', ((3, 9),))])
    """

    calibration_: "Calibration | None"

    def __init__(
        self,
        estimator: Any = None,
        groups: Any = None,
        *,
        analyzer: str = "word",
        tokenizer: str | Tokenizer | Callable[[str], Sequence[str]] = "default",
        ngrams: tuple[int, int] = (1, 1),
        cells: str = "binary",
        min_df: int | float = 1,
        max_df: int | float = 1.0,
        strip_mail: bool = False,
        edits: Edits | None = None,
    ) -> None:
        self.estimator = estimator
        self.groups = groups
        self.analyzer = analyzer
        self.tokenizer = tokenizer
        self.ngrams = ngrams
        self.cells = cells
        self.min_df = min_df
        self.max_df = max_df
        self.strip_mail = strip_mail
        self.edits = edits

    def fit(
        self, texts: Iterable[Any], y: ArrayLike, sample_weight: ArrayLike | None = None, start: Any = None
    ) -> Self:
        """Learn the vocabulary and the weights.

        Parameters
        ----------
        texts : list of str
            Lists of str with ``analyzer="tokens"``. A `Corpus` or documents will do as well: their ids then name the
            groups, and sentences that they bring along are taken.
        y : list of str, int or bool
            One label for each text.
        sample_weight : array of shape (n_texts,), optional
        start : fitted TextClassifier or Scorer, optional
            An older model with the same labels, whose weights are the start, word by word; a good start saves time and
            changes nothing else. Pursuits make no use of it.

        Returns
        -------
        self
        """
        fit_together([self], texts, y, sample_weight, start)
        return self

    def fit_grid(
        self,
        texts: Iterable[Any],
        y: ArrayLike,
        grid: Sequence[Mapping[str, Any]],
        sample_weight: ArrayLike | None = None,
    ) -> list[Self]:
        """Fit one clone for each setting; settings with the same text parameters share one matrix.

        Parameters
        ----------
        texts, y, sample_weight
            As in `fit`.
        grid : sequence of dict
            Parameters to set, such as ``[{"estimator__l1": 10.0}, {"estimator__l1": 1.0, "cells": "count"}]``.

        Returns
        -------
        list of TextClassifier
            In the order of the grid.
        """
        points = [clone(self) for _ in grid]
        for point, parameters in zip(points, grid, strict=True):
            if point.estimator is None:
                point.estimator = default_estimator(parameters.get("groups", point.groups))
            point.set_params(**own_copies(parameters))
        fit_together(points, texts, y, sample_weight)
        return points

    def predict(self, texts: Iterable[Any]) -> NDArray:
        """Return the label of each text; a text without known words gets the one the intercept favours.

        Where every class has a threshold (see `calibrate`), a text that reaches none of them has the label None.
        """
        X = self._matrix(texts)
        if X.shape[0] == 0:
            return self.classes_[:0]
        if self.calibration_ is not None:
            return named(self.classes_, most_likely(self.estimator_.decision_function(X), self.calibration_))
        return self.estimator_.predict(X)

    def decision_function(self, texts: Iterable[Any]) -> NDArray[np.float64]:
        """Return margins: shape (n_texts,) for two classes, in favour of ``classes_[1]``, else (n_texts, n_classes)."""
        X = self._matrix(texts)
        if X.shape[0] == 0:  # scikit-learn refuses an empty matrix
            return np.zeros(0 if len(self.classes_) == 2 else (0, len(self.classes_)))
        return self.estimator_.decision_function(X)

    @available_if(_estimator_predicts_probabilities)
    def predict_proba(self, texts: Iterable[Any]) -> NDArray[np.float64]:
        """Return the probabilities of the classes, shape (n_texts, n_classes), in the order of ``classes_``."""
        X = self._matrix(texts)
        if X.shape[0] == 0:
            return np.zeros((0, len(self.classes_)))
        if self.calibration_ is not None:
            return probabilities(self.estimator_.decision_function(X), self.calibration_)
        return self.estimator_.predict_proba(X)

    def calibrate(
        self,
        texts: Iterable[Any],
        y: ArrayLike,
        kind: str = "sigmoid",
        *,
        thresholds: Any = None,
        prior: Mapping[Any, float] | None = None,
        folds: int | None = None,
        seed: int = 0,
    ) -> Self:
        """Make probabilities mean what they say, and choose thresholds, on documents that the model has not seen.

        Parameters
        ----------
        texts, y
            Labelled documents: held-out ones; or, with ``folds``, those of the fit, whose margins then come from clones
            that are fitted without them.
        kind : {"sigmoid", "isotonic", "none"}
            A logistic curve of the margins, which needs few documents; any increasing curve, which needs many (about
            1,000); or thresholds alone.
        thresholds : str, list of str or mapping, optional
            ``{"spam": "precision=0.95"}``, also ``recall=`` and ``cost=``; a text gets such a label exactly if its
            probability reaches the threshold. ``"precision=0.95"`` is for every class: a text that reaches none gets
            the label None.
        prior : mapping, optional
            Shares of classes where the model will be used, such as ``{"spam": 0.01}``; classes that are not named
            divide the rest as they do here.
        folds : int, optional
            Calibrate out of fold.
        seed : int
            Of the folds.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a label is unknown, or no threshold reaches a goal; the message says what is possible.

        Examples
        --------
        >>> texts = ["broken lamp", "kind thanks", "a letter", "a letter"] * 20
        >>> y = ["repair", "praise", "repair", "praise"] * 20
        >>> model = TextClassifier().fit(texts, y).calibrate(texts, y, folds=5, thresholds="precision=0.9")
        >>> model.predict(["a broken lamp", "another letter"]).tolist()
        ['repair', None]
        """
        from laconic.models.scoring.calibration import calibrated

        check_is_fitted(self)
        self.calibration_ = calibrated(self, texts, y, kind, thresholds=thresholds, prior=prior, folds=folds, seed=seed)
        return self

    def stability(self, texts: Iterable[Any], y: ArrayLike, **options: Any) -> "Stability":
        """Say which words this classifier keeps selecting when it is fitted to halves of the texts.

        Parameters
        ----------
        texts, y
            As in `fit`; the vocabulary and the groups are those of all texts.
        **options
            Of `laconic.stability`: ``pairs``, ``errors``, ``threshold``, ``words``, ``seed``, ``progress``.

        Returns
        -------
        laconic.evaluate.Stability

        Examples
        --------
        >>> from laconic import ElasticNetClassifier
        >>> texts = ["broken lamp", "old lamp", "kind thanks", "kind lamp"] * 10
        >>> y = ["repair", "praise", "praise", "praise"] * 10
        >>> TextClassifier(ElasticNetClassifier(l1=3.0, l2=0.0)).stability(texts, y, pairs=5, threshold=0.9).stable
        ('broken',)
        """
        from laconic.evaluate.resampling.stability_selection import stability

        documents = list(texts)
        labels = checked_labels(y, len(documents))
        design, estimator = designed(self, documents)
        return stability(estimator, design.X, labels, names=design.vocabulary.words, **options)

    @property
    def selected_groups_(self) -> "SelectedGroups":
        """The groups that the estimator kept."""
        check_is_fitted(self)
        return self.estimator_.selected_groups_

    def save(self, folder: str | os.PathLike, overwrite: bool = False, extra: Mapping[str, Any] | None = None) -> Path:
        """Save the model as a folder of JSON and ``.npy`` files; `laconic.load` brings it back.

        Only words with a nonzero weight are stored, and never a training text. With ``cells="tfidf"`` the whole
        vocabulary is stored too, because the length of a row depends on all words. Of groups those that were selected
        are stored, by their names and cut to the words with a weight. A tokenizer function is stored only
        by its name, with a warning: it must be passed to `laconic.load` again.

        Parameters
        ----------
        folder : path
            Must not exist.
        overwrite : bool, default=False
            Replace a model that is there; it stays until the new one is complete.
        extra : mapping, optional
            Whatever should be known about how the model was made, of types that JSON knows. The same model with the
            same `extra` gives the same bytes.

        Returns
        -------
        Path
        """
        check_target(folder, overwrite)
        check_is_fitted(self)
        made = {**self._made(), "extra": dict(extra or {})}
        timings = {"seconds": self.timings_, "saved": datetime.now(UTC).isoformat(timespec="seconds")}
        model = extract(self)
        saved = save_model(folder, model, made, timings=timings, overwrite=overwrite)
        warn_of_function(model.analyzer)
        return saved

    def to_scorer(self) -> Scorer:
        """Return the light scorer that `laconic.load` would return for this model."""
        check_is_fitted(self)
        model = extract(self)
        return Scorer(model, {**model_facts(model), **self._made()})

    def to_sklearn(self) -> "Pipeline":
        """Return an ordinary scikit-learn pipeline of a vectorizer and a linear classifier with the same predictions.

        It holds the kept words only (for tf-idf the whole vocabulary) and can be pickled if the tokenizer can.
        """
        from laconic.models.export.sklearn_pipeline import sklearn_pipeline

        check_is_fitted(self)
        return sklearn_pipeline(extract(self))

    def bag_of_words(self) -> BagOfWords:
        """Return how texts become a matrix by this classifier's parameters; wrong parameters are refused here.

        Examples
        --------
        >>> TextClassifier(cells="count").bag_of_words().cells
        'count'
        """
        tokenizer: Any = self.tokenizer
        if isinstance(tokenizer, str):
            tokenizer = Tokenizer.preset(tokenizer)
            if self.analyzer == "tokens" and self.tokenizer == "default":
                tokenizer = None
        analyzer = Analyzer(tokenizer, self.analyzer, self.ngrams, self.strip_mail)
        return BagOfWords(analyzer, self.cells, self.min_df, self.max_df)

    def _made(self) -> dict[str, Any]:
        """Return how the model was made, for its ``model.json``."""
        return {
            "min_df": plain(self.min_df),
            "max_df": plain(self.max_df),
            "estimator": estimator_facts(self.estimator_),
            "certificate": certificate_facts(self.estimator_),
            "reference": self.reference_,
            **({"edits": self.edits.to_json()} if self.edits else {}),
        }

    def _matrix(self, texts: Iterable[Any]) -> Any:
        check_is_fitted(self)
        bag = self.bag_of_words()
        counted = isinstance(texts, CountedTexts) and texts.analyzer == bag.analyzer
        return bag.transform(texts if counted else checked_documents(texts, self.analyzer), self.vocabulary_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

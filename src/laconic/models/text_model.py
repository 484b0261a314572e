"""`TextModel`: what classifiers of texts share, whether a text has one label or several."""

import os
import warnings
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from laconic.core.folder import check_target
from laconic.models.folder.estimator import encoded
from laconic.models.folder.model import model_facts, save_model, warn_of_function
from laconic.models.inputs import checked_documents
from laconic.models.links import Link
from laconic.models.scoring.calibration import calibrated
from laconic.models.scoring.decisions import probabilities
from laconic.models.scoring.linear_text import LinearText, calibrates
from laconic.models.scoring.scorer import MultilabelScorer, Scorer
from laconic.text import CountedTexts

if TYPE_CHECKING:
    from laconic.core.calibration import Calibration
    from laconic.core.summaries.explanation import Explanation, Label, SentencePart
    from laconic.models.text_classifier import TextClassifier
    from laconic.text import Vocabulary


def _has_probabilities(self: "TextModel") -> bool:
    estimator = getattr(self, "estimator_", self.estimator)
    if estimator is None or self.link.several or calibrates(getattr(self, "calibration_", None)):
        return True
    return callable(estimator.predict_proba)  # where there is none, its AttributeError says why


def warn_if_empty(model: "TextModel") -> None:
    """Warn of a model without words, for the caller of ``fit``."""
    if getattr(model, "n_words_", None) == 0:  # models that are not linear have none
        remark = "The model has no words, so that every text gets the same answer; make its penalty weaker."
        warnings.warn(remark, stacklevel=3)


class TextModel(BaseEstimator):
    """A vocabulary with a linear estimator over its words; subclasses say how texts are read and labels modelled."""

    link: ClassVar[Link]
    estimator: Any
    estimator_: Any
    classes_: NDArray[Any]
    vocabulary_: "Vocabulary"
    n_vocabulary_: int
    n_words_: int
    calibration_: "Calibration | None"
    reference_: dict[str, Any] | None
    timings_: dict[str, float]

    def _reader(self) -> "TextClassifier":
        raise NotImplementedError

    def _over(self, estimator: Any, classes: list[Any]) -> Any:
        """Return the unfitted estimator of these classes; parameters of others are refused."""
        raise NotImplementedError

    def _estimator_facts(self) -> dict[str, Any]:
        """Return what ``model.json`` says about the estimator and its fit."""
        raise NotImplementedError

    def decision_function(self, texts: Iterable[Any]) -> NDArray[np.float64]:
        """Return margins, shape (n_texts, n_classes).

        Of two classes of which a text has one there is a single margin, in favour of ``classes_[1]``: shape (n_texts,).
        """
        X = self._matrix(texts)
        if X.shape[0] == 0:  # scikit-learn refuses an empty matrix
            single = len(self.classes_) == 2 and not self.link.several
            return np.zeros(0 if single else (0, len(self.classes_)))
        return self.estimator_.decision_function(X)

    @available_if(_has_probabilities)
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
        y: Any,
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
            the label None. Where a text may have several labels, those without a goal keep the threshold 0.5.
        prior : mapping, optional
            Shares of classes where the model will be used, such as ``{"spam": 0.01}``; classes that are not named
            divide the rest as they do here. Not where a text may have several labels.
        folds : int, optional
            Calibrate out of fold.
        seed : int
            Random seed for the folds.

        Examples
        --------
        >>> from laconic.models import TextClassifier
        >>> texts = ["broken lamp", "kind thanks", "a letter", "a letter"] * 20
        >>> y = ["repair", "praise", "repair", "praise"] * 20
        >>> model = TextClassifier().fit(texts, y).calibrate(texts, y, folds=5, thresholds="precision=0.9")
        >>> model.predict(["a broken lamp", "another letter"]).tolist()
        ['repair', None]
        """
        check_is_fitted(self)
        self.calibration_ = calibrated(self, texts, y, kind, thresholds=thresholds, prior=prior, folds=folds, seed=seed)
        return self

    def explain(self, text: Any) -> "Explanation":
        """Return the label of one text and what each known word did for it, with its places in the text."""
        return self.to_scorer().explain(text)

    def sentences(self, text: Any, label: "Label | None" = None) -> "tuple[SentencePart, ...]":
        """Return what the model sees in each sentence of one text; see `Scorer.sentences`."""
        return self.to_scorer().sentences(text, label)

    def selected_sentences(self, text: Any, label: "Label | None" = None) -> "tuple[SentencePart, ...]":
        """Return the sentences of one text that hold a word with a weight; see `Scorer.selected_sentences`."""
        return self.to_scorer().selected_sentences(text, label)

    def influence(self, text: Any, label: "Label | None" = None) -> NDArray[np.float64]:
        """Return the influence of each sentence of one text on a label; see `Scorer.influence`."""
        return self.to_scorer().influence(text, label)

    def save(self, folder: str | os.PathLike, overwrite: bool = False, extra: Mapping[str, Any] | None = None) -> Path:
        """Save the model as a folder of JSON and ``.npy`` files; `laconic.load` brings it back.

        Only words with a nonzero weight are stored, and never a training text. With ``cells="tfidf"`` the whole
        vocabulary is stored too, because the length of a row depends on all words. Of the groups, those that were
        selected are stored, by their names and cut to the words with a weight. A tokenizer function is stored only by
        its name, with a warning: pass it to `laconic.load` again.

        Parameters
        ----------
        folder : path
            Must not exist, unless ``overwrite``.
        overwrite : bool, default=False
            Overwrite an existing model; it stays until the new one is complete.
        extra : mapping, optional
            Whatever should be known about how the model was made, of types that JSON knows. The same model with the
            same `extra` gives the same bytes.
        """
        check_target(folder, overwrite)
        check_is_fitted(self)
        made = {**self._made(), "extra": dict(extra or {})}
        timings = {"seconds": self.timings_, "saved": datetime.now(UTC).isoformat(timespec="seconds")}
        model = LinearText.of(self)
        saved = save_model(folder, model, made, timings=timings, overwrite=overwrite)
        warn_of_function(model.analyzer)
        return saved

    def to_scorer(self) -> Scorer:
        """Return the light scorer that `laconic.load` would return for this model."""
        check_is_fitted(self)
        model = LinearText.of(self)
        kind = MultilabelScorer if model.several else Scorer
        return kind(model, {**model_facts(model), **self._made()})

    def _made(self) -> dict[str, Any]:
        """Return how the model was made, for its ``model.json``."""
        reader = self._reader()
        edits = {"edits": reader.edits.to_json()} if reader.edits else {}
        return {"min_df": encoded(reader.min_df), "max_df": encoded(reader.max_df), **self._estimator_facts(), **edits}

    def _matrix(self, texts: Iterable[Any]) -> Any:
        check_is_fitted(self)
        reader = self._reader()
        documents = texts if isinstance(texts, CountedTexts) else checked_documents(texts, reader.analyzer)
        return reader.bag_of_words().transform(documents, self.vocabulary_)

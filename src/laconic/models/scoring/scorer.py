"""`Scorer`: a saved model, ready to predict, with nothing but numpy and the standard library.

It looks only at the words the model kept, one document at a time, so that a result never depends on the other documents
and an endless stream of texts needs no more memory than one of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.folder import folder_kind
from laconic.models.folder.model import load_model
from laconic.models.inputs import checked_documents
from laconic.models.scoring.decisions import decide, margin_function, most_likely, named, probabilities
from laconic.models.scoring.linear_text import LinearText
from laconic.text.analyzer import fast_features

if TYPE_CHECKING:
    from laconic.core.summaries.explanation import Explanation, Label, SentencePart
    from laconic.models.text_classifier import TextClassifier

TAGGER = "sequence tagger"
PARSER = "dependency parser"


def load(folder: str | os.PathLike, tokenizer: Callable[[str], list[str]] | None = None) -> Any:
    """Load a saved model. Nothing stored in the folder is run.

    Parameters
    ----------
    folder : path
        Made by `TextClassifier.save`, `SequenceTagger.save`, `DependencyParser.save`, ``laconic fit``,
        ``laconic tag fit`` or ``laconic parse fit``.
    tokenizer : callable, optional
        The tokenizer function the model was made with; needed exactly if it was made with one.

    Raises
    ------
    FileNotFoundError
        If there is no such folder, or it has no ``model.json``.
    ValueError
        If the folder is damaged, was edited, is of a newer format, or does not fit together.

    Examples
    --------
    >>> import tempfile
    >>> from laconic.models import TextClassifier
    >>> model = TextClassifier().fit(["broken lamp", "kind thanks"], ["repair", "praise"])
    >>> with tempfile.TemporaryDirectory() as place:
    ...     scorer = load(model.save(f"{place}/letters"))
    >>> scorer.predict(["the lamp", "thanks"]).tolist()
    ['repair', 'praise']
    """
    kind = folder_kind(folder)
    if kind == PARSER:
        from laconic.structured.folder import load_structured
        from laconic.structured.parsing.scorer import ArcModel, ParseScorer

        return ParseScorer(*load_structured(folder, ArcModel))
    if kind == TAGGER:
        from laconic.structured.folder import load_structured
        from laconic.structured.tagging.scorer import ChainModel, TagScorer

        return TagScorer(*load_structured(folder, ChainModel))
    model, info = load_model(folder, tokenizer)
    return MultilabelScorer(model, info) if model.several else Scorer(model, info)


class Scorer:
    """A linear text model that predicts and explains.

    Parameters
    ----------
    model : LinearText
        The fitted model.
    info : mapping
        What is known about it: the content of ``model.json``.

    Attributes
    ----------
    classes_ : ndarray
        Labels, sorted.
    info : dict

    Examples
    --------
    >>> from laconic.models import TextClassifier
    >>> scorer = TextClassifier().fit(["broken lamp", "kind thanks"], ["repair", "praise"]).to_scorer()
    >>> list(scorer.words)
    ['broken', 'kind', 'lamp', 'thanks']
    >>> [label for label, _ in scorer.iter_predict(iter(["a lamp", "kind words"]))]
    ['repair', 'praise']
    """

    def __init__(self, model: LinearText, info: Mapping[str, Any]) -> None:
        self.model = model
        self.info = dict(info)
        self.classes_ = np.array(model.classes)
        self._features = fast_features(model.analyzer)
        self._margins = margin_function(model)

    def __repr__(self) -> str:
        return f"<Scorer of {len(self.model.words)} words for the classes {', '.join(map(repr, self.model.classes))}>"

    def decision_function(self, texts: Iterable[Any]) -> NDArray[np.float64]:
        """Return margins: shape (n,) for two classes, in favour of ``classes_[1]``, else (n, n_classes)."""
        features, margins = self._features, self._margins
        documents = checked_documents(texts, self.model.analyzer.kind)
        found = np.array([margins(features(document)) for document in documents], dtype=np.float64)
        # without a single document the shape is not known from the values
        return found if len(self.model.outputs) == 1 else found.reshape(-1, len(self.model.outputs))

    def predict(self, texts: Iterable[Any]) -> NDArray:
        """Return the label of each text; a text without known words gets the one the intercept favours.

        Where every class of the model has a threshold, a text that reaches none of them has the label None.
        """
        return named(self.classes_, most_likely(self.decision_function(texts), self.model.calibration))

    @property
    def predict_proba(self) -> Callable[[Iterable[Any]], NDArray[np.float64]]:
        """The probabilities of the classes for texts, shape (n, n_classes), in the order of ``classes_``."""
        # A property, so that ``hasattr`` says whether there are any, as for estimators of scikit-learn.
        if not self.model.probabilistic:
            raise AttributeError(
                "This model gives margins, not probabilities: it was not fitted with a logistic loss. Use "
                "decision_function, or fit with loss='logistic'."
            )
        return lambda texts: probabilities(self.decision_function(texts), self.model.calibration)

    def iter_predict(self, texts: Iterable[Any]) -> Iterator[tuple[Label | None, tuple[float, ...] | None]]:
        """Yield label and probabilities of each text as it comes, in constant memory.

        Probabilities are in the order of ``classes_``, None for a model without them; so is the label where no
        threshold is reached.
        """
        features, margins, classes = self._features, self._margins, (*self.model.classes, None)
        calibration = self.model.calibration
        for document in checked_documents(texts, self.model.analyzer.kind):
            number, shares = decide(margins(features(document)), calibration)
            yield classes[number], shares if self.model.probabilistic else None

    def explain(self, text: Any) -> Explanation:
        """Return the label of one text and what each known word did for it, with its places in the text."""
        from laconic.models.scoring.explain import explain  # only here: loading a model must stay light

        (document,) = checked_documents([text], self.model.analyzer.kind)
        return explain(self.model, document)

    def sentences(self, text: Any, label: Label | None = None) -> tuple[SentencePart, ...]:
        """Return what the model sees in each sentence of one text: words, weights, influence on a label.

        Parameters
        ----------
        text : str or Document
            A document may bring its sentences along.
        label : str, int or bool, optional
            Whose probability the influence speaks of; default: the predicted label.
        """
        from laconic.models.scoring.explain import read_sentences

        return read_sentences(self.model, text, label)

    def selected_sentences(self, text: Any, label: Label | None = None) -> tuple[SentencePart, ...]:
        """Return the sentences of one text that hold a word with a weight; see `sentences`.

        In a training text these are the selected groups. A new text is read the same way.
        """
        return tuple(part for part in self.sentences(text, label) if part.selected)

    def influence(self, text: Any, label: Label | None = None) -> NDArray[np.float64]:
        """Return for each sentence log P(label | text) − log P(label | text without the sentence); see `sentences`."""
        if not self.model.probabilistic:
            raise AttributeError(
                "This model gives margins, not probabilities, so that sentences have no influence on them. Fit with "
                "loss='logistic'."
            )
        return np.array([part.influence for part in self.sentences(text, label)], dtype=np.float64)

    @cached_property
    def words(self) -> dict[str, dict[Label, float]]:
        """The kept words, strongest first, each with its weight per label (of two labels only ``classes_[1]``)."""
        strength = np.abs(self.model.weights).max(axis=1)
        order = sorted(range(len(strength)), key=lambda row: (-strength[row], self.model.words[row]))
        rows = self.model.weights.tolist()
        return {self.model.words[row]: dict(zip(self.model.outputs, rows[row], strict=True)) for row in order}

    def to_estimator(self) -> TextClassifier:
        """Return a fitted `TextClassifier` with the same predictions; its vocabulary is what the folder holds."""
        from laconic.models.folder.restore import restore

        return restore(self.model, self.info)


class MultilabelScorer(Scorer):
    """A model that gives a text any number of labels.

    Everything but ``predict`` and ``iter_predict`` is as in `Scorer`; probabilities of labels do not sum to one,
    ``explain`` speaks of the label that is most likely, and ``to_estimator`` refuses.

    Examples
    --------
    >>> from laconic.models import MultilabelTextClassifier
    >>> texts, labels = ["broken lamp", "kind thanks", "hello"] * 5, [["repair"], ["praise"], []] * 5
    >>> MultilabelTextClassifier().fit(texts, labels).to_scorer().predict(["a broken lamp", "hello"])
    [('repair',), ()]
    """

    def predict(self, texts: Iterable[Any]) -> Any:
        """Return the labels of each text, sorted, as a list of tuples."""
        return [labels for labels, _ in self.iter_predict(texts)]

    def iter_predict(self, texts: Iterable[Any]) -> Iterator[tuple[Any, tuple[float, ...] | None]]:
        """Yield labels (a tuple) and probabilities of each text as it comes, in constant memory."""
        calibration, classes = self.model.calibration, self.model.classes
        assert calibration is not None  # such a model always has one
        for document in checked_documents(texts, self.model.analyzer.kind):
            shares = calibration.probabilities(np.atleast_2d(self._margins(self._features(document))))
            (has,) = calibration.has(shares)
            yield tuple(classes[k] for k in np.flatnonzero(has)), tuple(shares[0].tolist())

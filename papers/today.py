"""What people run today on such texts: tf-idf with a linear SVM, NB-SVM, fastText.

- ``svm``: scikit-learn's ``TfidfVectorizer`` and ``LinearSVC`` as they come, C from {10⁻², …, 10²} chosen on dev.
- ``nbsvm``: Wang and Manning, *Baselines and Bigrams* (ACL 2012): 0/1 words and bigrams, scaled by the log-count ratio
  r = log((1 + p)/‖1 + p‖₁ / ((1 + q)/‖1 + q‖₁)), a linear SVM, and its weights drawn to their mean by β = 0.25.
- ``fasttext``: Joulin et al. (EACL 2017), 100 epochs as in the W-NUT 2018 paper, all else as it comes, one thread;
  only where the package fasttext is installed.
"""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from laconic.data.corpus import Corpus, Splits
from laconic.evaluate.tuning.search import tune
from laconic.text.mail import strip_mail
from laconic.text.tokenizer import Tokenizer
from papers.cells import Cell, Measured

C = (1e-2, 1e-1, 1.0, 1e1, 1e2)
EPOCHS, QUICK_EPOCHS = 100, 10


class NBSVM(ClassifierMixin, BaseEstimator):
    """A linear SVM on 0/1 cells scaled by log-count ratios, for two classes.

    Parameters
    ----------
    C : float
        Of the SVM.
    beta : float
        How much of the weights is their own; the rest is their mean size, w̄ = ‖w‖₁/V, with the signs of the ratios.

    Examples
    --------
    >>> X = np.array([[1.0, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]])
    >>> NBSVM().fit(X, ["ham", "ham", "spam", "spam"]).predict([[0, 1, 0]]).tolist()
    ['spam']
    """

    def __init__(self, C: float = 1.0, beta: float = 0.25) -> None:
        self.C = C
        self.beta = beta

    def fit(self, X: Any, y: Any) -> "NBSVM":
        """Learn the ratios and the weights."""
        X, y = sp.csr_array(X), np.asarray(y)
        self.classes_ = np.unique(y)
        second = y == self.classes_[1]
        p, q = (1.0 + np.asarray(X[rows].sum(axis=0)).ravel() for rows in (second, ~second))
        ratio = np.log((p / p.sum()) / (q / q.sum()))
        svm = LinearSVC(C=self.C, random_state=0).fit(X.multiply(ratio[None, :]).tocsr(), y)
        weights = svm.coef_[0]
        drawn = (1.0 - self.beta) * np.abs(weights).mean() + self.beta * weights  # the signs are in the ratios
        self.coef_ = (drawn * ratio)[None, :]
        self.intercept_ = svm.intercept_
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return margins for the second class."""
        return np.asarray(sp.csr_array(X) @ self.coef_[0]) + self.intercept_[0]

    def predict(self, X: Any) -> np.ndarray:
        """Return the classes."""
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


def measure_today(cell: Cell, splits: Splits) -> Measured:
    """Measure one of today's methods on a task."""
    texts = {name: _texts(corpus, cell.task) for name, corpus in splits}
    labels = {name: np.array(corpus.labels) for name, corpus in splits}
    classes = {label: number for number, label in enumerate(np.unique(labels["train"]).tolist())}
    truth = tuple(classes[one] for one in labels["test"].tolist())
    if cell.method == "fasttext":
        epochs = QUICK_EPOCHS if cell.size == "quick" else EPOCHS
        found = _fasttext(texts, labels, epochs)
        if found is None:
            return Measured(cell, missing="The package fasttext is not installed (pip install 'laconic[fasttext]').")
        dev, predicted, n_words, vocabulary = found
        params: dict[str, Any] = {"epochs": epochs}
    else:
        if cell.method == "svm":
            steps = [("words", TfidfVectorizer()), ("classifier", LinearSVC(random_state=0))]
        else:
            steps = [("words", CountVectorizer(binary=True, ngram_range=(1, 2))), ("classifier", NBSVM())]
        grid = {"classifier__C": list(C[1::2] if cell.size == "quick" else C)}
        dev_set = (texts["dev"], labels["dev"])
        tuned = tune(Pipeline(steps), grid, texts["train"], labels["train"], dev=dev_set, rule="best")
        chosen = tuned.candidates[tuned.chosen]
        dev, params, n_words = chosen.mean, {"C": chosen.params["classifier__C"]}, int(chosen.words)
        predicted = tuned.estimator.predict(texts["test"])
        vocabulary = len(tuned.estimator.named_steps["words"].vocabulary_)
    return Measured(
        cell,
        dev=100.0 * dev,
        test=100.0 * float(np.mean(predicted == labels["test"])),
        words=n_words,
        vocabulary=vocabulary,
        params=params,
        truth=truth,
        predictions=tuple(classes[one] for one in predicted.tolist()),
    )


def _texts(corpus: Corpus, task: str) -> list[str]:
    return [strip_mail(text) for text in corpus.texts] if task.endswith("stripped") else list(corpus.texts)


def _fasttext(
    texts: dict[str, list[str]], labels: dict[str, np.ndarray], epochs: int
) -> tuple[float, np.ndarray, int, int] | None:
    """Return dev accuracy, test predictions, and the number of words, which is that of its vocabulary."""
    try:
        import fasttext
    except ImportError:
        return None
    classes = np.unique(labels["train"])
    find = Tokenizer.preset("default-1").tokens
    lines = {name: [" ".join(find(text)) for text in own] for name, own in texts.items()}
    numbers = {label: number for number, label in enumerate(classes.tolist())}
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "train.txt"
        rows = zip(labels["train"].tolist(), lines["train"], strict=True)
        file.write_text("".join(f"__label__{numbers[one]} {line}\n" for one, line in rows), encoding="utf-8")
        model = fasttext.train_supervised(str(file), epoch=epochs, thread=1, seed=0, verbose=0)

    def predict(own: list[str]) -> np.ndarray:
        # Past its own method predict, which numpy 2 breaks.
        said = [model.f.predict(f"{line}\n", 1, 0.0, "strict") for line in own]
        found = [int(one[0][1].removeprefix("__label__")) if one else 0 for one in said]
        return classes[found]

    dev = float(np.mean(predict(lines["dev"]) == labels["dev"]))
    return dev, predict(lines["test"]), len(model.words), len(model.words)

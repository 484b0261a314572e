"""How often each word is chosen again when the training texts are drawn anew (bootstrap; Bach 2008, Meinshausen and
Bühlmann 2010): a word that comes back nearly always is no accident of the sample.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

if TYPE_CHECKING:
    from laconic.models.text_classifier import TextClassifier

TOLERANCE = 1e-4  # which words are in a model does not ask for more


def selection_frequency(
    model: "TextClassifier", texts: Sequence[Any], labels: Sequence[Any], resamples: int, seed: int = 0
) -> NDArray[np.float64]:
    """Return for each word of the vocabulary the share of resamples in whose model it has a weight.

    The setting of the model, its vocabulary and its groups stay; the texts of each class are drawn with replacement, as
    many as there are.

    Parameters
    ----------
    model : TextClassifier
        Fitted.
    texts, labels
        What it was fitted on.
    resamples : int
    seed : int

    Examples
    --------
    >>> from laconic.linear import ElasticNetClassifier
    >>> from laconic.models import TextClassifier
    >>> texts, labels = ["broken lamp", "kind thanks"] * 10, ["repair", "praise"] * 10
    >>> model = TextClassifier(ElasticNetClassifier(l1=1.0)).fit(texts, labels)
    >>> selection_frequency(model, texts, labels, resamples=3).shape
    (4,)
    """
    X = model.bag_of_words().transform([getattr(text, "text", text) for text in texts], model.vocabulary_)
    y = np.asarray(labels)
    classes = [np.flatnonzero(y == label) for label in np.unique(y)]
    estimator = clone(model.estimator_)
    estimator.set_params(tol=max(TOLERANCE, estimator.tol))
    draw, found = np.random.default_rng(seed), np.zeros(X.shape[1])
    for _ in range(resamples):
        rows = np.sort(np.concatenate([draw.choice(own, len(own)) for own in classes]))
        weights = np.atleast_2d(clone(estimator).fit(X[rows], y[rows]).coef_)
        found += np.any(weights != 0.0, axis=0)
    return found / resamples

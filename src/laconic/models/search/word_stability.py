"""How often each word of a model is chosen again on halves of the training texts (those of `laconic.stability`): a word
that comes back nearly always is no accident of the sample.
"""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from laconic.evaluate.resampling.subsamples import check_halves, half_models
from laconic.text.counts import CountedTexts, texts_of

if TYPE_CHECKING:
    from laconic.models.text_classifier import TextClassifier

TOLERANCE = 1e-4  # which words are in a model does not ask for more


def selection_frequency(
    model: "TextClassifier", texts: Sequence[Any], labels: Sequence[Any], resamples: int, seed: int = 0
) -> NDArray[np.float64]:
    """Return for each word of the vocabulary the share of complementary halves in whose model it has a weight."""
    X = model.bag_of_words().transform(texts if isinstance(texts, CountedTexts) else texts_of(texts), model.vocabulary_)
    y = np.asarray(labels)
    check_halves(y)
    estimator = clone(model.estimator_)
    estimator.set_params(tol=max(TOLERANCE, estimator.tol))
    counts = np.zeros(X.shape[1])
    for fitted in islice(half_models(estimator, X, y, (resamples + 1) // 2, seed), resamples):
        counts += np.any(np.atleast_2d(fitted.coef_) != 0.0, axis=0)
    return counts / resamples

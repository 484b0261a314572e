"""How often each word of a model is chosen again on halves of the training texts (those of `laconic.stability`): a word
that comes back nearly always is no accident of the sample.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from laconic.core.interruption import in_threads
from laconic.evaluate.resampling.stability_selection import check_halves, half_model, halves
from laconic.linear.pursuit_base import Pursuer
from laconic.solvers.dispatch import one_blas_thread

if TYPE_CHECKING:
    from laconic.models.text_classifier import TextClassifier

TOLERANCE = 1e-3  # which words are in a model does not ask for more


def selection_frequency(
    model: "TextClassifier",
    X: Any,
    labels: ArrayLike,
    resamples: int,
    seed: int = 0,
    told: Callable[[], None] = lambda: None,
) -> NDArray[np.float64]:
    """Return for each word of the vocabulary the share of complementary halves in whose model it has a weight.

    X is the matrix that the model was fitted to; ``told`` is called after each half.
    """
    y = np.asarray(labels)
    check_halves(y)
    estimator = clone(model.estimator_)
    estimator.set_params(tol=max(TOLERANCE, estimator.tol))
    start = {} if isinstance(estimator, Pursuer) else {"start": model.estimator_.solution_}
    rows = islice(halves(y, (resamples + 1) // 2, np.random.default_rng(seed)), resamples)

    def words(half: NDArray[np.intp]) -> NDArray[np.bool_]:
        return np.any(np.atleast_2d(half_model(estimator, X, y, half, **start).coef_) != 0.0, axis=0)

    with one_blas_thread(), ThreadPoolExecutor(effective_n_jobs(-1)) as pool:
        times = np.zeros(X.shape[1])
        for own in pool.map(in_threads(words), rows):
            times += own
            told()
    return times / resamples

r"""How the frequencies of words have changed, and whether that is more than chance.

Of a word that stood in k₀ of n₀ documents and now stands in k₁ of n₁, the two shares are compared by the two-sided test
of two proportions (normal approximation), and all words together by Holm's correction. What matters for a linear model
is how much of what it hears has changed: the drift is

.. math:: D = \frac{\sum_{j \in C} |w_j|\,|p_{1j} - p_{0j}|}{\sum_j |w_j|\,p_{0j}},

with C the words that changed beyond chance: 0 if nothing did, 1 if as much weight came or went as there was.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Drift(NamedTuple):
    """The drift D, the columns that changed, those that matter most first, and both shares of every column."""

    value: float
    changed: tuple[int, ...]
    before: Array
    now: Array


def drift(before: Array, n_before: int, now: Array, n_now: int, strength: Array, level: float = 0.01) -> Drift:
    """Compare in how many documents words stand.

    Parameters
    ----------
    before, now : arrays of shape (n_words,)
        Numbers of documents.
    n_before, n_now : int
        Of so many.
    strength : array of shape (n_words,)
        |w_j|.
    level : float
        Of the test of all words together.

    Examples
    --------
    >>> found = drift(np.array([500.0, 100.0]), 1000, np.array([100.0, 21.0]), 200, np.ones(2))
    >>> found.value, found.changed
    (0.0, ())
    >>> drift(np.array([500.0, 100.0]), 1000, np.array([10.0, 21.0]), 200, np.ones(2)).changed
    (0,)
    """
    from scipy.stats import norm

    from laconic.evaluate.inference.paired import holm

    p0, p1 = before / n_before, now / n_now
    pooled = (before + now) / (n_before + n_now)
    error = np.sqrt(pooled * (1.0 - pooled) * (1.0 / n_before + 1.0 / n_now))
    z = np.divide(p1 - p0, error, out=np.zeros_like(p0), where=error > 0.0)
    p_values = np.array(holm((2.0 * norm.sf(np.abs(z))).tolist())) if len(z) else np.ones(0)
    effect = strength * np.abs(p1 - p0)
    changed = np.flatnonzero(p_values < level)
    changed = changed[np.argsort(-effect[changed], kind="stable")]
    heard = float(strength @ p0)
    value = float(effect[changed].sum()) / heard if heard > 0.0 else 0.0
    return Drift(value, tuple(changed.tolist()), p0, p1)

r"""How the frequencies of words have changed, and whether that is more than chance.

The share of documents with a word, k₀ of n₀ before and k₁ of n₁ now, is compared by the two-sided test of two
proportions (normal approximation), with Holm's correction over all words. What matters for a linear model is how much
of its weighted word frequency has shifted: the drift is

.. math:: D = \frac{\sum_{j \in C} |w_j|\,|p_{1j} - p_{0j}|}{\sum_j |w_j|\,p_{0j}},

with C the words that changed significantly: 0 if none did, 1 if as much weight appeared or disappeared as there was.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Drift(NamedTuple):
    """The drift D, the columns that changed (largest effect first), and both shares of every column."""

    value: float
    changed: tuple[int, ...]
    before: Array
    now: Array


def drift(before: Array, n_before: int, now: Array, n_now: int, strength: Array, level: float = 0.01) -> Drift:
    """Compare in how many documents words occur; ``strength`` is |w_j|, ``level`` is that of all tests together."""
    from scipy.stats import norm

    from laconic.evaluate.inference.model_comparison import holm

    p0, p1 = before / n_before, now / n_now
    pooled = (before + now) / (n_before + n_now)
    error = np.sqrt(pooled * (1.0 - pooled) * (1.0 / n_before + 1.0 / n_now))
    z = np.divide(p1 - p0, error, out=np.zeros_like(p0), where=error > 0.0)
    p_values = np.array(holm((2.0 * norm.sf(np.abs(z))).tolist())) if len(z) else np.ones(0)
    effect = strength * np.abs(p1 - p0)
    changed = np.flatnonzero(p_values < level)
    changed = changed[np.argsort(-effect[changed], kind="stable")]
    weighted = float(strength @ p0)
    value = float(effect[changed].sum()) / weighted if weighted > 0.0 else 0.0
    return Drift(value, tuple(changed.tolist()), p0, p1)

r"""What templates find on arcs: how many different values, and how much they tell about which arcs are right.

|G_m| counts the values of a template on the arcs of the training trees. The information gain of a template is taken
over all arcs that a tree could have:

.. math:: IG_m = \sum_{f \in T_m}\sum_{a \in \{0, 1\}} P(f, a)\log_2\frac{P(f, a)}{P(f)P(a)}

where a says whether the arc is in the tree.
"""

import numpy as np
from numpy.typing import NDArray

from laconic.kernels.arcs.counting import count_arcs, list_arcs
from laconic.kernels.arcs.shapes import BINS
from laconic.structured.parsing.extraction import Arcs


def arc_sizes(arcs: Arcs) -> NDArray[np.int64]:
    """Return how many different values each template has on the arcs of the training trees."""
    bases, ends = arcs.program.arrays(arcs.sizes), arcs.ends
    sizes = []
    for b, templates in enumerate(arcs.program.by_base):
        keys, combinations = list_arcs(arcs.text, arcs.heads, ends, bases, b)
        different, numbers = np.unique(keys, return_inverse=True)
        seen = np.zeros((len(different), 2, BINS), dtype=np.bool_)
        seen[numbers, combinations // BINS, combinations % BINS] = True
        for one in templates:
            axes = tuple(axis for axis, told in ((1, one.direction), (2, one.distance)) if not told)
            sizes.append(int(np.count_nonzero(np.any(seen, axis=axes) if axes else seen)))
    return np.array(sizes, dtype=np.int64)


def arc_gains(arcs: Arcs) -> NDArray[np.float64]:
    """Return the information gain of each template, in bits."""
    bases, ends = arcs.program.arrays(arcs.sizes), arcs.ends
    gains = []
    for b, templates in enumerate(arcs.program.by_base):
        counts = count_arcs(arcs.text, arcs.heads, ends, bases, b).reshape(-1, 2, 2, BINS)  # key, right, direction, bin
        for one in templates:
            axes = tuple(axis for axis, told in ((2, one.direction), (3, one.distance)) if not told)
            gains.append(_gain(counts.sum(axis=axes) if axes else counts))
    return np.array(gains)


def _gain(counts: NDArray[np.integer]) -> float:
    r"""Return the mutual information of the second axis and all others of a table of counts.

    With c for cells, f and a for their sums over the second axis and over all others, and N for the sum of all, it is
    :math:`\log_2 N + (\sum c\log_2 c - \sum f\log_2 f - \sum a\log_2 a)/N`.
    """
    total = int(counts.sum())
    if not total:
        return 0.0
    others = tuple(axis for axis in range(counts.ndim) if axis != 1)
    parts = _entropy_sum(counts) - _entropy_sum(counts.sum(axis=1)) - _entropy_sum(counts.sum(axis=others))
    return max(0.0, float(np.log2(total) + parts / total))


def _entropy_sum(counts: NDArray[np.integer]) -> float:
    """Return Σ c log₂ c."""
    positive = counts[counts > 0].astype(np.float64)
    return float((positive * np.log2(positive)).sum())

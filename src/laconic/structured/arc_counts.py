r"""What templates find on arcs: how many different values, and how much they tell about which arcs are right.

|G_m| counts the values of a template on the arcs of the training trees. The information gain of a template is taken
over all arcs that a tree could have:

.. math:: IG_m = \sum_{f \in T_m}\sum_{a \in \{0, 1\}} P(f, a)\log_2\frac{P(f, a)}{P(f)P(a)}

where a says whether the arc is in the tree.
"""

import numpy as np
from numpy.typing import NDArray

from laconic.kernels.arc_counting import count_arcs, list_arcs
from laconic.kernels.arc_shapes import BINS
from laconic.structured.arc_extraction import Arcs


def arc_sizes(arcs: Arcs) -> NDArray[np.int64]:
    """Return how many different values each template has on the arcs of the training trees."""
    bases, ends = arcs.program.arrays(arcs.sizes), arcs.ends
    sizes = []
    for b in range(len(arcs.program.bases)):
        keys, combinations = list_arcs(arcs.text, arcs.heads, ends, bases, b)
        different, numbers = np.unique(keys, return_inverse=True)
        seen = np.zeros((len(different), 2, BINS), dtype=np.bool_)
        seen[numbers, combinations // BINS, combinations % BINS] = True
        for one in arcs.program.templates[arcs.program.ends[b] : arcs.program.ends[b + 1]]:
            axes = tuple(axis for axis, told in ((1, one.direction), (2, one.distance)) if not told)
            sizes.append(int(np.count_nonzero(np.any(seen, axis=axes) if axes else seen)))
    return np.array(sizes, dtype=np.int64)


def arc_gains(arcs: Arcs) -> NDArray[np.float64]:
    """Return the information gain of each template, in bits."""
    bases, ends = arcs.program.arrays(arcs.sizes), arcs.ends
    gains = []
    for b in range(len(arcs.program.bases)):
        counts = count_arcs(arcs.text, arcs.heads, ends, bases, b).reshape(-1, 2, 2, BINS)  # key, right, direction, bin
        for one in arcs.program.templates[arcs.program.ends[b] : arcs.program.ends[b + 1]]:
            mine = counts if one.direction else counts.sum(axis=2, keepdims=True)
            mine = mine if one.distance else mine.sum(axis=3, keepdims=True)
            gains.append(_gain(mine.transpose(0, 2, 3, 1).reshape(-1, 2).astype(np.float64)))
    return np.array(gains)


def _gain(counts: NDArray[np.float64]) -> float:
    """Return the mutual information of rows and columns of a table of counts."""
    total = counts.sum()
    if not total:
        return 0.0
    joint = counts / total
    expected = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    seen = joint > 0.0
    return float((joint[seen] * np.log2(joint[seen] / expected[seen])).sum())

r"""Templates ranked by information gain, the baseline without learning.

.. math:: IG_m = \sum_{f \in T_m}\sum_a P(f, a)\log_2\frac{P(f, a)}{P(f)P(a)}

where f is what template m finds at a token and a its tag: their mutual information, in bits.
"""

import numpy as np
from numpy.typing import NDArray

from laconic.structured.tagging.extraction import Extracted


def information_gains(extracted: Extracted, tags: NDArray[np.int64], n_labels: int) -> NDArray[np.float64]:
    """Return the information gain of each template about the label numbers of all tokens."""
    text, tokens = extracted.text, extracted.tokens()
    gains = []
    p_tag = np.bincount(tags, minlength=n_labels) / len(tags)
    for place, size in zip(text.place, extracted.sizes.tolist(), strict=True):
        found = text.grams[place + tokens].astype(np.int64) + 1  # 0 is nothing, which says something too
        pairs, counts = np.unique(found * n_labels + tags, return_counts=True)
        joint = counts / len(tags)
        p_found = np.bincount(found, minlength=size + 1) / len(tags)
        gains.append(float((joint * np.log2(joint / (p_found[pairs // n_labels] * p_tag[pairs % n_labels]))).sum()))
    return np.array(gains)

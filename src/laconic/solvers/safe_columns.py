r"""Words that no residual can bring into a model.

The residual of a document under logistic loss is at most its weight, so that
:math:`|x_j^\top\alpha| \le \sum_i s_i |x_{ij}|` at any point, primal or dual. A word with at most λ₁ on the right has
weight zero at the optimum, and no dual point is made infeasible by it: solver and certificate are the same without it.
These are the rare words, most of a vocabulary.
"""

from collections.abc import Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from laconic.core.penalties.base import Penalty
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem, Problem

ROUNDING = 1.0 + 1e-9


def within_reach(problem: Problem, penalties: Sequence[Penalty]) -> NDArray[np.intp] | None:
    """Return the features that may have a weight under some elastic nets, one output in memory; None for all."""
    if problem.n_outputs > 1 or not isinstance(problem, LinearProblem):
        return None
    if not penalties or not all(isinstance(penalty, ElasticNetPenalty) for penalty in penalties):
        return None
    level = reduce(np.minimum, [penalty.l1 for penalty in penalties])
    live = np.flatnonzero(ROUNDING * problem.column_reach() > level)
    return live if 0 < len(live) < problem.n_features else None

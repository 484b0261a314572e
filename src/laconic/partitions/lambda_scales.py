"""What is known of a problem in partitions before any word is chosen: its best intercept, and the scales of λ."""

import numpy as np

from laconic.core.groups import Groups
from laconic.partitions.passes import Candidate, Weights
from laconic.partitions.problem import PartitionedProblem


def largest_levels(problem: PartitionedProblem, groups: Groups | None = None) -> tuple[float, float]:
    """Return the λ₁ from which on all weights are zero, max |c_j|, and the scale of λ_g, max |c_j| / Σ_{g∋j} d_g."""
    # Without ``groups`` those of the partitions count.
    C = np.abs(problem.dual_point(Candidate(without_words(problem), None))[0]).max(axis=1, initial=0.0)
    if groups is None:
        _, reach, _ = problem.column_stats()
    else:
        shares = np.repeat(groups.weights, groups.sizes)
        reach = np.bincount(groups.indices, shares, problem.n_features).astype(np.float64)
    shares = np.divide(C, reach, out=np.zeros_like(C), where=reach > 0.0)
    return float(C.max(initial=0.0)), float(shares.max(initial=0.0))


def without_words(problem: PartitionedProblem) -> Weights:
    """Return the best model without any words: its intercept, by Newton's method."""
    nothing = np.zeros(0, dtype=np.intp)
    point = Weights(nothing, np.zeros((0, problem.n_outputs)), np.zeros(problem.n_outputs))
    for _ in range(50 if problem.fit_intercept else 0):
        move = np.clip(problem.hessian(point, nothing).move(np.zeros(0)), -2.0, 2.0)
        point = point._replace(intercept=point.intercept + move)
        if np.abs(move).max() <= 1e-12:
            break
    return point

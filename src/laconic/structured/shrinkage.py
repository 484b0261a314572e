r"""Proximal steps on the weights of a tagger.

The group lasso :math:`\Omega(\theta) = \sum_m d_m\|\theta_m\|_2` over disjoint groups has the prox
:math:`\theta_m \leftarrow \max(0, 1 - \tau d_m/\|\theta_m\|)\,\theta_m`. A budget B chooses τ: while more than B groups
are nonzero, it lies half way between the B-th and the (B+1)-th largest :math:`\|\theta_m\|/d_m`, so that B stay.

Groups of templates number hundreds, and a step reads every weight once, for the norms, and writes it once: with one
step per thousand sentences this is a small part of the work, so weights carry no separate scales.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def budget_threshold(norms: Floats, budget: int) -> float:
    """Return the τ that leaves ``budget`` of the groups with these norms, in units of d; 0 if no more are nonzero.

    Examples
    --------
    >>> budget_threshold(np.array([3.0, 1.0, 0.0, 2.0]), 2)
    1.5
    >>> budget_threshold(np.array([3.0, 1.0, 0.0, 2.0]), 3)
    0.0
    """
    if np.count_nonzero(norms) <= budget:
        return 0.0
    if budget == 0:
        return float(norms.max())
    largest = np.partition(norms, [len(norms) - budget - 1, len(norms) - budget])
    return float(largest[len(norms) - budget - 1] + largest[len(norms) - budget]) / 2.0


def spare_ties(sizes: NDArray, budget: int) -> tuple[float, NDArray[np.bool_]]:
    """Return `budget_threshold` and what must become zero besides.

    More than ``budget`` groups that tie for the largest would all vanish. Then the threshold lies half way to the next
    smaller size, and of those that tie the first ones stay.

    Examples
    --------
    >>> spare_ties(np.array([2.0, 1.0, 2.0, 2.0]), 2)
    (1.5, array([False, False, False,  True]))
    """
    threshold = budget_threshold(sizes.astype(np.float64), budget)
    surplus = np.zeros(len(sizes), dtype=np.bool_)
    largest = sizes.max(initial=0.0)
    if threshold == 0.0 or threshold < largest:
        return threshold, surplus
    surplus[np.flatnonzero(sizes == largest)[budget:]] = True
    return float(largest + sizes[sizes < largest].max(initial=0.0)) / 2.0, surplus


def group_factors(norms: Floats, penalties: Floats, threshold: float) -> Floats:
    """Return by what the prox with step ``threshold`` multiplies each group.

    Examples
    --------
    >>> group_factors(np.array([3.0, 1.0, 0.0]), np.ones(3), 1.5)
    array([0.5, 0. , 0. ])
    """
    if threshold == 0.0:
        return np.ones_like(norms)
    factors = np.zeros_like(norms)
    alive = norms > threshold * penalties
    factors[alive] = 1.0 - threshold * penalties[alive] / norms[alive]
    return factors


def budget_factors(norms: Floats, penalties: Floats, budget: int) -> Floats:
    """Return the factors of the budget-driven prox for disjoint groups."""
    threshold, surplus = spare_ties(norms / penalties, budget)
    return np.where(surplus, 0.0, group_factors(norms, penalties, threshold))


def family_factors(
    squares: Floats,
    penalties: Floats,
    groups: Sequence[NDArray[np.int64]],
    families: Sequence[Sequence[int]],
    budget: int,
) -> Floats:
    """Return the factors of each template for overlapping groups, by one prox per family of disjoint groups.

    Parameters
    ----------
    squares : ndarray
        Squared norm of each template's weights.
    penalties : ndarray
        d of each group.
    groups : sequence of ndarray
        Templates of each group.
    families : sequence of sequences
        Groups of each family; groups of one family are disjoint.
    budget : int
        Shared out among the families by their size; each has at least one group.
    """
    factors = np.ones(len(squares))
    total = sum(len(family) for family in families)
    for family in families:
        share = max(1, round(budget * len(family) / total))
        norms = np.array([np.sqrt((squares[groups[g]] * factors[groups[g]] ** 2).sum()) for g in family])
        for g, factor in zip(family, budget_factors(norms, penalties[list(family)], share), strict=True):
            factors[groups[g]] *= factor
    return factors


def shrink_entries(rows: NDArray[np.float32], threshold: float) -> None:
    """Soft-threshold every weight in place: the prox of the lasso."""
    size = np.float32(threshold)
    np.sign(rows, out=(signs := np.empty_like(rows)))
    np.abs(rows, out=rows)
    rows -= size
    np.maximum(rows, np.float32(0.0), out=rows)
    rows *= signs


def row_norms(rows: NDArray[np.float32]) -> Floats:
    """Return the length of each row."""
    return np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))

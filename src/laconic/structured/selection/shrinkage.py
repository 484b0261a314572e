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

from laconic.kernels.linear.prox import shrink_groups

Floats = NDArray[np.float64]


def budget_threshold(norms: Floats, budget: int) -> float:
    """Return the τ that leaves ``budget`` of the groups with these norms, in units of d; 0 if no more are nonzero."""
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
    """
    threshold = budget_threshold(sizes.astype(np.float64), budget)
    surplus = np.zeros(len(sizes), dtype=np.bool_)
    largest = sizes.max(initial=0.0)
    if threshold == 0.0 or threshold < largest:
        return threshold, surplus
    surplus[np.flatnonzero(sizes == largest)[budget:]] = True
    return float(largest + sizes[sizes < largest].max(initial=0.0)) / 2.0, surplus


def group_factors(norms: Floats, penalties: Floats, threshold: float) -> Floats:
    """Return by what the prox with step ``threshold`` multiplies each group."""
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

    ``squares`` are of each template's weights, ``penalties`` the d of each group. The budget is shared out among the
    families by their size; each has at least one group.
    """
    factors = np.ones(len(squares))
    total = sum(len(family) for family in families)
    for family in families:
        share = max(1, round(budget * len(family) / total))
        norms = np.array([np.sqrt((squares[groups[g]] * factors[groups[g]] ** 2).sum()) for g in family])
        for g, factor in zip(family, budget_factors(norms, penalties[list(family)], share), strict=True):
            factors[groups[g]] *= factor
    return factors


def tree_factors(norms: Floats, penalties: Floats, groups: Sequence[NDArray[np.int64]], budget: int) -> Floats:
    r"""Return the factors of each template for nested groups.

    The prox of :math:`\tau\sum_g d_g\|\theta_g\|_2` shrinks groups one after another, inner ones first. All τ in an
    interval leave the same number of templates, at most ``budget``; the middle of it is taken. If that would be none,
    because too many tie, the step is half as long, and the strongest stay. A group comes after those that it holds.
    """
    ends = np.cumsum([0, *map(len, groups)])
    members = np.concatenate(groups).astype(np.int32)
    order = np.arange(len(groups))
    for one in (ends, members):
        one.setflags(write=False)  # as the kernel is compiled for

    def shrunk(threshold: float) -> Floats:
        left = norms[:, None].copy()
        shrink_groups(left, ends, members, threshold * penalties, order)
        return left[:, 0]

    def least(size: int) -> float:
        """Return the smallest τ that leaves at most ``size`` templates."""
        low, high = 0.0, 2.0 * float(norms.max(initial=0.0) / penalties.min())
        for _ in range(60):
            middle = (low + high) / 2.0
            low, high = (low, middle) if np.count_nonzero(shrunk(middle)) <= size else (middle, high)
        return high

    if np.count_nonzero(norms) <= budget:
        return np.ones_like(norms)
    start = least(budget)
    left = int(np.count_nonzero(shrunk(start)))
    if left:
        found = shrunk((start + least(left - 1)) / 2.0)
    else:  # too many vanish together: of those that are left shortly before, the strongest and first ones stay
        found = shrunk(start / 2.0)
        found[np.argsort(-found, kind="stable")[budget:]] = 0.0
    return found / np.where(norms > 0.0, norms, 1.0)


def shrink_entries(rows: NDArray[np.float32], threshold: float) -> None:
    """Soft-threshold every weight in place: the prox of the lasso."""
    size = np.float32(threshold)
    np.sign(rows, out=(signs := np.empty_like(rows)))
    np.abs(rows, out=rows)
    rows -= size
    np.maximum(rows, np.float32(0.0), out=rows)
    rows *= signs


def keep_entries(rows: NDArray[np.float32], budget: int | None) -> None:
    """Leave so many weights, all if there is no budget: the prox of the lasso with a budget, in place."""
    if budget is not None:
        threshold, surplus = spare_ties(np.abs(rows).ravel(), budget)
        rows.reshape(-1)[surplus] = 0.0
        shrink_entries(rows, threshold)


def keep_rows(rows: NDArray[np.float32], budget: int | None, step: float) -> None:
    """Shrink each row by ``step``, and by as much more as leaves so many of them, in place."""
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    threshold = 0.0
    if budget is not None:
        threshold, surplus = spare_ties(norms, budget)
        norms[surplus] = 0.0
        rows[surplus] = 0.0
    rows *= group_factors(norms, np.ones_like(norms), threshold + step)[:, None].astype(np.float32)

"""Sides: a cut argument is all that prox and conjugate need, for every penalty, against cvxpy."""

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.groups import Groups
from laconic.core.penalties import ElasticNetPenalty, group_penalty
from laconic.core.sign_constraints import check_sides, cut

FAMILIES = {
    "none": None,
    "disjoint": [[0, 1, 2], [3, 4]],
    "tree": [[0, 1], [0, 1, 2], [3, 4]],
    "overlapping": [[0, 1, 2], [2, 3, 4], [0, 4]],
}


def penalty_of(family, l1, l2, sides):
    if FAMILIES[family] is None:
        return ElasticNetPenalty(l1, l2, sides)
    return group_penalty(Groups.from_lists(FAMILIES[family], 5), 0.7, l1, l2, sides)


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000))
def test_prox_is_cvxpys_under_the_constraints(family, seed):
    rng = np.random.default_rng(seed)
    v, sides = 3 * rng.normal(size=5), rng.choice([0, 1, -1, 2], 5).astype(np.int8)
    penalty = penalty_of(family, 0.4, 0.2, sides)
    w = cp.Variable(5)
    norms = sum(0.7 * np.sqrt(len(g)) * cp.norm(w[g]) for g in FAMILIES[family] or [])
    objective = 0.5 * cp.sum_squares(w - v) + 0.4 * cp.norm1(w) + 0.2 * cp.sum_squares(w) + norms
    allowed = [w[j] >= 0 if s == 1 else w[j] <= 0 if s == -1 else w[j] == 0 for j, s in enumerate(sides) if s]
    cp.Problem(cp.Minimize(objective), allowed).solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10)
    np.testing.assert_allclose(penalty.prox(v, 1.0), w.value, atol=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_fenchels_inequality_on_allowed_weights(family, seed):
    rng = np.random.default_rng(seed)
    c, sides = 3 * rng.normal(size=5), rng.choice([0, 1, -1, 2], 5).astype(np.int8)
    penalty = penalty_of(family, 0.4, 0.3, sides)
    value = penalty.dual(c).value
    best = penalty.prox(c / 0.6, 1 / 0.6)  # the maximiser of c·w − Ω(w), up to the split of the ridge
    for w in (cut(rng.normal(size=5), sides), cut(best, sides)):
        assert c @ w - penalty.value(w) <= value + 1e-9


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_lambda_max_is_where_zero_is_optimal(seed):
    rng = np.random.default_rng(seed)
    c, sides = rng.normal(size=5), rng.choice([0, 1, -1, 2], 5).astype(np.int8)
    penalty = group_penalty(Groups.from_lists([[0, 1, 2], [3, 4]], 5), 0.7, 0.4, 0.0, sides)
    top = penalty.lambda_max(c)
    if top > 0:
        assert penalty.prox(c * (1.01 / top), 1.0).any()
    assert not penalty.prox(c * (0.99 / max(top, 1e-9)), 1.0).any()


def test_bad_sides_are_refused():
    with pytest.raises(ValueError, match="may hold"):
        check_sides([3], 1)
    with pytest.raises(ValueError, match="shape"):
        check_sides([0, 1], 3)

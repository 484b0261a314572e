"""Proximal steps against their definition, and the budget rule."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from laconic.structured.selection import (
    _shrinker,
    budget_factors,
    budget_threshold,
    family_factors,
    group_factors,
    shrink_entries,
    spare_ties,
    tree_factors,
)
from laconic.structured.settings import TaggerSettings
from laconic.structured.templates.language import parse_templates
from laconic.structured.templates.ordering import coarse_groups, column_tree, disjoint_families

numbers = st.lists(st.floats(0, 100, allow_subnormal=False), min_size=1, max_size=30)


@given(numbers, st.integers(1, 30))
def test_the_budget_leaves_exactly_so_many_groups(values, budget):
    norms = np.array(values)
    kept = np.count_nonzero(budget_factors(norms, np.ones_like(norms), budget) * norms)
    largest = np.sort(norms)[::-1]
    if np.count_nonzero(norms) <= budget:
        assert kept == np.count_nonzero(norms)
    elif largest[budget - 1] > largest[budget] * (1 + 1e-9):
        assert kept == budget
    else:  # a tie at the border: fewer may stay, never more
        assert kept <= budget


def test_the_threshold_lies_half_way():
    assert budget_threshold(np.array([1.0, 4.0, 2.0, 8.0]), 2) == 3.0
    factors = budget_factors(np.array([1.0, 4.0, 2.0, 8.0]), np.ones(4), 2)
    assert factors.tolist() == [0.0, 0.25, 0.0, 0.625]
    assert budget_threshold(np.array([3.0, 1.0, 0.0, 2.0]), 3) == 0.0
    threshold, surplus = spare_ties(np.array([2.0, 1.0, 2.0, 2.0]), 2)
    assert (threshold, surplus.tolist()) == (1.5, [False, False, False, True])


def test_group_penalties_are_units():
    norms, penalties = np.array([6.0, 6.0, 1.0]), np.array([1.0, 3.0, 1.0])
    factors = budget_factors(norms, penalties, 2)
    assert factors[2] == 0.0
    np.testing.assert_allclose(factors[:2], 1.0 - 1.5 * penalties[:2] / norms[:2])


def prox_by_search(theta, value):
    found = minimize(
        lambda v: 0.5 * ((v - theta) ** 2).sum() + value(v),
        theta,
        method="Nelder-Mead",
        options={"xatol": 1e-7, "fatol": 1e-12, "maxiter": 20000, "maxfev": 40000},
    )
    return found.x


@pytest.mark.parametrize("step", [0.2, 1.1, 5.0])
def test_group_prox_is_the_minimiser(step):
    theta = np.array([1.0, -0.8, 0.5])
    factor = group_factors(np.array([np.linalg.norm(theta)]), np.array([1.3]), step)[0]
    slow = prox_by_search(theta, lambda v: step * 1.3 * np.linalg.norm(v))
    np.testing.assert_allclose(factor * theta, slow, atol=1e-4)


@pytest.mark.parametrize("step", [0.2, 0.6])
def test_lasso_prox_is_the_minimiser(step):
    theta = np.array([[1.0, -0.8, 0.5]], dtype=np.float32)
    slow = prox_by_search(theta[0].astype(float), lambda v: step * np.abs(v).sum())
    shrink_entries(theta, step)
    np.testing.assert_allclose(theta[0], slow, atol=1e-4)


def test_entries_then_groups_is_the_sparse_group_prox():
    theta = np.array([[1.0, -0.8, 0.1]], dtype=np.float32)
    slow = prox_by_search(theta[0].astype(float), lambda v: 0.2 * np.abs(v).sum() + 0.3 * np.linalg.norm(v))
    shrink_entries(theta, 0.2)
    norm = np.array([np.linalg.norm(theta)])
    np.testing.assert_allclose(theta[0] * group_factors(norm, np.ones(1), 0.3)[0], slow, atol=1e-4)


def test_a_fine_template_never_outlives_a_coarser_one():
    templates = parse_templates(["pos[0]", "word[0]", "pos[0..1]", "word[0..1]", "pos[1]", "word[1]"])
    groups = coarse_groups(templates)
    families = disjoint_families(groups)
    for family in families:
        members = np.concatenate([groups[g] for g in family])
        assert len(members) == len(set(members.tolist()))
    rng = np.random.default_rng(0)
    for _ in range(50):
        squares = rng.exponential(size=6)
        factors = family_factors(squares, np.ones(6), groups, families, 3)
        for a, group in enumerate(groups):
            assert factors[a] > 0.0 or not factors[group].any()


def test_one_family_of_single_templates_is_the_plain_rule():
    squares = np.array([9.0, 1.0, 4.0])
    groups = [np.array([0]), np.array([1]), np.array([2])]
    factors = family_factors(squares, np.ones(3), groups, disjoint_families(groups), 2)
    assert factors.tolist() == budget_factors(np.sqrt(squares), np.ones(3), 2).tolist()


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(1, 12))
def test_ties_for_the_largest_leave_the_budget(sizes, budget):
    norms = np.array(sizes, dtype=np.float32)
    threshold, surplus = spare_ties(norms, budget)
    left = np.flatnonzero((norms > threshold) & ~surplus)
    largest = np.flatnonzero(norms == norms.max())
    if norms.max() > 0:
        assert 1 <= len(left) <= budget
    if norms.max() > 0 and len(largest) >= budget:
        assert left.tolist() == largest[:budget].tolist()


def test_tree_factors_are_the_prox_of_some_step():
    theta = np.array([1.0, -0.8, 0.5, 0.4])  # two weights a template; both templates look at the same column
    norms = np.array([np.linalg.norm(theta[:2]), np.linalg.norm(theta[2:])])
    groups = column_tree(parse_templates(["pos[0]", "pos[1]"]))
    penalties = np.array([1.0, 1.2, 0.7])
    factors = tree_factors(norms, penalties, groups, 1)
    assert factors[1] == 0.0
    # with the second template gone, (1 − τd₁/n₁)·(1 − τd₃/(n₁ − τd₁)) = 1 − τ(d₁ + d₃)/n₁
    step = (1.0 - factors[0]) * norms[0] / 1.7

    def value(v):
        parts = np.linalg.norm(v[:2]), 1.2 * np.linalg.norm(v[2:]), 0.7 * np.linalg.norm(v)
        return step * sum(parts)

    np.testing.assert_allclose(np.repeat(factors, 2) * theta, prox_by_search(theta, value), atol=1e-4)


@given(numbers, st.integers(1, 30))
def test_a_tree_of_single_templates_is_the_plain_rule(values, budget):
    norms = np.array(values)
    alone = [np.array([number]) for number in range(len(norms))]
    largest = np.sort(norms)[::-1]
    if len(norms) > budget and largest[budget - 1] < largest[budget] * (1 + 1e-9):
        return  # ties: both keep fewer, in ways of their own
    plain = budget_factors(norms, np.ones_like(norms), budget) * norms
    np.testing.assert_allclose(tree_factors(norms, np.ones_like(norms), alone, budget) * norms, plain, atol=1e-9)


@given(st.lists(st.floats(0.01, 100), min_size=6, max_size=6), st.integers(1, 6))
def test_a_tree_keeps_to_its_budget(values, budget):
    templates = parse_templates(["pos[0]", "word[0]", "pos[0..1]", "word[0..1]", "pos[1]", "shape[1]"])
    groups = column_tree(templates)
    factors = tree_factors(np.array(values), np.ones(len(groups)), groups, budget)
    assert np.count_nonzero(factors) <= budget
    assert ((factors >= 0.0) & (factors <= 1.0)).all()


class Rows:
    """Weights alone, one row a feature."""

    def __init__(self, rows):
        self.rows = np.array(rows, dtype=np.float32)

    def drop_zeros(self):
        pass


THETA = [[1.0, -0.8, 0.5], [0.3, 0.1, -0.2]]
RATE, SEEN, N_SENTENCES = 0.5, 4, 8


@pytest.mark.parametrize(
    ("settings", "value"),
    [
        (
            {"selection": "elastic-net", "strength": 0.1, "l2": 0.7},
            lambda v: RATE * SEEN * (0.1 * np.abs(v).sum() + 0.7 / N_SENTENCES * (v**2).sum()),
        ),
        ({"selection": "labels", "strength": 0.15}, lambda v: RATE * SEEN * 0.15 * np.linalg.norm(v)),
    ],
)
def test_a_step_of_the_selection_is_the_prox_of_its_penalty(settings, value):
    shrink = _shrinker([], np.ones(1), np.ones(1), N_SENTENCES, TaggerSettings(rate=RATE, **settings))
    learner = Rows(THETA)
    shrink(learner, SEEN)
    for row, theta in zip(learner.rows, THETA, strict=True):  # both penalties are sums over rows
        np.testing.assert_allclose(row, prox_by_search(np.array(theta), value), atol=1e-4)


def test_a_family_is_shrunk_by_the_prox_of_its_groups():
    theta = np.array([1.0, -0.8, 0.5, 0.4])  # one weight a template
    groups = [np.array([0, 1]), np.array([2, 3])]
    penalties = np.array([1.0, 1.2])
    factors = family_factors(theta**2, penalties, groups, [[0, 1]], 1)
    norms = [np.linalg.norm(theta[group]) for group in groups]
    step = (norms[0] / penalties[0] + norms[1] / penalties[1]) / 2.0
    slow = prox_by_search(
        theta, lambda v: step * sum(d * np.linalg.norm(v[g]) for d, g in zip(penalties, groups, strict=True))
    )
    np.testing.assert_allclose(factors * theta, slow, atol=1e-4)

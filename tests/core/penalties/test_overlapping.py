"""Overlapping groups: elimination, exact zeros, certificates that hold when ascent stops early."""

import numpy as np
import pytest

from laconic.core.groups import Groups
from laconic.core.penalties import OverlappingPenalty, overlapping


def many_groups(rng, n_features=120, n_groups=90):
    lists = [rng.choice(n_features, size=rng.integers(2, 9), replace=False) for _ in range(n_groups)]
    return Groups.from_lists(lists, n_features)


def test_prox_of_many_groups_against_cvxpy(rng, twins):
    groups = many_groups(rng)
    v = rng.normal(size=120)
    for group in (0.1, 0.5):
        penalty = OverlappingPenalty(groups, group, l1=0.05)
        w = penalty.prox(v, 1.0)
        np.testing.assert_allclose(w, twins.prox(penalty, v, 1.0), atol=1e-5)


def test_zero_groups_are_exactly_zero(rng, twins):
    groups = many_groups(rng)
    v = rng.normal(size=120)
    penalty = OverlappingPenalty(groups, 0.4)
    norms = groups.norms(penalty.prox(v, 1.0))
    slow = groups.norms(twins.prox(penalty, v, 1.0))
    assert (norms[slow < 1e-7] == 0).all()
    assert (norms[slow > 1e-4] > 0).all()
    assert 0 < np.count_nonzero(norms) < len(norms)
    inside = groups.norms(v) < penalty.radii  # each is taken up by its own ball
    assert inside.any()
    assert (norms[inside] == 0).all()


def test_elimination_goes_on_when_features_leave():
    # Group 0 is inside its ball; without feature 1, group 1 is; without feature 2, group 2 is.
    groups = Groups.from_lists([[0, 1], [1, 2], [2, 3]], 4, weights=[10.0, 1.0, 1.0])
    penalty = OverlappingPenalty(groups)
    v = np.array([1.0, 5.0, 0.9, 0.9])
    target = v[:, None].copy()
    overlapping._eliminate(target, groups, penalty.radii)
    assert not target.any()
    assert not penalty.prox(v, 1.0).any()
    assert penalty.dual(v) == (1.0, 0.0)


def test_the_dual_is_valid_however_few_passes_are_made(rng, twins, monkeypatch):
    groups = many_groups(rng, 40, 60)
    c = 3 * rng.normal(size=40)
    c[~groups.covered] = 0.0
    exact = OverlappingPenalty(groups, 0.2, l2=0.1).dual(c).value
    sharp = OverlappingPenalty(groups, 0.2)
    scale = sharp.dual(c).scale
    assert scale == pytest.approx(1 / twins.polar(sharp, c), rel=1e-6)
    monkeypatch.setattr(overlapping, "_DUAL_PASSES", 1)
    early = OverlappingPenalty(groups, 0.2, l2=0.1).dual(c).value
    assert exact * (1 - 1e-9) <= early <= exact * 2
    assert 0.5 * scale <= sharp.dual(c).scale <= scale * (1 + 1e-9)


def test_weights_near_the_optimum_are_a_better_start(rng, monkeypatch):
    groups = many_groups(rng, 60, 120)
    c = 2 * rng.normal(size=60)
    penalty = OverlappingPenalty(groups, 0.15, l2=0.1)
    exact = penalty.dual(c).value
    near = OverlappingPenalty(groups, 0.15).prox(c, 1.0)  # a multiple of the maximiser of c·w − Ω(w)
    monkeypatch.setattr(overlapping, "_DUAL_PASSES", 1)
    assert abs(penalty.dual(c, near=near).value - exact) < 0.01 * abs(penalty.dual(c).value - exact)


def test_scale_on_and_inside_the_edge_of_the_dual_set(rng):
    penalty = OverlappingPenalty(many_groups(rng, 60, 120), 0.3, l1=0.02)
    v = 2 * rng.normal(size=60)
    w = penalty.prox(v, 1.0)
    assert 0 < np.count_nonzero(w) < 60
    edge = v - w  # w is normal to the dual set there
    assert penalty.dual(edge).scale == pytest.approx(1, abs=1e-6)
    assert penalty.dual(edge, near=w).scale == pytest.approx(1, abs=1e-8)
    assert penalty.dual(0.9 * edge, near=w).scale == pytest.approx(1, abs=1e-12)
    assert penalty.dual(0.9 * edge, near=rng.normal(size=60)).scale == pytest.approx(1, abs=1e-12)


def test_a_prox_that_cannot_finish_says_so(rng, monkeypatch):
    monkeypatch.setattr(overlapping, "_PROX_PASSES", 1)
    penalty = OverlappingPenalty(many_groups(rng, 40, 60), 0.1)
    with pytest.warns(RuntimeWarning, match="60 overlapping groups stopped after 1 passes"):
        penalty.prox(rng.normal(size=40), 1.0)


def test_a_thousand_groups_on_several_outputs(rng):
    groups = many_groups(rng, 2_000, 1_000)
    penalty = OverlappingPenalty(groups, 0.3, l2=0.2)
    v = rng.normal(size=(2_000, 3))
    w = penalty.prox(v, 1.0)
    c = v - w
    assert penalty.value(w) + penalty.dual(c).value == pytest.approx(np.vdot(c, w), rel=1e-9)


def test_facts():
    assert not OverlappingPenalty.has_prox
    assert not OverlappingPenalty.separable


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("l1", [0.0, 0.3])
def test_lambda_max_of_large_families_is_bracketed_from_above(seed, l1, twins, monkeypatch):
    rng = np.random.default_rng(seed)
    penalty = OverlappingPenalty(twins.make_groups("overlapping", 12, rng), 0.8, l1)
    c = rng.normal(size=12) * penalty._reached()
    exact = penalty.lambda_max(c)
    monkeypatch.setattr("laconic.core.penalties.overlapping._LARGE", 0)
    assert exact * (1 - 1e-9) <= penalty.lambda_max(c) <= exact * 1.011

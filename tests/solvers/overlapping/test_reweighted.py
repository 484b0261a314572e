"""Reweighted elastic nets: parabolas above the norms, and points near the optimum."""

import numpy as np
import pytest

from laconic.core.groups import Groups
from laconic.core.losses import Logistic, Squared
from laconic.core.penalties.overlapping import OverlappingPenalty
from laconic.core.problem import LinearProblem
from laconic.kernels.linear.overlapping import weigh_groups
from laconic.solvers.overlapping.balls import Balls
from laconic.solvers.overlapping.overlapping import solve_overlapping
from laconic.solvers.overlapping.reweighted import approach


def corpus(seed, loss, n=150, p=400, n_groups=300):
    rng = np.random.default_rng(seed)
    X = (rng.random((n, p)) < 0.05).astype(float)
    score = X @ np.where(rng.random(p) < 0.2, rng.normal(size=p), 0.0) + 0.5 * rng.normal(size=n)
    y = score if isinstance(loss, Squared) else np.where(score > 0.0, 1.0, -1.0)
    members = [rng.choice(p, rng.integers(2, 12), replace=False) for _ in range(n_groups)]
    return LinearProblem(X, y, loss), Groups.from_lists(members, n_features=p, weights="sqrt")


def _sets(groups):
    """Return copies: groups cannot be written to, balls can, and kernels are compiled for balls."""
    return groups.indptr.copy(), groups.indices.copy()


def test_the_ridge_touches_the_norms_from_above():
    """At the point itself value and slope agree (ε = 0); elsewhere the parabolas are never below."""
    rng = np.random.default_rng(0)
    _, groups = corpus(0, Squared())
    radii = rng.uniform(0.1, 2.0, len(groups))
    w = rng.normal(size=400)

    def norms(v):
        return sum(r * np.linalg.norm(v[groups.members(g)]) for g, r in enumerate(radii))

    eta, found = np.zeros(400), np.empty(len(groups))
    value = weigh_groups(w, radii, *_sets(groups), 0.0, found, eta)
    assert value == pytest.approx(norms(w), rel=1e-12)
    np.testing.assert_allclose(found, [np.linalg.norm(w[groups.members(g)]) for g in range(len(groups))])
    for size in (1e-3, 0.1, 3.0):
        v = w + size * rng.normal(size=400)
        # The sum of the parabolas is η·v² plus half of the norms at w.
        assert norms(v) <= eta @ v**2 + 0.5 * value + 1e-9
    slope = [r * w[groups.members(g)] / np.linalg.norm(w[groups.members(g)]) for g, r in enumerate(radii)]
    expected = np.zeros(400)
    for g, part in enumerate(slope):
        expected[groups.members(g)] += part
    np.testing.assert_allclose(2.0 * eta * w, expected)


def test_groups_of_zero_weights_have_a_finite_ridge():
    """ε is relative to the median of the norms that are not zero."""
    groups = Groups.from_lists([[0], [1], [2, 3]], n_features=4)
    eta = np.zeros(4)
    weigh_groups(np.array([1.0, 3.0, 0.0, 0.0]), np.ones(3), *_sets(groups), 0.5, np.empty(3), eta)
    np.testing.assert_allclose(eta, [0.5 / np.sqrt(2.0), 0.5 / np.sqrt(10.0), 0.5, 0.5])


@pytest.mark.parametrize("loss", [Logistic(), Squared()])
@pytest.mark.parametrize("l2", [0.0, 0.1])
def test_the_point_is_near_the_optimum(loss, l2):
    """From a start that is several times the optimum to within a percent or two of it, and never upwards."""
    problem, groups = corpus(1, loss)
    penalty = OverlappingPenalty(groups, 0.02, 0.2, l2)
    best = solve_overlapping(problem, penalty, tol=1e-8).objective
    w, l1 = np.random.default_rng(2).normal(size=400), np.full(400, 0.2)

    def objective(w, b):
        return problem.loss_value(problem.margins(w[:, None], b)) + penalty.value(w[:, None])

    far = objective(w, np.zeros(1))
    near = approach(problem, Balls.of(penalty), l1, l2, np.zeros(len(w), dtype=np.int8), w, np.zeros(1))
    reached = objective(near.w, near.b)
    assert far > 2.0 * best
    assert best * (1 - 1e-9) <= reached <= 1.02 * best
    assert near.gained > 0.5

"""Norms away from zero against finite differences, their preconditioner against the inverse, and steps that fall."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.solvers.prox_newton.group_step import Norms, SmoothStep

DISJOINT = [[0, 1, 2], [3, 4], [5]]
NESTED = [[0, 1], [3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]]


def norms_of(lists, radii, w):
    sizes = [len(group) for group in lists]
    return Norms(np.concatenate([[0], np.cumsum(sizes)]), np.concatenate(lists), np.asarray(radii, dtype=float), w)


def value(lists, radii, w):
    return sum(radius * np.linalg.norm(w[group]) for group, radius in zip(lists, radii, strict=True))


def curvature(norms, n):
    H = np.zeros((n, n))
    for j in range(n):
        norms.add_curvature(np.eye(n)[j], H[j])
    return H


@pytest.mark.parametrize("lists", [DISJOINT, NESTED], ids=["disjoint", "nested"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_slope_and_curvature_are_the_derivatives(lists, seed):
    rng = np.random.default_rng(seed)
    w, radii, step = rng.normal(size=7) + 0.1, rng.uniform(0.1, 2.0, len(lists)), rng.normal(size=7)
    norms, t = norms_of(lists, radii, w), 1e-6
    change = norms.change(w + t * step)
    assert change == pytest.approx(value(lists, radii, w + t * step) - value(lists, radii, w), abs=1e-12)
    assert change / t == pytest.approx(float(norms.slope(7) @ step), abs=1e-3 * (1 + np.abs(step).max() ** 2) * 1e1)
    H = curvature(norms, 7)
    np.testing.assert_allclose(H.diagonal(), norms.diagonal(7), atol=1e-12)
    slopes = norms_of(lists, radii, w + t * step).slope(7) - norms.slope(7)
    np.testing.assert_allclose(slopes / t, H @ step, atol=1e-3 * max(1.0, np.abs(H).max() ** 2))


@pytest.mark.parametrize("lists", [DISJOINT, NESTED], ids=["disjoint", "nested"])
@given(seed=st.integers(0, 10**6), tiny=st.sampled_from([1.0, 1e-6, 1e-12]))
@settings(max_examples=40, deadline=None)
def test_the_preconditioner_is_the_inverse_over_what_moves(lists, seed, tiny):
    rng = np.random.default_rng(seed)
    w = rng.normal(size=7)
    w[:3] *= tiny
    norms, diagonal = norms_of(lists, rng.uniform(0.1, 2.0, len(lists)), w), rng.uniform(0.5, 2.0, 7)
    moves, r = rng.random(7) < 0.7, rng.normal(size=7)
    by = norms.preconditioner(diagonal, moves)
    assert not by(r)[~moves].any()
    if tiny == 1.0:
        H = (np.diag(diagonal) + curvature(norms, 7))[np.ix_(moves, moves)]
        np.testing.assert_allclose(by(r)[moves], np.linalg.solve(H, r[moves]), rtol=1e-7, atol=1e-9)
    M = np.array([by(row) for row in np.eye(7)])[np.ix_(moves, moves)]
    np.testing.assert_allclose(M, M.T, atol=1e-9 * np.abs(M).max(initial=1.0))
    assert np.linalg.eigvalsh(M).min(initial=1.0) > 0.0


@pytest.mark.parametrize("lists", [DISJOINT, NESTED], ids=["disjoint", "nested"])
@given(seed=st.integers(0, 10**6), level=st.sampled_from([0.05, 1.0, 5.0]))
@settings(max_examples=40, deadline=None)
def test_a_step_falls_by_what_it_says_and_signs_are_kept(lists, seed, level):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(9, 7))
    B, w, slope = A.T @ A, rng.normal(size=7), 3.0 * rng.normal(size=7)
    radii, l1 = level * rng.uniform(0.1, 2.0, len(lists)), np.where(rng.random(7) < 0.5, 0.3, 0.0)
    held = rng.random(7) < 0.3
    norms = norms_of(lists, radii, w)
    step = SmoothStep(1e-12)
    move, fallen = step(w, slope, lambda d, out: np.matmul(B, d, out=out), B.diagonal(), norms, l1, np.zeros(7), held)

    def model(d):
        return -slope @ d + 0.5 * d @ B @ d + value(lists, radii, w + d) + l1 @ np.abs(w + d)

    assert fallen >= 0.0
    assert model(move) - model(np.zeros(7)) == pytest.approx(-fallen, abs=1e-8)
    assert np.all(((w + move) * w)[(l1 > 0.0) | held] >= -1e-12)
    assert fallen > 0.0 or np.abs(slope - norms.slope(7) - l1 * np.sign(w)).max() < 1e-6

"""The quadratic model of a softmax against the whole Hessian, written out."""

from typing import NamedTuple

import numpy as np
import pytest

from laconic.core.losses import Softmax, softmax
from laconic.core.problem import LinearProblem
from laconic.kernels.linear import softmax_quadratic as kernels

N, K = 40, 4


class Case(NamedTuple):
    problem: LinearProblem
    X: np.ndarray
    P: np.ndarray
    damping: np.ndarray
    words: np.ndarray
    ends: np.ndarray
    model: kernels.Quadratic

    @property
    def classes(self):
        return np.repeat(np.arange(K), np.diff(self.ends))


def case(seed, least, binary=False):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.6, (N, 12)).astype(float)
    X = np.minimum(X, 1.0) if binary else X
    problem = LinearProblem(X, rng.integers(0, K, N), Softmax(K), rng.uniform(0.5, 2.0, N))
    P = softmax(rng.normal(size=(N, K)) * 2.0)
    damping = np.where(rng.random(N) < 0.2, 0.3, 0.0)
    sets = [np.sort(rng.choice(12, size, replace=False)) for size in (5, 0, 3, 7)]
    words, ends = np.concatenate(sets), np.cumsum([0, *map(len, sets)])
    model = kernels.quadratic(*problem.columns(words), ends, P, problem.y, problem.weight, damping, least)
    return Case(problem, X, P, damping, words, ends, model)


def hessian(given, least):
    """Return the model's second derivatives, intercepts last: pairs that bend, and a ridge for what others would."""
    X, s = given.X, given.problem.weight
    columns = np.column_stack([X[:, given.words], *[np.ones(N)] * K])
    classes = np.concatenate([given.classes, np.arange(K)])
    bends = (least < given.P) | (given.damping > 0.0)[:, None]
    H = np.zeros((len(classes), len(classes)))
    for i in range(N):
        p = given.P[i]
        whole = s[i] * (np.diag(p) - np.outer(p, p) + given.damping[i] * np.eye(K))
        kept = np.where(np.outer(bends[i], bends[i]), whole, 0.0)
        J = columns[i][:, None] * np.eye(K)[classes]
        H += J @ kept @ J.T + np.diag(np.einsum("ck,kl,cl->c", J, np.diag(np.diag(whole - kept)), J))
    return H


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("least", [0.0, 0.1])
def test_products_equal_the_whole_hessian(least, binary):
    given = case(1, least, binary)
    size = len(given.words)
    some = np.array([0, 2, 5, 9, 14])
    ends = np.searchsorted(some, given.ends)
    both = np.concatenate([some, np.arange(size, size + K)])
    d, out = np.random.default_rng(2).normal(size=len(both)), np.empty(len(both))
    Z, mean = np.empty(len(given.model.pairs.p)), np.empty(N)
    kernels.curvature_product(given.model, some, ends, d, Z, mean, out)
    H = hessian(given, least)
    np.testing.assert_allclose(out, H[np.ix_(both, both)] @ d, atol=1e-12)
    weights = given.model.weights
    np.testing.assert_allclose(weights.curvature + weights.rest, np.diag(H))
    alpha = given.problem.residual(np.log(given.P))
    slopes = np.concatenate([(given.X.T @ alpha)[given.words, given.classes], alpha.sum(axis=0)])
    np.testing.assert_allclose(weights.slope, slopes, atol=1e-12)


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("least", [0.0, 0.1])
def test_sweeps_lead_to_the_minimum_of_the_model(least, binary):
    given = case(3, least, binary)
    size = len(given.words)
    rng = np.random.default_rng(4)
    old, l1, l2 = rng.normal(size=size) * (rng.random(size) < 0.5), rng.uniform(0.2, 1.0, size), 0.1
    sides = rng.choice([0, 0, 1, -1, 2], size).astype(np.int8)
    old = np.where((sides == 0) | (np.sign(old) == sides), old, 0.0)
    w = np.concatenate([old, np.zeros(K)])
    Z, mean = np.zeros(len(given.model.pairs.p)), np.zeros(N)
    H, slope = hessian(given, least), given.model.weights.slope

    def value(w):
        d = w - np.concatenate([old, np.zeros(K)])
        return 0.5 * d @ H @ d - slope @ d + (l1 * np.abs(w[:size])).sum() + l2 * (w[:size] ** 2).sum()

    begun, fallen = value(w), 0.0
    for _ in range(3000):
        gain, off = kernels.sweep(given.model, old, w, l1, l2, sides, Z, mean, True, 0.0, 2)
        fallen += gain
        if off < 1e-13:
            break
    assert value(w) <= begun - fallen + 1e-9
    left = slope - H @ (w - np.concatenate([old, np.zeros(K)]))
    np.testing.assert_allclose(left[size:], 0.0, atol=1e-8)
    left = left[:size] - 2.0 * l2 * w[:size]
    np.testing.assert_allclose(left[w[:size] != 0.0], (l1 * np.sign(w[:size]))[w[:size] != 0.0], atol=1e-8)
    pulled = np.where((sides == 0) | (np.sign(left) == sides), np.abs(left), 0.0)
    assert np.all(pulled[w[:size] == 0.0] <= l1[w[:size] == 0.0] + 1e-8)
    assert np.all((w[:size] == 0.0) | (sides == 0) | (np.sign(w[:size]) == sides))


def test_predicted_changes_are_the_derivatives_of_the_loss():
    given = case(5, 0.0)
    Z, linear, square = np.random.default_rng(6).normal(size=(N, K)), np.empty(N), np.empty(N)
    kernels.predicted_changes(given.P, given.problem.y, given.problem.weight, Z, linear, square)
    F = np.log(given.P)
    np.testing.assert_allclose(linear, -(given.problem.residual(F) * Z).sum(axis=1))
    np.testing.assert_allclose(square, 0.5 * (given.problem.curvature_product(given.P, Z) * Z).sum(axis=1))

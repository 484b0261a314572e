"""The preconditioner of overlapping norms against dense matrices."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.losses import Logistic
from laconic.core.problem import LinearProblem
from laconic.kernels.linear.overlapping import bend_groups
from laconic.solvers.conjugate_gradient import conjugate_gradients
from laconic.solvers.overlapping.balls import Balls
from laconic.solvers.overlapping.preconditioner import Partners
from laconic.solvers.overlapping.slices import Slice


def _balls(lists, n):
    sizes = [len(one) for one in lists]
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Balls(indptr, np.concatenate(lists).astype(np.int32), np.ones(len(lists)), n)


def _parts(seed, X, lists):
    """Return a preconditioner, and the matrix it stands for the inverse of, as the sum of all its parts."""
    rng = np.random.default_rng(seed)
    n, p = X.shape
    balls = _balls(lists, p)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    problem = LinearProblem(X, y, Logistic(), np.ones(n))
    F = rng.normal(size=(n, 1))
    curvature = Slice(problem, np.arange(p)).curvature(F)
    xi = rng.normal(size=len(balls.indices))
    squares = np.add.reduceat(xi * xi, balls.indptr[:-1])
    bend = rng.uniform(0.1, 2.0, len(lists))
    turn = np.where(rng.random(len(lists)) < 0.8, 0.999, 0.0) * bend / squares
    diagonal = rng.uniform(1e-4, 1e-2, p)
    partners = Partners(balls, xi, bend, turn, curvature.cells, diagonal)
    A = np.empty((p, p))
    for j, unit in enumerate(np.eye(p)):
        A[j] = (diagonal + partners.more) * unit + curvature.product(unit)
        bend_groups(unit, xi, bend, turn, balls.indptr, balls.indices, A[j])
    return partners, A


def _dense(partners, p):
    return np.column_stack([partners(unit) for unit in np.eye(p)])


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_words_of_one_group_and_one_document_are_solved_exactly(seed):
    rng = np.random.default_rng(seed)
    X, lists = np.zeros((4, 12)), []
    for i in range(3):
        # Two sentences a document, one word in none; the fourth document is empty.
        words = 4 * i + np.arange(4)
        X[i, words] = rng.integers(1, 4, 4)
        lists += [words[:2], words[2:3], words[1:2]] if i else [words[:3]]
    partners, A = _parts(seed, X, lists)
    rest = A - np.linalg.inv(_dense(partners, 12))
    # Only the intercept ties documents together, and the preconditioner does not know that.
    same = np.equal.outer(np.arange(12) // 4, np.arange(12) // 4)
    np.testing.assert_allclose(np.where(same, rest, 0.0), 0.0, atol=1e-7)


@given(seed=st.integers(0, 10**6), p=st.integers(2, 20), n=st.integers(2, 30))
@settings(max_examples=60, deadline=None)
def test_it_is_positive_and_leads_to_the_solution_for_any_groups(seed, p, n):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.5, (n, p)).astype(float)
    lists = [rng.choice(p, rng.integers(1, min(p, 6) + 1), replace=False) for _ in range(rng.integers(1, 12))]
    partners, A = _parts(seed, X, lists)
    M = _dense(partners, p)
    np.testing.assert_allclose(M, M.T, rtol=1e-6, atol=1e-8 * np.abs(M).max())
    assert np.linalg.eigvalsh((M + M.T) / 2).min() > 0.0
    right = rng.normal(size=p)

    def product(d, out):
        np.matmul(A, d, out=out)

    found, _ = conjugate_gradients(product, right, partners.inverse, 1e-16, 10 * p, precondition=partners)
    np.testing.assert_allclose(A @ found, right, atol=1e-5)

"""LinearProblem against dense NumPy."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.losses import Logistic, Softmax
from laconic.core.problem import LinearProblem, canonical_columns
from tests.core.pieces import FORMS, in_pieces


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix])
def test_answers_equal_dense_numpy(form):
    rng = np.random.default_rng(0)
    X = rng.poisson(0.4, (12, 9)).astype(float)
    y, s = rng.integers(0, 3, 12), rng.uniform(0.5, 2, 12)
    problem = LinearProblem(form(X), y, Softmax(3), s)
    W, b = rng.normal(size=(9, 3)), rng.normal(size=3)
    F = X @ W + b
    np.testing.assert_allclose(problem.margins(W, b), F)
    sparse_W = W * (np.arange(9) < 1)[:, None]
    np.testing.assert_allclose(problem.margins(sparse_W, b), X @ sparse_W + b)
    alpha = problem.residual(F)
    np.testing.assert_allclose(problem.correlations(alpha), X.T @ alpha)
    P = problem.curvature(F)
    diagonal = np.stack([(X**2 * (s * P[:, k] * (1 - P[:, k]))[:, None]).sum(axis=0) for k in range(3)], axis=1)
    np.testing.assert_allclose(problem.curvature_diagonal(P), diagonal)
    data, indices, start, stop = problem.columns(np.array([2, 5]))
    for j, (first, last) in zip((2, 5), zip(start, stop, strict=True), strict=True):
        column = np.zeros(12)
        column[indices[first:last]] = data[first:last]
        np.testing.assert_allclose(column, X[:, j])


@pytest.mark.parametrize("binary", [True, False])
def test_one_output_equals_dense_numpy(binary):
    rng = np.random.default_rng(1)
    X = rng.poisson(0.6, (13, 30)).astype(float)
    if binary:
        X = np.minimum(X, 1.0)
    problem = LinearProblem(X, np.where(rng.random(13) < 0.5, 1.0, -1.0), Logistic())
    w, b, alpha = rng.normal(size=(30, 1)), np.array([0.3]), rng.normal(size=(13, 1))
    np.testing.assert_allclose(problem.margins(w, b), X @ w + b)
    np.testing.assert_allclose(problem.correlations(alpha), X.T @ alpha)
    columns = problem.columns(np.array([3, 4]))
    assert (len(columns.data) == 0) == binary
    assert (columns.stop - columns.start).sum() == np.count_nonzero(X[:, [3, 4]])


def test_documents_of_weight_zero_are_not_there():
    X, y = np.eye(3), np.array([1.0, -1.0, 1.0])
    problem = LinearProblem(X, y, Logistic(), np.array([1.0, 0.0, 2.0]))
    assert problem.n_samples == 2
    assert problem.y.tolist() == [1.0, 1.0]


@given(st.integers(0, 10**6), st.sampled_from(FORMS))
@settings(max_examples=30, deadline=None)
def test_cells_in_pieces_are_added_up_and_the_callers_matrix_stays(seed, form):
    X = np.random.default_rng(seed).poisson(0.5, (6, 5)).astype(float)
    given_matrix = in_pieces(X, form, seed)
    before = given_matrix.data.copy(), given_matrix.indices.copy(), given_matrix.indptr.copy()
    found = canonical_columns(given_matrix)
    np.testing.assert_array_equal(found.toarray(), X)
    assert found.nnz == np.count_nonzero(X)
    assert found.has_canonical_format
    for old, now in zip(before, (given_matrix.data, given_matrix.indices, given_matrix.indptr), strict=True):
        np.testing.assert_array_equal(now, old)


@pytest.mark.parametrize("form", [sp.csc_array, sp.csc_matrix])
def test_a_matrix_that_has_the_form_is_not_copied(form):
    X = form(np.random.default_rng(0).poisson(0.5, (6, 5)).astype(float))
    assert np.shares_memory(canonical_columns(X).data, X.data)

"""Matrices whose cells are stored more than once or out of order are put right in a copy."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.canonical import canonical_columns
from tests.core.pieces import FORMS, in_pieces


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

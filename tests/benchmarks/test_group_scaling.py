"""Planted documents with sentence groups, made of numbers."""

import numpy as np

from benchmarks import group_scaling


def test_every_sentence_is_a_group_of_its_document():
    X, y, indptr, members = group_scaling.corpus(500)
    assert X.shape == (50, group_scaling.WORDS)
    assert len(indptr) == 501
    assert set(y) == {-1.0, 1.0}
    for document in (0, 17, 49):
        ends = indptr[document * 10], indptr[document * 10 + 10]
        np.testing.assert_array_equal(np.unique(members[ends[0] : ends[1]]), X[[document]].indices)


def test_one_fit_is_measured():
    found = group_scaling.one(1000)
    assert found["groups"] == 1000
    assert found["gap"] <= group_scaling.TOLERANCE
    assert found["seconds"] > 0.0
    assert found["peak_mb"] >= found["data_mb"]

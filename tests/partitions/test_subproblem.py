"""Columns that are brought together from blocks, and the problem over them, against the whole matrix."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.core.losses import Logistic
from laconic.core.problem import LinearProblem
from laconic.partitions.block import Block
from laconic.partitions.passes import Documents, Terms, Weights, gather, score
from laconic.partitions.penalties import Minimised
from laconic.partitions.problem import PartitionedProblem
from laconic.partitions.subproblem import Gathered, GatheredProblem, joined
from tests.partitions.test_passes import InMemory

NOTHING = Weights(np.zeros(0, dtype=np.intp), np.zeros((0, 1)), np.zeros(1))


def sample(seed, cuts, binary):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.4, (60, 15)).astype(float)
    X = (X > 0).astype(float) if binary else X
    labels = rng.integers(0, 2, 60)
    blocks = [Block.of(X[a:b], labels[a:b]) for a, b in pairwise([0, *sorted(cuts), 60]) if b > a]
    return X, labels, blocks, rng


def dense(columns, n):
    X = np.zeros((n, len(columns.start)))
    for j, (a, b) in enumerate(zip(columns.start, columns.stop, strict=True)):
        X[columns.indices[a:b], j] = columns.data[a:b] if len(columns.data) else 1.0
    return X


@pytest.mark.parametrize("part", ["all", "train", "held"])
@pytest.mark.parametrize("binary", [True, False])
@given(seed=st.integers(0, 1000), cuts=st.lists(st.integers(1, 59), max_size=4, unique=True))
def test_joined_columns_are_those_of_the_documents_that_count(part, binary, seed, cuts):
    X, _, blocks, _ = sample(seed, cuts, binary)
    terms = Terms(Logistic(), True, (1.0, 2.0), part, 0.3)
    J = np.array([7, 2, 11])
    parts = [one for block in blocks for one in gather(Documents(block, terms), J)[0]]
    counted = np.concatenate([score(Documents(block, terms), NOTHING)[0][0] for block in blocks])
    n = sum(len(one.targets) for one in parts)
    assert n == len(counted)
    np.testing.assert_array_equal(np.concatenate([one.targets for one in parts]), np.where(counted == 1, 1.0, -1.0))
    np.testing.assert_array_equal(np.concatenate([one.weights for one in parts]), 1.0 + counted)
    found = dense(joined(parts), n)
    if part == "all":
        np.testing.assert_array_equal(found, X[:, J])
    else:
        # The same documents as those whose margins are scored, with the same cells.
        for j, feature in enumerate(J):
            one = Weights(np.array([feature]), np.ones((1, 1)), np.zeros(1))
            margins = np.concatenate([score(Documents(block, terms), one)[1][0][:, 0] for block in blocks])
            np.testing.assert_array_equal(found[:, j], margins)


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("intercept", [True, False])
def test_a_gathered_problem_answers_as_one_in_memory(binary, intercept):
    X, labels, blocks, rng = sample(3, [20, 41], binary)
    problem = PartitionedProblem(InMemory(blocks), Terms(Logistic(), intercept, (1.0, 1.0)), 15)
    J = np.array([1, 4, 5, 9])
    y = np.where(labels == 1, 1.0, -1.0)
    here = GatheredProblem(joined(problem.gather(J)), y, np.ones(60), problem)
    whole = LinearProblem(X[:, J], y, Logistic(), fit_intercept=intercept)
    W, b = rng.normal(size=(4, 1)), rng.normal(size=1)
    np.testing.assert_allclose(here.margins(W, b), whole.margins(W, b))
    np.testing.assert_allclose(
        here.correlations(here.residual(here.margins(W, b))), whole.correlations(whole.residual(whole.margins(W, b)))
    )
    np.testing.assert_allclose(here.column_norms(), whole.column_norms())
    np.testing.assert_array_equal(here.column_sizes(), whole.column_sizes())


def test_only_new_words_are_asked_for_and_too_many_are_refused(monkeypatch):
    X, _, blocks, _ = sample(4, [30], True)
    problem = PartitionedProblem(InMemory(blocks), Terms(Logistic(), True, (1.0, 1.0)), 15)
    asked = []
    fetch = problem.gather
    monkeypatch.setattr(problem, "gather", lambda J: asked.append(J.tolist()) or fetch(J))
    sizes = (X > 0).sum(axis=0)
    gathered = Gathered(problem, sizes, 60)

    class Nothing:
        def minimise(self, model, start, tol):
            seen.append(dense(model.columns(np.arange(model.n_features)), 60))
            return Minimised(start.weights[:, 0], start.weights[:, 0], 0)

        def value(self, w):
            return 0.0

    def inside(*words):
        return np.isin(np.arange(15), words)

    def visit(mask):
        J = np.flatnonzero(mask)
        gathered.move(Nothing(), J, NOTHING, np.zeros(len(J)), 0.1)
        np.testing.assert_array_equal(seen[-1], X[:, J])

    seen: list = []
    visit(gathered.widened(inside(1, 4, 6)))
    visit(gathered.widened(inside(2, 4)))
    assert np.flatnonzero(gathered.widened(inside(2))).tolist() == [1, 2, 4, 6]
    assert asked == [[1, 4, 6], [2]]
    # What no longer fits together is asked for again, and what does not fit at all is refused.
    monkeypatch.setattr("laconic.partitions.subproblem.MOST_CELLS", int(sizes[[2, 8]].sum()) + 60)
    assert gathered.widened(inside(*range(15))) is None
    visit(gathered.widened(inside(2, 8)))
    assert asked[2:] == [[2, 8]]

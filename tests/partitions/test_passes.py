"""Passes against dense sums over all documents, however these are cut into blocks."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.core.losses import Logistic, Softmax, SquaredHinge
from laconic.core.problem import LinearProblem
from laconic.partitions.block import Block, Members
from laconic.partitions.passes import (
    Candidate,
    Documents,
    Terms,
    Weights,
    best_group,
    cut_groups,
    dual_point,
    score,
    summed,
)
from laconic.partitions.problem import PartitionedProblem

LOSSES = [Logistic(), SquaredHinge(), Softmax(3)]


class InMemory:
    """A runner over blocks in memory."""

    def __init__(self, blocks):
        self.blocks = blocks

    def total(self, visit, terms, message):
        return summed(visit(Documents(block, terms), message) for block in self.blocks)


def sample(loss, seed, cuts):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.4, (40, 15)).astype(float)
    K = loss.n_outputs(np.zeros(1))
    labels = rng.integers(0, max(K, 2), 40)
    weights = tuple(rng.uniform(0.5, 2.0, max(K, 2)))
    ends = [0, *sorted(cuts), 40]
    blocks = [Block.of(X[a:b], labels[a:b]) for a, b in pairwise(ends) if b > a]
    target = labels if K > 1 else np.where(labels == 1, 1.0, -1.0)
    whole = LinearProblem(X, target, loss, np.array(weights)[labels])
    problem = PartitionedProblem(InMemory(blocks), Terms(loss, True, weights), 15)
    J = np.array([2, 3, 7, 11])
    point = Weights(J[:3], rng.normal(size=(3, K)), rng.normal(size=K))
    W = np.zeros((15, K))
    W[J[:3]] = point.values
    return X, whole, problem, point, J, whole.margins(W, point.intercept), rng


CUTS = st.lists(st.integers(1, 39), max_size=4, unique=True)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 1000), cuts=CUTS)
def test_slope_and_curvature_are_those_of_all_documents_with_the_intercept_eliminated(loss, seed, cuts):
    X, whole, problem, point, J, F, rng = sample(loss, seed, cuts)
    model = problem.hessian(point, J)
    K, n = problem.n_outputs, 4 * problem.n_outputs
    d = rng.normal(size=n)
    move = model.move(d)
    alpha, h = whole.residual(F), whole.curvature(F)
    Z = X[:, J] @ d.reshape(-1, K) + move
    predicted = -float((alpha * Z).sum()) + 0.5 * float((Z * whole.curvature_product(h, Z)).sum())
    assert model.change(d) == pytest.approx(predicted, rel=1e-9, abs=1e-9)
    # The best intercepts for a step leave no slope in them.
    rest = (alpha - whole.curvature_product(h, Z)).sum(axis=0)
    np.testing.assert_allclose(rest - rest.mean() * (K > 1), 0.0, atol=1e-8)
    again = problem.gradient(point, J[1:], model, np.array([1, 2, 3]))
    np.testing.assert_allclose(again.slope, model.slope[K:], atol=1e-9)
    np.testing.assert_allclose(again.curvature, model.curvature[K:, K:], atol=1e-12)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@given(seed=st.integers(0, 1000), cuts=CUTS)
def test_a_dual_candidate_is_admitted_and_balanced_over_all_blocks(loss, seed, cuts):
    X, whole, problem, point, J, F, rng = sample(loss, seed, cuts)
    K = problem.n_outputs
    step = Weights(J, 0.3 * rng.normal(size=(4, K)), 0.1 * rng.normal(size=K))
    candidate = Candidate(point, step)
    tried = problem.try_steps(candidate, step, (0.0, 0.5, 1.0))
    Z = X[:, J] @ step.values + step.intercept
    expected = [whole.loss_value(F + t * Z) for t in (0.0, 0.5, 1.0)]
    np.testing.assert_allclose(tried.losses, expected, rtol=1e-10)
    C, value, square = problem.dual_point(candidate._replace(totals=tried.predicted))
    alpha = whole.admit(whole.residual(F) - whole.curvature_product(whole.curvature(F), Z))
    np.testing.assert_allclose(C, X.T @ alpha, atol=1e-9)
    assert value == pytest.approx(whole.dual_value(alpha), rel=1e-9, abs=1e-9)
    assert square == pytest.approx(float((alpha**2).sum()), rel=1e-9)
    assert problem.dual_value(candidate._replace(totals=tried.predicted), 0.7) == pytest.approx(
        whole.dual_value(0.7 * alpha), rel=1e-9, abs=1e-9
    )


def test_what_is_held_out_and_the_rest_are_all_documents():
    rng = np.random.default_rng(1)
    X, labels = rng.poisson(0.5, (5000, 6)).astype(float), rng.integers(0, 2, 5000)
    block, nothing = Block.of(X, labels), Weights(np.zeros(0, dtype=np.intp), np.zeros((0, 1)), np.zeros(1))
    parts = {part: Terms(Logistic(), True, (1.0, 1.0), part, 0.2) for part in ("all", "train", "held")}
    sizes = {part: len(score(Documents(block, terms), nothing)[0][0]) for part, terms in parts.items()}
    assert sizes["train"] + sizes["held"] == sizes["all"] == 5000
    assert abs(sizes["held"] - 1000) < 120
    looks = {part: dual_point(Documents(block, terms), Candidate(nothing, None)) for part, terms in parts.items()}
    np.testing.assert_allclose(looks["train"][0] + looks["held"][0], looks["all"][0], atol=1e-9)


@given(seed=st.integers(0, 1000))
def test_groups_are_cut_merged_and_scored_as_by_hand(seed):
    rng = np.random.default_rng(seed)
    lists = [np.sort(rng.choice(10, rng.integers(1, 5), replace=False)) for _ in range(12)]
    indptr = np.concatenate([[0], np.cumsum([len(one) for one in lists])]).astype(np.int64)
    weights = rng.uniform(0.5, 2.0, 12)
    numbers = np.arange(1, 13, dtype=np.int32)
    groups = Members(indptr, np.concatenate(lists).astype(np.int32), weights, np.zeros(12, dtype=np.int32), numbers)
    block = Block.of(np.ones((1, 10)), np.array([0]), np.array(["d"]), groups)
    J = np.array([1, 2, 5, 8])
    (parts,), total = cut_groups(Documents(block, Terms(Logistic())), J)
    sizes, members, merged, counts, _, _ = parts
    ends = np.concatenate([[0], np.cumsum(sizes)])
    found = {tuple(J[members[a:b]]): (w, c) for a, b, w, c in zip(ends, ends[1:], merged, counts, strict=False)}
    expected: dict = {}
    for one, weight in zip(lists, weights, strict=True):
        kept = tuple(j for j in one if j in J)
        if kept:
            before = expected.get(kept, (0.0, 0))
            expected[kept] = before[0] + weight, before[1] + 1
    assert total == 12
    assert set(found) == set(expected)
    for key, (weight, count) in expected.items():
        assert found[key] == (pytest.approx(weight), count)
    squares, gone = rng.uniform(size=10), np.zeros(10, dtype=bool)
    gone[[0, 4]] = True
    left = [[j for j in one if not gone[j]] for one in lists]
    scores = [np.sqrt(squares[one].sum()) * len(one) ** -0.5 if one else -1.0 for one in left]
    (offered,) = best_group(Documents(block, Terms(Logistic())), (squares, gone, -0.5, 10))
    best = int(np.argmax(scores))
    assert offered[0][0] == pytest.approx(scores[best])
    assert offered[0][1].tolist() == left[best]
    assert offered[0][3] == best + 1

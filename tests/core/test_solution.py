"""Solution: gaps and support."""

import numpy as np
import pytest
import scipy.sparse as sp

from laconic.core.solution import NestedSolutions, Path, Solution


def test_gap_and_support():
    solution = Solution(np.array([[0.0, 0.0], [0.0, -1.0]]), np.zeros(2), objective=2.0, dual_objective=1.5)
    assert solution.gap == 0.5
    assert solution.relative_gap == 0.25
    assert solution.support.tolist() == [1]


def test_without_certificate_the_gap_is_infinite():
    solution = Solution(np.zeros((1, 1)), np.zeros(1), objective=2.0, dual_objective=-np.inf)
    assert solution.gap == np.inf
    assert solution.relative_gap == np.inf


def test_zero_objective():
    assert Solution(np.zeros((1, 1)), np.zeros(1), 0.0, 0.0).relative_gap == 0.0


def solution(weights, intercept=(0.0,)):
    weights = np.asarray(weights, dtype=float)
    return Solution(weights.reshape(len(weights), -1), np.asarray(intercept), 1.0, 1.0)


def test_at_takes_the_longest_prefix():
    path = Path(tuple(solution(w) for w in ([0, 0, 0], [1, 0, 0], [1, 1, 1], [1, 1, 0])), ({},) * 4)
    for words, step in ((2, 1), (0, 0), (3, 3)):
        assert path.step_at(words) == step
        np.testing.assert_array_equal(path.at(words).weights, path[step].weights)
    assert [one.weights.ravel().tolist() for one in path][2] == [1.0, 1.0, 1.0]


def test_at_refuses_what_the_path_has_not():
    with pytest.raises(ValueError, match="at most 0 words; its smallest has 1"):
        Path((solution([1, 0]),), ({},)).at(0)


def test_repr_is_one_line_and_a_wrong_matrix_is_refused():
    path = Path((solution([0, 0]), solution([1, 0])), ({},) * 2)
    assert repr(path) == "Path(2 solutions, 0 to 1 words)"
    with pytest.raises(ValueError, match="X has 3 features, but this path was fitted on 2"):
        path.score(np.ones((1, 3)), [1.0])


def test_scores_equal_scores_one_by_one():
    rng = np.random.default_rng(0)
    X = sp.csr_array(rng.random((30, 6)) * (rng.random((30, 6)) < 0.5))
    classes = np.array(["a", "b", "c"])
    y = rng.choice(classes, 30)
    solutions = tuple(solution(rng.normal(size=(6, 3)), rng.normal(size=3)) for _ in range(4))
    scores = Path(solutions, ({},) * 4, classes).score(X, y)
    for got, one in zip(scores, solutions, strict=True):
        assert got == np.mean(classes[(X @ one.weights + one.intercept).argmax(axis=1)] == y)


def test_regression_scores_are_r2():
    from sklearn.metrics import r2_score

    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    one = solution(rng.normal(size=3), [0.3])
    assert Path((one,), ({},)).score(X, y)[0] == pytest.approx(r2_score(y, X @ one.weights[:, 0] + 0.3))


@pytest.fixture
def three():
    values = [np.zeros(0), np.array([1.0]), np.array([0.5, -2.0])]
    return NestedSolutions(np.array([3, 1]), values, [0.0, 0.25, 0.5], [9.0, 5.0, 4.0], 4)


def test_each_solution_has_the_words_of_the_one_before(three):
    assert [one.support.tolist() for one in three] == [[], [3], [3, 1]]
    assert three[-1].dense().weights.ravel().tolist() == [0.0, -2.0, 0.0, 0.5]
    assert three[1].rest.intercept.tolist() == [0.25]
    assert three[2].rest.objective == 4.0
    with pytest.raises(IndexError):
        three[3]


def test_a_part_is_nested_too(three):
    assert isinstance(three[:2], NestedSolutions)
    assert len(three[:2]) == 2
    assert three[:2][-1].support.tolist() == [3]


def test_a_path_of_nested_solutions_is_a_path_of_its_solutions(three):
    classes = np.array(["no", "yes"])
    lazy, eager = Path(three, [{}] * 3, classes), Path(list(three), [{}] * 3, classes)
    X = np.array([[0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 2.0, 1.0]])
    assert lazy.sizes.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(lazy.decision_function(X), eager.decision_function(X))
    assert lazy.at(1).weights.ravel().tolist() == [0.0, 0.0, 0.0, 1.0]

import numpy as np
import pytest

from laconic.core.nested_solutions import NestedSolutions
from laconic.core.path import Path


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

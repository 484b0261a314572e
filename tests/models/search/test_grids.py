import numpy as np
import pytest
from scipy.sparse import csr_array

from laconic.core import Groups
from laconic.linear import ElasticNetClassifier
from laconic.models.search.grids import budgets_up_to, grid_for, grid_up_to, group_scale, pursuit_grid


@pytest.mark.parametrize("method", ["none", "ridge", "lasso", "elastic"])
@pytest.mark.parametrize("classes", [2, 3])
def test_settings_differ_and_fit_the_method(method, classes):
    grid = grid_for(method, 10.0, classes)
    assert len({tuple(setting.values()) for setting in grid}) == len(grid)
    assert all((setting["l1"] > 0) == (method in ("lasso", "elastic")) for setting in grid)
    assert all((setting["l2"] > 0) == (method in ("ridge", "elastic")) for setting in grid)
    assert max(setting["l1"] for setting in grid) <= 5.0


@pytest.mark.parametrize("method", ["lasso", "elastic"])
@pytest.mark.parametrize("words", [1, 5, 30])
def test_models_up_to_a_size(method, words):
    rng = np.random.default_rng(0)
    X = rng.poisson(0.3, (80, 60)).astype(float)
    y = (X[:, :10] @ rng.normal(size=10) + rng.normal(size=80) > 0).astype(int)
    grid = grid_up_to(method, words, X, y, ElasticNetClassifier())
    sizes = [np.count_nonzero(model.coef_) for model in ElasticNetClassifier().fit_grid(X, y, grid)]
    assert min(sizes) <= words
    assert words - 3 <= max(sizes) <= words + 3  # the path was followed to where it exceeds what was asked for
    assert len(grid) <= 40


def test_a_size_that_is_never_reached_takes_the_whole_path():
    X = np.array([[2.0, 0, 1], [1, 0, 0], [0, 2, 1], [0, 1, 0]])
    grid = grid_up_to("lasso", 100, X, [0, 0, 1, 1], ElasticNetClassifier())
    assert len(grid) == 20


@pytest.mark.parametrize("classes", [2, 3])
def test_groups_have_a_small_grid_of_their_own_scale(classes):
    grid = grid_for("group", 10.0, classes, top_group=0.5)
    assert len(grid) == len({(setting["group"], setting["l1"]) for setting in grid}) == 16
    assert max(setting["group"] for setting in grid) == 0.1
    assert all(0 < setting["l1"] <= 2.0 and setting["l2"] == 0.0 for setting in grid)


def test_the_scale_of_groups_is_where_one_word_enters_against_all_of_its_groups():
    rng = np.random.default_rng(1)
    X = csr_array(rng.poisson(0.5, (40, 6)).astype(float))
    y = rng.integers(0, 2, 40)
    groups = Groups.from_lists([[0, 1, 2], [1, 3], [3]], n_features=6, weights=[1.0, 2.0, 0.5])
    residual = y - y.mean()
    pressure = np.array([1.0, 3.0, 1.0, 2.5])
    expected = np.max(np.abs(X.T @ residual)[:4] / pressure)
    assert group_scale(X, y, groups) == pytest.approx(expected)


def test_budgets_grow_to_the_limit():
    assert budgets_up_to(2000) == [10, 20, 50, 100, 200, 500, 1000, 2000]
    assert budgets_up_to(10) == [10]
    assert budgets_up_to(1) == [1]


def test_pursuits_try_all_budgets_with_each_ridge():
    for limits, largest in (((9000,), 500), ((9000, 3), 200), ((9000, 2, 1500), 1500), ((40, 2, 1500), 40)):
        grid = pursuit_grid(*limits)
        assert {point["l2"] for point in grid} == {0.01, 0.1, 1.0, 10.0, 100.0}
        assert max(point["budget"] for point in grid) == largest
        assert len(grid) == 5 * len(budgets_up_to(largest))

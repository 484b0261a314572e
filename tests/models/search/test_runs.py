from itertools import chain, islice, pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array

from laconic.core import Groups
from laconic.linear import ElasticNetClassifier, lambda_max
from laconic.models.search.recipe import Recipe
from laconic.models.search.runs import LEAST, WIDEST, Scale, budgets_up_to, family_of, group_scale

GROUPED = Recipe(methods=("group",), groups=("sentences",))


def scale(n_words=9000, n_classes=2):
    return Scale(10.0, 0.5, 300.0, n_words, n_classes)


def settings(method, recipe, measured=None, level=None):
    family = family_of(method, measured or scale(), recipe)
    run = family.run(family.levels[0] if level is None else level)
    return list(chain.from_iterable(run.strides()))


@pytest.mark.parametrize(("method", "name"), [("ridge", "l2"), ("lasso", "l1"), ("elastic", "l1"), ("group", "l1")])
@pytest.mark.parametrize("words", [None, 40])
def test_a_run_falls_from_the_datas_own_scale_far_below_it(method, name, words):
    recipe = GROUPED if method == "group" else Recipe(words=words)
    falling = [setting[name] for setting in settings(method, recipe)]
    assert all(above > below > 0.0 for above, below in pairwise(falling))
    assert falling[-1] <= falling[0] * LEAST * 10
    if method != "ridge":
        assert falling[0] <= scale().top
    others = [{key: value for key, value in setting.items() if key != name} for setting in settings(method, recipe)]
    assert all(one == others[0] for one in others)


def test_a_lasso_begins_without_a_word_and_a_ridge_where_it_outweighs_the_data():
    X = csr_array([[2.0, 0, 1], [1, 0, 0], [0, 2, 1], [0, 1, 0]])
    y = [0, 0, 1, 1]
    measured = Scale.of(X, y, ElasticNetClassifier())
    assert measured == Scale(lambda_max(X, y), 1.0, 5.0, 3, 2)
    first = settings("lasso", Recipe(), measured)[0]
    assert not ElasticNetClassifier(**first).fit(X, y).coef_.any()
    assert settings("ridge", Recipe(), measured)[0]["l2"] >= measured.heaviest / 4.0


def test_without_any_correlation_a_run_still_ends():
    X = csr_array(np.ones((4, 2)))
    measured = Scale.of(X, [0, 0, 1, 1], ElasticNetClassifier())
    assert 1 < len(settings("lasso", Recipe(), measured)) < 100
    assert len(settings("none", Recipe(methods=("none",)))) == 1


def test_groups_have_runs_of_their_own_scale():
    family = family_of("group", scale(), GROUPED)
    assert family.levels == pytest.approx((0.1, 0.025, 0.005, 0.001))
    assert all(setting["group"] == 0.1 for setting in settings("group", GROUPED))


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


@pytest.mark.parametrize(
    ("n_words", "n_classes", "recipe", "planned", "last"),
    [
        (9000, 2, Recipe(), 500, 9000),
        (90000, 3, Recipe(), 200, 10000),
        (9000, 2, Recipe(budget=1500), 1500, 1500),
        (9000, 2, Recipe(words=30), 30, 30),
        (40, 2, Recipe(), 40, 40),
    ],
)
def test_pursuits_are_planned_to_a_number_of_words_and_may_go_on_where_none_was_given(
    n_words, n_classes, recipe, planned, last
):
    run = family_of("omp", scale(n_words, n_classes), recipe).run(1.0)
    strides = list(run.strides())
    budgets = [setting["budget"] for stride in strides for setting in stride]
    assert budgets == sorted(set(budgets))
    assert budgets[-1] == last
    assert [setting["budget"] for stride in islice(strides, run.planned) for setting in stride][-1] == planned
    assert {setting["l2"] for stride in strides for setting in stride} == {1.0}


def test_levels_are_added_on_the_side_where_the_best_is_and_not_without_end():
    family = family_of("omp", scale(), Recipe())
    tried = list(family.levels)
    assert family.beyond(1.0, [10.0, *tried]) == []
    assert family.beyond(max(tried), tried) == [10.0 * max(tried)]
    assert family.beyond(min(tried), tried) == [pytest.approx(min(tried) / 10.0)]
    assert family_of("elastic", scale(), Recipe()).beyond(1.0, [1.0]) == [10.0, 0.1]
    assert family_of("lasso", scale(), Recipe()).beyond(0.0, [0.0]) == []
    for _ in range(10):
        tried += family.beyond(min(tried), tried)
    assert max(tried) / min(tried) <= WIDEST * 1.001

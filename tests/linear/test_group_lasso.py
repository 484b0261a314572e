"""GroupLassoClassifier and GroupLassoRegressor: every shape against cvxpy, grids, paths, selection, every refusal."""

import json

import cvxpy as cp
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

from laconic import Groups
from laconic.linear import (
    ElasticNetClassifier,
    GroupLassoClassifier,
    GroupLassoRegressor,
    group_lasso_path,
)

P = 10
FAMILIES = {
    "disjoint": Groups.from_lists([[0, 1, 2], [3, 4, 5], [6, 7, 8, 9]], P),
    "tree": Groups.from_lists([[0, 1, 2, 3, 4], [0, 1], [2, 3, 4], [5, 6], [7, 8, 9], [9]], P),
    "overlapping": Groups.from_lists([[0, 1, 2], [2, 3, 4], [4, 5, 6, 7], [7, 8, 9, 0], [5, 9]], P),
    "singletons": Groups.from_lists([[j] for j in range(P)], P, weights=np.linspace(0.5, 1.5, P)),
}
LEVELS = [(0.6, 0.0, 0.0), (0.6, 0.3, 0.0), (0.6, 0.0, 0.2), (0.6, 0.3, 0.2), (8.0, 0.1, 0.0)]


def texts(seed=0, n=60, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.6, (n, P)).astype(float)
    scores = X[:, :n_classes] + X[:, 3 : 3 + n_classes] + rng.gumbel(size=(n, n_classes))
    return sp.csr_array(X), np.array(["ham", "spam", "eggs"])[scores.argmax(axis=1)]


def optimum(X, y, groups, levels, s=None, regression=False):
    """Return the best objective by an independent solver."""
    group, l1, l2 = levels
    s = np.ones(X.shape[0]) if s is None else s
    classes = None if regression else np.unique(y)
    k = 1 if regression or len(classes) == 2 else len(classes)
    W, b = cp.Variable((P, k)), cp.Variable(k)
    F = X @ W + np.ones((X.shape[0], 1)) @ cp.reshape(b, (1, k), order="C")
    if regression:
        loss = 0.5 * cp.sum_squares(cp.multiply(np.sqrt(s), y - F[:, 0]))
    elif k == 1:
        loss = s @ cp.logistic(cp.multiply(np.where(y == classes[1], -1.0, 1.0), F[:, 0]))
    else:
        own = np.eye(k)[np.searchsorted(classes, y)]
        loss = s @ (cp.log_sum_exp(F, axis=1) - cp.sum(cp.multiply(own, F), axis=1))
    norms = sum(d * cp.norm(W[groups.members(g)], "fro") for g, d in enumerate(groups.weights))
    problem = cp.Problem(cp.Minimize(loss + l1 * cp.sum(cp.abs(W)) + l2 * cp.sum_squares(W) + group * norms))
    return problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("levels", LEVELS)
def test_two_classes_reach_the_optimum(family, levels):
    X, y = texts()
    s = np.random.default_rng(1).uniform(0.5, 2.0, len(y))
    model = GroupLassoClassifier(FAMILIES[family], *levels, tol=1e-9).fit(X, y, sample_weight=s)
    assert model.solution_.objective == pytest.approx(optimum(X, y, FAMILIES[family], levels, s), rel=1e-7)
    assert model.dual_gap_ <= 1e-9


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("levels", LEVELS[:4])
def test_three_classes_reach_the_optimum(family, levels):
    X, y = texts(n_classes=3)
    model = GroupLassoClassifier(FAMILIES[family], *levels, tol=1e-9).fit(X, y)
    assert model.solution_.objective == pytest.approx(optimum(X, y, FAMILIES[family], levels), rel=1e-7)
    assert model.coef_.shape == (3, P)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("levels", LEVELS[:4])
def test_regressions_reach_the_optimum(family, levels):
    X, _ = texts()
    y = X @ np.linspace(-1, 1, P) + np.random.default_rng(0).normal(size=X.shape[0]) + 3.0
    model = GroupLassoRegressor(FAMILIES[family], *levels, tol=1e-9).fit(X, y)
    assert model.solution_.objective == pytest.approx(optimum(X, y, FAMILIES[family], levels, None, True), rel=1e-7)
    np.testing.assert_allclose(model.predict(X), X @ model.coef_[0] + model.intercept_)


@pytest.mark.parametrize("family", ["disjoint", "tree", "overlapping"])
def test_solvers_that_take_the_groups_agree(family):
    X, y = texts()
    groups = FAMILIES[family]
    names = {"disjoint": ["blocks", "tree", "overlapping"], "tree": ["tree", "overlapping"]}.get(
        family, ["overlapping"]
    )
    wanted = optimum(X, y, groups, (0.6, 0.3, 0.0))
    for name in names:
        model = GroupLassoClassifier(groups, 0.6, 0.3, solver=name, tol=1e-9).fit(X, y)
        assert model.solution_.objective == pytest.approx(wanted, rel=1e-7)
    early = GroupLassoClassifier(groups, 0.6, 0.3, solver="admm", rounds=2000, change=1e-7).fit(X, y)
    assert early.solution_.objective == pytest.approx(wanted, rel=1e-6)


def test_singletons_are_the_lasso():
    X, y = texts()
    groups = GroupLassoClassifier(None, 0.7, 0.3, tol=1e-10).fit(X, y)
    lasso = ElasticNetClassifier(1.0, 0.0, tol=1e-10).fit(X, y)
    np.testing.assert_array_equal(groups.coef_, lasso.coef_)
    np.testing.assert_array_equal(
        groups.selected_groups_.indices,
        np.argsort(-np.abs(lasso.coef_[0]), kind="stable")[: np.count_nonzero(lasso.coef_)],
    )


def test_without_group_term_it_is_the_elastic_net():
    X, y = texts(n_classes=3)
    groups = GroupLassoClassifier(FAMILIES["overlapping"], 0.0, 0.3, 0.1, tol=1e-9).fit(X, y)
    elastic = ElasticNetClassifier(0.3, 0.1, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(groups.coef_, elastic.coef_, atol=1e-6)


def test_rows_are_the_groups_of_several_classes():
    X, y = texts(n_classes=3)
    model = GroupLassoClassifier(None, 2.0, tol=1e-9).fit(X, y)
    assert model.solution_.objective == pytest.approx(optimum(X, y, Groups.singletons(P), (2.0, 0.0, 0.0)), rel=1e-7)
    used = model.coef_ != 0
    assert (used.all(axis=0) | ~used.any(axis=0)).all()


def test_dense_and_sparse_and_class_weights():
    X, y = texts()
    weights = {"ham": 2.0, "spam": 0.5}
    by_class = GroupLassoClassifier(FAMILIES["overlapping"], 0.5, class_weight=weights, tol=1e-11).fit(X.toarray(), y)
    by_sample = GroupLassoClassifier(FAMILIES["overlapping"], 0.5, tol=1e-11)
    by_sample.fit(X, y, sample_weight=[weights[one] for one in y])
    np.testing.assert_allclose(by_class.coef_, by_sample.coef_, atol=1e-4)


@pytest.mark.parametrize("family", ["disjoint", "overlapping"])
def test_selected_groups_are_those_that_are_not_zero(family):
    X, y = texts()
    model = GroupLassoClassifier(FAMILIES[family], 2.0, 0.1).fit(X, y)
    norms = FAMILIES[family].norms(model.coef_[0])
    selected = model.selected_groups_
    assert selected.n_groups == len(FAMILIES[family])
    assert set(selected.indices.tolist()) == set(np.flatnonzero(norms))
    assert selected.norms.tolist() == sorted(norms[norms > 0], reverse=True)
    assert model.groups_ == FAMILIES[family]


def test_admm_selects_by_its_copies():
    X, y = texts()
    model = GroupLassoClassifier(FAMILIES["overlapping"], 3.0, 0.1, solver="admm", rho=10.0).fit(X, y)
    norms = FAMILIES["overlapping"].norms(model.coef_[0])
    assert 0 < len(model.selected_groups_) < np.count_nonzero(norms)
    assert 0.0 < model.dual_gap_ < 0.1


def test_admm_that_stops_early_warns():
    X, y = texts()
    with pytest.warns(ConvergenceWarning, match=r"ADMM stopped after 3 rounds .* duality gap of .*Raise rounds"):
        GroupLassoClassifier(FAMILIES["overlapping"], 0.5, solver="admm", rounds=3, change=1e-9).fit(X, y)


def test_stopping_early_warns_with_gap_tolerance_and_knob():
    X, y = texts()
    with pytest.warns(ConvergenceWarning, match=r"relative duality gap of .*above tol=1e-12.*max_iter \(now 1\)"):
        GroupLassoClassifier(FAMILIES["overlapping"], 0.5, tol=1e-12, max_iter=1).fit(X, y)


GRID = [{"group": g, "l1": l1, "l2": l2} for g in (0.1, 3.0, 0.6) for l1, l2 in ((0.3, 0.0), (0.0, 0.0), (0.1, 0.2))]


@pytest.mark.parametrize("family", FAMILIES)
def test_fit_grid_equals_single_fits(family):
    X, y = texts()
    base = GroupLassoClassifier(FAMILIES[family], tol=1e-9)
    for model, point in zip(base.fit_grid(X, y, GRID), GRID, strict=True):
        single = clone(base).set_params(**point).fit(X, y)
        assert model.get_params() == single.get_params()
        assert model.solution_.objective == pytest.approx(single.solution_.objective, rel=1e-8)
        assert model.dual_gap_ <= 1e-9


@pytest.mark.parametrize("family", ["overlapping", "disjoint", "tree"])
def test_threads_change_nothing_in_a_grid(family):
    X, y = texts()
    one, two = (GroupLassoClassifier(FAMILIES[family], n_jobs=n_jobs).fit_grid(X, y, GRID) for n_jobs in (None, 2))
    for first, second in zip(one, two, strict=True):
        np.testing.assert_array_equal(first.coef_, second.coef_)
        assert first.solution_.dual_objective == second.solution_.dual_objective


def test_fit_grid_over_groups_solvers_and_weights():
    X, y = texts()
    grid = [
        {"groups": FAMILIES["tree"]},
        {"groups": {"all": list(range(P))}},
        {"groups": {"all": list(range(P))}, "group": 0.5},
        {"solver": "admm"},
        {"class_weight": "balanced"},
        {"groups": None},
    ]
    base = GroupLassoClassifier(FAMILIES["overlapping"], tol=1e-9)
    for model, point in zip(base.fit_grid(X, y, grid), grid, strict=True):
        single = clone(base).set_params(**point).fit(X, y)
        assert model.solution_.objective == pytest.approx(single.solution_.objective, rel=1e-8)
        assert model.groups_ == single.groups_


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("l1_ratio", [0.0, 0.5])
def test_path_points_equal_cold_fits(family, l1_ratio):
    X, y = texts()
    groups = FAMILIES[family]
    path = group_lasso_path(X, y, groups, GroupLassoClassifier(tol=1e-9), l1_ratio=l1_ratio, n_points=6, smallest=0.02)
    assert path.sizes[0] == 0
    assert path.sizes[-1] > 0
    for solution, point in zip(path, path.parameters, strict=True):
        cold = GroupLassoClassifier(groups, **point, tol=1e-9).fit(X, y)
        assert solution.relative_gap <= 1e-9
        assert solution.objective == pytest.approx(cold.solution_.objective, rel=1e-8)
    assert GroupLassoClassifier(groups, 0.95 * path.parameters[0]["group"], tol=1e-9).fit(X, y).coef_.any() or l1_ratio
    assert path.score(X, y)[-1] > 0.6


def test_regression_paths_with_a_ridge():
    X, _ = texts()
    y = X @ np.linspace(-1, 1, P)
    path = group_lasso_path(X, y, FAMILIES["tree"], GroupLassoRegressor(l2=0.1), n_points=4)
    assert path.classes is None
    assert {point["l2"] for point in path.parameters} == {0.1}
    assert max(one.relative_gap for one in path) <= 1e-6


def test_paths_that_cannot_be_are_refused():
    X, y = texts()
    few = {"few": [0, 1]}
    with pytest.raises(ValueError, match=r"8 features are in no group .* l1_ratio is 0"):
        group_lasso_path(X, y, few)
    assert group_lasso_path(X, y, few, l1_ratio=0.1, n_points=2).sizes[0] == 0
    with pytest.raises(ValueError, match="solver='admm' stops early"):
        group_lasso_path(X, y, few, GroupLassoClassifier(solver="admm"))
    with pytest.raises(ValueError, match="l1_ratio is -1"):
        group_lasso_path(X, y, few, l1_ratio=-1.0)
    with pytest.raises(ValueError, match=r"smallest is 1\.5"):
        group_lasso_path(X, y, few, smallest=1.5)
    with pytest.raises(ValueError, match="n_points is 0"):
        group_lasso_path(X, y, few, n_points=0)


def test_the_estimator_handed_to_a_path_is_left_as_it_was():
    X, y = texts()
    estimator = GroupLassoClassifier()
    group_lasso_path(X, y, FAMILIES["disjoint"], estimator, n_points=2)
    assert vars(estimator) == vars(GroupLassoClassifier())


def test_groups_by_name():
    X, y = texts()
    words = [f"word{j}" for j in range(P)]
    frame = pd.DataFrame(X.toarray(), columns=words)
    named = {"first": ["word0", "word1", "word2"], "second": ["word2", "word9"]}
    by_name = GroupLassoClassifier(named, 0.5, 0.1).fit(frame, y)
    by_number = GroupLassoClassifier({"first": [0, 1, 2], "second": [2, 9]}, 0.5, 0.1).fit(X, y)
    np.testing.assert_array_equal(by_name.coef_, by_number.coef_)
    assert by_name.groups_.names == ("first", "second")
    with pytest.raises(ValueError, match="'first' has the feature 'word11', which is not among the 10 features"):
        GroupLassoClassifier({"first": ["word11"]}).fit(frame, y)
    with pytest.raises(ValueError, match="'first' names its features, but X has no feature names"):
        GroupLassoClassifier(named).fit(X, y)


def test_groups_for_other_features_are_refused():
    X, y = texts()
    with pytest.raises(ValueError, match="made for 3 features, but there are 10"):
        GroupLassoClassifier(Groups.singletons(3)).fit(X, y)
    frame = pd.DataFrame(X.toarray(), columns=[f"word{j}" for j in range(P)])
    other = Groups.from_lists([[0, 1]], P, features_sha256="0" * 64)
    with pytest.raises(ValueError, match="made for another vocabulary"):
        GroupLassoClassifier(other).fit(frame, y)


def test_groups_of_the_same_vocabulary_are_taken():
    from laconic.text.vocabulary import Vocabulary

    X, y = texts()
    words = tuple(f"word{j}" for j in range(P))
    sha = Vocabulary(words, np.ones(P), 5).sha256
    groups = Groups.from_lists([list(range(P))], P, features_sha256=sha)
    model = GroupLassoClassifier(groups).fit(pd.DataFrame(X.toarray(), columns=words), y)
    assert json.loads(json.dumps(model.groups_.to_json()))["features_sha256"] == sha


@pytest.mark.parametrize(
    ("solver", "groups", "message"),
    [
        (
            "blocks",
            {"a": [0, 1], "b": [1, 2]},
            r"'blocks' needs disjoint groups.*\('[ab]'\).*\('[ab]'\) share feature 1",
        ),
        ("blocks", {"a": [0, 1], "b": [1]}, r"'blocks' needs disjoint groups.*share feature 1; solver='auto' picks"),
        ("tree", {"a": [0, 1], "b": [1, 2]}, r"'tree' needs nested or disjoint.*share feature 1 and neither holds"),
    ],
)
def test_groups_that_a_solver_cannot_take_are_refused(solver, groups, message):
    X, y = texts()
    with pytest.raises(ValueError, match=message):
        GroupLassoClassifier(groups, solver=solver).fit(X, y)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"group": -1.0}, ValueError, "group is -1.0; it must be a finite number, 0 or larger"),
        ({"group": np.nan}, ValueError, "group is nan"),
        ({"group": "1"}, TypeError, "group is '1'; it must be a number"),
        ({"l1": -1.0}, ValueError, "l1 is -1.0"),
        ({"l2": np.inf}, ValueError, "l2 is inf"),
        (
            {"solver": "newton"},
            ValueError,
            "solver is 'newton'; allowed are 'auto', 'blocks', 'tree',",
        ),
        ({"groups": [[0, 1]]}, TypeError, "groups is a list; it must be None .* a laconic.Groups, or a dictionary"),
        ({"solver": "admm", "rho": 0.0}, ValueError, "rho is 0.0"),
        ({"tol": -1.0}, ValueError, "tol is -1.0"),
        ({"max_iter": 0}, ValueError, "max_iter is 0"),
    ],
)
def test_bad_settings_are_refused_before_any_work(settings, error, message):
    with pytest.raises(error, match=message):
        GroupLassoClassifier(**settings).fit(object(), object())


def test_settings_of_admm_count_for_admm_alone():
    X, y = texts()
    given = GroupLassoClassifier(group=2.0, rho=0.0, rounds=0).fit(X, y)
    np.testing.assert_array_equal(given.coef_, GroupLassoClassifier(group=2.0).fit(X, y).coef_)


@pytest.mark.parametrize(
    ("groups", "error", "message"),
    [
        ({"a": "word"}, TypeError, "Group 'a' is 'word'; it must be a list of features"),
        ({"a": 3}, TypeError, "Group 'a' is 3; it must be a list of features"),
        ({"a": [0, 0]}, ValueError, r"Group 0 \('a'\) has the member 0 twice"),
        ({"a": [10]}, ValueError, "features are numbered from 0 to 9"),
        ({"a": [0.5]}, TypeError, "members must be integers"),
        ({1: [0]}, TypeError, "names must be strings"),
    ],
)
def test_bad_groups_are_refused(groups, error, message):
    X, y = texts()
    with pytest.raises(error, match=message):
        GroupLassoClassifier(groups).fit(X, y)


@pytest.mark.parametrize("kind", ["crossing", "nested", "disjoint"])
def test_features_in_no_group_are_free_or_have_l1(kind):
    X, y = texts()
    crossing, nested = [[1, 2], [2, 3, 4]], [[1, 2, 3], [2, 3]]
    groups = Groups.from_lists({"crossing": crossing, "nested": nested, "disjoint": crossing[:1]}[kind], P)
    for levels in ((0.5, 0.0, 0.0), (0.5, 0.2, 0.0), (0.5, 0.0, 0.2)):
        model = GroupLassoClassifier(groups, *levels, tol=1e-8).fit(X, y)
        assert model.solution_.objective == pytest.approx(optimum(X, y, groups, levels), rel=1e-6)
        assert model.dual_gap_ <= 1e-8


def test_works_in_searches():
    X, y = texts()
    search = GridSearchCV(GroupLassoClassifier(FAMILIES["overlapping"]), {"group": [0.1, 1.0]}, cv=3)
    assert search.fit(X, y).best_score_ > 0.5


def test_a_constant_target_and_free_features_are_no_trouble():
    X, _ = texts()
    for solver in ("tree", "blocks", "overlapping"):
        model = GroupLassoRegressor({"a": [0, 1]}, 1.0, solver=solver).fit(X, np.full(X.shape[0], 7.0))
        np.testing.assert_allclose(model.coef_, 0.0, atol=1e-6)
        np.testing.assert_allclose(model.intercept_, 7.0)


def test_admm_takes_one_level_per_feature():
    X, y = texts()
    groups, levels = FAMILIES["overlapping"], np.linspace(0.1, 0.6, P)
    exact = GroupLassoClassifier(groups, 0.3, levels, tol=1e-9).fit(X, y)
    rounds = GroupLassoClassifier(groups, 0.3, levels, solver="admm", rounds=3000, change=1e-10).fit(X, y)
    assert rounds.solution_.objective == pytest.approx(exact.solution_.objective, rel=1e-4)

"""The estimators of pursuit: paths, budgets, grids, dev sets, and what they refuse."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from laconic import Edits, GroupOMPClassifier, GroupOMPRegressor, Groups, OMPClassifier, OMPRegressor
from laconic.solvers.pursuit.pursuit import pursue

RNG = np.random.default_rng(0)
X = sp.csr_array(RNG.poisson(0.3, (120, 40)).astype(float))
Y = np.where(X[:, :4].sum(axis=1) - X[:, 4:8].sum(axis=1) + RNG.normal(size=120) > 0, "yes", "no")
GROUPS = Groups.from_lists([range(4), range(2, 8), range(8, 20)], 40, names=("good", "mixed", "noise"))


def test_every_step_of_the_path_is_a_fit_of_its_own():
    model = OMPClassifier(budget=6, l2=0.5, tol=1e-12).fit(X, Y)
    assert model.path_.sizes.tolist() == list(range(7))
    for k in (1, 3, 6):
        support = model.path_.at(k).support
        alone = LogisticRegression(C=1.0, tol=1e-12, max_iter=10_000).fit(X[:, support], Y)
        np.testing.assert_allclose(model.path_.at(k).weights[support, 0], alone.coef_[0], atol=1e-5)
        shorter = OMPClassifier(budget=k, l2=0.5, tol=1e-12).fit(X, Y)
        np.testing.assert_allclose(shorter.coef_[0], model.path_.at(k).weights[:, 0], atol=1e-9)
    assert model.coef_[0].tolist() == model.path_.at(6).weights[:, 0].tolist()
    assert model.solution_.order == tuple(j for step in model.path_.parameters for j in step["entered"])


def test_the_path_scores_all_budgets_at_once():
    model = OMPClassifier(budget=6).fit(X, Y)
    scores = model.path_.score(X, Y)
    for k in (2, 6):
        assert scores[k] == OMPClassifier(budget=k).fit(X, Y).score(X, Y)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_a_grid_is_its_fits_one_by_one(n_jobs):
    grid = [{"l2": l2, "budget": k} for l2 in (0.01, 1.0) for k in (5, 2)]
    for base in (OMPClassifier(n_jobs=n_jobs), GroupOMPClassifier(GROUPS, n_jobs=n_jobs)):
        for parameters, fitted in zip(grid, base.fit_grid(X, Y, grid), strict=True):
            alone = type(base)(**{**base.get_params(), **parameters}).fit(X, Y)
            np.testing.assert_array_equal(fitted.coef_, alone.coef_)
            np.testing.assert_array_equal(fitted.path_.sizes, alone.path_.sizes)


def test_groups_are_named_in_the_path():
    model = GroupOMPClassifier(GROUPS, budget=10, criterion="sum").fit(X, Y)
    assert [step.get("group") for step in model.path_.parameters][:2] == [None, "mixed"]
    assert model.path_.parameters[1]["entered"] == (2, 3, 4, 5, 6, 7)
    entered = [j for step in model.path_.parameters for j in step["entered"]]
    assert len(entered) == len(set(entered))


def test_all_singletons_are_omp():
    plain = OMPClassifier(budget=8).fit(X, Y)
    grouped = GroupOMPClassifier(None, budget=8).fit(X, Y)
    np.testing.assert_array_equal(plain.coef_, grouped.coef_)


def test_a_group_over_the_budget():
    sizes = {
        how: len(GroupOMPClassifier(GROUPS, budget=5, criterion="sum", overshoot=how).fit(X, Y).solution_.support)
        for how in ("allow", "skip", "trim")
    }
    assert sizes == {"allow": 6, "skip": 5, "trim": 5}


def test_paying_members_only():
    model = GroupOMPClassifier(GROUPS, budget=6, criterion="sum", members="paying").fit(X, Y)
    assert len(model.path_.parameters[1]["entered"]) < 6


def test_scaled_refits_end_in_a_raw_one():
    model = OMPClassifier(budget=5, refit="scaled", tol=1e-12).fit(X, Y)
    support = model.solution_.support
    alone = LogisticRegression(C=5.0, tol=1e-12, max_iter=10_000).fit(X[:, support], Y)
    np.testing.assert_allclose(model.coef_[0, support], alone.coef_[0], atol=1e-4)
    assert not np.allclose(model.path_[5].weights[:, 0], model.coef_[0], atol=1e-4)


def test_a_dev_set_stops_the_pursuit():
    dev = X[80:], Y[80:]
    model = OMPClassifier(budget=40, patience=3).fit(X[:80], Y[:80], dev=dev)
    scores = model.path_.score(*dev)
    assert len(model.path_) < 40
    best = int(np.argmax(scores[1:])) + 1
    assert model.path_.sizes[best] == len(model.solution_.support)
    assert len(model.path_) == best + 4


def test_a_dev_set_of_other_labels_is_refused():
    with pytest.raises(ValueError, match="dev has the label 'maybe', which no training document has"):
        OMPClassifier(patience=3).fit(X, Y, dev=(X[:2], ["yes", "maybe"]))


def test_a_regression_finds_the_columns_that_matter():
    y = 3.0 * X[:, [7]].toarray()[:, 0] - 2.0 * X[:, [30]].toarray()[:, 0]
    model = OMPRegressor(budget=2, l2=0.0, tol=1e-14).fit(X, y)
    assert model.solution_.support.tolist() == [7, 30]
    np.testing.assert_allclose(model.coef_[0, [7, 30]], [3.0, -2.0], atol=1e-8)
    pair = GroupOMPRegressor({"both": [7, 30], "other": [1, 2]}, budget=2, l2=0.0).fit(X, y)
    assert pair.path_.parameters[1]["group"] == "both"


def test_several_classes_are_scored_together():
    labels = np.array(["a", "b", "c"])[np.argmax(X[:, :3].toarray() + 0.1 * RNG.normal(size=(120, 3)), axis=1)]
    model = OMPClassifier(budget=3, l2=0.2).fit(X, labels)
    assert set(model.solution_.support.tolist()) == {0, 1, 2}
    assert model.coef_.shape == (3, 40)


@pytest.mark.parametrize(
    ("estimator", "sentence"),
    [
        (OMPClassifier(budget=0), "budget is 0; it is a number of words, at least 1"),
        (OMPClassifier(budget=2.5), "budget is 2.5"),
        (OMPClassifier(l2=-1.0), "l2 is -1.0; it must be a finite number, 0 or larger"),
        (OMPClassifier(refit="both"), "refit is 'both'; allowed are 'raw' and 'scaled'"),
        (OMPClassifier(patience=0), "patience is 0; it is a number of steps"),
        (OMPClassifier(patience=1.5), "patience is 1.5; it is a number of steps"),
        (OMPClassifier(patience=2), "patience is 2 and dev is missing; stopping by a dev set needs both"),
        (GroupOMPClassifier(criterion="best"), "criterion is 'best'; allowed are 'sum', 'projection', 'mean', 'norm'"),
        (GroupOMPClassifier(Groups.from_lists([[]], 40), singletons="none"), "All groups are empty"),
        (GroupOMPClassifier(Groups.singletons(3)), "3"),
    ],
)
def test_bad_input_is_refused_in_words(estimator, sentence):
    with pytest.raises(ValueError, match=sentence):
        estimator.fit(X, Y)


def test_a_budget_beyond_the_columns_is_noted():
    with pytest.warns(ConvergenceWarning, match="stopped at 40 of 100 features"):
        OMPClassifier().fit(X, Y)


@pytest.mark.parametrize("overshoot", ["allow", "skip", "trim"])
def test_a_grid_of_groups_keeps_to_each_budget(overshoot):
    base = GroupOMPClassifier(GROUPS, criterion="sum", overshoot=overshoot)
    grid = [{"budget": k} for k in (3, 9, 20)]
    for parameters, fitted in zip(grid, base.fit_grid(X, Y, grid), strict=True):
        alone = GroupOMPClassifier(GROUPS, criterion="sum", overshoot=overshoot, **parameters).fit(X, Y)
        np.testing.assert_array_equal(fitted.coef_, alone.coef_)


def test_selected_groups_are_those_that_were_chosen():
    model = GroupOMPClassifier(GROUPS, budget=10, criterion="sum").fit(X, Y)
    chosen = [step["group"] for step in model.path_.parameters if "group" in step]
    assert sorted(model.selected_groups_.names) == sorted(set(chosen))
    norm = dict(model.selected_groups_)["mixed"]
    assert norm == pytest.approx(np.linalg.norm(model.coef_[0, 2:8]))
    assert model.selected_groups_.n_groups == 3
    sparse = GroupOMPClassifier(GROUPS, budget=12, criterion="sum", members="paying").fit(X, Y)
    entered = {}
    for step in sparse.path_.parameters:
        if "group" in step:
            entered.setdefault(step["group"], []).extend(step["entered"])
    for name, norm in sparse.selected_groups_:
        assert norm == pytest.approx(np.linalg.norm(sparse.coef_[0, entered[name]]))


def targets(kind, rng, X):
    signal = X[:, 1] - X[:, 2] + 0.5 * X[:, 4] + rng.normal(size=len(X))
    if kind == "squared":
        return signal
    return (signal > np.median(signal)).astype(int) + (kind == "softmax") * 2 * (signal > np.quantile(signal, 0.8))


@pytest.mark.parametrize("explicit", [False, True])
@pytest.mark.parametrize("kind", ["logistic", "softmax", "squared"])
@pytest.mark.parametrize("criterion", ["mean", "sum", "projection"])
@pytest.mark.parametrize("l2", [0.1, 0.0])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_columns_without_cells_are_harmless(explicit, kind, criterion, l2):
    rng = np.random.default_rng(1)
    X = rng.poisson(0.8, (60, 7)).astype(float)
    X[:, [0, 3]] = 0.0
    y = targets(kind, rng, X)
    stored = sp.csc_array(np.where(X == 0.0, 1e300, X) if explicit else X)
    stored.data[stored.data == 1e300] = 0.0
    groups, others = {"a": [0, 1], "b": [2], "empty": [3], "c": [4, 5]}, {"a": [0], "b": [1], "c": [2, 3]}
    form = GroupOMPRegressor if kind == "squared" else GroupOMPClassifier
    for unit_norm in (True, False):
        options = {"budget": 7, "l2": l2, "refit": "scaled", "unit_norm": unit_norm, "criterion": criterion}
        model = form(groups, **options).fit(stored, y)
        assert all(np.isfinite(model.path_.at(k).weights).all() for k in range(8))
        assert not model.coef_[:, [0, 3]].any()
        assert [3] not in [list(step["entered"]) for step in model.path_.parameters]
        if criterion == "sum" and l2 > 0.0:  # a mean counts the columns of a group
            alone = form(others, **options).fit(X[:, [1, 2, 4, 5, 6]], y)
            np.testing.assert_allclose(model.coef_[:, [1, 2, 4, 5, 6]], alone.coef_, atol=1e-4)


@pytest.mark.parametrize("kind", ["logistic", "softmax"])
def test_a_kept_column_without_cells_has_no_weight(kind):
    rng = np.random.default_rng(1)
    X = rng.poisson(0.8, (60, 5)).astype(float)
    X[:, 0] = 0.0
    model = OMPClassifier(budget=3, refit="scaled", edits=Edits(keep=[0])).fit(X, targets(kind, rng, X))
    assert np.isfinite(model.coef_).all()
    assert not model.coef_[:, 0].any()


def three_classes(seed, n_classes=3):
    rng = np.random.default_rng(seed)
    labels = (X[:, :n_classes].toarray() + 0.3 * rng.normal(size=(120, n_classes))).argmax(axis=1)
    return np.array(list("abcdefgh"))[labels]


def test_several_classes_share_a_pursuit_among_budgets_and_give_the_same_as_alone():
    labels = three_classes(0)
    grid = [{"l2": l2, "budget": k} for l2 in (0.01, 1.0) for k in (9, 4)]
    for parameters, fitted in zip(grid, OMPClassifier(n_jobs=2).fit_grid(X, labels, grid), strict=True):
        alone = OMPClassifier(**parameters).fit(X, labels)
        np.testing.assert_array_equal(fitted.coef_, alone.coef_)
        np.testing.assert_array_equal(fitted.intercept_, alone.intercept_)


def test_a_grid_of_several_classes_runs_one_pursuit_for_each_level(monkeypatch):
    seen = []

    def counted(problem, atoms, wanted, stop=None):
        seen.append((wanted.l2, wanted.budget))
        return pursue(problem, atoms, wanted, stop)

    monkeypatch.setattr("laconic.linear.pursuit_base.pursue", counted)
    grid = [{"l2": l2, "budget": k} for l2 in (0.01, 1.0) for k in (3, 9, 4)]
    OMPClassifier().fit_grid(X, three_classes(0), grid)
    assert sorted(seen) == [(0.01, 9), (1.0, 9)]


def test_several_classes_stop_by_a_dev_set():
    labels = three_classes(1)
    model = OMPClassifier(budget=40, patience=3).fit(X[:80], labels[:80], dev=(X[80:], labels[80:]))
    best = int(np.argmax(model.path_.score(X[80:], labels[80:])[1:])) + 1
    assert model.path_.sizes[best] == len(model.solution_.support)
    assert len(model.path_) == best + 4


@pytest.mark.parametrize("l2", [0.01, 5.0])
def test_scaled_refits_of_several_classes_end_in_a_raw_one(l2):
    labels = three_classes(2)
    model = OMPClassifier(budget=5, l2=l2, refit="scaled").fit(X, labels)
    support = model.solution_.support
    alone = LogisticRegression(C=0.5 / l2, tol=1e-12, max_iter=100_000).fit(X[:, support], labels)
    np.testing.assert_allclose(model.coef_[:, support], alone.coef_ - alone.coef_.mean(axis=0), atol=1e-3)
    np.testing.assert_allclose(model.intercept_, alone.intercept_ - alone.intercept_.mean(), atol=1e-3)
    dense = X[:, support].toarray() @ model.coef_[:, support].T + model.intercept_
    own = (labels[:, None] == model.classes_).argmax(axis=1)
    value = -(dense - np.logaddexp.reduce(dense, axis=1)[:, None])[np.arange(120), own].sum()
    value += l2 * (model.coef_**2).sum()
    assert model.solution_.objective == pytest.approx(value, rel=1e-10)

"""Bans, kept words, signs and factors: every estimator against cvxpy's optimum under the same constraints."""

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.core.edits import Edits
from laconic.core.groups import Groups
from laconic.linear import (
    ElasticNetClassifier,
    ElasticNetRegressor,
    GroupLassoClassifier,
    GroupLassoRegressor,
    GroupOMPClassifier,
    OMPClassifier,
    elastic_net_path,
    group_lasso_path,
)
from laconic.linear.edit_constraints import KEPT
from laconic.linear.paths import lambda_max

DISJOINT = [[0, 1, 2], [3, 4, 5, 6], [7, 8], [9]]
TREE = [[0, 1, 2, 3, 4], [0, 1], [2, 3], [5, 6, 7, 8], [5, 6]]
OVERLAPPING = [[0, 1, 2], [1, 2, 3, 4], [4, 5, 6], [6, 7, 0], [8, 9, 10]]


def data(seed=0, n=60, p=12, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.6, (n, p)).astype(float)
    scores = X @ rng.normal(size=(p, n_classes)) + rng.gumbel(size=(n, n_classes))
    y = scores.argmax(axis=1)
    y[:n_classes] = np.arange(n_classes)
    return X, y


def wrong_signs(X, y, fit):
    """Return edits that ask two words of an unconstrained fit for the other sign, and ban and keep others."""
    free = fit.fit(X, y)
    order = np.argsort(-np.abs(free.coef_).max(axis=0))
    several = len(free.coef_) > 1
    signs = {}
    for j in order[:2].tolist():
        k = int(np.abs(free.coef_[:, j]).argmax())
        sign = "-" if free.coef_[k, j] > 0 else "+"
        signs[j] = f"{sign}{k}" if several else sign
    return Edits(
        ban=[int(order[2])], keep=[int(order[-1])], signs=signs, factors={int(order[3]): 0.5, int(order[4]): 3.0}
    )


def optimum(X, y, edits, l1=0.0, l2=0.0, group=0.0, groups=(), weights=None, regression=False):
    """Return the optimal objective and weights by an interior-point solver."""
    n, p = X.shape
    K = 1 if regression or y.max() == 1 else int(y.max()) + 1
    W, b = cp.Variable((p, K)), cp.Variable((1, K))
    F = X @ W + np.ones((n, 1)) @ b
    if regression:
        loss = 0.5 * cp.sum_squares(y - F[:, 0])
    elif K == 1:
        loss = cp.sum(cp.logistic(cp.multiply(1.0 - 2.0 * y, F[:, 0])))
    else:
        loss = cp.sum(cp.log_sum_exp(F, axis=1)) - cp.sum(cp.multiply(np.eye(K)[y], F))
    f = np.ones(p)
    f[list(edits.factors)] = list(edits.factors.values())
    levels = np.full(p, l1)
    levels[list(edits.keep)] = KEPT * (l1 or group)
    V = cp.multiply(f[:, None], W)
    weights = [np.sqrt(len(g)) for g in groups] if weights is None else weights
    members = [[j for j in g if j not in edits.keep] for g in groups]
    norms = sum(group * d * cp.norm(V[g], "fro") for g, d in zip(members, weights, strict=True) if g)
    constraints = [W[j] == 0 for j in edits.ban]
    for j, sign in edits.signs.items():
        entry = W[j, int(sign[1:] or 0)]
        constraints.append(entry >= 0 if sign[0] == "+" else entry <= 0)
    objective = loss + cp.sum(cp.multiply(levels[:, None], cp.abs(V))) + l2 * cp.sum_squares(V) + norms
    tight = {"tol_gap_abs": 1e-10, "tol_gap_rel": 1e-10, "tol_feas": 1e-10}
    value = cp.Problem(cp.Minimize(objective), constraints).solve(solver=cp.CLARABEL, **tight)
    return value, W.value.T


def check(fitted, edits, value, W, tol=1e-7, atol=1e-3):
    assert fitted.solution_.objective == pytest.approx(value, rel=1e-6)
    assert fitted.solution_.objective >= value * (1 - 1e-8)
    assert fitted.solution_.dual_objective <= value * (1 + 1e-8)
    assert fitted.dual_gap_ <= tol
    np.testing.assert_allclose(fitted.coef_, W, atol=atol)
    assert not fitted.coef_[:, list(edits.ban)].any()
    assert fitted.coef_[:, list(edits.keep)].any(axis=0).all()
    for j, sign in edits.signs.items():
        weight = fitted.coef_[int(sign[1:] or 0), j]
        assert weight >= 0.0 if sign[0] == "+" else weight <= 0.0


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("l1", "l2"), [(1.0, 0.0), (0.6, 0.3), (0.0, 0.5)])
def test_elastic_net_is_the_optimum(n_classes, l1, l2):
    X, y = data(1, n_classes=n_classes)
    model = ElasticNetClassifier(l1, l2, tol=1e-9)
    edits = wrong_signs(X, y, model)
    check(model.set_params(edits=edits).fit(X, y), edits, *optimum(X, y, edits, l1, l2))


@pytest.mark.parametrize(("l1", "l2"), [(2.0, 0.0), (1.0, 1.0)])
def test_elastic_net_regression_is_the_optimum(l1, l2):
    X, _ = data(2)
    y = X @ np.random.default_rng(0).normal(size=X.shape[1]) + 1.0
    model = ElasticNetRegressor(l1, l2, tol=1e-9)
    edits = wrong_signs(X, y, model)
    check(model.set_params(edits=edits).fit(X, y), edits, *optimum(X, y, edits, l1, l2, regression=True))


@pytest.mark.parametrize(("n_classes", "l2"), [(2, 0.3), (3, 0.3)])
def test_a_ridge_bans_words_without_l1(n_classes, l2):
    X, y = data(3, n_classes=n_classes)
    edits = Edits(ban=[0, 5])
    fitted = ElasticNetClassifier(0.0, l2, edits=edits, tol=1e-10).fit(X, y)
    check(fitted, edits, *optimum(X, y, edits, 0.0, l2))
    live = [j for j in range(X.shape[1]) if j not in edits.ban]
    alone = ElasticNetClassifier(0.0, l2, tol=1e-10).fit(X[:, live], y)
    np.testing.assert_allclose(fitted.coef_[:, live], alone.coef_, atol=1e-6)


@pytest.mark.parametrize("groups", [DISJOINT, TREE, OVERLAPPING], ids=["disjoint", "tree", "overlapping"])
@pytest.mark.parametrize(("l1", "l2"), [(0.3, 0.0), (0.0, 0.0), (0.2, 0.2)])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_group_lasso_is_the_optimum(groups, l1, l2, n_classes):
    X, y = data(4, n_classes=n_classes)
    lists = {f"g{i}": g for i, g in enumerate(groups)}
    # Words in no group and without any penalty are another matter: here all are in some group.
    lists |= {f"w{j}": [j] for j in range(X.shape[1]) if not any(j in g for g in groups)}
    model = GroupLassoClassifier(lists, group=0.5, l1=l1, l2=l2, tol=1e-8, max_iter=5000)
    edits = wrong_signs(X, y, model)
    fitted = model.set_params(edits=edits).fit(X, y)
    check(fitted, edits, *optimum(X, y, edits, l1, l2, 0.5, list(lists.values())), tol=1e-7)


@pytest.mark.parametrize("solver", ["blocks", "tree", "overlapping"])
def test_solvers_agree_on_disjoint_groups(solver):
    X, y = data(5)
    lists = {f"g{i}": g for i, g in enumerate([*DISJOINT, [10, 11]])}
    edits = Edits(ban=[0], signs={1: "+", 3: "-", 4: "+", 7: "-", 8: "-"})
    fitted = GroupLassoClassifier(lists, group=0.4, solver=solver, edits=edits, tol=1e-9).fit(X, y)
    check(fitted, edits, *optimum(X, y, edits, group=0.4, groups=list(lists.values())))


def test_regression_with_groups_is_the_optimum():
    X, _ = data(2)
    y = X @ np.random.default_rng(0).normal(size=X.shape[1]) + 1.0
    lists = {f"g{i}": g for i, g in enumerate([*OVERLAPPING, [11]])}
    model = GroupLassoRegressor(lists, group=2.0, tol=1e-8)
    edits = wrong_signs(X, y, model)
    fitted = model.set_params(edits=edits).fit(X, y)
    check(fitted, edits, *optimum(X, y, edits, group=2.0, groups=list(lists.values()), regression=True))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_admm_runs_to_the_optimum(n_classes):
    X, y = data(6, n_classes=n_classes)
    lists = {f"g{i}": g for i, g in enumerate([*OVERLAPPING, [11]])}
    long = {"solver": "admm", "rounds": 3000, "change": 1e-9, "rho": 1.0}
    model = GroupLassoClassifier(lists, group=0.4, l1=0.3, l2=0.1, **long)
    edits = wrong_signs(X, y, GroupLassoClassifier(lists, group=0.4, l1=0.3, l2=0.1))
    fitted = model.set_params(edits=edits).fit(X, y)
    check(fitted, edits, *optimum(X, y, edits, 0.3, 0.1, 0.4, list(lists.values())), tol=1e-4)


@pytest.mark.parametrize(
    "estimator", [OMPClassifier(6, tol=1e-10), GroupOMPClassifier({"a": [0, 1, 2], "b": [3, 4]}, 8, tol=1e-10)]
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_pursuits_refit_to_the_optimum_of_what_they_chose(estimator, n_classes):
    X, y = data(7, n_classes=n_classes)
    edits = wrong_signs(X, y, estimator.__class__(**{**estimator.get_params(), "edits": None}))
    fitted = estimator.__class__(**{**estimator.get_params(), "edits": edits}).fit(X, y)
    chosen = list(fitted.solution_.order)
    assert chosen[0] == edits.keep[0]
    assert not set(chosen) & set(edits.ban)
    others = [j for j in range(X.shape[1]) if j not in chosen]
    signs, factors = ({j: one for j, one in given.items() if j in chosen} for given in (edits.signs, edits.factors))
    only = Edits(ban=others, signs=signs, factors=factors)
    value, W = optimum(X, y, only, 0.0, estimator.l2)
    assert fitted.solution_.objective == pytest.approx(value, rel=1e-5)
    np.testing.assert_allclose(fitted.coef_, W, atol=1e-3)


def test_a_pursuit_takes_the_best_word_on_an_allowed_side():
    X, y = data(8)
    signs = dict.fromkeys(range(X.shape[1]), "+")
    fitted = OMPClassifier(4, edits=Edits(signs=signs)).fit(X, y)
    assert (fitted.coef_ >= 0.0).all()
    residual = y - y.mean()
    scores = X.T @ residual / np.linalg.norm(X, axis=0)
    assert fitted.solution_.order[0] == scores.argmax()
    halved = OMPClassifier(1, edits=Edits(factors={int(fitted.solution_.order[0]): 1e6}, signs=signs)).fit(X, y)
    assert halved.solution_.order[0] == np.argsort(scores)[-2]


def test_a_pursuit_with_bans_is_the_pursuit_without_these_columns():
    X, y = data(9)
    live = [j for j in range(X.shape[1]) if j not in (2, 4)]
    banned = OMPClassifier(5, edits=Edits(ban=[2, 4])).fit(X, y)
    alone = OMPClassifier(5).fit(X[:, live], y)
    np.testing.assert_allclose(banned.coef_[:, live], alone.coef_, atol=1e-6)
    assert [live[j] for j in alone.solution_.order] == list(banned.solution_.order)


def test_groups_are_named_in_edits():
    X, y = data(10)
    lists = {"topic 1: a": [0, 1, 2], "topic 2: b": [3, 4, 5], "rest": list(range(6, 12))}
    fitted = GroupLassoClassifier(lists, 0.3, edits=Edits(ban_groups=["topic 1"], keep_groups=["topic 2: b"])).fit(X, y)
    assert not fitted.coef_[0, :3].any()
    assert fitted.coef_[0, 3:6].all()
    assert "topic 1: a" not in fitted.selected_groups_.names
    with pytest.raises(ValueError, match="no group 'topic 3'"):
        fitted.set_params(edits=Edits(ban_groups=["topic 3"])).fit(X, y)
    with pytest.raises(ValueError, match="both banned and kept"):
        fitted.set_params(edits=Edits(ban=[4], keep_groups=["topic 2"])).fit(X, y)
    with pytest.raises(ValueError, match="there are no groups here"):
        ElasticNetClassifier(edits=Edits(ban_groups=["topic 1"])).fit(X, y)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.2]), st.booleans())
def test_constraints_hold_and_never_help(seed, l2, grouped):
    rng = np.random.default_rng(seed)
    X, y = data(seed, n=30, p=8)
    signs = {j: "+-"[rng.integers(2)] for j in range(8) if rng.random() < 0.4}
    ban = [j for j in range(8) if j not in signs and rng.random() < 0.2]

    def make(edits):
        if grouped:
            return GroupLassoClassifier({"a": [0, 1, 2, 3], "b": [2, 3, 4], "c": [5, 6, 7]}, 0.3, 0.2, l2, edits=edits)
        return ElasticNetClassifier(0.5, l2, edits=edits)

    free, bound = make(None).fit(X, y), make(Edits(ban=ban, signs=signs)).fit(X, y)
    assert bound.dual_gap_ <= 1e-6
    assert bound.solution_.objective >= free.solution_.dual_objective - 1e-9
    for j, sign in signs.items():
        assert bound.coef_[0, j] * (1 if sign == "+" else -1) >= 0.0
    assert not bound.coef_[0, ban].any()
    # Where the free fit obeys already, it is the answer.
    obeys = all(free.coef_[0, j] * (1 if s == "+" else -1) >= 0 for j, s in signs.items())
    if obeys and not free.coef_[0, ban].any():
        assert bound.solution_.objective == pytest.approx(free.solution_.objective, rel=1e-6)


def test_a_start_changes_the_way_and_not_the_answer():
    X, y = data(11, n=200, p=30)
    for make in (lambda e: ElasticNetClassifier(1.0, 0.0, edits=e), lambda e: GroupLassoClassifier(group=1.0, edits=e)):
        before = make(None).fit(X, y)
        edits = Edits(ban=[int(np.abs(before.coef_[0]).argmax())], factors={3: 2.0})
        cold = make(edits).fit(X, y)
        warm = make(edits).fit(X, y, start=before.solution_)
        assert warm.solution_.objective == pytest.approx(cold.solution_.objective, rel=2e-6)
        assert warm.solution_.trace[0].objective < cold.solution_.trace[0].objective
    with pytest.raises(ValueError, match="shape"):
        ElasticNetClassifier().fit(X[:, :5], y, start=before.solution_)


def test_grids_and_paths_obey():
    X, y = data(12)
    edits = Edits(ban=[0], keep=[1], signs={2: "+", 3: "-"}, factors={4: 2.0})
    grid = [{"l1": 1.0}, {"l1": 0.5}]
    for one, other in zip(
        ElasticNetClassifier(l2=0.0, edits=edits, tol=1e-9).fit_grid(X, y, grid),
        [ElasticNetClassifier(**point, l2=0.0, edits=edits, tol=1e-9).fit(X, y) for point in grid],
        strict=True,
    ):
        np.testing.assert_allclose(one.coef_, other.coef_, atol=1e-4)
    path = elastic_net_path(X, y, ElasticNetClassifier(edits=edits, tol=1e-8), n_points=6, smallest=0.05)
    last = ElasticNetClassifier(**path.parameters[-1], edits=edits, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(path[-1].weights.T, last.coef_, atol=1e-3)
    assert path[0].support.tolist() == [1]
    grouped = group_lasso_path(
        X, y, {"a": list(range(12))}, GroupLassoClassifier(edits=edits), l1_ratio=0.5, n_points=4
    )
    assert max(one.relative_gap for one in grouped) <= 1e-6
    assert all(not one.weights[0].any() and one.weights[1].any() for one in grouped)


def test_lambda_max_obeys_sides():
    X, y = data(13)
    c = X.T @ (y - y.mean())
    assert lambda_max(X, y, ElasticNetClassifier(edits=Edits(signs=dict.fromkeys(range(12), "+")))) == pytest.approx(
        c.max()
    )
    top = int(np.abs(c).argmax())
    rest = np.delete(np.abs(c), top).max()
    assert lambda_max(X, y, ElasticNetClassifier(edits=Edits(ban=[top]))) == pytest.approx(rest)
    assert lambda_max(X, y, ElasticNetClassifier(edits=Edits(keep=[top]))) == pytest.approx(rest)


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        (Edits(ban=["moon"]), "no feature names"),
        (Edits(ban=[12]), "columns 0 to 11"),
        (Edits(signs={0: "+7"}), "names the label '7'"),
    ],
)
def test_what_does_not_fit_is_refused(edits, said):
    X, y = data()
    with pytest.raises(ValueError, match=said):
        ElasticNetClassifier(edits=edits).fit(X, y)


def test_more_refusals():
    X, y = data(n_classes=3)
    with pytest.raises(ValueError, match="names no label, but there are 3"):
        ElasticNetClassifier(edits=Edits(signs={0: "+"})).fit(X, y)
    with pytest.raises(ValueError, match="Signs need a penalty"):
        ElasticNetClassifier(l2=0.0, edits=Edits(signs={0: "+1"})).fit(X, y)
    with pytest.raises(ValueError, match="the first is column 5"):
        GroupLassoClassifier({"a": [0, 1]}, edits=Edits(signs={5: "+1"})).fit(X, y)
    with pytest.raises(TypeError, match="make it a laconic"):
        ElasticNetClassifier(edits={"ban": [1]}).fit(X, y)
    with pytest.raises(ValueError, match="weights of shape"):
        ElasticNetClassifier().fit(X, y, start=ElasticNetClassifier().fit(X[:, :3], y).solution_)


def test_labels_in_signs_mean_the_same_for_two_classes():
    X, y = data(14)
    names = np.array(["ham", "spam"])[y]
    one = ElasticNetClassifier(0.5, edits=Edits(signs={0: "+", 1: "-"})).fit(X, names)
    other = ElasticNetClassifier(0.5, edits=Edits(signs={0: "+spam", 1: "+ham"})).fit(X, names)
    np.testing.assert_array_equal(one.coef_, other.coef_)


def test_groups_without_kept_words_keep_their_weights():
    from laconic.linear.edit_constraints import Edited

    groups = Groups.from_lists([[0, 1], [1], [2, 3]], 4, names=["a", "b", "c"])
    left = Edited(kept=np.array([1])).without_kept(groups)
    assert left.names == ("a", "c")
    np.testing.assert_allclose(left.weights, np.sqrt([2, 2]))
    assert left.members(0).tolist() == [0]

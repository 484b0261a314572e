"""ADMM: round by round against a slow twin, against cvxpy at convergence, and its certificate."""

import cvxpy as cp
import numpy as np
import pytest

from laconic.core.groups import Groups
from laconic.core.losses import Logistic, Softmax, Squared
from laconic.core.penalties.overlapping import OverlappingPenalty
from laconic.core.problem import LinearProblem
from laconic.solvers.admm import AdmmSettings, parents, solve_admm

GROUPS = Groups.from_lists([[0, 1, 2], [2, 3], [3, 4, 5, 6], [1, 6], [4]], n_features=8, weights="sqrt")
LOSSES = {"logistic": Logistic(), "squared": Squared(), "softmax": Softmax(3)}


def data(name, seed=0, n=40):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.6, (n, 8)).astype(float)
    if name == "softmax":
        y = np.concatenate([np.arange(3), rng.integers(0, 3, n - 3)])
    elif name == "squared":
        y = X @ rng.normal(size=8) + rng.normal(size=n)
    else:
        y = np.where(X[:, 1] - X[:, 4] + rng.normal(size=n) > 0, 1.0, -1.0)
    return X, y, rng.uniform(0.5, 1.5, n)


def expression(loss, X, y, s, W, b):
    F = X @ W + np.ones((len(y), 1)) @ cp.reshape(b, (1, W.shape[1]), order="C")
    if loss.name == "logistic":
        return s @ cp.logistic(cp.multiply(-y, F[:, 0]))
    if loss.name == "squared":
        return 0.5 * cp.sum_squares(cp.multiply(np.sqrt(s), y - F[:, 0]))
    return s @ (cp.log_sum_exp(F, axis=1) - cp.sum(cp.multiply(np.eye(W.shape[1])[y], F), axis=1))


def norms(groups, W):
    return sum(d * cp.norm(W[groups.members(g)], "fro") for g, d in enumerate(groups.weights))


def minimise(value):
    tight = {"tol_gap_abs": 1e-10, "tol_gap_rel": 1e-10, "tol_feas": 1e-10}
    return cp.Problem(cp.Minimize(value)).solve(solver=cp.CLARABEL, **tight)


class Twin:
    """One round is a convex program for w and a loop over groups."""

    def __init__(self, loss, X, y, s, penalty, rho, relax):
        self.loss, self.X, self.y, self.s, self.penalty, self.rho, self.relax = loss, X, y, s, penalty, rho, relax
        k = loss.n_outputs(y)
        self.v = [np.zeros((len(penalty.groups.members(g)), k)) for g in range(len(penalty.groups))]
        self.u = [np.zeros_like(v) for v in self.v]

    def round(self):
        penalty, rho, groups = self.penalty, self.rho, self.penalty.groups
        W, b = cp.Variable((groups.n_features, self.loss.n_outputs(self.y))), cp.Variable(self.loss.n_outputs(self.y))
        value = expression(self.loss, self.X, self.y, self.s, W, b) + penalty.l1 * cp.sum(cp.abs(W))
        value += penalty.l2 * cp.sum_squares(W)
        for g, (v, u) in enumerate(zip(self.v, self.u, strict=True)):
            value += rho / 2 * cp.sum_squares(W[groups.members(g)] - (v + u / rho))
        minimise(value)
        for g in range(len(groups)):
            x = self.relax * W.value[groups.members(g)] + (1 - self.relax) * self.v[g]
            z = x - self.u[g] / rho
            size, level = np.linalg.norm(z), penalty.radii[g] / rho
            self.v[g] = np.zeros_like(z) if size <= level else (1 - level / size) * z
            self.u[g] = self.u[g] + rho * (self.v[g] - x)
        return W.value


@pytest.mark.parametrize(("name", "relax"), [("logistic", 1.0), ("logistic", 1.6), ("squared", 1.0), ("softmax", 1.0)])
def test_rounds_are_those_of_a_slow_twin(name, relax, monkeypatch):
    monkeypatch.setattr("laconic.solvers.admm.INNER_TOL", 1e-8)
    loss, (X, y, s) = LOSSES[name], data(name)
    penalty = OverlappingPenalty(GROUPS, group=1.0, l1=0.2, l2=0.05)
    twin = Twin(loss, X, y, s, penalty, 2.0, relax)
    for rounds in range(1, 5):
        wanted = twin.round()
        settings = AdmmSettings(rho=2.0, rounds=rounds, change=0.0, over_relaxation=relax)
        solution, copies = solve_admm(LinearProblem(X, y, loss, s), penalty, settings)
        np.testing.assert_allclose(solution.weights, wanted, atol=2e-5)
        np.testing.assert_allclose(copies, [np.linalg.norm(v) for v in twin.v], atol=2e-5)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize(("l1", "l2"), [(0.3, 0.1), (0.3, 0.0), (0.0, 0.1), (0.0, 0.0)])
def test_at_convergence_it_is_at_the_optimum_and_its_gap_says_so(name, l1, l2):
    loss, (X, y, s) = LOSSES[name], data(name)
    groups = GROUPS + Groups.from_lists([[7]], 8, names=["last"])
    penalty = OverlappingPenalty(groups, group=0.8, l1=l1, l2=l2)
    W, b = cp.Variable((8, loss.n_outputs(y))), cp.Variable(loss.n_outputs(y))
    whole = expression(loss, X, y, s, W, b) + l1 * cp.sum(cp.abs(W)) + l2 * cp.sum_squares(W)
    best = minimise(whole + 0.8 * norms(groups, W))
    settings = AdmmSettings(rho=2.0, rounds=5_000, change=1e-7, inner_steps=3)
    solution, _ = solve_admm(LinearProblem(X, y, loss, s), penalty, settings)
    assert solution.converged
    assert solution.objective == pytest.approx(best, rel=1e-6)
    assert solution.dual_objective <= best * (1 + 1e-8)
    assert solution.relative_gap <= 1e-4


@pytest.mark.parametrize("l2", [0.0, 0.1])
def test_the_bound_is_never_above_the_optimum(l2):
    X, y, s = data("logistic")
    penalty = OverlappingPenalty(GROUPS, group=0.8, l1=0.1, l2=l2)
    W, b = cp.Variable((8, 1)), cp.Variable(1)
    whole = expression(Logistic(), X, y, s, W, b) + 0.1 * cp.sum(cp.abs(W)) + l2 * cp.sum_squares(W)
    best = minimise(whole + 0.8 * norms(GROUPS, W))
    for rounds in (1, 2, 5, 20):
        settings = AdmmSettings(rounds=rounds, change=0.0, inner_steps=2)
        solution, _ = solve_admm(LinearProblem(X, y, Logistic(), s), penalty, settings)
        assert solution.dual_objective <= best * (1 + 1e-8) <= solution.objective * (1 + 2e-8)
        assert np.isfinite(solution.gap)


def test_the_number_of_threads_changes_nothing():
    rng = np.random.default_rng(0)
    X, y = rng.poisson(0.3, (50, 60)).astype(float), np.where(rng.random(50) > 0.5, 1.0, -1.0)
    groups = Groups.from_lists([rng.choice(60, rng.integers(1, 9), replace=False) for _ in range(200)], 60)
    problem, penalty = LinearProblem(X, y, Logistic()), OverlappingPenalty(groups, group=0.05, l1=0.1)
    one, two, three = (
        solve_admm(problem, penalty, AdmmSettings(rounds=10, change=0.0, n_jobs=jobs)) for jobs in (None, 2, 3)
    )
    assert one.solution.weights.tobytes() == two.solution.weights.tobytes() == three.solution.weights.tobytes()
    assert one.copy_norms.tobytes() == two.copy_norms.tobytes() == three.copy_norms.tobytes()


def test_adaptive_rho_comes_to_the_same_optimum():
    X, y, s = data("logistic")
    penalty = OverlappingPenalty(GROUPS, group=0.8, l1=0.3)
    values = []
    for adaptive, rho in ((False, 2.0), (True, 1e3), (True, 1e-3)):
        settings = AdmmSettings(rho=rho, rounds=5000, change=1e-8, adaptive_rho=adaptive)
        values.append(solve_admm(LinearProblem(X, y, Logistic(), s), penalty, settings).solution.objective)
    assert values[1] == pytest.approx(values[0], rel=1e-5)
    assert values[2] == pytest.approx(values[0], rel=1e-5)


def test_children_of_zero_nodes_are_skipped():
    groups = Groups.from_lists([[0, 1, 2, 3], [0, 1], [2, 3], [4, 5], [4]], 8, weights=[9.0, 1.0, 1.0, 0.1, 0.2])
    assert parents(groups).tolist() == [-1, 0, 0, -1, 3]
    X, y, s = data("logistic")
    penalty = OverlappingPenalty(groups, group=1.0, l1=0.1)
    settings = AdmmSettings(rounds=20, change=0.0, skip_children=True)
    solution, copies = solve_admm(LinearProblem(X, y, Logistic(), s), penalty, settings)
    assert copies[:3].tolist() == [0.0, 0.0, 0.0]
    assert copies[3:].all()  # group 4 weighs more than its parent: it is looked at
    assert solution.dual_objective <= solution.objective


def test_skip_children_of_groups_that_cross_is_refused():
    penalty = OverlappingPenalty(GROUPS)
    X, y, s = data("logistic")
    with pytest.raises(ValueError, match=r"skip_children needs nested.*1 \('group 1'\) and 0 .*set it to False"):
        solve_admm(LinearProblem(X, y, Logistic(), s), penalty, AdmmSettings(skip_children=True))


def test_a_feature_without_any_penalty_has_no_certificate():
    X, y, s = data("squared")
    solution, _ = solve_admm(LinearProblem(X, y, Squared(), s), OverlappingPenalty(GROUPS, group=1.0))
    assert solution.gap == np.inf


def test_stopping_early_says_what_is_missing():
    X, y, s = data("logistic")
    settings = AdmmSettings(rounds=2, change=1e-9)
    solution, _ = solve_admm(LinearProblem(X, y, Logistic(), s), OverlappingPenalty(GROUPS, l1=0.1), settings)
    assert not solution.converged
    assert "after 2 rounds" in solution.message
    assert "relative duality gap" in solution.message
    assert "rho (now 1)" in solution.message


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rho": 0.0}, "rho is 0.0; it must be a finite number above 0"),
        ({"rho": np.nan}, "rho is nan"),
        ({"rounds": 0}, "rounds is 0; it must be at least 1"),
        ({"change": -1.0}, "change is -1.0; it must be a finite number, 0 or larger"),
        ({"inner_steps": 0}, "inner_steps is 0; it must be at least 1, or None"),
        ({"over_relaxation": 2.0}, "over_relaxation is 2.0; it must lie between 0 and 2"),
        ({"n_jobs": 0}, "n_jobs is 0; it must be None, at least 1, or -1"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        AdmmSettings(**settings)

"""Pursuits against a slow twin: dense NumPy, all scores at every step, refits to machine precision."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from scipy.special import softmax as scipy_softmax

from laconic.core.groups import Groups
from laconic.core.losses import Logistic, Softmax, Squared, SquaredHinge
from laconic.core.problem import LinearProblem
from laconic.solvers.pursuit.atom_search import Atoms, Criterion, _fewest
from laconic.solvers.pursuit.pursuit import Pursuit, pursue


def twin_residual(kind, y, F, s):
    """Return α, one column per output."""
    if kind == "squared":
        return (s * (y - F[:, 0]))[:, None]
    if kind == "logistic":
        return (s * y * expit(-y * F[:, 0]))[:, None]
    if kind == "hinge":
        return (2.0 * s * y * np.maximum(1.0 - y * F[:, 0], 0.0))[:, None]
    return s[:, None] * (np.eye(F.shape[1])[y] - scipy_softmax(F, axis=1))


def twin_bend(kind, y, F, s, Z):
    """Return the curvature of the loss times Z."""
    if kind == "squared":
        return s[:, None] * Z
    if kind == "logistic":
        p = expit(F[:, 0])
        return (s * p * (1 - p))[:, None] * Z
    if kind == "hinge":
        return (2.0 * s * (y * F[:, 0] < 1.0))[:, None] * Z
    P = scipy_softmax(F, axis=1)
    return s[:, None] * P * (Z - (P * Z).sum(axis=1, keepdims=True))


def twin_refit(kind, A, y, s, ridge, K):
    """Newton's method with dense Hessians."""
    n, k = A.shape
    B = np.column_stack([A, np.ones(n)])
    W = np.zeros((k + 1, K))
    levels = np.append(ridge, 1e-13)
    for _ in range(200):
        F = B @ W
        G = B.T @ twin_residual(kind, y, F, s) - 2 * levels[:, None] * W
        H = np.zeros(((k + 1) * K, (k + 1) * K))
        for at in range((k + 1) * K):
            unit = np.zeros((k + 1) * K)
            unit[at] = 1.0
            V = unit.reshape(k + 1, K)
            H[:, at] = (B.T @ twin_bend(kind, y, F, s, B @ V) + 2 * levels[:, None] * V).ravel()
        step = np.linalg.lstsq(H, G.ravel(), rcond=None)[0].reshape(k + 1, K)
        # Losses of at most unit slope: short steps are safe, and full ones follow near the optimum.
        length = np.abs(B @ step).max()
        W = W + step * min(1.0, 1.0 / length if length > 0 else 1.0)
        if length < 1e-12:
            break
    return W[:-1], W[-1]


def twin_scores(c, atoms, gone, criterion, gram):
    scores = []
    for a in range(len(atoms.ends) - 1):
        members = [j for j in atoms.members[atoms.ends[a] : atoms.ends[a + 1]] if not gone[j]]
        if not members:
            scores.append(-1.0)
            continue
        square = np.sum(c[members] ** 2)
        size = len(members)
        if criterion.name == "projection":
            inner = gram[np.ix_(members, members)] + criterion.ridge * np.eye(size)
            value = np.trace(c[members].T @ np.linalg.pinv(inner, rcond=1e-9) @ c[members])
            scores.append(value / size if criterion.divide else value)
        else:
            scores.append({"sum": square, "mean": square / size, "norm": square / size**2}[criterion.name])
    return np.array(scores)


def twin(kind, X, y, s, atoms, wanted, K=1):
    """Return features in order of entry, and the weights after every step."""
    norms = np.sqrt(s @ X**2)
    scale = (
        np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0) if wanted.unit_norm else np.ones(len(norms))
    )
    gone = np.zeros(X.shape[1], dtype=bool)
    gram = (X * scale).T @ (s[:, None] * (X * scale))
    chosen, weights = [], []
    W, b = twin_refit(kind, X[:, []], y, s, np.zeros(0), K)
    while len(chosen) < wanted.budget:
        alpha = twin_residual(kind, y, X[:, chosen] @ W + b, s)
        c = (X * scale).T @ alpha
        scores = twin_scores(c, atoms, gone, wanted.criterion, gram)
        room = wanted.budget - len(chosen)
        parts = [atoms.members[atoms.ends[a] : atoms.ends[a + 1]] for a in range(len(scores))]
        left = [[int(j) for j in part if not gone[j]] for part in parts]
        if wanted.overshoot == "skip":
            scores = np.array([-1.0 if len(part) > room else score for part, score in zip(left, scores, strict=True)])
        if scores.max(initial=-1.0) <= 1e-20:
            break
        winner = int(np.argmax(scores >= scores.max() * (1 - 1e-9)))
        take = left[winner]
        sizes = np.linalg.norm(c[take], axis=1)
        if wanted.paying:
            take = [j for j, size in zip(take, sizes, strict=True) if size**2 >= np.mean(sizes**2) * (1 - 1e-12)]
        if wanted.overshoot == "trim" and len(take) > room:
            order = sorted(take, key=lambda j: (-np.linalg.norm(c[j]), j))
            take = sorted(order[:room])
        gone[take] = True
        chosen += take
        ridge = wanted.l2 * (norms[chosen] ** 2 if wanted.scaled else np.ones(len(chosen)))
        W, b = twin_refit(kind, X[:, chosen], y, s, ridge, K)
        weights.append((W, b))
    return chosen, weights


def data(seed, kind, n=40, p=12):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.5, (n, p)) * rng.uniform(0.5, 2.0, p)
    if kind == "squared":
        return X, X[:, 0] - X[:, 1] + rng.normal(size=n), Squared(), 1
    if kind == "softmax":
        y = np.argmax(X[:, :3] + rng.normal(size=(n, 3)), axis=1)
        y[:3] = [0, 1, 2]
        return X, y, Softmax(3), 3
    y = np.where(X[:, 0] - X[:, 1] + rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = [1.0, -1.0]
    return X, y, Logistic() if kind == "logistic" else SquaredHinge(), 1


def some_groups(seed, p=12):
    rng = np.random.default_rng(seed)
    lists = [rng.choice(p, rng.integers(1, 5), replace=False).tolist() for _ in range(6)]
    return Groups.from_lists(lists, p)


def agree(kind, X, y, loss, K, atoms, wanted, weight=None):
    s = np.ones(len(y)) if weight is None else weight
    found = pursue(LinearProblem(X, y, loss, weight), atoms, wanted)
    chosen, weights = twin(kind, X, y, s, atoms, wanted, K)
    assert [j for entry in found.entries for j in entry.features] == chosen
    assert len(found.solutions) == len(weights) + 1
    for solution, (W, b) in zip(found.solutions[1:], weights, strict=True):
        np.testing.assert_allclose(solution.values, W, atol=1e-6)
        if K == 1:
            np.testing.assert_allclose(solution.rest.intercept, b, atol=1e-6)


TIGHT = {"tol": 1e-15}


@pytest.mark.parametrize("kind", ["logistic", "squared", "hinge", "softmax"])
@pytest.mark.parametrize("unit_norm", [True, False])
def test_omp_equals_its_twin_step_by_step(kind, unit_norm):
    for seed in range(6):
        X, y, loss, K = data(seed, kind)
        agree(kind, X, y, loss, K, Atoms.columns(12), Pursuit(7, 0.3, unit_norm=unit_norm, **TIGHT))


@pytest.mark.parametrize("criterion", ["sum", "mean", "norm", "projection", "projection-ridge", "projection-whole"])
@pytest.mark.parametrize("kind", ["logistic", "softmax"])
def test_group_omp_equals_its_twin_for_every_criterion(criterion, kind):
    name, _, kind_of = criterion.partition("-")
    how = Criterion(name, 0.01 if kind_of == "ridge" else 0.0, kind_of != "whole")
    for seed in range(5):
        X, y, loss, K = data(seed, kind)
        atoms = Atoms.of(some_groups(seed), "outside")
        agree(kind, X, y, loss, K, atoms, Pursuit(7, 0.3, criterion=how, **TIGHT))


@given(
    st.integers(0, 10_000),
    st.sampled_from(["allow", "skip", "trim"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["outside", "all", "none"]),
    st.sampled_from(["mean", "sum", "projection"]),
)
@settings(max_examples=30, deadline=None)
def test_group_omp_equals_its_twin_with_every_option(seed, overshoot, paying, scaled, singletons, criterion):
    X, y, loss, K = data(seed, "logistic")
    atoms = Atoms.of(some_groups(seed), singletons)
    how = Criterion(criterion, 0.01)
    wanted = Pursuit(6, 0.3, criterion=how, overshoot=overshoot, paying=paying, scaled=scaled, **TIGHT)
    agree("logistic", X, y, loss, K, atoms, wanted, np.random.default_rng(seed).uniform(0.5, 2.0, len(y)))


def test_a_document_of_weight_two_is_two_documents():
    X, y, loss, _ = data(3, "logistic")
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    again = np.repeat(np.arange(len(y)), weight.astype(int))
    one = pursue(LinearProblem(X, y, loss, weight), Atoms.columns(12), Pursuit(5, **TIGHT))
    two = pursue(LinearProblem(X[again], y[again], loss), Atoms.columns(12), Pursuit(5, **TIGHT))
    assert [e.features for e in one.entries] == [e.features for e in two.entries]
    np.testing.assert_allclose(one.solutions[-1].values, two.solutions[-1].values, atol=1e-9)


def test_following_the_residual_finds_the_same_words_as_looking_at_all():
    """On a problem large enough that few documents are followed: the winner of every step has the highest score."""
    rng = np.random.default_rng(1)
    X = (rng.random((400, 900)) < rng.uniform(0.002, 0.05, 900)).astype(float)
    y = np.where(X[:, :40].sum(axis=1) - X[:, 40:80].sum(axis=1) + rng.normal(size=400) > 0, 1.0, -1.0)
    problem = LinearProblem(X, y, Logistic())
    found = pursue(problem, Atoms.columns(900), Pursuit(80, 0.5))
    norms = np.maximum(np.linalg.norm(X, axis=0), 1e-300)
    chosen = []
    for solution, entry in zip(found.solutions[:-1], found.entries, strict=True):
        F = X[:, solution.support] @ solution.values + solution.rest.intercept
        scores = np.abs(X.T @ problem.residual(F)[:, 0]) / norms
        scores[chosen] = 0.0
        assert scores[entry.features[0]] >= scores.max() * (1 - 1e-8)
        chosen += entry.features


def test_ties_go_to_the_first_column():
    X = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]])
    found = pursue(LinearProblem(X, np.array([1.0, 1.0, -1.0, -1.0]), Logistic()), Atoms.columns(3), Pursuit(1))
    assert found.entries[0].features == (0,)


def test_too_large_a_budget_stops_with_a_note():
    X, y, loss, _ = data(0, "logistic")
    X[:, 5] = 0.0
    found = pursue(LinearProblem(X, y, loss), Atoms.columns(12), Pursuit(50))
    assert len(found.entries) == 11
    assert "stopped at 11 of 50 features" in found.message


def test_separable_data_without_a_ridge_is_said_to_be_so():
    X = np.array([[1.0, 0.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, 1.0]])
    found = pursue(LinearProblem(X, np.array([1.0, 1.0, -1.0, -1.0]), Logistic()), Atoms.columns(2), Pursuit(2, 0.0))
    assert np.isfinite(found.solutions[-1].values).all()
    assert "separated without error" in found.message


def test_precision_stops_early():
    X, y, loss, _ = data(0, "logistic")
    found = pursue(LinearProblem(X, y, loss), Atoms.columns(12), Pursuit(12, precision=1.0))
    assert 0 < len(found.entries) < 11
    assert found.message == ""
    assert all(entry.score > 1.0 for entry in found.entries)


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=30), st.floats(0.0, 3.0))
def test_the_fewest_documents_leave_no_more_than_allowed(squares, enough):
    squares = np.array(squares)
    found = _fewest(squares, enough)
    if found is None:
        return
    which, rest = found
    left = np.delete(squares, which).sum()
    assert rest == pytest.approx(left, abs=1e-12)
    assert left <= enough + 1e-12
    assert len(which) <= 0.3 * len(squares)
    if len(which):
        assert np.delete(squares, which).sum() + squares[which].min() > enough - 1e-9


@pytest.mark.parametrize("share", [0.5, 0.999, 1.0])
def test_columns_that_are_multiples_are_refitted_to_the_optimum(share):
    X = np.array([[0.0, 3e3 * (1.0 - share)], [2e4, 1e4]])
    y = np.array([-7.0, 9.5])
    l2, tol = 600.0, 1e-9
    pair = Atoms.of(Groups.from_lists([[0, 1]], 2), "none")
    found = pursue(LinearProblem(X, y, Squared(), fit_intercept=False), pair, Pursuit(2, l2=l2, tol=tol))
    w = np.linalg.solve(X.T @ X + 2.0 * l2 * np.eye(2), X.T @ y)
    best = 0.5 * ((y - X @ w) ** 2).sum() + l2 * w @ w
    assert found.entries[-1].objective == pytest.approx(best, rel=1000.0 * tol)

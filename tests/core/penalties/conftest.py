"""Slow, obvious twins of the penalties: cvxpy problems and random families of groups."""

import warnings
from types import SimpleNamespace

import cvxpy as cp
import numpy as np
import pytest

from laconic.core.groups import Groups
from laconic.core.penalties import ElasticNetPenalty, GroupPenalty, OverlappingPenalty, TreePenalty


@pytest.fixture(scope="session")
def twins():
    """The functions below; test modules cannot import this file."""
    return SimpleNamespace(make_groups=make_groups, make_penalty=make_penalty, prox=prox, polar=polar)


def make_groups(kind, n, rng):
    """Return a random family of the given structure over n features, some of them in no group."""
    if kind == "disjoint":
        order = rng.permutation(n)
        cuts = np.sort(rng.choice(np.arange(1, n), size=min(3, n - 1), replace=False))
        return Groups.from_lists(np.split(order, cuts)[: len(cuts)], n, weights=rng.uniform(0.3, 1.5, len(cuts)))
    if kind == "tree":
        lists = []

        def split(members):
            lists.append(members)
            if len(members) > 1:
                cut = rng.integers(1, len(members))
                if rng.random() < 0.8:
                    split(members[:cut])
                if rng.random() < 0.8:
                    split(members[cut:])

        split(rng.permutation(n)[: max(2, n - 1)])
        lists.append(lists[-1])  # a group given twice is nested in itself
        return Groups.from_lists(lists, n, weights=rng.uniform(0.1, 0.6, len(lists)))
    lists = [rng.choice(n, size=rng.integers(1, n + 1), replace=False) for _ in range(6)]
    return Groups.from_lists(lists, n, weights=rng.uniform(0.1, 0.8, len(lists)))


def make_penalty(kind, n, rng, l1=0.3, l2=0.2, group=0.8):
    """Return a random penalty of the given kind."""
    if kind == "elastic":
        return ElasticNetPenalty(l1, l2)
    cls = {"disjoint": GroupPenalty, "tree": TreePenalty, "overlapping": OverlappingPenalty}[kind]
    return cls(make_groups(kind, n, rng), group, l1, l2)


def norm_expression(penalty, w):
    """Return λ₁‖w‖₁ + λ_g Σ d_g‖w_g‖ in cvxpy, for w of shape (n, k)."""
    n = w.shape[0]
    levels = np.broadcast_to(np.asarray(penalty.l1, dtype=float), n)
    terms = [cp.sum(cp.multiply(np.repeat(levels[:, None], w.shape[1], axis=1), cp.abs(w)))]
    if not isinstance(penalty, ElasticNetPenalty):
        groups = penalty.groups
        terms += [
            penalty.group * groups.weights[g] * cp.norm(w[groups.members(g), :], "fro") for g in range(len(groups))
        ]
    return cp.sum(cp.hstack(terms))


def prox(penalty, v, step):
    """Return argmin ½‖w − v‖² + step·Ω(w)."""
    v = np.asarray(v, dtype=float)
    w = cp.Variable((len(v), v[0].size))
    part = penalty.l2 * cp.sum_squares(w) + norm_expression(penalty, w)
    _solve(cp.Problem(cp.Minimize(0.5 * cp.sum_squares(w - v.reshape(w.shape)) + step * part)))
    return w.value.reshape(v.shape)


def polar(penalty, c):
    """Return max c·w over Ψ(w) ≤ 1."""
    w = cp.Variable((len(c), c[0].size))
    aim = cp.Maximize(cp.sum(cp.multiply(c.reshape(w.shape), w)))
    return _solve(cp.Problem(aim, [norm_expression(penalty, w) <= 1]))


def _solve(problem):
    with warnings.catch_warnings():
        # The tolerances are tighter than what the solver promises; the tests say how close it must come.
        warnings.filterwarnings("ignore", "Solution may be inaccurate", UserWarning)
        problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-11, tol_gap_rel=1e-11, tol_feas=1e-11)
    return problem.value


@pytest.fixture
def rng():
    return np.random.default_rng(7)

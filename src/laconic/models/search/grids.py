"""The penalties that `laconic.models.fit_text` tries for each method, all in terms of the training data's own λ_max.

========  ===================================  ===================================
method    two classes                          more classes
========  ===================================  ===================================
none      λ₁ = λ₂ = 0                          the same
ridge     λ₂ from 100 to 0.001                 from 100 to 0.1
lasso     λ₁ from λ_max/2 to λ_max/1000        from λ_max/2 to λ_max/200
elastic   λ₁ from λ_max/2 to λ_max/500,        from λ_max/2 to λ_max/200,
          each with λ₂ of 10, 1 and 0.1        each with the same
group     λ₁ from λ_max/5 to λ_max/300,        from λ_max/5 to λ_max/100,
          each with λ_g of top/5 to top/500    each with the same
omp,      λ₂ of 100, 10, 1, 0.1 and 0.01,      the same λ₂, each with budgets of
gomp      each with budgets of 10, 20, 50,     10, 20, 50, … words up to 200
          100, … words up to 500
========  ===================================  ===================================

All budgets of omp at one λ₂ are cuts of one pursuit; of gomp each is its own, since its last group is cut to the
budget. More classes stop earlier because there the weakest penalties take most of the time and are seldom the best.

The groups' own scale is top = max_j |c_j| / Σ_{g∋j} d_g, with c the correlations of the words with the residual of the
intercept: the λ_g at which the first word could enter alone against all of its groups, without λ₁.

When a number of words is asked for, the lasso and elastic nets of fixed ratio are followed on the training data from
λ_max down to where they exceed it, and the points up to there are tried; of the method group the same grid is tried,
and of omp and gomp the budgets up to the number.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from laconic.core.edits import Edits
from laconic.core.groups import Groups
from laconic.linear import elastic_net_path, lambda_max
from laconic.models.search.recipe import PURSUITS, Recipe

Grid = list[dict[str, Any]]

ELASTIC_L2 = (10.0, 1.0, 0.1)
GROUP_SHARES = (0.2, 0.05, 0.01, 0.002)
RATIOS = {"lasso": (1.0,), "elastic": (0.9, 0.5)}
REACHES = (0.1, 0.01, 0.001)
PURSUIT_L2 = (100.0, 10.0, 1.0, 0.1, 0.01)
BUDGETS = (500, 200)  # of two classes, of more


def grids_of(
    methods: Sequence[str], X: Any, y: ArrayLike, recipe: Recipe, edits: Edits | None, groups: Groups | None
) -> dict[str, Grid]:
    """Return the settings to try for each method of a recipe on a training design; edits number its columns."""
    plain, n_classes = recipe.classifier().estimator, len(np.unique(np.asarray(y)))
    scout = clone(plain).set_params(edits=edits)
    top = lambda_max(X, y, scout) if set(methods) & {"lasso", "elastic", "group"} else 0.0
    top_group = 0.0 if groups is None else group_scale(X, y, groups, plain)

    def grid_of(method: str) -> Grid:
        if method in PURSUITS:
            limits = [limit for limit in (recipe.budget, recipe.words) if limit is not None]
            return pursuit_grid(X.shape[1], n_classes, min(limits, default=None))
        if recipe.words is None:
            return grid_for(method, top, n_classes, top_group)
        if method == "group":
            levels = [point["l1"] for point in grid_up_to("lasso", recipe.words, X, y, scout)]
            shares = [top_group * share for share in GROUP_SHARES[1:]]
            return [{"group": group, "l1": l1, "l2": 0.0} for group in shares for l1 in levels]
        return grid_up_to(method, recipe.words, X, y, scout)

    return {method: grid_of(method) for method in methods}


def grid_for(method: str, top: float, n_classes: int = 2, top_group: float = 0.0) -> Grid:
    """Return the settings to try for a method, strong penalties first; top is λ_max, top_group the `group_scale`."""
    if method == "none":
        return [{"l1": 0.0, "l2": 0.0}]
    if method == "ridge":
        strengths = np.geomspace(100.0, 0.001, 8) if n_classes == 2 else np.geomspace(100.0, 0.1, 6)
        return [{"l1": 0.0, "l2": float(l2)} for l2 in strengths]
    if method == "lasso":
        shares = np.geomspace(0.5, 0.001, 12) if n_classes == 2 else np.geomspace(0.5, 0.005, 10)
        return [{"l1": float(l1), "l2": 0.0} for l1 in top * shares]
    if method == "group":
        shares = np.geomspace(0.2, 0.003 if n_classes == 2 else 0.01, 4)
        levels = [top_group * share for share in GROUP_SHARES]
        return [{"group": group, "l1": float(l1), "l2": 0.0} for group in levels for l1 in top * shares]
    shares = np.geomspace(0.5, 0.002, 6) if n_classes == 2 else np.geomspace(0.5, 0.005, 5)
    return [{"l1": float(l1), "l2": l2} for l2 in ELASTIC_L2 for l1 in top * shares]


def pursuit_grid(n_words: int, n_classes: int = 2, budget: int | None = None) -> Grid:
    """Return the settings to try for omp and gomp, up to a budget that is by default 500 for two classes, else 200."""
    largest = min(BUDGETS[n_classes > 2] if budget is None else budget, n_words)
    return [{"l2": l2, "budget": budget} for l2 in PURSUIT_L2 for budget in budgets_up_to(largest)]


def budgets_up_to(largest: int) -> list[int]:
    """Return 10, 20, 50, 100, 200, 500, … below a number, and the number."""
    steps = (step * 10**power for power in range(1, 12) for step in (1, 2, 5))
    return [*(step for step in steps if step < largest), largest]


def group_scale(X: Any, y: ArrayLike, groups: Groups, estimator: Any = None) -> float:
    """Return max_j |c_j| / Σ_{g∋j} d_g over the words that are in groups; the estimator gives class weights."""
    pressure = np.bincount(groups.indices, weights=np.repeat(groups.weights, groups.sizes), minlength=groups.n_features)
    pressed = np.flatnonzero(pressure)
    return lambda_max(X[:, pressed] * (1.0 / pressure[pressed]), y, estimator)


def grid_up_to(method: str, words: int, X: Any, y: ArrayLike, estimator: Any, points: int = 20) -> Grid:
    """Return settings of a sparse method whose models of X have up to ``words`` words, ``points`` per ratio at most."""
    scout = clone(estimator).set_params(tol=1e-4)  # the sizes need not be exact here: `tune` looks at them again
    grid: Grid = []
    for ratio in RATIOS[method]:
        for reach in REACHES:
            path = elastic_net_path(X, y, scout, l1_ratio=ratio, n_points=40, smallest=reach)
            exceeds = np.flatnonzero(path.sizes > words)
            if len(exceeds):
                break
        last = int(exceeds[0]) if len(exceeds) else len(path)
        # The largest models that fit come last on the path and are the ones worth trying.
        chosen = np.unique(np.linspace(min(1, last - 1), last - 1, points).round().astype(int))
        grid += [path.parameters[i] for i in chosen]
    return grid

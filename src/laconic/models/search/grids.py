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

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from laconic.core.groups import Groups

Grid = list[dict[str, Any]]

ELASTIC_L2 = (10.0, 1.0, 0.1)
GROUP_SHARES = (0.2, 0.05, 0.01, 0.002)
RATIOS = {"lasso": (1.0,), "elastic": (0.9, 0.5)}
REACHES = (0.1, 0.01, 0.001)
PURSUIT_L2 = (100.0, 10.0, 1.0, 0.1, 0.01)
BUDGETS = (500, 200)  # of two classes, of more


def grid_for(method: str, top: float, n_classes: int = 2, top_group: float = 0.0) -> Grid:
    """Return the settings to try for a method, strong penalties first.

    Parameters
    ----------
    method : {"none", "ridge", "lasso", "elastic", "group"}
    top : float
        λ_max: the λ₁ from which on all weights are zero. Not used by "none" and "ridge".
    n_classes : int
    top_group : float
        The scale of λ_g; see `group_scale`. Used by "group" alone.

    Examples
    --------
    >>> grid_for("none", 1.0)
    [{'l1': 0.0, 'l2': 0.0}]
    >>> grid_for("group", 1.0, top_group=0.5)[0]
    {'group': 0.1, 'l1': 0.2, 'l2': 0.0}
    >>> [setting["l1"] for setting in grid_for("lasso", 8.0)][:1], len(grid_for("elastic", 8.0))
    ([4.0], 18)
    """
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
    """Return the settings to try for omp and gomp.

    Parameters
    ----------
    n_words : int
        How many words there are to choose from.
    n_classes : int
    budget : int, optional
        The largest budget; by default 500 for two classes and 200 for more.

    Examples
    --------
    >>> grid = pursuit_grid(n_words=30)
    >>> len(grid), grid[:3]
    (15, [{'l2': 100.0, 'budget': 10}, {'l2': 100.0, 'budget': 20}, {'l2': 100.0, 'budget': 30}])
    """
    largest = min(BUDGETS[n_classes > 2] if budget is None else budget, n_words)
    return [{"l2": l2, "budget": one} for l2 in PURSUIT_L2 for one in budgets_up_to(largest)]


def budgets_up_to(largest: int) -> list[int]:
    """Return 10, 20, 50, 100, 200, 500, … below a number, and the number.

    Examples
    --------
    >>> budgets_up_to(150), budgets_up_to(4)
    ([10, 20, 50, 100, 150], [4])
    """
    steps = (step * 10**power for power in range(1, 12) for step in (1, 2, 5))
    return [*(step for step in steps if step < largest), largest]


def group_grid_up_to(words: int, X: Any, y: ArrayLike, estimator: Any, top_group: float) -> Grid:
    """Return settings of the method group around models of at most ``words`` words: those of the lasso, with groups.

    Examples
    --------
    >>> from laconic.linear import ElasticNetClassifier
    >>> X = np.array([[2.0, 0, 1], [1, 0, 0], [0, 2, 1], [0, 1, 0]])
    >>> grid = group_grid_up_to(2, X, [0, 0, 1, 1], ElasticNetClassifier(), top_group=1.0)
    >>> sorted({point["group"] for point in grid})
    [0.002, 0.01, 0.05]
    """
    levels = [point["l1"] for point in grid_up_to("lasso", words, X, y, estimator)]
    return [{"group": top_group * share, "l1": l1, "l2": 0.0} for share in GROUP_SHARES[1:] for l1 in levels]


def group_scale(X: Any, y: ArrayLike, groups: Groups, estimator: Any = None) -> float:
    """Return max_j |c_j| / Σ_{g∋j} d_g over the words that are in groups.

    Parameters
    ----------
    X, y
        The training design and its labels.
    groups : Groups
    estimator : ElasticNetClassifier, optional
        Gives class weights.

    Examples
    --------
    >>> X = np.array([[1.0, 0], [0, 1]])
    >>> group_scale(X, [0, 1], Groups.from_lists([[0, 1], [0]], n_features=2, weights=[2.0, 3.0]))
    0.25
    """
    from laconic.linear import lambda_max

    pressure = np.bincount(groups.indices, weights=np.repeat(groups.weights, groups.sizes), minlength=groups.n_features)
    pressed = np.flatnonzero(pressure)
    return lambda_max(X[:, pressed] * (1.0 / pressure[pressed]), y, estimator)


def grid_up_to(method: str, words: int, X: Any, y: ArrayLike, estimator: Any, points: int = 20) -> Grid:
    """Return settings of a sparse method whose models of ``X`` have up to ``words`` words.

    Parameters
    ----------
    method : {"lasso", "elastic"}
    words : int
    X, y
        The training design and its labels.
    estimator : ElasticNetClassifier
    points : int
        Settings per ratio of λ₁ to λ₂, at most.

    Examples
    --------
    >>> from laconic.linear import ElasticNetClassifier
    >>> X = np.array([[2.0, 0, 1], [1, 0, 0], [0, 2, 1], [0, 1, 0]])
    >>> grid = grid_up_to("lasso", 2, X, [0, 0, 1, 1], ElasticNetClassifier())
    >>> models = ElasticNetClassifier().fit_grid(X, [0, 0, 1, 1], grid)
    >>> max(int(np.count_nonzero(model.coef_)) for model in models)
    2
    """
    from sklearn.base import clone

    from laconic.linear import elastic_net_path

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

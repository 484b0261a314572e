"""The settings that a search tries for each method: runs from strong penalties to weak, by the data's own λ_max.

=======  =======================  ===========================================================================
method   runs                     settings of a run
=======  =======================  ===========================================================================
none     one                      λ₁ = λ₂ = 0
ridge    one                      λ₂ by factors of 4, from where it outweighs the most frequent word
lasso    one                      λ₁ from λ_max by factors of 0.55
elastic  λ₂ of 1                  λ₁ from 0.4 λ_max by factors of 0.4
group    λ_g of top/5 to top/500  λ₁ from λ_max/5 by factors of 1/4
omp      λ₂ of 1 and 0.1          10, 20, 50, 100, 200, … words, up to 500 for two classes and 200 for more
gomp     the same                 the same
=======  =======================  ===========================================================================

A run has no last λ: a search follows it while it improves. The number of words of a pursuit goes on where the last one
is the best of all sparse models, and so do λ₂ and λ_g, by factors of ten, on either side.

The groups' own scale is top = max_j |c_j| / Σ_{g∋j} d_g, with c the correlations of the words with the residual of the
intercept: the λ_g at which the first word could enter alone against all of its groups, without λ₁.

When a number of words is asked for, λ₁ falls by smaller steps, until there are more words, and pursuits end with it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, takewhile
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from laconic.core.groups import Groups
from laconic.linear import lambda_max
from laconic.models.search.recipe import PURSUITS, Recipe

Grid = list[dict[str, Any]]

STEP, FINE = 0.55, 0.85  # of λ₁; the second where a number of words is asked for
ELASTIC_STEP = 0.4
GROUP_STEP, GROUP_SHARES = 0.25, (0.2, 0.05, 0.01, 0.002)
RIDGE_STEP = 0.25
LEAST = 1e-6  # of λ_max
ELASTIC_L2 = (1.0,)
SPARSE_SHARE, SURELY_SPARSE = 0.1, 1000  # of all words; words, of however few
PURSUIT_L2 = (1.0, 0.1)
WIDER = 10.0  # from one run to the next beyond it
WIDEST = 1e4  # between the levels of the first run and the last
FIRST_WORDS = 50  # of a pursuit are chosen before runs are compared
BUDGETS = (500, 200)  # of two classes, of more
MOST_WORDS = 10_000  # of a pursuit
LIKELY = {"none": 1, "ridge": 8, "lasso": 10, "elastic": 6, "group": 4, "omp": 2, "gomp": 2}  # strides of a run


@dataclass(frozen=True)
class Scale:
    """What settings are measured by: λ_max, the groups' `group_scale`, and the square of the longest column."""

    top: float
    top_group: float
    heaviest: float
    n_words: int
    n_classes: int

    @classmethod
    def of(cls, X: Any, y: ArrayLike, plain: Any, groups: Groups | None = None) -> "Scale":
        """Measure a training design; ``plain`` is an elastic net, which gives edits and class weights."""
        unedited = clone(plain).set_params(edits=None)
        top_group = 0.0 if groups is None else group_scale(X, y, groups, unedited)
        heaviest = float(X.multiply(X).sum(axis=0).max())
        top = lambda_max(X, y, plain) or 1.0  # where no word tells anything, any λ will do
        return cls(top, top_group or 1.0, heaviest, X.shape[1], len(np.unique(np.asarray(y))))


@dataclass(frozen=True)
class Run:
    """One run of a method: ``stride(k)`` is what is fitted together as its k-th stride, nothing beyond the last.

    After the first ``planned`` strides a run goes on only while its last setting is the best of all sparse ones; at a
    later setting with more than ``most_words`` words it ends without that one.
    """

    method: str
    level: float
    stride: Callable[[int], Grid]
    planned: int | None = None
    most_words: float = np.inf

    def strides(self) -> "takewhile[Grid]":
        """Return all strides, one after the other."""
        return takewhile(bool, map(self.stride, count()))


@dataclass(frozen=True)
class Family:
    """The runs of one method, by their levels; those that may be widened have more beyond the first and the last."""

    method: str
    levels: tuple[float, ...]
    run: Callable[[float], Run]
    wider: bool = False

    def beyond(self, level: float, tried: list[float]) -> list[float]:
        """Return the levels next to one of those that were tried, where nothing was tried yet on that side."""
        if not self.wider:
            return []
        sides = [level * WIDER] * (level == max(tried)) + [level / WIDER] * (level == min(tried))
        return [new for new in sides if max(*tried, new) / min(*tried, new) < WIDEST * (1.0 + 1e-9)]


def family_of(method: str, scale: Scale, recipe: Recipe) -> Family:
    """Return the runs of a method."""
    if method in PURSUITS:
        return Family(method, PURSUIT_L2, lambda l2: _pursuit(method, l2, scale, recipe), wider=True)
    if method == "none":
        return Family(method, (0.0,), lambda _: Run(method, 0.0, _falling({"l1": 0.0, "l2": 0.0}, "l1", 0.0, 1.0)))
    if method == "ridge":
        first = 4.0 ** np.ceil(np.log(scale.heaviest) / np.log(4.0) - 1.0)
        return Family(method, (0.0,), lambda _: Run(method, 0.0, _falling({"l1": 0.0}, "l2", first, RIDGE_STEP)))
    fine, top = recipe.words is not None, scale.top
    if method == "lasso":
        stride = _falling({"l2": 0.0}, "l1", top, FINE if fine else STEP)
        return Family(method, (0.0,), lambda _: Run(method, 0.0, stride))
    if method == "elastic":
        step = FINE if fine else ELASTIC_STEP
        # An elastic net over many of the words is a ridge in all but name, and that is there already.
        most = max(SURELY_SPARSE, SPARSE_SHARE * scale.n_words) if recipe.rule_to_follow == "sparse" else np.inf

        def elastic(l2: float) -> Run:
            return Run(method, l2, _falling({"l2": l2}, "l1", top if fine else step * top, step), most_words=most)

        return Family(method, ELASTIC_L2, elastic, wider=True)
    step, levels = FINE if fine else GROUP_STEP, tuple(scale.top_group * one for one in GROUP_SHARES)

    def group(level: float) -> Run:
        return Run(
            method, level, _falling({"group": level, "l2": 0.0}, "l1", top if fine else GROUP_SHARES[0] * top, step)
        )

    return Family(method, levels, group, wider=True)


def _falling(fixed: dict[str, float], name: str, first: float, factor: float) -> Callable[[int], Grid]:
    """Return strides of one setting each, in which one penalty falls from its first value; a zero is all there is."""

    def stride(k: int) -> Grid:
        over = factor**k < LEAST or (k and not first)
        return [] if over else [{**fixed, name: float(first * factor**k)}]

    return stride


def _pursuit(method: str, l2: float, scale: Scale, recipe: Recipe) -> Run:
    limits = [limit for limit in (recipe.budget, recipe.words) if limit is not None]
    largest = min(limits, default=BUDGETS[scale.n_classes > 2])
    planned = _stages(budgets_up_to(min(largest, scale.n_words)))
    more = [] if limits else [[budget] for budget in budgets_up_to(min(MOST_WORDS, scale.n_words)) if budget > largest]
    stages = [*planned, *more]

    def stride(k: int) -> Grid:
        return [{"l2": l2, "budget": budget} for budget in stages[k]] if k < len(stages) else []

    return Run(method, l2, stride, len(planned))


def _stages(budgets: list[int]) -> list[list[int]]:
    """Return budgets in two stages, the small ones first."""
    small = [budget for budget in budgets if budget <= FIRST_WORDS]
    return [stage for stage in (small, budgets[len(small) :]) if stage]


def budgets_up_to(largest: int) -> list[int]:
    """Return 10, 20, 50, 100, 200, 500, … below a number, and the number."""
    steps = (step * 10**power for power in range(1, 12) for step in (1, 2, 5))
    return [*(step for step in steps if step < largest), largest]


def group_scale(X: Any, y: ArrayLike, groups: Groups, estimator: Any = None) -> float:
    """Return max_j |c_j| / Σ_{g∋j} d_g over the words that are in groups; the estimator gives class weights."""
    pressure = np.bincount(groups.indices, weights=np.repeat(groups.weights, groups.sizes), minlength=groups.n_features)
    pressed = np.flatnonzero(pressure)
    return lambda_max(X[:, pressed] * (1.0 / pressure[pressed]), y, estimator)

"""What is tried for a cell: estimators on one kind of matrix each, with their settings; dev decides among all of them.

As published: counts, λ's from {10⁻², …, 10²} (ICML, ACL: and 10³), pursuits to K = 2000 with a model at each hundred,
the group lasso by ADMM of ten proximal steps a round, stopped early. Ours: exact optima for counts, 0/1 and tf-idf of
two tokenizers (of opinions: of words, and of words and their pairs), λ's in terms of the data's own λ_max, and a ridge
beside the norms of the groups.
"""

from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from laconic.core.groups import Groups
from laconic.linear.elastic_net import ElasticNetClassifier
from laconic.linear.group_lasso import GroupLassoClassifier
from laconic.linear.paths import lambda_max
from laconic.linear.pursuit import GroupOMPClassifier, OMPClassifier
from laconic.models.search.runs import group_scale
from papers.cells import Cell
from papers.families import AUTHORS_FILES, NotAvailable, groups_of
from papers.tasks import OPINIONS, PAPERS, View, matrices

LEVELS: dict[str, tuple[float, ...]] = {"wnut": (1e-2, 1e-1, 1.0, 1e1, 1e2), "papers": (1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3)}
PARSE_LEVELS = (1e-4, 1e-3, 1e-2, 1e-1, 1e1)  # λ_g of parse trees in the ACL paper
BUDGETS = tuple(range(100, 2001, 100))
QUICK_LEVELS, QUICK_GROUP, QUICK_BUDGETS = (1e-1, 1.0, 1e1), ((1e-1,), (1e-1, 1.0)), (100, 500)
QUICK_ROUNDS = 30  # of ADMM
RHO_LEVELS = (1e-2, 1e-1, 1.0)  # of λ_g and λ₁ while ρ is sought
VIEWS = {
    "full": (*(View(cells, words) for cells in ("binary", "tfidf") for words in ("wnut2018", "default-1")), PAPERS),
    "small": (View("binary", "default-1"), View("tfidf", "default-1")),
    "quick": (View("tfidf", "default-1"),),
}
VIEWS_OF_OPINIONS = {
    "full": (*(View(cells, "default-1", n) for cells in ("binary", "tfidf") for n in (1, 2)), PAPERS),
    "small": (View("binary", "default-1"), View("tfidf", "default-1", 2)),
    "quick": (View("tfidf", "default-1"),),
}
L2 = {"full": (0.03, 0.1, 0.3, 1.0, 3.0), "small": (0.1, 1.0), "quick": (0.1,)}
L1_SHARES = {"full": (0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001), "small": (0.01, 0.001), "quick": (0.01, 0.001)}
GROUP_SHARES = {"full": (0.1, 0.01, 0.001), "small": (0.05, 0.005), "quick": (0.05, 0.005)}
L2_OF_RIDGE = np.geomspace(100.0, 0.001, 8)
PURSUIT_L2 = {"full": LEVELS["wnut"], "small": (0.1, 1.0, 10.0), "quick": (1.0,)}
# Rows of length 1 have small cells, and so need large weights: λ₂ of other cells is multiplied by this.
L2_SCALES = {"tfidf": 0.03, "binary": 1.0, "count": 1.0}
LOOSE, TIGHT = 1e-3, 1e-6
# Tolerance of a pursuit's refits: looser ones change what enters next. Our block searches with the second, which is ten
# times as fast, and fits the winner with the first.
REFIT, LOOSE_REFIT = 1e-9, 1e-4


@dataclass(frozen=True)
class Search:
    """An estimator, its view of the texts, the settings to try, and what to set for the winner."""

    estimator: Any
    view: View
    settings: list[dict[str, Any]]
    facts: dict[str, Any] = field(default_factory=dict)
    finish: dict[str, Any] = field(default_factory=dict)


def searches(cell: Cell, data_dir: str | None, folder: Path) -> list[Search]:
    """Return all that competes on dev for a cell.

    Raises
    ------
    NotAvailable
        If its groups cannot be had here.
    """
    make = _published if cell.block == "published" else _ours
    found = []
    for view in _views(cell):
        families = _families(cell, view, data_dir, folder) if cell.groups else [("", None)]
        for family, groups in families:
            found += make(cell, view, family, groups, data_dir)
    return found


def _views(cell: Cell) -> tuple[View, ...]:
    if cell.block == "ours":
        return (VIEWS_OF_OPINIONS if cell.task.partition(" ")[0] in OPINIONS else VIEWS)[cell.size]
    # The paper whose words these are has no sst, and sentences are too short to lose the words of two letters.
    return (View("count", "default-1") if cell.task == "sst" else PAPERS,)


def _families(cell: Cell, view: View, data_dir: str | None, folder: Path) -> list[tuple[str, Groups]]:
    """On religion the authors' own groups are those of the paper; in our block they compete with ours."""

    def one(name: str) -> tuple[str, Groups]:
        quick = cell.size == "quick"
        return name, groups_of(name, cell.task, data_dir, folder, cell.weights, quick, view)

    ours = [] if cell.block == "published" else [one(cell.groups)]
    if cell.task != "religion" or cell.levels != "wnut" or cell.groups not in AUTHORS_FILES:
        return ours or [one(cell.groups)]
    try:
        return [one(f"authors:{cell.groups}"), *ours]
    except NotAvailable:
        return ours or [one(cell.groups)]


def _published(cell: Cell, view: View, family: str, groups: Groups | None, data_dir: str | None) -> list[Search]:
    quick = cell.size == "quick"
    levels = QUICK_LEVELS if quick else LEVELS[cell.levels]
    n_words = matrices(cell.task, data_dir, view)["train"][0].shape[1]
    facts = {"groups": family} if family else {}
    if cell.method in ("none", "ridge", "lasso", "elastic"):
        l1 = (0.0,) if cell.method in ("none", "ridge") else levels
        l2 = (0.0,) if cell.method in ("none", "lasso") else levels
        settings = [{"l1": one, "l2": other} for one, other in product(l1, l2)]
        return [Search(ElasticNetClassifier(tol=LOOSE), view, settings, facts, {"tol": TIGHT})]
    if cell.method == "group":
        estimator = GroupLassoClassifier(groups, solver="admm", rho=cell.rho, inner_steps=10)
        group_levels = PARSE_LEVELS if family.startswith("constituents") else levels
        if quick:
            estimator.set_params(rounds=QUICK_ROUNDS)
            group_levels, levels = QUICK_GROUP
        if cell.size == "small":  # to find ρ
            group_levels = levels = RHO_LEVELS
        pairs = product(group_levels, (0.0,) if cell.variant == "no lasso" else levels)
        return [Search(estimator, view, [{"group": one, "l1": other} for one, other in pairs], facts)]
    budgets = sorted({min(budget, n_words) for budget in (QUICK_BUDGETS if quick else BUDGETS)})
    settings = [{"l2": l2, "budget": budget} for l2, budget in product((1.0,) if quick else levels, budgets)]
    if cell.method == "omp":
        return [Search(OMPClassifier(refit="scaled", tol=REFIT), view, settings, facts)]
    singletons = "none" if cell.variant == "no singletons" else "all"
    return [Search(GroupOMPClassifier(groups, singletons=singletons, refit="scaled", tol=REFIT), view, settings, facts)]


def _ours(cell: Cell, view: View, family: str, groups: Groups | None, data_dir: str | None) -> list[Search]:
    size = cell.size
    X, y = matrices(cell.task, data_dir, view)["train"]
    facts = {**view._asdict(), **({"groups": family} if family else {})}
    finish = {"tol": TIGHT}
    if cell.method in ("ridge", "lasso"):
        falls = lambda_max(X, y) * np.geomspace(0.5, 0.001, 12) if cell.method == "lasso" else L2_OF_RIDGE
        names = ("l1", "l2") if cell.method == "lasso" else ("l2", "l1")
        settings = [{names[0]: float(level), names[1]: 0.0} for level in falls]
        settings = settings if size == "full" else settings[1 :: 2 if size == "small" else 3]
        return [Search(ElasticNetClassifier(tol=LOOSE), view, settings, facts, finish)]
    if cell.method in ("elastic", "group"):
        top = lambda_max(X, y)
        l1 = [top * share for share in L1_SHARES[size]]
        l2s = [level * L2_SCALES[view.cells] for level in L2[size]]
        if cell.method == "elastic":
            settings = [{"l1": one, "l2": l2} for l2, one in product(l2s, l1)]
            return [Search(ElasticNetClassifier(tol=LOOSE), view, settings, facts, finish)]
        if groups is None:
            raise ValueError("The method group needs groups.")
        if cell.variant == "no lasso":
            l1 = [0.0]
        levels = [group_scale(X, y, groups) * share for share in GROUP_SHARES[size]]
        settings = [{"group": g, "l1": one, "l2": l2} for l2, g, one in product(l2s, levels, l1)]
        return [Search(GroupLassoClassifier(groups, tol=LOOSE), view, settings, facts, finish)]
    budgets = BUDGETS if size == "full" else QUICK_BUDGETS
    budgets = tuple(sorted({min(budget, X.shape[1]) for budget in budgets}))
    levels = [level * L2_SCALES[view.cells] for level in PURSUIT_L2[size]]
    settings = [{"l2": l2, "budget": budget} for l2, budget in product(levels, budgets)]
    if cell.method == "omp":
        return [Search(OMPClassifier(refit="scaled", tol=LOOSE_REFIT), view, settings, facts, {"tol": REFIT})]
    singletons = "none" if cell.variant == "no singletons" else "outside"
    return [
        Search(
            GroupOMPClassifier(groups, refit="scaled", members=members, singletons=singletons, tol=LOOSE_REFIT),
            view,
            settings,
            {**facts, "members": members},
            {"tol": REFIT},
        )
        for members in (("all", "paying") if size == "full" else ("paying",))
    ]

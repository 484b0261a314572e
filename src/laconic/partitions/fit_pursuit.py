"""The estimators of pursuit on partitions: which atoms there are, and models of several budgets from one pursuit."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from laconic.core.kept_groups import KeptGroups
from laconic.core.path import SparseSolution
from laconic.linear.feature_groups import resolve_groups
from laconic.linear.pursuit import OMPClassifier
from laconic.linear.pursuit_base import cut
from laconic.partitions.corpus import PartitionedCorpus
from laconic.partitions.lambda_scales import without_words
from laconic.partitions.problem import PartitionedProblem
from laconic.partitions.pursuit_steps import ChosenColumns, PartitionedScout
from laconic.solvers.pursuit.atom_search import Atoms, inverse_lengths
from laconic.solvers.pursuit.pursuit import pursue_with

FINAL = 1e-8  # tolerance of the last refit, as in memory


def fit_budgets(
    estimator: Any, budgets: Sequence[int], corpus: PartitionedCorpus, problem: PartitionedProblem
) -> list[Any]:
    """Return one fitted clone per budget, cut from one pursuit with the largest; several need ``overshoot="allow"``."""
    if estimator.patience is not None:
        raise ValueError("patience stops by a dev set, which a fit on partitions does not have; leave it out.")
    largest = clone(estimator).set_params(budget=max(budgets))
    wanted = largest._wanted(problem.n_features)
    squares, reach, n_groups = problem.column_stats()
    norms = np.sqrt(squares)
    scale = inverse_lengths(norms) if wanted.unit_norm else np.ones(problem.n_features)
    atoms, groups, unit = _atoms(largest, corpus, reach > 0.0)
    ridge = wanted.l2 * (squares if wanted.scaled else np.ones(problem.n_features))
    empty = without_words(problem)
    scout = PartitionedScout(problem, atoms, wanted, scale, unit)
    chosen = ChosenColumns(problem, ridge, wanted.tol, empty)
    pursued = pursue_with(chosen, scout, wanted, problem.n_features, len(atoms.ends) - 1)
    if unit is not None:
        groups = scout.found_groups()

    def refit(model: SparseSolution, l2: float, edited: Any) -> SparseSolution:
        chosen = ChosenColumns(problem, np.full(problem.n_features, l2), FINAL, empty)
        chosen.add(model.support)
        return chosen.solution()

    fitted = []
    for budget in budgets:
        one = clone(estimator).set_params(budget=budget)
        one.classes_ = np.array(corpus.classes)
        one.n_features_in_ = corpus.n_features
        if groups is not None:
            one.groups_ = groups
        part, last = cut(pursued, budget) if len(budgets) > 1 else (pursued, len(pursued.entries))
        one._keep(part, last, refit)
        if unit is not None:
            one.selected_groups_ = replace(one.selected_groups_, n_groups=n_groups)
            kept = KeptGroups.cut(groups, one.selected_groups_.indices, one.solution_.support)
            one.kept_groups_ = replace(kept, n_groups=n_groups)
        fitted.append(one)
    return fitted


def _atoms(estimator: Any, corpus: PartitionedCorpus, covered: np.ndarray) -> tuple[Atoms, Any, str | None]:
    """Return the atoms that are held here, their groups, and what the groups of the partitions are, if these count."""
    if isinstance(estimator, OMPClassifier):
        return Atoms.columns(corpus.n_features), None, None
    if estimator.groups is None and corpus.grouped:
        single = {"all": np.ones_like(covered), "outside": ~covered, "none": np.zeros_like(covered)}
        alone = np.flatnonzero(single[estimator.singletons]).astype(np.int32)
        return Atoms(alone, np.arange(len(alone) + 1)), None, corpus.grouped
    groups = resolve_groups(estimator.groups, corpus.n_features, corpus.words)
    return Atoms.of(groups, estimator.singletons), groups, None

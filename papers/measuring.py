"""`measure`: one cell, from the texts to accuracy and size on test.

Every setting is fitted on train and scored on dev. As published, the best is taken, of equal ones the one with the
fewest words. In our block dev only makes a shortlist, the settings within one standard error of the best, and
cross-validation over train and dev together, five times as many documents, decides among these; the model is trained
on train all the same. A cell that names a largest size (``most``) does so among the models of at most that size.

The winner of an exact method is then solved to a relative gap of 10⁻⁶. Test documents are scored for the winner, and,
to say what the choice is worth, for all that tie with it on dev or stand on the shortlist with it.

Methods: none, ridge, lasso, elastic, omp, group, gomp; majority (the most frequent class); features (ACL Table 5:
counts of topics or clusters beside the words, with the penalty that the variant names); svm, nbsvm, fasttext
(`papers.today`).
"""

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from laconic.evaluate.tuning.candidates import Candidate, pick
from laconic.evaluate.tuning.grid_fits import n_words, relative_gap
from laconic.evaluate.tuning.search import Tuned, tune
from laconic.linear.elastic_net import ElasticNetClassifier
from papers.cells import Cell, Measured
from papers.families import NotAvailable, groups_of
from papers.readings import read_details
from papers.searches import LEVELS, LOOSE, QUICK_LEVELS, TIGHT, Search, searches
from papers.tasks import PAPERS, View, debates_of, design_of, matrices, splits_of
from papers.today import measure_today

SHORTLIST = {"full": 30, "small": 8, "quick": 3}
FOLDS = 5
ONE_ERROR, SMALL_MODELS = "one standard error", "at most 2 %"  # variants: other rules than the best on dev
WITHIN = "no larger"  # variant: with a largest size
RULES = (ONE_ERROR, SMALL_MODELS, WITHIN)
SMALL = 0.02  # of the vocabulary
LARGEST_CLUSTER = 50  # words of a cluster that becomes a feature (ACL 2014, section 6.4)
Problems = dict[View, dict[str, tuple[Any, np.ndarray]]]


class Tried(NamedTuple):
    """All that competes for a cell: searches, what each found, and the matrices of their views."""

    searches: list[Search]
    tunings: list[Tuned]
    problems: Problems


def measure(cell: Cell, data_dir: str | None, folder: Path) -> Measured:
    """Measure a cell; what cannot be had here comes back with the reason in ``missing``."""
    with warnings.catch_warnings():
        # Fits while searching are loose, ADMM stops early by design, and the gap of the winner is written down.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", UserWarning)
        try:
            if cell.method == "majority":
                return _majority(cell, data_dir)
            if cell.block == "today":
                return measure_today(cell, splits_of(cell.task, data_dir))
            if cell.method == "features":
                return _features(cell, data_dir, folder)
            # Cells that differ in the rule of choice alone share their fits.
            variant = "" if cell.variant in RULES else cell.variant
            tried = _searched(replace(cell, variant=variant, most=0.0, details=()), data_dir, folder)
        except (NotAvailable, FileNotFoundError) as error:
            return Measured(cell, missing=str(error))
        return _chosen(cell, tried, data_dir)


@lru_cache(maxsize=1)
def _searched(cell: Cell, data_dir: str | None, folder: Path) -> Tried:
    found = searches(cell, data_dir, folder)
    return _tried(found, {one.view: matrices(cell.task, data_dir, one.view) for one in found})


def _tried(found: list[Search], problems: Problems) -> Tried:
    tunings = [
        tune(one.estimator, one.settings, *problems[one.view]["train"], dev=problems[one.view]["dev"], rule="best")
        for one in found
    ]
    return Tried(found, tunings, problems)


def _chosen(cell: Cell, tried: Tried, data_dir: str | None) -> Measured:
    found, tunings, problems = tried
    candidates = [candidate for tuned in tunings for candidate in tuned.candidates]
    places = [(k, i) for k, tuned in enumerate(tunings) for i in range(len(tuned.candidates))]
    least = min(one["train"][0].shape[1] for one in problems.values())
    few = int(SMALL * least) if cell.variant == SMALL_MODELS else None
    if few is not None and min(one.words for one in candidates) > few:
        return Measured(cell, missing=f"no model of the grid has at most {few} words")
    picked = pick(candidates, "accuracy", "one_se" if cell.variant == ONE_ERROR else "best", few)
    chosen, rivals, cv = picked.chosen, [*picked.ties], float("nan")
    if cell.block == "ours":
        most = cell.most / 100.0 * len(design_of(cell.task, PAPERS, data_dir).vocabulary) if cell.most else float("inf")
        small = [i for i, one in enumerate(candidates) if one.words <= most]
        if not small:
            return Measured(cell, missing=f"no model of the grid has at most {most:.0f} words")
        near = shortlist(candidates, small, SHORTLIST[cell.size])
        debates = debates_of(cell.task, data_dir)
        scores = _cross_validated(found, problems, [places[one] for one in near], debates)
        chosen = min(near, key=lambda one: (-scores[places[one]], candidates[one].words, one))
        rivals, cv = [one for one in near if one != chosen], 100.0 * scores[places[chosen]]
    k, i = places[chosen]
    search, problem = found[k], problems[found[k].view]
    model, dev = _finished(search, tunings[k], i, problem)
    X_test, y_test = problem["test"]
    classes = {label: number for number, label in enumerate(np.unique(problem["train"][1]).tolist())}
    predicted = model.predict(X_test)
    test = 100.0 * float(np.mean(predicted == y_test))
    tied = [test]
    for place in rivals:
        other, j = places[place]
        own = problems[found[other].view]
        tied.append(100.0 * float(np.mean(tunings[other].model(j, *own["train"]).predict(own["test"][0]) == y_test)))
    gap = relative_gap(model)
    words = n_words(model)
    measured = Measured(
        cell,
        dev=100.0 * dev,
        cv=cv,
        test=test,
        words=words,
        vocabulary=problem["train"][0].shape[1],
        params={**search.facts, **_plain(candidates[chosen].params)},
        settings=len(candidates),
        ties=len(rivals),
        low=min(tied),
        high=max(tied),
        gap=gap if np.isfinite(gap) else None,
        truth=tuple(classes[label] for label in y_test.tolist()),
        predictions=tuple(classes[label] for label in predicted.tolist()),
    )
    details = read_details(cell, model, search, _curve(candidates), data_dir) if cell.details else {}
    return replace(measured, details=details)


def shortlist(candidates: Sequence[Candidate], among: Sequence[int], most: int) -> list[int]:
    """Return the positions of candidates within one standard error of the best on dev, the best and smallest first."""
    order = sorted(among, key=lambda i: (-candidates[i].mean, candidates[i].words, i))
    best = candidates[order[0]]
    return [i for i in order if candidates[i].mean >= best.mean - best.standard_error][:most]


def _cross_validated(
    found: list[Search],
    problems: Problems,
    places: list[tuple[int, int]],
    debates: list[str] | None,
) -> dict[tuple[int, int], float]:
    """Return the mean accuracy of settings over five folds of train and dev together, of vote by debates.

    Vocabulary and groups stay those of train: they know no labels.
    """
    scores: dict[tuple[int, int], float] = {}
    for k in dict.fromkeys(k for k, _ in places):
        own = [i for other, i in places if other == k]
        problem = problems[found[k].view]
        X = sp.csr_array(sp.vstack([problem[split][0] for split in ("train", "dev")]))
        y = np.concatenate([problem[split][1] for split in ("train", "dev")])
        settings = [found[k].settings[i] for i in own]
        tuned = tune(found[k].estimator, settings, X, y, folds=FOLDS, by=debates, rule="best")
        scores |= {(k, i): one.mean for i, one in zip(own, tuned.candidates, strict=True)}
    return scores


def _finished(search: Search, tuned: Tuned, i: int, problem: dict[str, tuple[Any, np.ndarray]]) -> tuple[Any, float]:
    """Return the winner, tightly fitted if it is of a method that has an optimum, and its accuracy on dev."""
    candidate = tuned.candidates[i]
    if not search.finish:
        return tuned.model(i, *problem["train"]), candidate.mean
    model = clone(search.estimator).set_params(**candidate.params, **search.finish).fit(*problem["train"])
    X_dev, y_dev = problem["dev"]
    return model, float(np.mean(model.predict(X_dev) == y_dev))


def _curve(candidates: list[Candidate]) -> list[list[float]]:
    """Return, of pursuits, the best accuracy on dev at every budget."""
    best: dict[int, float] = {}
    for one in candidates:
        if "budget" in one.params:
            best[one.params["budget"]] = max(best.get(one.params["budget"], 0.0), 100.0 * one.mean)
    return [[float(budget), best[budget]] for budget in sorted(best)]


def _majority(cell: Cell, data_dir: str | None) -> Measured:
    splits = splits_of(cell.task, data_dir)
    classes = sorted(set(splits.train.labels or ()), key=str)
    counts = Counter(splits.test.labels or ())
    # The papers' row is the share of the largest class of the test documents.
    most = max(classes, key=lambda one: counts[one])
    share = 100.0 * counts[most] / len(splits.test)
    truth = tuple(classes.index(one) for one in splits.test.labels or ())
    return Measured(cell, test=share, truth=truth, predictions=(classes.index(most),) * len(truth))


def _features(cell: Cell, data_dir: str | None, folder: Path) -> Measured:
    """Count the words of each group (of fewer than 50) and add the counts as columns; groups as features, no norms."""
    groups = groups_of(cell.groups, cell.task, data_dir, folder, quick=cell.size == "quick")
    groups = groups.take(np.flatnonzero(groups.sizes < LARGEST_CLUSTER))
    shape = (len(groups), groups.n_features)
    membership = sp.csr_array((np.ones(len(groups.indices)), groups.indices, groups.indptr), shape=shape)
    problem = {
        split: (sp.csr_array(sp.hstack([X, X @ membership.T])), y)
        for split, (X, y) in matrices(cell.task, data_dir).items()
    }
    levels = QUICK_LEVELS if cell.size == "quick" else LEVELS[cell.levels]
    l1 = (0.0,) if cell.variant == "ridge" else levels
    l2 = (0.0,) if cell.variant == "lasso" else levels
    settings = [{"l1": one, "l2": other} for one in l1 for other in l2]
    search = Search(ElasticNetClassifier(tol=LOOSE), PAPERS, settings, {"groups": cell.groups}, {"tol": TIGHT})
    return _chosen(cell, _tried([search], {PAPERS: problem}), data_dir)


def _plain(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in params.items()}

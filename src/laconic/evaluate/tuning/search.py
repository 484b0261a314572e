"""`tune`: try settings of a grid on a dev set or in cross-validation and choose one by a rule; `choose`: of several.

It fits only the estimator it is given and scores only on the dev set or on its own folds. Settings may differ in any
parameter of the estimator: for a `TextClassifier` λ's, budgets, groups, feature values, tokenizers and the estimator
inside. Those that share work are fitted together; groups are built once, on the training documents of each fold.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from laconic.evaluate.metrics.scores import check_metric, outputs, score
from laconic.evaluate.splits import (
    Split,
    dev_split,
    documents,
    grouped_folds,
    ordered_folds,
    stratified_folds,
    training_documents,
)
from laconic.evaluate.tuning.candidates import Candidate, Pick, check_choice, pick, read_grid
from laconic.evaluate.tuning.grid_fits import check_estimator, check_settings, fit_points, n_words, relative_gap
from laconic.evaluate.tuning.trials import Journal, Trial, candidate, run, standard_error

Progress = Callable[[int, int, dict[str, Any]], None]


@dataclass(frozen=True)
class Tuned:
    """What `tune` found.

    Attributes
    ----------
    candidates : tuple of Candidate
        In the order of the grid.
    best : int
        Position of the best mean score; among equals the one with the fewest words, then the earliest.
    chosen : int
        Position of the candidate that the rule takes.
    ties : tuple of int
        Positions of the others that score the same as the best.
    metric, rule : str
    folds : int or None
        None if a dev set was used.
    estimator : fitted estimator
        The chosen model, fitted on the training documents; after cross-validation on all documents.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> tuned = tune(LogisticRegression(), {"C": [1.0, 2.0]}, [[0.0], [1.0]] * 4, [0, 1] * 4, folds=2)
    >>> [(row["params"], row["mean"], row["words"], row["chosen"]) for row in tuned.table()]
    [({'C': 1.0}, 1.0, 1, True), ({'C': 2.0}, 1.0, 1, False)]
    >>> tuned.model(1, [[0.0], [1.0]] * 4, [0, 1] * 4)
    LogisticRegression(C=2.0)
    """

    candidates: tuple[Candidate, ...] = field(repr=False)
    best: int
    chosen: int
    ties: tuple[int, ...]
    metric: str
    rule: str
    folds: int | None
    estimator: Any = field(compare=False, repr=False)
    _template: Any = field(compare=False, repr=False)
    _models: tuple[Any, ...] = field(compare=False, repr=False)

    def table(self) -> list[dict[str, Any]]:
        """Return one row per candidate: its parameters, scores and size, and whether it is best, tied or chosen."""
        return [
            {**candidate.row(), "best": i == self.best, "tie": i in self.ties, "chosen": i == self.chosen}
            for i, candidate in enumerate(self.candidates)
        ]

    def model(self, index: int, X: Any, y: Any) -> Any:
        """Return the fitted model of any candidate, e.g. of the one that `laconic.evaluate.choose` chose.

        Parameters
        ----------
        index : int
            Position of the candidate.
        X, y
            The documents and labels given to `tune`; used only if the model has to be fitted: after cross-validation,
            if ``index`` is not the chosen one.
        """
        if not 0 <= index < len(self.candidates):
            raise ValueError(f"There is no candidate {index}; there are {len(self.candidates)}, counted from 0.")
        if index == self.chosen:
            return self.estimator
        if self._models and self._models[index] is not None:
            return self._models[index]
        return fit_points(self._template, [self.candidates[index].params], *training_documents(X, y))[0].model

    def tie_range(self, X: Any, y: Any, test: tuple[Any, Any]) -> tuple[float, float]:
        """Return the lowest and highest score on test documents among the best setting and those that tie with it.

        The dev set or the folds cannot distinguish these settings, so which of them was chosen is luck; the range says
        how much luck.

        Parameters
        ----------
        X, y
            The documents and labels given to `tune`; used only if a model has to be fitted.
        test : (X, y)
            Documents not used for any choice.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> X, y = [[0.0], [1.0]] * 4, [0, 1] * 4
        >>> tune(LogisticRegression(), {"C": [1.0, 2.0]}, X, y, folds=2).tie_range(X, y, (X, y))
        (1.0, 1.0)
        """
        rows, labels = documents(*test, "The test set", "its list of labels")
        models = [self.model(i, X, y) for i in (self.best, *self.ties)]
        scores = [score(self.metric, labels, **outputs(model, self.metric, rows)) for model in models]
        return min(scores), max(scores)


def tune(
    estimator: Any,
    grid: Any,
    X: Any,
    y: Any,
    *,
    dev: tuple[Any, Any] | None = None,
    folds: int = 5,
    by: Any = None,
    order: Any = None,
    metric: str = "accuracy",
    rule: str = "one_se",
    max_words: int | None = None,
    loose: Mapping[str, Any] | None = None,
    journal: str | os.PathLike | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    n_jobs: int | None = None,
) -> Tuned:
    """Fit an estimator at every setting of a grid and choose one by score and size.

    Parameters
    ----------
    estimator : classifier
        Cloned, never changed. If it has ``fit_grid(X, y, grid)``, the settings are fitted together.
    grid : list of dict, or dict of lists
        Settings to try; a dict of lists means all combinations, in the order given.
    X : list of texts, Corpus, array or sparse matrix
        For a corpus the texts are used; ``list(corpus)`` also passes ids and given sentences on, for a `TextClassifier`
        with groups.
    y : sequence of labels
    dev : (X, y), optional
        Documents to score on; without them ``X`` is split into folds.
    folds : int
        Number of stratified folds; every class needs as many documents. Ignored with ``dev``.
    by : sequence, optional
        One value per document, such as its author: documents with equal values are kept in one fold.
    order : sequence, optional
        One value per document, such as its date: every fold is scored only by models of earlier documents. The first of
        the ``folds + 1`` parts is only trained on.
    metric : str
        One of `laconic.evaluate.METRICS`.
    rule : "one_se" or "best"
        The smallest model within one standard error of the best, or the best.
    max_words : int, optional
        Maximum number of words of the candidates and of the returned model.
    loose : dict, optional
        Parameters for the search only, such as ``{"tol": 1e-3}``: the chosen setting is then refitted with the
        estimator's own and, on a dev set, scored again.
    journal : path, optional
        A file to which every finished trial is written. The same search started again with it resumes where it was
        interrupted, and gives the same result.
    seed : int
        Random seed for the folds and the bootstrap of standard errors, not for the estimator.
    progress : callable, optional
        Called as ``progress(done, total, best_row)`` after each fit, with the best candidate so far as a row.
    n_jobs : int, optional
        Number of threads, -1 for all processors; the result is the same. Within ``joblib.parallel_config(backend=…)``
        that backend is used: "loky" for processes, "dask" for a cluster.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong (before anything is fitted), a fit fails or a score is not a number (with the settings
        named), or no candidate is small enough.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> X = np.repeat([[0.0, 1.0], [1.0, 0.0]], 10, axis=0)
    >>> y = ["a"] * 10 + ["b"] * 10
    >>> tuned = tune(LogisticRegression(), {"C": [0.1, 1.0]}, X, y, folds=2)
    >>> tuned.candidates[tuned.chosen].params, tuned.ties, tuned.estimator.predict([[1.0, 0.0]]).tolist()
    ({'C': 0.1}, (1,), ['b'])
    """
    from sklearn.base import clone

    check_metric(metric)
    check_choice(rule, max_words)
    _check_numbers(seed, n_jobs)
    check_estimator(estimator)
    settings = read_grid(grid)
    searched = [{**setting, **(loose or {})} for setting in settings]
    check_settings(estimator, searched, metric)
    rows, labels = training_documents(X, y)
    splits = _splits(rows, labels, dev, folds, by, order, metric, seed)
    kept = None
    if journal is not None:
        search = (estimator, searched, rows, labels, dev, folds, by, order, metric, seed)
        kept = Journal(journal, search)

    finish = dev is None or loose is not None or journal is not None
    total = len(splits) * len(settings) + finish  # one more to fit the chosen setting at the end
    trials = run(estimator, searched, splits, metric, seed, n_jobs, kept)
    candidates, first = _collect(trials, settings, metric, total, progress)
    models = () if dev is None else first
    if finish:
        # With a journal too: a model that starts from its neighbours depends on which of them were fitted this time.
        picked, model = _refit(estimator, candidates, rows, labels, metric, rule, max_words)
        if dev is not None:
            [split] = splits
            candidates[picked.chosen] = _rescored(candidates[picked.chosen], model, split, metric, seed)
        if progress is not None:
            progress(total, total, candidates[picked.best].row())
    else:
        picked = pick(candidates, metric, rule, max_words)
        model = models[picked.chosen]
    return Tuned(
        candidates=tuple(candidates),
        best=picked.best,
        chosen=picked.chosen,
        ties=picked.ties,
        metric=metric,
        rule=rule,
        folds=len(splits) if dev is None else None,
        estimator=model,
        _template=clone(estimator),
        _models=models,
    )


def _collect(
    trials: Iterable[Trial], settings: Sequence[dict[str, Any]], metric: str, total: int, progress: Progress | None
) -> tuple[list[Candidate], tuple[Any, ...]]:
    """Return the candidate of each setting and the model of its first trial, reporting progress after every trial."""
    own: list[list[Trial]] = [[] for _ in settings]
    so_far: dict[int, Candidate] = {}
    for done, trial in enumerate(trials, start=1):
        i = trial.setting
        own[i].append(trial)
        so_far[i] = candidate(settings[i], own[i])
        if progress is not None:
            tried = list(so_far.values())
            progress(done, total, tried[pick(tried, metric, "best").best].row())
    return [so_far[i] for i in range(len(settings))], tuple(trial.model for trial, *_ in own)


def _splits(X: Any, y: np.ndarray, dev: Any, folds: int, by: Any, order: Any, metric: str, seed: int) -> list[Split]:
    if sum(given is not None for given in (dev, by, order)) > 1:
        raise ValueError("Give only one of dev, by and order: each of them determines what to score on.")
    if dev is not None:
        return dev_split(X, y, dev, metric)
    if by is not None:
        return grouped_folds(X, y, by, folds, seed)
    return stratified_folds(X, y, folds, seed) if order is None else ordered_folds(X, y, order, folds)


def _rescored(chosen: Candidate, model: Any, split: Split, metric: str, seed: int) -> Candidate:
    """Return a candidate with what its final model scores on the dev set."""
    *_, X, y = split()
    given = outputs(model, metric, X)
    value = score(metric, y, **given)
    error = standard_error(metric, y, given, seed)
    measured: dict[str, Any] = {"words": float(n_words(model)), "gap": relative_gap(model)}
    return replace(chosen, scores=(value,), mean=value, standard_error=error, **measured)


def _refit(
    estimator: Any,
    candidates: list[Candidate],
    X: Any,
    y: np.ndarray,
    metric: str,
    rule: str,
    max_words: int | None,
) -> tuple[Pick, Any]:
    """Return the pick whose model of all documents keeps to ``max_words``, as those of folds did, and this model."""
    competing = list(candidates)
    while True:
        picked = pick(competing, metric, rule, max_words)
        model = fit_points(estimator, [candidates[picked.chosen].params], X, y)[0].model
        if max_words is None or n_words(model) <= max_words:
            return picked, model
        competing[picked.chosen] = replace(competing[picked.chosen], words=float(n_words(model)))


def _check_numbers(seed: int, n_jobs: int | None) -> None:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**32:
        raise ValueError(f"seed must be a whole number from 0 to 2**32 - 1, got {seed!r}.")
    if n_jobs is not None and (isinstance(n_jobs, bool) or not isinstance(n_jobs, int | np.integer) or n_jobs == 0):
        raise ValueError(f"n_jobs must be None, a whole number from 1, or -1 for all processors, got {n_jobs!r}.")


def choose(tunings: Mapping[str, Tuned], rule: str = "one_se", max_words: int | None = None) -> tuple[str, int]:
    """Return the method and the position of the candidate that a rule takes among the candidates of all methods.

    Parameters
    ----------
    tunings : dict of Tuned
        By name of the method; all tuned for the same metric on the same folds or dev set. Among equal candidates the
        one of the earlier method is taken.
    rule : "one_se" or "best"
        The smallest model within one standard error of the best, or the best.
    max_words : int, optional
        Maximum number of words of a candidate. With folds it is compared with the average; the model of all documents
        (`Tuned.model`) may have a few more.

    Raises
    ------
    ValueError
        If there is nothing to choose from, the tunings cannot be compared, or no candidate is small enough.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from laconic.evaluate import tune
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 3, ["a", "a", "b", "b"] * 3
    >>> ridge = tune(LogisticRegression(), {"C": [1.0, 2.0]}, X, y, folds=2)
    >>> lasso = tune(LogisticRegression(l1_ratio=1.0, solver="liblinear"), {"C": [1.0, 2.0]}, X, y, folds=2)
    >>> choose({"ridge": ridge, "lasso": lasso})
    ('lasso', 0)
    """
    if not isinstance(tunings, Mapping) or not tunings:
        raise ValueError("choose needs a dict with at least one tuning, {name of the method: result of tune}.")
    for name, tuned in tunings.items():
        if not isinstance(tuned, Tuned):
            raise TypeError(f"The tuning of {name!r} must be a result of tune, got {type(tuned).__name__}.")
    first_name, first = next(iter(tunings.items()))
    for name, tuned in tunings.items():
        if (tuned.metric, tuned.folds) != (first.metric, first.folds):
            raise ValueError(
                f"Tunings can be compared only if made alike, but {first_name!r} has {_made(first)} and {name!r} "
                f"{_made(tuned)}; tune all with the same metric on the same documents."
            )
    places = [(name, i) for name, tuned in tunings.items() for i in range(len(tuned.candidates))]
    # The method goes with the parameters, so that a message about a candidate names it.
    candidates = [
        replace(candidate, params={"method": name, **candidate.params})
        for name, tuned in tunings.items()
        for candidate in tuned.candidates
    ]
    return places[pick(candidates, first.metric, rule, max_words).chosen]


def _made(tuned: Tuned) -> str:
    where = "a dev set" if tuned.folds is None else f"{tuned.folds} folds"
    return f"{tuned.metric} on {where}"

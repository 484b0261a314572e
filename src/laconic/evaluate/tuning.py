"""`tune`: try every setting of a grid on a dev set or on stratified folds and take one by a rule (`.rules`).

It fits only the estimator it is handed and scores only on the dev set or on the folds it made itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .candidates import Candidate, describe, read_grid
from .fitting import configured, failure, fit_points, n_words, relative_gap, shares_work
from .metrics import as_labels, check_metric, check_same_kind, score
from .outputs import check_offers, outputs
from .rows import as_rows, n_rows, take
from .rules import check_max_words, check_rule, pick
from .uncertainty import standard_error


@dataclass(frozen=True)
class Tuned:
    """What `tune` found.

    Attributes
    ----------
    candidates : tuple of Candidate
        In the order of the grid.
    best : int
        Position of the best mean score; of equal ones the one with fewest words, then the earliest.
    chosen : int
        Position of the candidate that the rule takes.
    ties : tuple of int
        Positions of the others that score the same as the best.
    estimator : fitted estimator
        The chosen model: fitted on the training documents, after folds on all documents.
    metric, rule : str
    folds : int or None
        None: a dev set was used.
    """

    candidates: tuple[Candidate, ...]
    best: int
    chosen: int
    ties: tuple[int, ...]
    estimator: Any = field(compare=False, repr=False)
    metric: str
    rule: str
    folds: int | None
    _template: Any = field(compare=False, repr=False)
    _models: tuple[Any, ...] = field(compare=False, repr=False)

    def table(self) -> list[dict[str, Any]]:
        """Return one row per candidate: its parameters, scores and size, and whether it is best, tied or chosen."""
        return [
            {**candidate.row(), "best": i == self.best, "tie": i in self.ties, "chosen": i == self.chosen}
            for i, candidate in enumerate(self.candidates)
        ]

    def model(self, index: int, X: Any, y: Any) -> Any:
        """Return the fitted model of any candidate, e.g. of the one that `laconic.evaluate.choose` took.

        Parameters
        ----------
        index : int
            Position of the candidate.
        X, y
            The documents and labels that were given to `tune`. They are used only if the model has to be fitted: after
            folds, when ``index`` is not the chosen one.

        Raises
        ------
        ValueError
            If there is no such candidate.
        """
        if not 0 <= index < len(self.candidates):
            raise ValueError(f"There is no candidate {index}; there are {len(self.candidates)}, counted from 0.")
        if self._models:
            return self._models[index]
        if index == self.chosen:
            return self.estimator
        rows, labels = _documents(X, y, "X", "y")
        return fit_points(self._template, [self.candidates[index].params], rows, labels)[0].model


def tune(
    estimator: Any,
    grid: Any,
    X: Any,
    y: Any,
    *,
    dev: tuple[Any, Any] | None = None,
    folds: int = 5,
    metric: str = "accuracy",
    rule: str = "one_se",
    max_words: int | None = None,
    seed: int = 0,
    progress: Callable[[int, int, dict[str, Any]], None] | None = None,
    n_jobs: int | None = None,
) -> Tuned:
    """Fit an estimator at every setting of a grid and choose one by its score and its size.

    Parameters
    ----------
    estimator : classifier
        It is cloned, never changed. If it has ``fit_grid(X, y, grid)``, that fits the settings together.
    grid : list of dict, or dict of lists
        Settings to try; a dict of lists means all combinations, in the order given.
    X : list of texts, Corpus, array or sparse matrix
    y : sequence of labels
    dev : (X, y), optional
        Documents to score on; without them ``X`` is cut into folds.
    folds : int
        Number of stratified folds; every class needs as many documents. Not used with ``dev``.
    metric : str
        One of `laconic.evaluate.METRICS`.
    rule : "one_se" or "best"
        The smallest model within one standard error of the best, or the best.
    max_words : int, optional
        Only candidates with at most so many words compete, and the model that is returned has no more.
    seed : int
        For the folds and the bootstrap of standard errors; the estimator's own randomness is its own affair.
    progress : callable, optional
        Called as ``progress(done, total, best_row)`` after each fit, with the best candidate so far as a row.
    n_jobs : int, optional
        Fits at the same time, in threads; the result is the same. -1: as many as there are processors.

    Returns
    -------
    Tuned

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
    check_metric(metric)
    check_rule(rule)
    check_max_words(max_words)
    _check_seed(seed)
    _check_jobs(n_jobs)
    _check_estimator(estimator)
    settings = read_grid(grid)
    _check_settings(estimator, settings, metric)
    rows, labels = _documents(X, y, "X", "y")
    if len(np.unique(labels)) < 2:
        raise ValueError(f"y has only the class {labels[0].item()!r}; a classifier needs documents of at least two.")
    splits = _dev_split(rows, labels, dev, metric) if dev is not None else _folds(rows, labels, folds, seed)

    # Each task is a split and the settings to fit on it.
    points = list(range(len(settings)))
    parts = [points] if shares_work(estimator) else [[i] for i in points]
    tasks = [(split, part) for split in splits for part in parts]
    error_seed = None if dev is None else seed
    total = len(splits) * len(settings) + (dev is None)
    fits: list[list[_Scored]] = [[] for _ in settings]
    done = 0
    for (_, part), results in zip(tasks, _run(estimator, settings, tasks, metric, error_seed, n_jobs), strict=True):
        for i, result in zip(part, results, strict=True):
            fits[i].append(result)
            done += 1
            if progress is not None:
                progress(done, total, _best_row(settings, fits, metric))

    candidates = tuple(_candidate(params, own) for params, own in zip(settings, fits, strict=True))
    if dev is not None:
        picked = pick(candidates, metric, rule, max_words)
        models = tuple(own[0].model for own in fits)
        found, n_folds = models[picked.chosen], None
    else:
        picked, found = _refit(estimator, candidates, rows, labels, metric, rule, max_words)
        models, n_folds = (), len(splits)
        if progress is not None:
            progress(total, total, candidates[picked.best].row())
    return Tuned(
        candidates, picked.best, picked.chosen, picked.ties, found, metric, rule, n_folds, estimator, models
    )

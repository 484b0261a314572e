"""`choose`: one model from several tunings, e.g. of ridge, lasso and elastic net on the same documents."""

from collections.abc import Mapping
from dataclasses import replace

from laconic.evaluate.tuning.candidates import pick
from laconic.evaluate.tuning.search import Tuned


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

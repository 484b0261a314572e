"""From a draw to laconic: the estimator that it asks for, fitted, and its answer over divided columns."""

import warnings
from typing import Any, NamedTuple

import numpy as np

from laconic import (
    Edits,
    ElasticNetClassifier,
    ElasticNetRegressor,
    GroupLassoClassifier,
    GroupLassoRegressor,
    Groups,
    Solution,
)
from tools.attack.draws import Draw
from tools.attack.matrices import Array
from tools.attack.oracle import Plain


class Answer(NamedTuple):
    """What a fit returned: weights over divided columns, intercepts, the solution's own claims, and its warnings."""

    weights: Array
    intercept: Array
    solution: Solution
    warned: tuple[str, ...]


def estimator(draw: Draw) -> Any:
    """Return the estimator of a draw, not fitted."""
    edits = Edits(ban=draw.ban, keep=draw.keep, signs=draw.signs, factors=draw.factors)
    common: dict[str, Any] = {"l1": draw.l1, "l2": draw.l2, "fit_intercept": draw.intercept, "tol": draw.tol}
    common["edits"] = edits or None
    if draw.loss != "squared":
        common |= {"class_weight": draw.class_weight}
        common |= {"loss": draw.loss if draw.loss == "squared_hinge" else "logistic"}
    if not draw.groups:
        return ElasticNetRegressor(**common) if draw.loss == "squared" else ElasticNetClassifier(**common)
    groups = Groups.from_lists(draw.groups, draw.matrix.dense.shape[1], weights=list(draw.group_weights))
    kind = GroupLassoRegressor if draw.loss == "squared" else GroupLassoClassifier
    return kind(groups, group=draw.group, **common)


def fitted(draw: Draw, one: Plain, start: Solution | None = None) -> Answer:
    """Fit a draw; warnings of numpy about numbers are errors here."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.simplefilter("error", RuntimeWarning)
        model = estimator(draw).fit(draw.matrix.given, draw.y, draw.sample_weight, start)
    warned = tuple(str(one.message) for one in seen)
    return Answer(model.solution_.weights * one.factors[:, None], model.intercept_, model.solution_, warned)


def start_of(one: Plain, weights: Array, intercept: Array) -> Solution:
    """Return a start with these weights over the columns as they are."""
    return Solution(weights, np.asarray(intercept, dtype=float), np.inf, -np.inf)

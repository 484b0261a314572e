"""A fitted matrix estimator as JSON: its class, its parameters and the certificate of its solution.

Only the public classifiers of `laconic.linear` come back from JSON; nothing else that a file names is imported.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

import laconic.linear
from laconic.core.groups import Groups
from laconic.core.selected_groups import SelectedGroups
from laconic.core.solution import Solution, Step
from laconic.models.scoring.linear_text import LinearText

MOST_STEPS = 100
CERTIFICATE = ("objective", "dual_objective", "relative_gap", "converged", "iterations")


def estimator_facts(estimator: Any) -> dict[str, Any]:
    """Return the class and the parameters of an estimator as plain data."""
    return {
        "package": type(estimator).__module__.partition(".")[0],
        "name": type(estimator).__name__,
        # Edits of an estimator number the columns of its matrix; the text classifier stores them by their words.
        "parameters": {
            name: encoded(value) for name, value in estimator.get_params(deep=False).items() if name != "edits"
        },
    }


def certificate_facts(estimator: Any) -> dict[str, Any] | None:
    """Return objective, dual objective and gap of a fitted estimator, or None if it has no ``solution_``."""
    solution = getattr(estimator, "solution_", None)
    if solution is None:
        return None
    facts = {name: finite(getattr(solution, name)) for name in CERTIFICATE}
    if solution.trace:
        # So that a trace that has been thinned out once, to `MOST_STEPS` steps, is not thinned out again.
        every = max(1, math.ceil((len(solution.trace) - 1) / (MOST_STEPS - 1)))
        steps = [*solution.trace[:-1:every], solution.trace[-1]]
        facts["trace"] = [[finite(float(value)) for value in step] for step in steps]
    return facts


def finite(value: Any) -> Any:
    """Return a value, or None for a number that is not finite, such as a bound that does not exist: JSON has none."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def unfitted_estimator(facts: Mapping[str, Any]) -> Any:
    """Return an estimator with the parameters of a ``model.json``, without groups."""
    stored = facts["estimator"]
    if stored["package"] != "laconic" or stored["name"] not in laconic.linear.__all__:
        raise ValueError(
            f"This model was fitted by {stored['package']}'s {stored['name']}, which is not rebuilt from a folder. "
            "Predict with the loaded model itself."
        )
    given = {name: decoded(name, value) for name, value in stored["parameters"].items() if name != "groups"}
    return getattr(laconic.linear, stored["name"])(**given)


def rebuilt_estimator(facts: Mapping[str, Any], model: LinearText) -> BaseEstimator:
    """Return a fitted estimator with the parameters of a ``model.json`` and the weights of its model."""
    groups = _groups(model)
    estimator = unfitted_estimator(facts)
    if groups is not None:
        estimator.set_params(groups=groups)
    known = facts["certificate"]
    solution = Solution(
        model.dense_weights,
        model.intercept,
        objective=known["objective"],
        dual_objective=-math.inf if known["dual_objective"] is None else known["dual_objective"],
        converged=known["converged"],
        iterations=known["iterations"],
        trace=tuple(
            Step(objective, -math.inf if bound is None else bound, int(words))
            for objective, bound, words in known.get("trace", ())
        ),
    )
    estimator.solution_ = solution
    estimator.coef_ = solution.weights.T.copy()
    estimator.intercept_ = solution.intercept.copy()
    estimator.classes_ = np.array(model.classes)
    estimator.n_iter_ = solution.iterations
    estimator.dual_gap_ = solution.relative_gap
    estimator.n_features_in_ = len(model.vocabulary)
    if groups is not None and model.groups is not None:
        estimator.groups_ = groups
        estimator.kept_groups_ = model.groups
        selected = SelectedGroups.of(groups, groups.norms(solution.weights))
        estimator.selected_groups_ = replace(selected, n_groups=model.groups.n_groups)
    return estimator


def _groups(model: LinearText) -> Groups | None:
    """Return the selected groups over the vocabulary of the folder, which for tf-idf has more than the kept words."""
    if model.groups is None:
        return None
    kept = model.groups.groups
    number = np.array([model.vocabulary.index[word] for word in model.words], dtype=np.int32)
    return Groups(
        kept.indptr,
        number[kept.indices],
        kept.weights,
        len(model.vocabulary),
        kept.names,
        model.vocabulary.sha256,
        kept.source,
    )


def encoded(value: Any) -> Any:
    """Return a value that JSON can hold; a dictionary becomes its items, something unknown its description."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, (list, tuple)):
        return [encoded(item) for item in value]
    if isinstance(value, Mapping):
        return {"items": [[encoded(key), encoded(item)] for key, item in value.items()]}
    return {"description": f"{type(value).__name__}: {str(value)[:200]}"}


def decoded(name: str, value: Any) -> Any:
    """Return what `encoded` was given; ``name`` says in a message what is not stored."""
    if not isinstance(value, dict):
        return value
    if "items" not in value:
        raise ValueError(
            f"The parameter {name} of the estimator ({value.get('description')}) is not stored in the folder, so the "
            "estimator cannot be rebuilt. Predict with the loaded model itself."
        )
    return {key: decoded(name, item) for key, item in value["items"]}

import json
from copy import copy
from dataclasses import replace

import numpy as np
import pytest

from laconic.core.solution import Step
from laconic.linear import ElasticNetClassifier
from laconic.models.folder.estimator import certificate_facts, encoded, estimator_facts, rebuilt_estimator
from laconic.models.scoring.linear_text import LinearText


def test_plain_values_survive_json():
    value = {"a": (1, 2.5, None, np.int64(3)), 2: {True: "x"}}
    found = json.loads(json.dumps(encoded(value)))
    assert found == {"items": [["a", [1, 2.5, None, 3]], [2, {"items": [[True, "x"]]}]]}
    assert "ndarray" in encoded(np.zeros(2))["description"]
    assert "description" in encoded(float("inf"))


def test_an_estimator_comes_back(fitted):
    model = fitted(n_classes=3)
    facts = {"estimator": estimator_facts(model.estimator_), "certificate": certificate_facts(model.estimator_)}
    found = rebuilt_estimator(json.loads(json.dumps(facts)), LinearText.of(model))
    assert found.get_params() == model.estimator_.get_params()
    assert found.dual_gap_ == model.estimator_.dual_gap_
    assert found.solution_.objective == model.estimator_.solution_.objective
    assert found.n_iter_ == model.estimator_.n_iter_


def test_class_weights_keep_the_types_of_their_labels(fitted):
    model = fitted()
    estimator = ElasticNetClassifier(class_weight={1: 2.0, 0: 1.0})
    facts = {"estimator": estimator_facts(estimator), "certificate": certificate_facts(model.estimator_)}
    found = rebuilt_estimator(json.loads(json.dumps(facts)), LinearText.of(model))
    assert found.class_weight == {1: 2.0, 0: 1.0}


def test_what_is_not_stored_is_not_rebuilt(fitted):
    model = fitted()
    facts = {"estimator": estimator_facts(ElasticNetClassifier(l1=np.ones(3))), "certificate": {}}
    with pytest.raises(ValueError, match=r"parameter l1 .*not stored"):
        rebuilt_estimator(facts, LinearText.of(model))


@pytest.mark.parametrize("name", ["system", "lambda_max_", "__builtins__"])
def test_nothing_else_that_a_file_names_is_imported(fitted, name):
    with pytest.raises(ValueError, match="not rebuilt"):
        rebuilt_estimator(
            {"estimator": {"package": "laconic", "name": name, "parameters": {}}}, LinearText.of(fitted())
        )


def test_no_bound_no_gap(fitted):
    estimator = fitted().estimator_
    solution = type(estimator.solution_)(estimator.solution_.weights, estimator.solution_.intercept, 1.0, -np.inf)
    with_none = ElasticNetClassifier()
    with_none.solution_ = solution
    found = certificate_facts(with_none)
    assert found["dual_objective"] is None
    assert found["relative_gap"] is None
    assert certificate_facts(object()) is None


@pytest.mark.parametrize("steps", [1, 2, 99, 100, 101, 199, 1234])
def test_a_long_trace_is_thinned_out_once(fitted, steps):
    estimator = copy(fitted().estimator_)
    trace = tuple(Step(float(steps - i), -np.inf if i == 0 else 0.0, i) for i in range(steps))
    estimator.solution_ = replace(estimator.solution_, trace=trace)
    stored = certificate_facts(estimator)["trace"]
    assert len(stored) <= 100
    assert (stored[0], stored[-1][0]) == ([float(steps), None, 0.0], 1.0)
    facts = {"estimator": estimator_facts(estimator), "certificate": certificate_facts(estimator)}
    assert certificate_facts(rebuilt_estimator(facts, LinearText.of(fitted())))["trace"] == stored

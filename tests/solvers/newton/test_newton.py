"""Fits without a penalty: what they say of classes that can be separated."""

import numpy as np
import pytest

from laconic.core.losses import Logistic, Softmax
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.solvers.newton.newton import SEPARABLE, solve_newton

NONE = ElasticNetPenalty(0.0, 0.0)


@pytest.mark.parametrize("tol", [1e-6, 1e-3, 0.02])
@pytest.mark.parametrize("loss", [Logistic(), Softmax(3)], ids=lambda loss: loss.name)
def test_classes_that_can_be_separated_are_named_however_loose_the_tolerance(loss, tol):
    X = np.random.default_rng(0).normal(size=(7, 8))
    y = np.arange(7) % 3 if loss.name == "softmax" else np.where(np.arange(7) % 2, 1.0, -1.0)
    assert solve_newton(LinearProblem(X, y, loss), NONE, tol=tol).message == SEPARABLE


def test_one_wrong_document_among_many_is_not_separated():
    X = np.r_[np.ones(4000), -np.ones(4000), 1.0][:, None]
    y = np.r_[np.ones(4000), -np.ones(4000), -1.0]
    solution = solve_newton(LinearProblem(X, y, Logistic(), fit_intercept=False), NONE, tol=1e-9)
    assert solution.converged
    assert not solution.message
    assert solution.weights[0, 0] == pytest.approx(np.log(8000.0), rel=1e-4)

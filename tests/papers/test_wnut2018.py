"""The W-NUT 2018 baselines on the real data: vocabularies, gaps, independent optima, accuracies beside the paper's."""

import os

import cvxpy as cp
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from laconic.linear import ElasticNetClassifier
from papers import wnut2018_numbers
from papers.cells import Cell
from papers.measuring import measure
from papers.searches import LEVELS
from papers.tasks import NEWSGROUPS, matrices

pytestmark = pytest.mark.skipif(
    "LACONIC_DATA" not in os.environ, reason="set LACONIC_DATA to the folder of the data sets to run this"
)


@pytest.fixture(scope="module")
def baselines(tmp_path_factory):
    place = tmp_path_factory.mktemp("journal")
    cells = [Cell(task, method, "published") for task in NEWSGROUPS for method in ("ridge", "lasso", "elastic")]
    return {(cell.task, cell.method): measure(cell, None, place) for cell in cells}


def test_vocabularies_are_the_papers(baselines):
    for task in NEWSGROUPS:
        assert baselines[task, "ridge"].vocabulary == wnut2018_numbers.VOCABULARY[task]


def test_every_chosen_model_is_certified(baselines):
    assert all(one.gap <= 1e-6 for one in baselines.values())


def test_ridge_is_within_half_a_point_of_the_paper(baselines):
    for task in NEWSGROUPS:
        assert abs(baselines[task, "ridge"].test - wnut2018_numbers.ACCURACY[task]["ridge"]) <= 0.5


@pytest.mark.parametrize("task", NEWSGROUPS)
def test_ridge_objectives_agree_with_lbfgs(task):
    X, y = matrices(task)["train"]
    target = np.where(y == np.unique(y)[1], 1.0, -1.0)
    for point in [{"l1": 0.0, "l2": l2} for l2 in LEVELS["wnut"]]:
        ours = ElasticNetClassifier(**point, tol=1e-8).fit(X, y).solution_.objective
        theirs = LogisticRegression(C=1 / (2 * point["l2"]), tol=1e-8, max_iter=100_000).fit(X, y)
        margins = target * theirs.decision_function(X)
        objective = np.logaddexp(0.0, -margins).sum() + point["l2"] * (theirs.coef_**2).sum()
        assert ours == pytest.approx(objective, rel=1e-6)


@pytest.mark.parametrize("task", NEWSGROUPS)
@pytest.mark.parametrize(
    ("l1", "l2"),
    [(0.0, 0.01), (0.0, 1.0), (0.0, 100.0), (0.5, 0.0), (1.0, 0.0), (5.0, 0.0), (0.1, 0.1), (1.0, 1.0), (10.0, 10.0)],
)
def test_objectives_agree_with_an_interior_point_solver(task, l1, l2):
    X, y = matrices(task)["train"]
    X, target = X.tocsc(), np.where(y == np.unique(y)[1], 1.0, -1.0)
    model = ElasticNetClassifier(l1=l1, l2=l2, tol=1e-8).fit(X, y)
    # With λ₁ > 0 the interior-point solver gets only words near the bound (all of them, it fails); its own dual point
    # then proves that no other word matters, so that its optimum is the optimum over all words.
    alpha = target * expit(-target * model.decision_function(X))
    words = np.flatnonzero(np.abs(X.T @ alpha) >= 0.7 * l1)
    value, residual = interior_point(X[:, words], target, l1, l2)
    assert model.solution_.objective == pytest.approx(value, rel=1e-6)
    if l1 > 0.0:
        outside = np.ones(X.shape[1], dtype=bool)
        outside[words] = False
        assert np.abs(X.T @ residual)[outside].max() < l1


def interior_point(X, target, l1, l2):
    """Return optimal objective and residual by cvxpy; columns scaled or not, as the solver needs it."""
    for scale in (np.sqrt((X**2).sum(axis=0)), np.ones(X.shape[1])):
        w, b, margins = cp.Variable(X.shape[1]), cp.Variable(), cp.Variable(len(target))
        link = margins == cp.multiply(-target, sp.csc_array(X @ sp.diags_array(1 / scale)) @ w + b)
        unscaled = cp.multiply(1 / scale, w)
        penalty = (l1 * cp.norm1(unscaled) if l1 else 0.0) + (l2 * cp.sum_squares(unscaled) if l2 else 0.0)
        problem = cp.Problem(cp.Minimize(cp.sum(cp.logistic(margins)) + penalty), [link])
        for equilibrate in (True, False):
            try:
                value = problem.solve(solver=cp.CLARABEL, equilibrate_enable=equilibrate)
                return value, target * np.abs(link.dual_value)
            except cp.error.SolverError:
                continue
    pytest.fail("The interior-point solver found no optimum; choose another λ for this comparison.")

"""The W-NUT 2018 baselines on the real data: vocabularies, gaps, independent optima, accuracies beside the paper's."""

import os

import cvxpy as cp
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from laconic.linear import ElasticNetClassifier
from laconic.reproduce import wnut2018

pytestmark = pytest.mark.skipif(
    "LACONIC_DATA" not in os.environ, reason="set LACONIC_DATA to the folder of the data sets to run this"
)


@pytest.fixture(scope="module")
def reproduction():
    return wnut2018.run()


def test_vocabularies_are_the_papers(reproduction):
    assert list(reproduction.vocabulary.values()) == [25_787, 21_938, 18_822, 16_282]


def test_every_penalised_fit_is_certified(reproduction):
    assert len(reproduction.rows) == 16
    assert all(row.largest_gap <= 1e-8 for row in reproduction.rows if row.method != "none")


def test_ridge_is_within_half_a_point_of_the_paper(reproduction):
    for row in reproduction.rows:
        if row.method == "ridge":
            assert abs(row.test - row.paper_test) <= 0.5


def test_table_is_aligned_and_complete(reproduction):
    table = [line for line in reproduction.markdown().splitlines() if line.startswith("|")]
    assert len(table) == 2 + 16
    assert len({len(line) for line in table}) == 1


@pytest.mark.parametrize("task", wnut2018.TASKS)
def test_ridge_objectives_agree_with_lbfgs(task):
    X, y = wnut2018.matrices(task)["train"]
    target = np.where(y == np.unique(y)[1], 1.0, -1.0)
    for point in wnut2018.GRIDS["ridge"]:
        ours = ElasticNetClassifier(**point, tol=1e-8).fit(X, y).solution_.objective
        theirs = LogisticRegression(C=1 / (2 * point["l2"]), tol=1e-8, max_iter=100_000).fit(X, y)
        margins = target * theirs.decision_function(X)
        objective = np.logaddexp(0.0, -margins).sum() + point["l2"] * (theirs.coef_**2).sum()
        assert ours == pytest.approx(objective, rel=1e-6)


@pytest.mark.parametrize("task", wnut2018.TASKS)
@pytest.mark.parametrize(
    ("l1", "l2"),
    [(0.0, 0.01), (0.0, 1.0), (0.0, 100.0), (0.5, 0.0), (1.0, 0.0), (5.0, 0.0), (0.1, 0.1), (1.0, 1.0), (10.0, 10.0)],
)
def test_objectives_agree_with_an_interior_point_solver(task, l1, l2):
    X, y = wnut2018.matrices(task)["train"]
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

"""The W-NUT 2018 baselines on the real data: vocabularies, gaps, independent optima, accuracies beside the paper's."""

import os

import cvxpy as cp
import numpy as np
import pytest
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
    [(0.0, 0.01), (0.0, 1.0), (0.0, 100.0), (0.1, 0.0), (1.0, 0.0), (10.0, 0.0), (0.1, 0.1), (1.0, 1.0), (10.0, 10.0)],
)
def test_objectives_agree_with_an_interior_point_solver(task, l1, l2):
    X, y = wnut2018.matrices(task)["train"]
    ours = ElasticNetClassifier(l1=l1, l2=l2, tol=1e-8).fit(X, y).solution_
    target = np.where(y == np.unique(y)[1], 1.0, -1.0)
    w, b = cp.Variable(X.shape[1]), cp.Variable()
    loss = cp.sum(cp.logistic(cp.multiply(-target, X.tocsc() @ w + b)))
    objective = cp.Problem(cp.Minimize(loss + l1 * cp.norm1(w) + l2 * cp.sum_squares(w))).solve(solver=cp.CLARABEL)
    assert ours.objective == pytest.approx(objective, rel=1e-6)

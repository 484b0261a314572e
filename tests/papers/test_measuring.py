"""Cells on planted documents: every method gives what its model says, chosen on dev alone."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import LinearSVC

from laconic.evaluate import Candidate
from laconic.linear import ElasticNetClassifier
from papers.cells import Cell
from papers.measuring import WITHIN, measure, shortlist
from papers.tasks import View, matrices
from papers.today import NBSVM

METHODS = [
    Cell("science", "none", "published", size="quick"),
    Cell("science", "lasso", "published", size="quick", details=("words",)),
    Cell("science", "omp", "published", size="quick", details=("curve",)),
    Cell("science", "omp", "published", variant="one standard error", size="quick"),
    Cell("science", "group", "published", "sentences", size="quick"),
    Cell("science", "group", "published", "sentences", "no lasso", size="quick"),
    Cell("science", "gomp", "published", "sentences", size="quick"),
    Cell("science", "ridge", "ours", size="quick"),
    Cell("science", "elastic", "ours", size="small", details=("sentences",)),
    Cell("science", "group", "ours", "sentences", size="small", details=("groups", "sentences")),
    Cell("science", "gomp", "ours", "sentences", "no singletons", size="quick"),
    Cell("science", "features", "published", "sentences", "lasso", size="quick"),
    Cell("science", "svm", "today", size="quick"),
    Cell("science", "nbsvm", "today", size="quick"),
    Cell("science", "majority", "published"),
]


@pytest.mark.parametrize("cell", METHODS, ids=lambda cell: cell.title)
def test_methods(planted_sets, tmp_path, cell):
    found = measure(cell, None, tmp_path)
    assert not found.missing
    share = 100 * np.mean(np.array(found.truth) == np.array(found.predictions))
    assert found.test == pytest.approx(share)
    assert len(found.truth) == 20
    if cell.method != "majority":
        assert found.test >= 60.0
        assert 0 < found.words <= found.vocabulary
    if cell.block != "today" and cell.method != "majority":
        assert found.low <= found.test <= found.high
    if cell.block == "ours" and cell.method in ("ridge", "elastic", "group"):
        assert found.gap <= 1e-6
    assert set(cell.details) == set(found.details)
    if "curve" in cell.details:
        assert [point[0] for point in found.details["curve"]] == sorted({min(k, found.vocabulary) for k in (100, 500)})
    if "groups" in cell.details:
        facts = found.details["groups"]
        assert facts["selected"] + facts["removed"] > 0
        assert facts["selected_examples"]
    if "sentences" in cell.details:
        facts = found.details["sentences"]
        assert len(facts["influence"]) == len(facts["selected"]) == len(facts["words"]) == 6


def test_dev_chooses_and_ties_go_to_fewer_words(planted_sets, tmp_path):
    found = measure(Cell("science", "lasso", "published", size="quick"), None, tmp_path)
    problem = matrices("science")
    models = [ElasticNetClassifier(l1=l1, l2=0.0, tol=1e-6).fit(*problem["train"]) for l1 in (0.1, 1.0, 10.0)]
    dev = [model.score(*problem["dev"]) for model in models]
    sizes = [np.count_nonzero(model.coef_) for model in models]
    best = min(range(3), key=lambda i: (-dev[i], sizes[i]))
    assert found.dev == pytest.approx(100 * dev[best])
    assert found.words == sizes[best]
    assert found.test == pytest.approx(100 * models[best].score(*problem["test"]))
    assert found.ties == dev.count(max(dev)) - 1


def test_the_same_cell_twice(planted_sets, tmp_path):
    cell = Cell("science", "group", "ours", "sentences", size="small")
    assert repr(measure(cell, None, tmp_path)) == repr(measure(cell, None, tmp_path / "other"))


def test_what_cannot_be_had(planted_sets, tmp_path):
    found = measure(Cell("science", "group", "ours", "moods"), None, tmp_path)
    assert "no groups of the kind 'moods'" in found.missing


def test_nbsvm_against_its_definition():
    rng = np.random.default_rng(0)
    X = (rng.random((80, 6)) < 0.5).astype(float)
    y = np.where(X[:, 0] + 0.3 * rng.random(80) > 0.6, "b", "a")
    p, q = 1 + X[y == "b"].sum(axis=0), 1 + X[y == "a"].sum(axis=0)
    ratio = np.log((p / p.sum()) / (q / q.sum()))
    svm = LinearSVC(C=0.5, random_state=0).fit(X * ratio, y)
    w = svm.coef_[0]
    model = NBSVM(C=0.5).fit(X, y)
    margins = (X * ratio) @ (0.75 * np.abs(w).sum() / 6 + 0.25 * w) + svm.intercept_[0]
    np.testing.assert_allclose(model.decision_function(X), margins)


def test_our_block_decides_by_cross_validation(planted_sets, tmp_path):
    found = measure(Cell("science", "elastic", "ours", size="small"), None, tmp_path)
    view = View(found.params["cells"], found.params["tokenizer"])
    problem = matrices("science", None, view)
    X = sparse.vstack([problem["train"][0], problem["dev"][0]]).tocsr()
    y = np.concatenate([problem["train"][1], problem["dev"][1]])
    estimator = ElasticNetClassifier(l1=found.params["l1"], l2=found.params["l2"], tol=1e-6)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    assert found.cv == pytest.approx(100 * np.mean(cross_val_predict(estimator, X, y, cv=folds) == y), abs=1.5)
    assert found.settings == 2 * 4
    assert found.ties < 8


def test_shortlist():
    def one(mean, words):
        return Candidate({}, (mean,), mean, 0.02, words, 0.0, 0.0)

    candidates = [one(0.90, 10), one(0.95, 50), one(0.94, 20), one(0.95, 30), one(0.93, 5), one(0.92, 1)]
    assert shortlist(candidates, range(6), 9) == [3, 1, 2, 4]
    assert shortlist(candidates, range(6), 2) == [3, 1]
    assert shortlist(candidates, [0, 4, 5], 9) == [4, 5]


def test_the_largest_size_is_kept_and_chosen_by_cross_validation_too(planted_sets, tmp_path):
    cell = Cell("science", "group", "ours", "sentences", size="small")
    free = measure(cell, None, tmp_path)
    columns = matrices("science")["train"][0].shape[1]
    most = 100.0 * (free.words - 1) / columns
    small = measure(replace(cell, variant=WITHIN, most=most), None, tmp_path)
    assert small.words < free.words
    assert small.cv <= free.cv
    assert "no model of the grid" in measure(replace(cell, variant=WITHIN, most=1e-6), None, tmp_path).missing
    assert measure(replace(cell, variant=WITHIN, most=100.0), None, tmp_path).predictions == free.predictions

"""Scored fits of a grid on splits.

Standard errors of scores on a dev set.

Searches that are killed and taken up again.
"""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from laconic.evaluate import tune
from laconic.evaluate.metrics.scores import METRICS, label_score, outputs, score
from laconic.evaluate.splits import dev_split, stratified_folds
from laconic.evaluate.tuning.trials import Journal, Trial, candidate, run, standard_error
from tests.evaluate.conftest import make_data


def by_documents(metric, y, given, n_samples, seed):
    """The obvious twin: draw documents within each class, score each sample."""
    rng = np.random.default_rng(seed)
    values = []
    for _ in range(n_samples):
        drawn = np.concatenate([rng.choice(np.flatnonzero(y == c), size=(y == c).sum()) for c in np.unique(y)])
        values.append(
            score(metric, y[drawn], **{k: v if k == "classes" else np.asarray(v)[drawn] for k, v in given.items()})
        )
    return np.std(values, ddof=1)


def test_accuracy_is_binomial():
    y = np.array(["a"] * 6 + ["b"] * 4)
    predicted = np.array(["a"] * 5 + ["b"] * 4 + ["a"])
    assert standard_error("accuracy", y, {"y_pred": predicted}, 0) == pytest.approx(np.sqrt(0.8 * 0.2 / 10))


@pytest.mark.parametrize("metric", [m for m in METRICS if m != "accuracy"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_bootstrap_against_its_twin(metric, n_classes):
    X, y = make_data(150, n_classes=n_classes)
    model = LogisticRegression(C=0.01).fit(X, y)
    given = outputs(model, metric, X)
    found = standard_error(metric, y, given, seed=3)
    assert found == pytest.approx(by_documents(metric, y, given, 400, seed=8), rel=0.25)
    assert found == standard_error(metric, y, given, seed=3)
    assert found != standard_error(metric, y, given, seed=4)


def test_predicted_class_without_documents():
    # "c" is predicted but never true, and "a" is always missed.
    y, predicted = np.array(["a", "b", "b", "b"]), np.array(["c", "b", "a", "b"])
    assert standard_error("macro_f1", y, {"y_pred": predicted}, 0) > 0
    assert label_score("balanced_accuracy", y, predicted) == pytest.approx(1 / 3)


@pytest.mark.parametrize("metric", ["macro_f1", "average_precision"])
def test_a_perfect_model_has_no_error(metric):
    y = np.array([0, 0, 1, 1])
    given = {"y_pred": y} if metric == "macro_f1" else {"proba": y * 1.0, "classes": [0, 1]}
    assert standard_error(metric, y, given, 0) == 0.0


GRID = [{"C": 0.1}, {"C": 1.0}, {"C": 10.0}]


def test_order_and_contents(data):
    X, y = data
    splits = stratified_folds(X, y, 3, 0)
    trials = list(run(LogisticRegression(), GRID, splits, "accuracy", 0, None))
    assert [trial.setting for trial in trials] == [0, 1, 2] * 3
    X_fit, y_fit, X_score, y_score = splits[1]()
    model = LogisticRegression(C=10.0).fit(X_fit, y_fit)
    assert trials[5].score == model.score(X_score, y_score)
    assert all(trial.model is None and trial.standard_error is None for trial in trials)
    assert {trial.words for trial in trials} == {12}


def test_dev_keeps_models_and_tells_errors(data, dev):
    [trial] = run(LogisticRegression(), [{}], dev_split(*data, dev, "accuracy"), "accuracy", 0, None)
    assert trial.model.score(*dev) == trial.score
    assert trial.standard_error == pytest.approx(np.sqrt(trial.score * (1 - trial.score) / 80))


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1])
def test_jobs_do_not_matter(data, sharing, n_jobs):
    splits = stratified_folds(*data, 3, 0)
    scores = [trial.score for trial in run(LogisticRegression(), GRID, splits, "log_loss", 0, n_jobs)]
    together = [trial.score for trial in run(sharing(), GRID, splits, "log_loss", 0, n_jobs)]
    assert scores == together == [trial.score for trial in run(LogisticRegression(), GRID, splits, "log_loss", 0, None)]
    assert sharing.calls == [3, 3, 3]


def test_lazy(data):
    trials = run(LogisticRegression(), GRID, stratified_folds(*data, 3, 0), "accuracy", 0, None)
    assert next(trials).setting == 0
    trials.close()


class Nan(LogisticRegression):
    def predict_proba(self, X):
        return super().predict_proba(X) * float("nan")


class SharingMargins(LinearSVC):
    def fit_grid(self, X, y, grid):
        return [SharingMargins(**params).fit(X, y) for params in grid]


@pytest.mark.parametrize("metric", ["log_loss", "average_precision"])
def test_nan_names_the_parameters(data, metric):
    with pytest.raises(ValueError, match=r"Scoring with C=0\.1 failed: .* needs"):
        list(run(Nan(), GRID, stratified_folds(*data, 2, 0), metric, 0, None))


def test_nan_score(data, monkeypatch):
    monkeypatch.setattr("laconic.evaluate.tuning.trials.score", lambda *_, **__: float("nan"))
    with pytest.raises(ValueError, match=r"Scoring with C=0.1 failed: accuracy is nan\."):
        list(run(LogisticRegression(), GRID, stratified_folds(*data, 2, 0), "accuracy", 0, None))


def test_no_probabilities_found_after_the_fit(data):
    with pytest.raises(
        ValueError, match=r"Scoring with C=0\.1 failed: log_loss needs probabilities, and SharingMargins"
    ):
        list(run(SharingMargins(), GRID, stratified_folds(*data, 2, 0), "log_loss", 0, None))


def test_candidate_of_folds():
    trials = [Trial(0, value, None, words, gap, 2.0, None) for value, words, gap in [(0.7, 4, 1e-9), (0.8, 7, 1e-7)]]
    found = candidate({"C": 1}, trials)
    assert found.scores == (0.7, 0.8)
    assert (found.mean, found.words, found.gap, found.seconds) == (pytest.approx(0.75), 5.5, 1e-7, 2.0)
    assert found.standard_error == pytest.approx(np.std([0.7, 0.8], ddof=1) / np.sqrt(2))
    assert np.isnan(candidate({}, trials[:1]).standard_error)


SEARCHED = {"C": [0.01, 0.1, 1.0]}


class Stopping(LogisticRegression):
    """A regression that gives up after so many fits."""

    left = 10**9
    fits = 0

    def fit(self, X, y):
        if type(self).left == 0:
            raise KeyboardInterrupt
        type(self).left -= 1
        type(self).fits += 1
        return super().fit(X, y)


@pytest.fixture
def stopping():
    Stopping.left, Stopping.fits = 10**9, 0
    return Stopping


@pytest.mark.parametrize("with_dev", [False, True])
@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_killed_search_ends_with_the_same_result(data, dev, tmp_path, stopping, with_dev, after):
    given = {"dev": dev} if with_dev else {"folds": 2}
    whole = tune(stopping(), SEARCHED, *data, journal=tmp_path / "whole", **given)
    fits = stopping.fits
    stopping.left, stopping.fits = after, 0
    with pytest.raises(KeyboardInterrupt):
        tune(stopping(), SEARCHED, *data, journal=tmp_path / "killed", **given)
    stopping.left = 10**9
    again = tune(stopping(), SEARCHED, *data, journal=tmp_path / "killed", **given)
    assert again == whole
    assert stopping.fits == fits
    np.testing.assert_array_equal(again.estimator.coef_, whole.estimator.coef_)
    once_more = tune(stopping(), SEARCHED, *data, journal=tmp_path / "killed", **given)
    assert once_more == whole
    assert stopping.fits == fits + 1  # only the chosen one
    other = 1 if whole.chosen != 1 else 2
    np.testing.assert_array_equal(once_more.model(other, *data).coef_, whole.model(other, *data).coef_)


def test_a_line_that_was_cut_off_is_ignored(tmp_path):
    path = tmp_path / "journal"
    journal = Journal(path, 1)
    for split in (0, 1):
        journal.add(split, [0, 1], [Trial(i, 0.5, None, 3, 0.0, 1.0, None) for i in (0, 1)])
    text = path.read_text("utf-8")
    path.write_text(text[:-20], encoding="utf-8")
    again = Journal(path, 1)
    assert again.find(0, [0, 1])[1].setting == 1
    assert again.find(1, [0, 1]) is None
    again.add(1, [0, 1], again.find(0, [0, 1]))
    assert path.read_text("utf-8") == text


def test_other_searches_are_refused(data, tmp_path):
    path = tmp_path / "journal"
    tune(LogisticRegression(), SEARCHED, *data, folds=2, journal=path)
    for changed in ({"grid": {"C": [0.01, 0.1]}}, {"seed": 1}, {"folds": 3}, {"metric": "macro_f1"}):
        given = {"grid": SEARCHED, "folds": 2, **changed}
        with pytest.raises(ValueError, match="journal of another search"):
            tune(LogisticRegression(), given.pop("grid"), *data, journal=path, **given)
    with pytest.raises(ValueError, match="journal of another search"):
        tune(LogisticRegression(), SEARCHED, data[0] + 1, data[1], folds=2, journal=path)


@pytest.mark.parametrize("content", ["some text\n", "[]\n", '{"kind": "other"}\n'])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "file").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match="not a journal"):
        Journal(tmp_path / "file", 1)
    for wrong in (tmp_path, tmp_path / "no" / "place"):
        with pytest.raises(ValueError, match="cannot be written; name a file"):
            Journal(wrong, 1)

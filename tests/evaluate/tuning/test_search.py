"""`tune` against a brute-force grid search, with and without shared work, on every kind of input."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, TimeSeriesSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB

from laconic.evaluate import METRICS, Tuned, higher_is_better, tune

C = [0.01, 0.03, 0.1, 1.0]
GRID = {"C": C}
SCORING = {
    "accuracy": "accuracy",
    "macro_f1": "f1_macro",
    "balanced_accuracy": "balanced_accuracy",
    "log_loss": "neg_log_loss",
}


def never_called(*_):
    raise RuntimeError("work was done before the arguments were checked")


class Untouchable(LogisticRegression):
    fit = never_called


@pytest.mark.parametrize("metric", SCORING)
@pytest.mark.parametrize("classes", ["data", "data3"])
def test_folds_against_brute_force(request, lasso, metric, classes):
    X, y = request.getfixturevalue(classes)
    if classes == "data3":
        lasso = LogisticRegression()
    kfold = StratifiedKFold(4, shuffle=True, random_state=7)
    sign = 1 if higher_is_better(metric) else -1
    scores = [sign * cross_val_score(clone(lasso).set_params(C=c), X, y, cv=kfold, scoring=SCORING[metric]) for c in C]
    tuned = tune(lasso, GRID, X, y, folds=4, metric=metric, seed=7)
    assert [c.params for c in tuned.candidates] == [{"C": c} for c in C]
    np.testing.assert_allclose([c.scores for c in tuned.candidates], scores, rtol=1e-9)
    means = sign * np.mean(scores, axis=1)
    errors = np.std(scores, axis=1, ddof=1) / 2
    np.testing.assert_allclose([c.standard_error for c in tuned.candidates], errors, rtol=1e-9)
    assert means[tuned.best] == means.max()
    within = [i for i in range(len(C)) if means[i] >= means.max() - errors[tuned.best] - 1e-12]
    words = [c.words for c in tuned.candidates]
    assert tuned.chosen in within
    assert words[tuned.chosen] == min(words[i] for i in within)
    expected = clone(lasso).set_params(C=C[tuned.chosen]).fit(X, y)
    np.testing.assert_array_equal(tuned.estimator.coef_, expected.coef_)
    assert tuned.folds == 4


def test_words_are_means_over_folds(data, lasso):
    X, y = data
    tuned = tune(lasso, GRID, X, y, folds=3)
    for candidate in tuned.candidates:
        sizes = [
            np.count_nonzero(clone(lasso).set_params(**candidate.params).fit(X[fit], y[fit]).coef_)
            for fit, _ in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y)
        ]
        assert candidate.words == np.mean(sizes)
    assert tuned.candidates[0].words < tuned.candidates[-1].words


@pytest.mark.parametrize("metric", METRICS)
def test_dev_against_brute_force(data, dev, lasso, metric):
    tuned = tune(lasso, GRID, *data, dev=dev, metric=metric, rule="best", seed=2)
    scores = []
    for c, candidate in zip(C, tuned.candidates, strict=True):
        model = clone(lasso).set_params(C=c).fit(*data)
        if metric == "average_precision":
            from sklearn.metrics import average_precision_score

            scores.append(average_precision_score(dev[1] == "bee", model.predict_proba(dev[0])[:, 1]))
        else:
            from sklearn.metrics import get_scorer

            value = get_scorer(SCORING[metric])(model, *dev)
            scores.append(value if higher_is_better(metric) else -value)
        assert candidate.words == np.count_nonzero(model.coef_)
        assert candidate.scores == (candidate.mean,)
        assert candidate.standard_error >= 0
        assert candidate.gap == float("inf")
    np.testing.assert_allclose([c.mean for c in tuned.candidates], scores, rtol=1e-9)
    assert scores[tuned.best] == (max(scores) if higher_is_better(metric) else min(scores))
    assert tuned.chosen == tuned.best
    assert tuned.folds is None
    np.testing.assert_array_equal(tuned.estimator.coef_, clone(lasso).set_params(C=C[tuned.chosen]).fit(*data).coef_)


@pytest.mark.parametrize("with_dev", [False, True])
def test_shared_work_gives_the_same(data, dev, sharing, with_dev):
    given = {"dev": dev} if with_dev else {"folds": 3}
    plain = tune(LogisticRegression(), GRID, *data, **given)
    shared = tune(sharing(), GRID, *data, **given)
    assert plain == shared
    assert sharing.calls == ([len(C)] if with_dev else [len(C)] * 3 + [1])
    np.testing.assert_array_equal(plain.estimator.coef_, shared.estimator.coef_)


def test_same_seed_same_result(data, lasso):
    once, again = (tune(lasso, GRID, *data, folds=3, seed=5, n_jobs=jobs) for jobs in (None, 2))
    assert once == again
    np.testing.assert_array_equal(once.estimator.coef_, again.estimator.coef_)
    other = tune(lasso, GRID, *data, folds=3, seed=6)
    assert [c.scores for c in other.candidates] != [c.scores for c in once.candidates]


def test_bootstrap_is_seeded(data, dev):
    def errors(seed):
        tuned = tune(LogisticRegression(), [{"C": 0.1}], *data, dev=dev, metric="macro_f1", seed=seed)
        return [c.standard_error for c in tuned.candidates]

    assert errors(1) == errors(1)
    assert errors(1) != errors(2)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.coo_array, lambda X: X.tolist()])
def test_forms_of_a_matrix(data, form):
    X, y = data
    expected = tune(LogisticRegression(), GRID, X, y, folds=3)
    found = tune(LogisticRegression(), GRID, form(X), y.tolist(), folds=3)
    assert [c.scores for c in found.candidates] == [c.scores for c in expected.candidates]


def test_table(data, lasso):
    tuned = tune(lasso, GRID, *data, folds=3)
    rows = tuned.table()
    assert [row["params"]["C"] for row in rows] == C
    assert [i for i, row in enumerate(rows) if row["best"]] == [tuned.best]
    assert [i for i, row in enumerate(rows) if row["chosen"]] == [tuned.chosen]
    assert tuple(i for i, row in enumerate(rows) if row["tie"]) == tuned.ties
    assert {"mean", "standard_error", "words", "gap", "seconds", "scores"} < rows[0].keys()


def test_result_is_frozen_and_prints_short(data):
    tuned = tune(LogisticRegression(), [{}], *data, folds=2)
    assert isinstance(tuned, Tuned)
    assert "LogisticRegression" not in repr(tuned)
    with pytest.raises(AttributeError):
        tuned.best = 3


def test_gap_is_the_worst_of_the_folds(data):
    class Certified(LogisticRegression):
        def fit(self, X, y):
            self.dual_gap_ = 1e-9 * len(y) + (self.C > 1) * 1e-3
            return super().fit(X, y)

    tuned = tune(Certified(), {"C": [1.0, 2.0]}, *data, folds=7)
    fitted_on = [120 - len(held) for _, held in StratifiedKFold(7, shuffle=True, random_state=0).split(*data)]
    assert tuned.candidates[0].gap == pytest.approx(1e-9 * max(fitted_on))
    assert tuned.candidates[1].gap > 1e-3


# Progress


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("with_dev", [False, True])
def test_progress(data, dev, sharing, shared, with_dev):
    seen = []
    estimator = sharing() if shared else LogisticRegression()
    given = {"dev": dev} if with_dev else {"folds": 3}
    tuned = tune(estimator, GRID, *data, progress=lambda *call: seen.append(call), **given)
    total = len(C) if with_dev else 3 * len(C) + 1
    assert [(done, out_of) for done, out_of, _ in seen] == [(i + 1, total) for i in range(total)]
    best_row = seen[-1][2]
    assert best_row == tuned.candidates[tuned.best].row()
    assert seen[0][2]["params"] == {"C": C[0]}


def test_progress_comes_between_fits(data):
    done_at_fit, done_so_far = [], [0]

    class Watching(LogisticRegression):
        def fit(self, X, y):
            done_at_fit.append(done_so_far[0])
            return super().fit(X, y)

    tune(Watching(), GRID, *data, folds=2, progress=lambda done, *_: done_so_far.__setitem__(0, done))
    assert done_at_fit == list(range(2 * len(C) + 1))


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_interrupt_passes(data, n_jobs):
    class Interrupted(LogisticRegression):
        def fit(self, X, y):
            if self.C == 0.1:
                raise KeyboardInterrupt
            return super().fit(X, y)

    with pytest.raises(KeyboardInterrupt):
        tune(Interrupted(), GRID, *data, folds=2, n_jobs=n_jobs)


def test_interrupt_in_progress_passes(data):
    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(LogisticRegression(), GRID, *data, folds=2, progress=stop)


# Size


def test_max_words(data, dev, lasso):
    free = tune(lasso, GRID, *data, dev=dev, rule="best")
    limit = int(min(c.words for c in free.candidates if c.words > 0))
    bound = tune(lasso, GRID, *data, dev=dev, rule="best", max_words=limit)
    assert bound.candidates[bound.best].words <= limit
    assert np.count_nonzero(bound.estimator.coef_) <= limit
    means = [c.mean for c in bound.candidates if c.words <= limit]
    assert bound.candidates[bound.best].mean == max(means)


class Sized(LogisticRegression):
    """As many words as its C says, and two more when fitted on all 120 documents."""

    def fit(self, X, y):
        super().fit(X, y)
        self.n_words_ = int(self.C) + 2 * (len(y) == 120)
        return self


def test_max_words_holds_for_the_refit_too(data):
    free = tune(Sized(), {"C": [2, 9, 10]}, *data, folds=3, rule="best")
    assert [c.words for c in free.candidates] == [2, 9, 10]
    tuned = tune(Sized(), {"C": [2, 9, 10]}, *data, folds=3, rule="best", max_words=10)
    assert tuned.candidates[tuned.chosen].params == {"C": 2}
    assert tuned.estimator.n_words_ == 4
    with pytest.raises(ValueError, match=r"at most max_words=10 words: the smallest has 11 \(C=9\)"):
        tune(Sized(), {"C": [9, 10]}, *data, folds=3, max_words=10)


def test_no_candidate_is_small_enough(data, dev):
    with pytest.raises(ValueError, match=r"at most max_words=3 words: the smallest has 12 \(C=0.01\)"):
        tune(LogisticRegression(), GRID, *data, dev=dev, max_words=3)


# Any candidate's model


def test_model_of_any_candidate(data, dev, lasso, sharing):
    X, y = data
    with_dev = tune(lasso, GRID, X, y, dev=dev)
    for i, candidate in enumerate(with_dev.candidates):
        assert np.count_nonzero(with_dev.model(i, X, y).coef_) == candidate.words
    assert with_dev.model(with_dev.chosen, X, y) is with_dev.estimator
    for estimator in (lasso, sharing()):
        folded = tune(estimator, GRID, X, y, folds=2)
        assert folded.model(folded.chosen, X, y) is folded.estimator
        other = (folded.chosen + 1) % len(C)
        expected = clone(estimator).set_params(C=C[other]).fit(X, y)
        np.testing.assert_array_equal(folded.model(other, X, y).coef_, expected.coef_)
    for wrong in (-1, len(C)):
        with pytest.raises(ValueError, match=f"There is no candidate {wrong}; there are 4"):
            folded.model(wrong, X, y)


def test_later_changes_of_the_estimator_do_not_matter(data):
    estimator = LogisticRegression()
    tuned = tune(estimator, [{"C": 1.0}, {"C": 2.0}], *data, folds=2)
    estimator.set_params(fit_intercept=False)
    assert tuned.model(1 - tuned.chosen, *data).intercept_[0] != 0.0


# Errors


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"metric": "f1"}, ValueError, "There is no metric 'f1'; use one of accuracy"),
        ({"rule": "smallest"}, ValueError, "There is no rule 'smallest'"),
        ({"max_words": 0}, ValueError, "max_words must be a whole number from 1"),
        ({"seed": -1}, ValueError, "seed must be a whole number from 0"),
        ({"seed": None}, ValueError, "seed must be a whole number from 0"),
        ({"seed": 1.5}, ValueError, "seed must be a whole number from 0"),
        ({"n_jobs": 0}, ValueError, "n_jobs must be None, a whole number from 1, or -1"),
        ({"folds": 1}, ValueError, "folds must be a whole number from 2"),
        ({"folds": 100}, ValueError, "fewer than the 100 folds"),
        ({"dev": 3}, TypeError, "dev must be a pair"),
        ({"grid": []}, ValueError, "grid is empty"),
        ({"grid": {"D": [1]}}, ValueError, "Untouchable has no parameter 'D'"),
        ({"estimator": Untouchable}, TypeError, "got the class Untouchable"),
        ({"estimator": GaussianNB(), "grid": {"C": [1]}}, ValueError, "its parameters are priors, var_smoothing"),
        ({"X": "text"}, TypeError, "X must be a list of texts"),
        ({"y": ["ant"]}, ValueError, "X has 120 documents but y has 1 labels"),
        ({"y": ["ant"] * 120}, ValueError, "y has only the class 'ant'"),
        ({"y": [None] * 120}, ValueError, "Label 0 of y is missing"),
    ],
)
def test_errors_come_before_any_work(data, arguments, error, message):
    given = {"estimator": Untouchable(), "grid": GRID, "X": data[0], "y": data[1], **arguments}
    with pytest.raises(error, match=message):
        tune(**given)


def test_metric_that_the_estimator_cannot_serve(data):
    from sklearn.svm import LinearSVC

    with pytest.raises(TypeError, match="log_loss needs probabilities, and LinearSVC has no predict_proba"):
        tune(LinearSVC(), GRID, *data, metric="log_loss")
    assert tune(LinearSVC(), {"C": [0.1]}, *data, metric="average_precision", folds=2).candidates[0].mean > 0.5


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_failing_fit_names_the_parameters(data, n_jobs):
    with pytest.raises(ValueError, match=r"Fitting with C=-1 failed: .*'C' parameter"):
        tune(LogisticRegression(), {"C": [1.0, -1]}, *data, folds=2, n_jobs=n_jobs)


def test_estimator_without_size(data):
    with pytest.raises(TypeError, match="size of a fitted GaussianNB is unknown"):
        tune(GaussianNB(), [{}], *data, folds=2)


# Other splits


def test_by_and_order(data):
    X, y = data
    authors, dates = np.arange(120) % 10, np.arange(120)[::-1]
    grouped = tune(LogisticRegression(), GRID, X, y, folds=5, by=authors, seed=4)
    kfold = StratifiedGroupKFold(5, shuffle=True, random_state=4)
    expected = cross_val_score(LogisticRegression(C=0.1), X, y, cv=kfold, groups=authors)
    assert grouped.candidates[2].scores == pytest.approx(expected)
    ordered = tune(LogisticRegression(), GRID, X, y, folds=3, order=dates)
    expected = cross_val_score(LogisticRegression(C=0.1), X[::-1], y[::-1], cv=TimeSeriesSplit(3))
    assert ordered.candidates[2].scores == pytest.approx(expected)
    with pytest.raises(ValueError, match="only one of dev, by and order"):
        tune(LogisticRegression(), GRID, X, y, by=authors, order=dates)


# Loose search, tight finish


class Precise(LogisticRegression):
    """Its weights are rounded to its tol: a loose fit is visibly another."""

    def fit(self, X, y):
        step, self.tol = self.tol, 1e-8
        super().fit(X, y)
        self.tol = step
        self.coef_ = np.round(self.coef_ / step) * step
        self.dual_gap_ = step
        return self


@pytest.mark.parametrize("with_dev", [False, True])
def test_the_winner_is_fitted_tightly(data, dev, with_dev):
    given = {"dev": dev} if with_dev else {"folds": 3}
    tuned = tune(Precise(tol=1e-6), GRID, *data, loose={"tol": 0.1}, **given)
    chosen = tuned.candidates[tuned.chosen]
    assert tuned.estimator.tol == 1e-6
    assert "tol" not in chosen.params
    others = [one for i, one in enumerate(tuned.candidates) if i != tuned.chosen]
    assert {one.gap for one in others} == {0.1}
    if with_dev:
        assert chosen.gap == 1e-6
        assert chosen.mean == tuned.estimator.score(*dev)
        assert chosen.words == np.count_nonzero(tuned.estimator.coef_)
    with pytest.raises(ValueError, match="no parameter 'tolerance'"):
        tune(LogisticRegression(), GRID, *data, loose={"tolerance": 1.0}, **given)


# Ties


@pytest.mark.parametrize("with_dev", [False, True])
def test_range_inside_ties(data, dev, with_dev):
    X, y = data
    given = {"dev": (dev[0][:10], dev[1][:10])} if with_dev else {"folds": 2}
    tuned = tune(LogisticRegression(), {"C": [0.01, 0.0101, 0.1, 0.101, 1.0, 1.01]}, X, y, **given)
    assert tuned.ties
    test = (dev[0][10:], dev[1][10:])
    tied = [tuned.model(i, X, y).score(*test) for i in (tuned.best, *tuned.ties)]
    assert tuned.tie_range(X, y, test) == (min(tied), max(tied))

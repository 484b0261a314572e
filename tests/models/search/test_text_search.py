import numpy as np
import pytest

from laconic.core.interruption import FINAL, Stop
from laconic.models.search import folds
from laconic.models.search import text_search as module
from laconic.models.search.fit_text import fit_text
from laconic.models.search.recipe import Recipe


def test_the_number_of_threads_changes_nothing(letters, monkeypatch):
    made = []
    for threads in (1, 3):
        monkeypatch.setattr(module, "effective_n_jobs", lambda _, threads=threads: threads)
        made.append(fit_text(letters.train, recipe=Recipe(folds=3, methods=("ridge", "lasso", "omp"))))
    first, second = made
    assert first.config == second.config
    np.testing.assert_array_equal(first.model.estimator_.coef_, second.model.estimator_.coef_)


def test_what_is_scored_on_test_is_fitted_and_the_rest_is_not(letters):
    recipe = Recipe(methods=("ridge", "lasso"))
    rows = fit_text(letters.train, dev=letters.dev, recipe=recipe).comparison.contenders
    assert [row.gap <= 1e-6 for row in rows] == [row.chosen for row in rows]
    tested = fit_text(letters.train, dev=letters.dev, test=letters.test, recipe=recipe).comparison.contenders
    assert all(row.gap <= 1e-6 and row.test is not None for row in tested)


def stopped_after(looks, monkeypatch, asked=False):
    """Return a stop whose time is over, or that is asked for, when somebody has looked at it so many times."""
    stop, seen = Stop(None if asked else 100.0), iter(range(10**9))
    monkeypatch.setattr(stop, "late", lambda share: not asked and next(seen) >= looks)
    monkeypatch.setattr(stop, "now", (lambda _: next(seen) >= looks) if asked else stop.late)
    return stop


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("looks", [0, 1, 10, 40, 100, 200])
def test_whenever_a_search_is_stopped_there_is_a_model_with_words(letters, monkeypatch, looks, asked):
    recipe = Recipe(folds=3, methods=("lasso", "elastic"), resamples=20)
    made = fit_text(letters.train, recipe=recipe, stop=stopped_after(looks, monkeypatch, asked))
    assert made.model.n_words_ == made.comparison.chosen.words > 0
    assert "resamples" in made.config["left_out"]
    assert not hasattr(made.model, "selection_frequency_")
    if looks < 40:
        assert {"lasso: weaker penalties", "elastic: all settings"} <= set(made.config["left_out"])


def test_a_stop_that_never_comes_changes_nothing(letters, monkeypatch):
    recipe = Recipe(folds=3, methods=("lasso",), resamples=2)
    free, stopped = (
        fit_text(letters.train, recipe=recipe, stop=stop) for stop in (None, stopped_after(10**9, monkeypatch))
    )
    assert stopped.config == free.config
    np.testing.assert_array_equal(stopped.model.estimator_.coef_, free.model.estimator_.coef_)


def test_where_time_is_limited_one_fold_of_many_documents_is_enough(letters, monkeypatch):
    monkeypatch.setattr(folds, "MANY", len(letters.train))
    recipe = Recipe(methods=("lasso",))
    made = fit_text(letters.train, recipe=recipe, stop=Stop(1000.0))
    assert made.comparison.scored_on == "1 of 5 folds"
    assert made.config["left_out"] == ["all folds but one of 5"]
    assert made.model.reference_["shares"] == fit_text(letters.train, recipe=recipe).model.reference_["shares"]


def test_where_time_cuts_a_search_short_the_final_fit_goes_on(letters, monkeypatch):
    stop = Stop(100.0)
    monkeypatch.setattr(stop, "late", lambda share: share < FINAL)
    made = fit_text(letters.train, recipe=Recipe(folds=3, methods=("lasso",)), stop=stop)
    row = made.comparison.chosen
    assert made.model.estimator_.l1 == row.l1 == made.config["chosen"]["l1"]
    assert made.model.n_words_ == row.words > 20
    (said,) = [text for text in made.config["left_out"] if text.startswith("scores of")]
    assert f"{row.l1:.3g}" in said or str(row.l1) in said

import numpy as np

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

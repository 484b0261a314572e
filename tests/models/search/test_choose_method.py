from types import SimpleNamespace

import pytest

from laconic.core.summaries.comparison import Contender
from laconic.evaluate.tuning.candidates import Candidate
from laconic.models.search.choose_method import compared, settle
from laconic.models.search.recipe import Recipe


def tuned(*points, chosen=0):
    """A tuning with candidates (mean, words)."""
    candidates = tuple(Candidate({}, (mean,), mean, 0.02, words, 0.0, 0.0) for mean, words in points)
    return SimpleNamespace(candidates=candidates, chosen=chosen, folds=None)


def contenders(tunings, settled, words=None):
    rows = {}
    for method, place in settled.items():
        candidate = tunings[method].candidates[place]
        size = (words or {}).get(method, int(candidate.words))
        rows[method] = Contender(method, 0.0, 0.0, candidate.mean, candidate.standard_error, None, size, 0.0)
    return rows


def test_each_method_enters_with_its_smallest_model_near_the_best_of_all():
    tunings = {"ridge": tuned((0.90, 500), (0.95, 500), chosen=1), "lasso": tuned((0.91, 5), (0.935, 20), (0.94, 90))}
    settled = settle(tunings, Recipe(rule="one_se"))
    assert settled == {"ridge": 1, "lasso": 1}  # its own rule would have taken lasso's first
    comparison = compared(contenders(tunings, settled), tunings, Recipe(rule="one_se"))
    assert comparison.chosen.method == "lasso"
    assert comparison.reason == (
        "Lasso is the smallest model within one standard error of the best of all 5 settings tried "
        "(0.950 ± 0.020, ridge)."
    )
    assert comparison.scored_on == "dev"


def test_a_method_that_never_comes_near_enters_by_its_own_choice_and_is_not_kept():
    tunings = {"ridge": tuned((0.95, 500)), "lasso": tuned((0.70, 5), (0.80, 9), chosen=1)}
    settled = settle(tunings, Recipe(rule="one_se"))
    assert settled == {"ridge": 0, "lasso": 1}
    assert compared(contenders(tunings, settled), tunings, Recipe(rule="one_se")).chosen.method == "ridge"


def test_the_size_of_the_final_model_counts():
    tunings = {"lasso": tuned((0.95, 20.4)), "elastic": tuned((0.95, 20.8))}
    rows = contenders(tunings, settle(tunings, Recipe()), {"lasso": 24, "elastic": 22})
    assert compared(rows, tunings, Recipe()).chosen.method == "elastic"


def test_the_best_may_be_asked_for():
    recipe = Recipe(rule="best")
    tunings = {"ridge": tuned((0.95, 500)), "lasso": tuned((0.94, 5), (0.945, 9), chosen=1)}
    settled = settle(tunings, recipe)
    assert settled == {"ridge": 0, "lasso": 1}
    comparison = compared(contenders(tunings, settled), tunings, recipe)
    assert comparison.chosen.method == "ridge"
    assert comparison.reason == "Ridge has the best score of all 3 settings tried."


def test_lower_is_better_for_log_loss():
    recipe = Recipe(metric="log_loss", rule="one_se")
    tunings = {"ridge": tuned((0.30, 500)), "lasso": tuned((0.40, 5), (0.31, 50), chosen=0)}
    settled = settle(tunings, recipe)
    assert settled == {"ridge": 0, "lasso": 1}
    assert compared(contenders(tunings, settled), tunings, recipe).chosen.method == "lasso"


def test_with_a_limit_of_words_the_choice_of_the_tuning_holds():
    recipe = Recipe(words=10, rule="one_se")
    tunings = {"lasso": tuned((0.95, 30), (0.90, 8), (0.89, 4), chosen=2), "elastic": tuned((0.80, 9))}
    settled = settle(tunings, recipe)
    assert settled == {"lasso": 2, "elastic": 0}
    comparison = compared(contenders(tunings, settled), tunings, recipe)
    assert comparison.chosen.method == "lasso"
    assert "smallest model with at most 10 words within one standard error" in comparison.reason


def test_one_setting_needs_no_reason():
    tunings = {"none": tuned((0.9, 10))}
    comparison = compared(contenders(tunings, {"none": 0}), tunings, Recipe(methods=("none",)))
    assert comparison.reason == "None is the only setting that was tried."


@pytest.mark.parametrize("rule", ["sparse", "one_se", "best"])
def test_exactly_one_is_chosen_in_a_tie(rule):
    tunings = {"lasso": tuned((0.9, 5)), "elastic": tuned((0.9, 5))}
    comparison = compared(contenders(tunings, {"lasso": 0, "elastic": 0}), tunings, Recipe(rule=rule))
    assert [one.chosen for one in comparison.contenders] == [True, False]


def test_by_default_the_smallest_sparse_model_is_kept_and_what_more_words_would_bring_is_said():
    tunings = {
        "ridge": tuned((0.99, 5000)),
        "lasso": tuned((0.90, 5), (0.935, 20), (0.95, 900)),
        "omp": tuned((0.6, 9)),
    }
    settled = settle(tunings, Recipe())
    assert settled == {"ridge": 0, "lasso": 1, "omp": 0}
    comparison = compared(contenders(tunings, settled), tunings, Recipe())
    assert comparison.chosen.method == "lasso"
    assert comparison.reason == (
        "Lasso is the smallest sparse model within one standard error of the best of all 5 settings tried "
        "(0.950 ± 0.020, lasso). Ridge: +5.5 points for 4,980 more words."
    )


def test_half_a_point_is_near_enough_where_the_standard_error_is_less():
    points = [(0.940, 5), (0.9451, 40), (0.950, 900)]
    candidates = tuple(Candidate({}, (mean,), mean, 0.0001, words, 0.0, 0.0) for mean, words in points)
    tunings = {"lasso": SimpleNamespace(candidates=candidates, chosen=2, folds=5)}
    assert settle(tunings, Recipe()) == {"lasso": 1}
    assert settle(tunings, Recipe(rule="one_se")) == {"lasso": 2}
    rows = contenders(tunings, {"lasso": 1})
    assert "within half a point of the best" in compared(rows, tunings, Recipe()).reason


def test_half_a_point_means_nothing_for_log_loss():
    candidates = tuple(Candidate({}, (loss,), loss, 0.0001, words, 0.0, 0.0) for loss, words in [(0.304, 5), (0.3, 9)])
    assert settle({"lasso": SimpleNamespace(candidates=candidates, chosen=1)}, Recipe(metric="log_loss")) == {
        "lasso": 1
    }


def test_a_ridge_is_kept_where_nothing_sparse_was_tried():
    tunings = {"none": tuned((0.9, 10)), "ridge": tuned((0.95, 10))}
    recipe = Recipe(methods=("none", "ridge"))
    rows = contenders(tunings, settle(tunings, recipe))
    assert compared(rows, tunings, recipe).chosen.method == "ridge"

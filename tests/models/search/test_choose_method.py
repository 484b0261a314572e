import pytest

from laconic.core.summaries.comparison import Contender
from laconic.models.search.choose_method import best_of_all, compared, kept_method, settle
from laconic.models.search.recipe import Recipe
from laconic.models.search.tried import Tried


def one(method, mean, words, error=0.02):
    return Tried({}, (mean,), mean, error, words, 0.0, 0.0, method, words, 1.0, {})


def tuned(error=0.02, **points):
    """What was tried of methods: settings (mean, words)."""
    return {
        method: [one(method, mean, words, error) for mean, words in settings] for method, settings in points.items()
    }


def choose(tried, recipe):
    """Return what each method enters with, and the comparison."""
    settled = settle(tried, recipe)
    entered = {method: tried[method][place] for method, place in settled.items()}
    kept = kept_method(entered, best_of_all(tried, recipe), recipe)
    rows = {
        method: Contender(
            method, 0.0, 0.0, one.mean, one.standard_error, None, int(one.words), 0.0, chosen=method == kept
        )
        for method, one in entered.items()
    }
    return settled, compared(rows, tried, recipe, "dev")


def test_each_method_enters_with_its_smallest_model_near_the_best_of_all():
    tried = tuned(ridge=[(0.90, 500), (0.95, 500)], lasso=[(0.91, 5), (0.935, 20), (0.94, 90)])
    settled, comparison = choose(tried, Recipe(rule="one_se"))
    assert settled == {"ridge": 1, "lasso": 1}  # its own rule would have taken lasso's first
    assert comparison.chosen.method == "lasso"
    assert comparison.reason == (
        "Lasso is the smallest model within one standard error of the best of all 5 settings tried "
        "(0.950 ± 0.020, ridge)."
    )
    assert comparison.scored_on == "dev"


def test_a_method_that_never_comes_near_enters_by_its_own_choice_and_is_not_kept():
    settled, comparison = choose(tuned(ridge=[(0.95, 500)], lasso=[(0.70, 5), (0.80, 9)]), Recipe(rule="one_se"))
    assert settled == {"ridge": 0, "lasso": 1}
    assert comparison.chosen.method == "ridge"


def test_the_smaller_of_two_is_kept():
    _, comparison = choose(tuned(lasso=[(0.95, 24)], elastic=[(0.95, 22)]), Recipe())
    assert comparison.chosen.method == "elastic"


def test_the_best_may_be_asked_for():
    tried = tuned(ridge=[(0.95, 500)], lasso=[(0.94, 5), (0.945, 9)])
    settled, comparison = choose(tried, Recipe(rule="best"))
    assert settled == {"ridge": 0, "lasso": 1}
    assert comparison.chosen.method == "ridge"
    assert comparison.reason == "Ridge has the best score of all 3 settings tried."


def test_lower_is_better_for_log_loss():
    tried = tuned(ridge=[(0.30, 500)], lasso=[(0.40, 5), (0.31, 50)])
    settled, comparison = choose(tried, Recipe(metric="log_loss", rule="one_se"))
    assert settled == {"ridge": 0, "lasso": 1}
    assert comparison.chosen.method == "lasso"


def test_with_a_limit_of_words_a_methods_own_choice_holds():
    tried = tuned(lasso=[(0.95, 30), (0.90, 8), (0.89, 4)], elastic=[(0.80, 9)])
    settled, comparison = choose(tried, Recipe(words=10, rule="one_se"))
    assert settled == {"lasso": 2, "elastic": 0}
    assert comparison.chosen.method == "lasso"
    assert "smallest model with at most 10 words within one standard error" in comparison.reason


def test_one_setting_needs_no_reason():
    _, comparison = choose(tuned(none=[(0.9, 10)]), Recipe(methods=("none",)))
    assert comparison.reason == "None is the only setting that was tried."


@pytest.mark.parametrize("rule", ["sparse", "one_se", "best"])
def test_exactly_one_is_chosen_in_a_tie(rule):
    _, comparison = choose(tuned(lasso=[(0.9, 5)], elastic=[(0.9, 5)]), Recipe(rule=rule))
    assert [row.chosen for row in comparison.contenders] == [True, False]


def test_by_default_the_smallest_sparse_model_is_kept_and_what_more_words_would_bring_is_said():
    tried = tuned(ridge=[(0.99, 5000)], lasso=[(0.90, 5), (0.935, 20), (0.95, 900)], omp=[(0.6, 9)])
    settled, comparison = choose(tried, Recipe())
    assert settled == {"ridge": 0, "lasso": 1, "omp": 0}
    assert comparison.chosen.method == "lasso"
    assert comparison.reason == (
        "Lasso is the smallest sparse model within one standard error of the best of all 5 settings tried "
        "(0.950 ± 0.020, lasso). Ridge: +5.5 points for 4,980 more words."
    )


def test_half_a_point_is_near_enough_where_the_standard_error_is_less():
    tried = tuned(error=0.0001, lasso=[(0.940, 5), (0.9451, 40), (0.950, 900)])
    settled, comparison = choose(tried, Recipe())
    assert settled == {"lasso": 1}
    assert settle(tried, Recipe(rule="one_se")) == {"lasso": 2}
    assert "within half a point of the best" in comparison.reason


def test_half_a_point_means_nothing_for_log_loss():
    tried = tuned(error=0.0001, lasso=[(0.304, 5), (0.3, 9)])
    assert settle(tried, Recipe(metric="log_loss")) == {"lasso": 1}


def test_a_ridge_is_kept_where_nothing_sparse_was_tried():
    recipe = Recipe(methods=("none", "ridge"))
    _, comparison = choose(tuned(none=[(0.9, 10)], ridge=[(0.95, 10)]), recipe)
    assert comparison.chosen.method == "ridge"
    assert comparison.reason.startswith("Ridge is the smallest model within one standard error")

import numpy as np
import pytest
from scipy.stats import ttest_1samp
from sklearn.metrics import accuracy_score

from laconic.data.corpus import Corpus
from laconic.models.search.fit_text import fit_text
from laconic.models.search.frontier import SIZES, frontier, majority_on
from laconic.models.search.recipe import Recipe
from laconic.models.search.tried import Tried

SETTINGS = {"ridge": 3, "lasso": 12, "omp": 9}
SIGN = {"accuracy": 1.0, "log_loss": -1.0}


def tried_of(method, words, scores):
    mean, error = float(np.mean(scores)), float(np.std(scores, ddof=1) / np.sqrt(len(scores)))
    return Tried(
        {}, tuple(scores), mean, error, words, 0.0, 0.0, method, words, 1.0, {"accuracy": mean, "macro_f1": 0.3}
    )


@pytest.fixture(scope="module", params=[0, 1, 2])
def tried(request):
    rng = np.random.default_rng(request.param)
    return {
        method: [
            tried_of(method, 5000.0 if method == "ridge" else float(rng.integers(0, 1500)), rng.random(5).tolist())
            for _ in range(count)
        ]
        for method, count in SETTINGS.items()
    }


@pytest.mark.parametrize("metric", ["accuracy", "log_loss"])
def test_points_are_the_best_of_each_size_by_brute_force(tried, metric):
    chosen, majority = tried["lasso"][0], tried_of("always 'a'", 0.0, [0.4, 0.5, 0.4, 0.5, 0.4])
    points = frontier(tried, chosen, majority, metric)
    sparse = [one for one in [*tried["lasso"], *tried["omp"]] if one.words > 0]
    wanted = {
        chosen.words: chosen.mean,
        5000.0: max((one.mean for one in tried["ridge"]), key=lambda x: SIGN[metric] * x),
    }
    for limit in (*SIZES, np.inf):
        if small := [one for one in sparse if one.words <= limit]:
            best = max(small, key=lambda one: SIGN[metric] * one.mean)
            wanted[best.words] = best.mean
    assert points[0].method == "always 'a'"
    assert {point.words: point.score for point in points[1:]} == wanted
    assert [point.words for point in points] == sorted(point.words for point in points)
    assert [point.words for point in points if point.chosen] == [chosen.words]


@pytest.mark.parametrize("metric", ["accuracy", "log_loss"])
def test_gains_are_paired_over_the_parts(tried, metric):
    chosen, majority = tried["omp"][0], tried_of("always 'a'", 0.0, [0.4, 0.5, 0.4, 0.5, 0.4])
    every = {one.mean: one for settings in tried.values() for one in settings} | {majority.mean: majority}
    for point in frontier(tried, chosen, majority, metric):
        differences = SIGN[metric] * np.subtract(every[point.score].scores, chosen.scores)
        assert point.gain == pytest.approx(differences.mean())
        if not point.chosen:
            low, high = ttest_1samp(differences, 0.0).confidence_interval(0.95)
            assert (point.gain - point.half, point.gain + point.half) == pytest.approx((low, high))


def test_without_sparse_methods_there_are_the_majority_and_the_ceiling(tried):
    chosen = tried["ridge"][1]
    points = frontier(
        {"ridge": tried["ridge"]}, chosen, tried_of("always 'a'", 0.0, [0.5, 0.4, 0.5, 0.4, 0.5]), "accuracy"
    )
    assert {point.score for point in points[1:]} == {chosen.mean, max(one.mean for one in tried["ridge"])}


def test_of_one_part_the_interval_is_not_known():
    one = Tried({}, (0.9,), 0.9, 0.0, 9.0, 0.0, 0.0, "lasso", 9.0, 1.0, {})
    always = Tried({}, (0.5,), 0.5, 0.0, 0.0, 0.0, 0.0, "always 'a'", 0.0, 1.0, {})
    points = frontier({"lasso": [one]}, one, always, "accuracy")
    assert [(point.gain, point.half) for point in points] == [(0.5 - 0.9, None), (0.0, None)]


def test_the_majority_on_test_is_that_of_the_training_set():
    test = Corpus.from_lists(list("wxyz"), ["a", "b", "b", "b"])
    assert majority_on(test, {"a": 3, "b": 2}, Recipe()) == 0.25
    assert majority_on(test, {"a": 2, "b": 3}, Recipe(metric="macro_f1")) == pytest.approx(3 / 7)


def test_a_fit_brings_its_frontier(letters):
    recipe = Recipe(methods=("ridge", "lasso", "omp"))
    made = fit_text(letters.train, dev=letters.dev, test=letters.test, recipe=recipe).comparison
    labels = letters.train.labels
    usual = max(sorted(set(labels)), key=labels.count)
    by_hand = [accuracy_score(one.labels, [usual] * len(one)) for one in (letters.dev, letters.test)]
    assert [made.majority.score, made.majority.test] == by_hand
    assert made.frontier[0].score == made.majority.score
    assert (made.majority.words, made.majority.method, made.unpredicted) == (0, f"always {usual!r}", ())
    (kept,) = [point for point in made.frontier if point.chosen]
    assert (kept.method, kept.score, kept.also["accuracy"]) == (made.chosen.method, made.chosen.score, kept.score)
    assert made.frontier[-1].method == "ridge"

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from laconic.data import Corpus
from laconic.models import Recipe
from laconic.models.search import tune_labels as module
from laconic.models.search.fit_text import fit_labels
from laconic.models.search.tried import Tried
from laconic.models.search.tune_labels import chosen_together
from tests.models.test_multilabel import notes


def tried(score, weights, parts=None):
    scores = tuple(parts or [score] * 3)
    return Tried({"l1": 1.0 / weights}, scores, score, 0.0, weights, 0.0, 0.0, "lasso", weights, 1.0, {})


LABELS = [
    [tried(0.50, 2), tried(0.70, 10), tried(0.705, 200)],
    [tried(0.80, 1), tried(0.804, 50), tried(0.82, 60)],
    [tried(0.10, 5), tried(0.30, 400), tried(0.29, 500)],
]


@pytest.mark.parametrize("slack", [0.0, 0.005, 0.02])
def test_the_fewest_weights_for_the_score_that_is_given_up(slack, monkeypatch):
    monkeypatch.setattr(module, "HALF_A_POINT", slack)
    choice = chosen_together(LABELS, Recipe())
    assert choice.best == pytest.approx(np.mean([0.705, 0.82, 0.30]))
    assert choice.score >= choice.best - slack - 1e-9
    weights = sum(one.weights for one in choice.settings)
    for other in product(*LABELS):  # no other choice of as few weights scores better
        if sum(one.weights for one in other) <= weights:
            assert np.mean([one.mean for one in other]) <= choice.score + 1e-9


def test_rules():
    best = chosen_together(LABELS, Recipe(rule="best"))
    assert [one.weights for one in best.settings] == [200, 60, 400]
    assert best.reason == "Each label has its best of all 9 settings tried."
    half = chosen_together(LABELS, Recipe())
    assert [one.weights for one in half.settings] == [10, 60, 400]
    assert "within half a point of the best of all 9 settings tried (0.608 ± 0.000 with 660 weights)" in half.reason
    noisy = [[replace(one, scores=tuple(one.mean + np.array([-0.2, 0.0, 0.2]))) for one in own] for own in LABELS]
    assert sum(one.weights for one in chosen_together(noisy, Recipe()).settings) < 100
    assert "one standard error" in chosen_together(noisy, Recipe(rule="one_se")).reason


def test_a_label_that_no_held_out_document_has_is_chosen_by_size():
    unknown = [replace(one, mean=float("nan")) for one in LABELS[0]]
    choice = chosen_together([unknown, *LABELS[1:]], Recipe(rule="best"))
    assert choice.settings[0].weights == 2
    assert choice.best == pytest.approx(np.mean([0.82, 0.30]))


def test_thresholds_are_chosen_by_default_and_the_rows_say_what_they_do():
    texts, labels = notes(0)
    train = Corpus.from_lists(texts, labels)
    seen = []
    made = fit_labels(train, progress=lambda *step: seen.append(step))
    assert made.model.calibration_.thresholds == tuple(row.threshold for row in made.rows)
    assert made.model.calibration_.made["on"] == "out of fold"
    assert [row.words for row in made.rows] == np.count_nonzero(made.model.coef_, axis=1).tolist()
    assert [step[:2] for step in seen] == [(i, 3) for i in range(4)]
    dev = Corpus.from_lists(*notes(1))
    on_dev = fit_labels(train, dev=dev)
    for k, row in enumerate(on_dev.rows):
        has = np.array([row.label in own for own in dev.labels])
        given = np.array([row.label in own for own in on_dev.model.predict(dev.texts)])
        assert on_dev.model.calibration_.made["on"] == "dev"
        # the thresholds were chosen on fits to a loose tolerance
        assert 2.0 * np.sum(has & given) / (has.sum() + given.sum()) == pytest.approx(row.f1, abs=0.02), k


def test_the_number_of_threads_changes_nothing(monkeypatch):
    train = Corpus.from_lists(*notes(0))
    made = []
    for threads in (1, 3):
        monkeypatch.setattr(module, "effective_n_jobs", lambda _, threads=threads: threads)
        made.append(fit_labels(train))
    assert made[0].rows == made[1].rows
    np.testing.assert_array_equal(made[0].model.coef_, made[1].model.coef_)


def test_a_label_that_cannot_be_fitted_is_named_and_interruptions_end_the_search(monkeypatch):
    train = Corpus.from_lists(*notes(0))

    def fail(error):
        def path(*_):
            raise error

        monkeypatch.setattr(module, "_label_path", path)

    fail(ValueError("No."))
    with pytest.raises(ValueError, match=r"The label '(art|law|sea)' cannot be fitted. No."):
        fit_labels(train)
    fail(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        fit_labels(train)


def test_goals_of_single_labels_leave_the_others_their_f1():
    train = Corpus.from_lists(*notes(0))
    made = fit_labels(train, recipe=replace(Recipe(), thresholds=("law:recall=0.9",)))
    goals = {one["label"]: one["goal"] for one in made.model.calibration_.made["thresholds"]}
    assert goals == {"art": "f1", "law": "recall=0.9", "sea": "f1"}

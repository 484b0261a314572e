import json
import warnings

import numpy as np
import pytest

from laconic.data import Corpus
from laconic.evaluate import score
from laconic.linear import lambda_max
from laconic.models.search.fit_text import fit_text
from laconic.models.search.recipe import Recipe

LASSO = Recipe(methods=("lasso",))


def test_tuned_on_dev_trained_on_train_tested_on_test(letters):
    made = fit_text(letters.train, dev=letters.dev, test=letters.test)
    assert [one.method for one in made.comparison.contenders] == ["ridge", "lasso", "elastic", "omp"]
    kept = made.comparison.chosen
    model = made.model
    assert model.vocabulary_.n_documents == len(letters.train)
    assert (getattr(model.estimator_, "l1", 0.0), model.estimator_.l2) == (kept.l1, kept.l2)
    assert kept.words == model.n_words_
    assert kept.gap == model.estimator_.dual_gap_
    assert all(one.gap <= 1e-6 for one in made.comparison.contenders if one.method != "omp")
    assert kept.score == score("accuracy", letters.dev.labels, model.predict(letters.dev.texts))
    assert kept.test == score("accuracy", letters.test.labels, model.predict(letters.test.texts))
    assert made.comparison.scored_on == "dev"


def test_the_grid_is_that_of_the_training_texts(letters):
    made = fit_text(letters.train, dev=letters.dev, recipe=LASSO)
    X = made.model.bag_of_words().fit(letters.train.texts).X
    share = made.comparison.chosen.l1 / lambda_max(X, letters.train.labels)
    assert 0.005 * (1 - 1e-9) <= share <= 0.5


def test_refit_adds_dev(letters):
    recipe = Recipe(methods=("lasso",), refit=True)
    alone, both = (
        fit_text(letters.train, dev=letters.dev, recipe=LASSO),
        fit_text(letters.train, dev=letters.dev, recipe=recipe),
    )
    assert both.comparison.chosen.l1 == alone.comparison.chosen.l1
    assert both.comparison.chosen.score == alone.comparison.chosen.score
    assert both.model.vocabulary_.n_documents == len(letters.train) + len(letters.dev)


def test_without_dev_the_final_model_sees_all_documents(letters):
    made = fit_text(letters.train, recipe=Recipe(methods=("ridge",), folds=3, metric="log_loss"))
    assert made.comparison.scored_on == "3-fold cv"
    assert made.comparison.chosen.test is None
    assert made.model.vocabulary_.n_documents == len(letters.train)


def test_the_same_seed_gives_the_same_model(letters):
    first, second = (fit_text(letters.train, recipe=LASSO) for _ in range(2))
    assert np.array_equal(first.model.estimator_.coef_, second.model.estimator_.coef_)
    assert first.config == second.config


@pytest.mark.parametrize("words", [3, 25])
def test_a_size_is_kept_to(letters, words):
    made = fit_text(letters.train, dev=letters.dev, recipe=Recipe(words=words))
    assert words - 3 <= made.model.n_words_ <= words
    both = fit_text(letters.train, dev=letters.dev, recipe=Recipe(words=words, refit=True, methods=("lasso",)))
    assert 0 < both.model.n_words_ <= words
    assert both.comparison.chosen.l1 == both.model.estimator_.l1


def test_the_configuration_is_plain_data_without_timings(letters):
    made = fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("none", "lasso")))
    config = json.loads(json.dumps(made.config, allow_nan=False))
    assert Recipe.from_dict(config["recipe"]) == Recipe(methods=("none", "lasso"))
    assert config["chosen"]["method"] == made.comparison.chosen.method
    assert config["data"]["dev"] == {
        "name": "demo dev",
        "documents": 72,
        "fingerprint": letters.dev.fingerprint(),
    }
    assert "test" not in config["data"]
    assert config["comparison"]["contenders"][0]["gap"] is None
    assert "seconds" not in json.dumps(config)
    assert set(config["versions"]) == {"python", "laconic", "numpy", "scipy", "scikit-learn", "numba"}


def test_progress_grows_to_the_end_and_knows_the_best(letters):
    steps = []
    recipe = Recipe(resamples=4)
    fit_text(letters.train, dev=letters.dev, recipe=recipe, progress=lambda *step: steps.append(step))
    done = [step[0] for step in steps]
    assert done == sorted(done)
    assert done[0] == 0
    assert done[-1] == steps[-1][1]
    assert steps[0][3] is None
    means = [step[3]["mean"] for step in steps if step[3] is not None]
    assert means == sorted(means)
    assert {step[2] for step in steps} == {"ridge", "lasso", "elastic", "omp", "final model"}
    after = [total - done for done, total, note, _ in steps if note == "final model"]
    assert after == [4, 3, 2, 1, 0]
    assert all(total - done >= 4 for done, total, note, _ in steps[1:] if note != "final model")


def test_only_the_kept_model_is_warned_about(letters):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("none", "lasso"), rule="one_se"))
    with pytest.warns(UserWarning, match=r"."):
        fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("none",)))


def corpus(labels, texts=None):
    return Corpus.from_lists(texts or [f"text number {i}" for i in range(len(labels))], labels)


@pytest.mark.parametrize(
    ("parts", "recipe", "sentence"),
    [
        ({"train": Corpus.from_lists(["a", "b"])}, Recipe(), "no labels"),
        ({"train": corpus(["x", "x"])}, Recipe(), "the one label 'x'"),
        ({"train": corpus(["x", "y"], ["", " "])}, Recipe(), "documents are empty"),
        ({"train": corpus([["x"], ["y", "x"]])}, Recipe(), "lists of labels"),
        ({"train": corpus(["x", "y"]), "dev": corpus(["z"])}, Recipe(), "the label 'z'"),
        ({"train": corpus(["x", "y"]), "test": corpus(["z"])}, Recipe(), "the label 'z'"),
        ({"train": corpus(["x", "y"])}, Recipe(refit=True), "no dev set"),
        ({"train": corpus(["x", "y"])}, Recipe(), "folds"),
        ({"train": corpus(["x", "y"]), "dev": corpus(["x", "y"])}, Recipe(cells="grey"), "Unknown cells 'grey'"),
    ],
)
def test_what_cannot_be_fitted_is_refused(parts, recipe, sentence):
    train = parts.pop("train")
    with pytest.raises(ValueError, match=sentence):
        fit_text(train, **parts, recipe=recipe)


def test_groups_are_tuned_beside_the_other_methods(letters):
    splits = [
        part.subset([i for i, label in enumerate(part.labels) if label != "praise"])
        for part in (letters.train, letters.dev)
    ]
    recipe = Recipe(methods=("lasso", "group"), groups=("sentences",), words=40, refit=True)
    made = fit_text(splits[0], dev=splits[1], recipe=recipe)
    lasso, group = made.comparison.contenders
    assert (lasso.group, group.method) == (0.0, "group")
    assert group.group > 0
    assert group.words <= 40
    assert made.comparison.chosen.gap <= 1e-6
    assert made.config["recipe"]["groups"] == ["sentences"]
    with pytest.raises(FileNotFoundError, match="no file of groups"):
        fit_text(splits[0], dev=splits[1], recipe=Recipe(methods=("group",), groups=("nope.json",)))


def test_overlapping_groups_of_several_classes(letters):
    made = fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("group",), groups=("sentences",)))
    (group,) = made.comparison.contenders
    assert group.gap <= 1e-6
    assert group.score > 0.7


def test_a_number_of_words_holds_with_groups_as_well(letters):
    recipe = Recipe(methods=("group",), groups=("sentences",), words=5)
    made = fit_text(letters.train, dev=letters.dev, recipe=recipe)
    assert 0 < made.model.n_words_ <= 5

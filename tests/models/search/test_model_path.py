import numpy as np
import pytest

from laconic.data import demo
from laconic.models import load
from laconic.models.search.fit_text import fit_text
from laconic.models.search.recipe import Recipe


@pytest.fixture(scope="module")
def letters():
    return demo()


@pytest.mark.parametrize(
    ("recipe", "dev"),
    [
        (Recipe(methods=("lasso",)), True),
        (Recipe(methods=("lasso",), folds=2), False),
        (Recipe(methods=("omp",), budget=40, folds=2), False),
        (Recipe(methods=("omp",), budget=40, refit=True), True),
        (Recipe(methods=("elastic",), words=60), True),
    ],
)
def test_every_step_is_the_model_of_its_setting(letters, tmp_path, recipe, dev):
    made = fit_text(letters.train, dev=letters.dev if dev else None, recipe=recipe)
    path = load(made.model.save(tmp_path / "m")).model.path
    sizes = [len(step.words) for step in path.steps]
    assert sizes == sorted(set(sizes))
    (chosen,) = [step for step in path.steps if step.chosen]
    scorer = made.model.to_scorer()
    assert chosen.words == scorer.model.words
    assert np.array_equal(chosen.weights, scorer.model.weights)
    for one, mine in zip(made.model.path_.steps, path.steps, strict=True):
        assert one.words == mine.words
        assert np.array_equal(one.weights, mine.weights)
        assert (one.parameters, one.score, one.intercept) == (mine.parameters, mine.score, mine.intercept)
    other = path.steps[0] if not path.steps[0].chosen else path.steps[-1]
    texts = [*letters.train, *letters.dev] if recipe.refit else list(letters.train)
    classifier = recipe.classifier(recipe.methods_to_compare[0])
    settings = {f"estimator__{name}": value for name, value in other.parameters.items()}
    again = classifier.set_params(**settings).fit(texts, [one.label for one in texts]).to_scorer().model
    assert again.words == other.words
    assert again.weights == pytest.approx(other.weights, abs=2e-2)


def test_ridge_lies_on_no_path(letters):
    made = fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("ridge",), resamples=2))
    assert not hasattr(made.model, "path_")
    assert not hasattr(made.model, "selection_frequency_")
    assert made.model.to_scorer().model.path is None

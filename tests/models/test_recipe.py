import pytest

from laconic.models.recipe import Recipe


def test_defaults_depend_on_whether_a_size_is_asked_for():
    assert (Recipe().methods, Recipe().rule) == (("ridge", "lasso", "elastic"), "one_se")
    assert (Recipe(words=9).methods, Recipe(words=9).rule) == (("lasso", "elastic"), "best")
    assert Recipe(words=9, rule="one_se").rule == "one_se"
    assert Recipe(methods=("lasso", "lasso")).methods == ("lasso",)


def test_it_becomes_a_classifier():
    model = Recipe(cells="count", ngrams=[1, 2], class_weight="balanced", min_df=2).classifier()
    assert (model.cells, model.ngrams, model.min_df) == ("count", (1, 2), 2)
    assert model.estimator.class_weight == "balanced"


def test_there_and_back():
    recipe = Recipe(methods=("ridge",), ngrams=(2, 3), max_df=0.5)
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    with pytest.raises(ValueError, match="no entry 'colour'"):
        Recipe.from_dict({"colour": 1})


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"methods": ("magic",)}, "no method 'magic'"),
        ({"words": 0}, "at least one word"),
        ({"words": 5, "methods": ("lasso", "ridge")}, "ridge keeps every word"),
        ({"class_weight": "heavy"}, "class_weight is 'heavy'"),
    ],
)
def test_wrong_recipes(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        Recipe(**options)

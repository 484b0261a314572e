import pytest

from laconic.groups import GivenGroups, PursuitGroups, SentenceGroups
from laconic.linear import GroupLassoClassifier, GroupOMPClassifier, OMPClassifier
from laconic.models.search.recipe import Recipe, classifier_of


def test_defaults_depend_on_whether_a_size_is_asked_for():
    free, small = Recipe(), Recipe(words=9)
    assert (free.methods_to_compare, free.rule_to_follow) == (("ridge", "lasso", "elastic", "omp"), "sparse")
    assert (small.methods_to_compare, small.rule_to_follow) == (("lasso", "elastic", "omp"), "best")
    assert Recipe(words=9, rule="one_se").rule_to_follow == "one_se"
    assert (free.rule_in_method, small.rule_in_method) == ("one_se", "best")
    assert Recipe(methods=("lasso", "lasso")).methods == ("lasso",)


def test_what_was_not_given_is_not_stored():
    stored = Recipe().to_dict()
    assert (stored["methods"], stored["rule"]) == (None, None)
    assert Recipe.from_dict({**stored, "words": 5}) == Recipe(words=5)


def test_it_becomes_a_classifier():
    model = Recipe(cells="count", ngrams=[1, 2], class_weight="balanced", min_df=2).classifier()
    assert (model.cells, model.ngrams, model.min_df) == ("count", (1, 2), 2)
    assert model.estimator.class_weight == "balanced"


def test_groups_add_a_method():
    recipe = Recipe(groups=["sentences", "topics.json", "sentences"])
    assert recipe.methods_to_compare == ("ridge", "lasso", "elastic", "omp", "group", "gomp")
    assert Recipe(groups=("sentences",), words=5).methods_to_compare == ("lasso", "elastic", "omp", "group", "gomp")
    assert recipe.builders() == [SentenceGroups(), GivenGroups("topics.json")]
    assert recipe.classifier("lasso").groups is None
    grouped = recipe.classifier("group")
    assert isinstance(grouped.estimator, GroupLassoClassifier)
    assert grouped.groups == recipe.builders()
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    pursuing = Recipe(groups=("learned",), methods=("gomp", "omp"), budget=30, class_weight="balanced")
    assert isinstance(pursuing.classifier("gomp").estimator, GroupOMPClassifier)
    assert pursuing.classifier("gomp").groups == [PursuitGroups()]
    assert isinstance(pursuing.classifier("omp").estimator, OMPClassifier)
    assert pursuing.classifier("omp").groups is None
    assert pursuing.classifier("omp").estimator.class_weight == "balanced"
    assert Recipe.from_dict(pursuing.to_dict()) == pursuing


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
        ({"rule": "worst"}, "rule is 'worst'"),
        ({"groups": ("topics",)}, "no groups of the kind 'topics'"),
        ({"groups": ("sentences",), "methods": ("lasso",)}, "lasso has no groups, but groups were given"),
        ({"methods": ("group",)}, "group needs groups"),
        ({"methods": ("omp", "gomp")}, "gomp needs groups"),
        ({"budget": 0}, "budget is 0; it is a number of words, at least 1"),
        ({"budget": 9, "methods": ("lasso",)}, "lasso has no budget, but a budget of 9 was given"),
        ({"class_weight": "heavy"}, "class_weight is 'heavy'"),
    ],
)
def test_wrong_recipes(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        Recipe(**options)


def test_a_model_says_which_classifier_it_came_from():
    chosen = {"method": "lasso", "l1": 2.0, "l2": 0.0, "group": 0.0, "budget": None}
    made = {"recipe": Recipe(words=20, cells="count").to_dict(), "chosen": chosen}
    again = classifier_of({"extra": made})
    assert (again.estimator.l1, again.cells) == (2.0, "count")
    with pytest.raises(ValueError, match="does not say how it was made"):
        classifier_of({})

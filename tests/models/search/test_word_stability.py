import numpy as np
import pytest

from laconic.data import Corpus
from laconic.groups import GivenGroups
from laconic.linear import ElasticNetClassifier, GroupLassoClassifier, OMPClassifier
from laconic.models import TextClassifier, fit_text, load
from laconic.models.search.recipe import Recipe
from laconic.models.search.word_stability import selection_frequency


@pytest.fixture(scope="module")
def texts():
    draw = np.random.default_rng(0)
    labels = ["repair" if draw.random() < 0.5 else "praise" for _ in range(80)]
    noise = [" ".join(f"n{k}" for k in draw.integers(0, 30, 6)) for _ in labels]
    return [
        f"{'broken' if one == 'repair' else 'thanks'} {rest}" for one, rest in zip(labels, noise, strict=True)
    ], labels


@pytest.mark.parametrize(
    "estimator",
    [ElasticNetClassifier(l1=2.0, l2=0.0), OMPClassifier(budget=5), GroupLassoClassifier(group=1.0, l1=1.0)],
)
def test_a_telling_word_always_comes_back_and_noise_does_not(texts, estimator):
    groups = (
        GivenGroups({"tell": ["broken", "thanks"], "noise": ["n1", "n2"]})
        if isinstance(estimator, GroupLassoClassifier)
        else None
    )
    model = TextClassifier(estimator, groups).fit(*texts)
    X = model.bag_of_words().fit(texts[0]).X
    found = selection_frequency(model, X, texts[1], resamples=8)
    share = dict(zip(model.vocabulary_.words, found.tolist(), strict=True))
    assert max(share["broken"], share["thanks"]) == 1.0
    assert np.mean([value for word, value in share.items() if word.startswith("n")]) < 0.7
    assert np.array_equal(found, selection_frequency(model, X, texts[1], resamples=8))


def test_frequencies_are_saved_and_come_back(texts, tmp_path):
    model = TextClassifier(ElasticNetClassifier(l1=2.0)).fit(*texts)
    model.selection_frequency_ = selection_frequency(model, model.bag_of_words().fit(texts[0]).X, texts[1], resamples=4)
    loaded = load(model.save(tmp_path / "m"))
    kept = [model.vocabulary_.index[word] for word in loaded.model.words]
    assert np.array_equal(loaded.model.frequency, model.selection_frequency_[kept])
    again = loaded.to_estimator()
    assert np.array_equal(again.to_scorer().model.frequency, loaded.model.frequency)


def test_a_class_of_one_document_has_no_halves_and_is_fitted_all_the_same(texts):
    documents, labels = texts
    train = Corpus.from_lists([*documents, "a question"], [*labels, "other"])
    recipe = Recipe(methods=("lasso",), resamples=4)
    made = fit_text(train, dev=Corpus.from_lists(documents, labels), recipe=recipe)
    assert not hasattr(made.model, "selection_frequency_")
    with pytest.raises(ValueError, match="'other' has one document, which cannot be in both halves"):
        selection_frequency(made.model, np.ones((81, 1)), train.labels, resamples=4)


def test_the_number_of_resamples_is_checked():
    with pytest.raises(ValueError, match="resamples is -1"):
        Recipe(resamples=-1)

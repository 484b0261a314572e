"""One `tune` over raw texts: parameters of texts, groups and estimators side by side."""

import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from laconic.data import Corpus
from laconic.evaluate import tune
from laconic.groups import GivenGroups
from laconic.linear import GroupLassoClassifier, GroupOMPClassifier, OMPClassifier
from laconic.models import TextClassifier


@pytest.mark.parametrize("form", [list, tuple, Corpus.from_lists])
def test_texts(form):
    texts = ["good film", "fine film", "bad film", "dull film"] * 6
    y = (1, 1, 0, 0) * 6
    pipeline = make_pipeline(CountVectorizer(), LogisticRegression())
    grid = {"countvectorizer__binary": [True, False], "logisticregression__C": [0.1, 1.0]}
    tuned = tune(pipeline, grid, form(texts), y, folds=3)
    assert [c.mean for c in tuned.candidates] == [1.0] * 4
    assert (tuned.best, tuned.ties, tuned.chosen) == (0, (1, 2, 3), 0)
    assert 4 <= tuned.candidates[0].words <= 5  # by symmetry the weight of "film" may vanish
    assert tuned.estimator.predict(["dull"]).tolist() == [0]
    with_dev = tune(pipeline, grid, form(texts), y, dev=(form(texts[:4]), y[:4]))
    assert with_dev.candidates[0].mean == 1.0


class Counting:
    """A builder of groups that counts how often it builds."""

    built = 0

    def build(self, corpus, vocabulary, analyzer=None):
        type(self).built += 1
        return GivenGroups({"repair": ["broken", "leak"], "praise": ["kind", "thanks"]}).build(corpus, vocabulary)


def test_text_parameters_groups_and_estimators_in_one_search():
    texts = ["broken leak here", "kind thanks here", "a broken pipe", "thanks again"] * 6
    labels = ["repair", "praise"] * 12
    Counting.built = 0
    builder = Counting()
    grid = [
        {"cells": cells, "tokenizer": tokenizer, "groups": groups, "estimator": estimator, f"estimator__{name}": value}
        for cells in ("binary", "count")
        for tokenizer in ("default", "wnut2018")
        for groups, estimator, name in (
            (None, OMPClassifier(), "budget"),
            (builder, GroupLassoClassifier(), "group"),
            (builder, GroupOMPClassifier(), "budget"),
        )
        for value in (1, 2)
    ]
    tuned = tune(TextClassifier(), grid, texts, labels, folds=2)
    assert [one.params for one in tuned.candidates] == grid
    assert tuned.estimator.predict(["a broken pipe"]).tolist() == ["repair"]
    # Once for each fold, cell and tokenizer, however many estimators and penalties ask; and for the model at the end.
    assert Counting.built == 2 * 4 + (grid[tuned.chosen]["groups"] is builder)

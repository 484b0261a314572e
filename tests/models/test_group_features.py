import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from laconic.data import Corpus
from laconic.groups import BrownGroups, SentenceGroups
from laconic.linear import ElasticNetClassifier
from laconic.models import GroupFeatures
from laconic.text import BagOfWords

TEXTS = ["moon orbit moon", "disk drive", "moon lamp", "drive drive disk"]
TOPICS = {"space": ["moon", "orbit"], "disks": ["disk", "drive"], "all": ["disk", "drive", "moon", "orbit", "lamp"]}


def test_columns_are_words_and_counts_of_groups():
    X = GroupFeatures(TOPICS, BagOfWords(cells="binary")).fit(TEXTS).transform([*TEXTS, "orbit rover"])
    words = BagOfWords(cells="binary").fit(TEXTS)
    np.testing.assert_array_equal(X.toarray()[:4, :5], words.X.toarray())
    assert X.toarray()[:, 5:].tolist() == [[3, 0, 3], [0, 2, 2], [1, 0, 2], [0, 3, 3], [1, 0, 1]]


def test_large_groups_are_left_out():
    features = GroupFeatures(TOPICS, max_size=2).fit(TEXTS)
    assert features.get_feature_names_out().tolist()[-2:] == ["space", "disks"]


def test_a_pipeline_takes_builders_and_names_documents():
    model = make_pipeline(GroupFeatures(BrownGroups(3), max_size=49), ElasticNetClassifier(l1=0.1))
    model.fit(TEXTS, [1, 0, 1, 0])
    assert clone(model).fit(TEXTS, [1, 0, 1, 0]).predict(TEXTS).tolist() == [1, 0, 1, 0]
    corpus = Corpus.from_lists(TEXTS, ids=list("abcd"))
    assert GroupFeatures(SentenceGroups()).fit(corpus).get_feature_names_out()[-1] == "sentence 1 of doc d"


def test_mistakes():
    with pytest.raises(ValueError, match="GroupFeatures needs groups"):
        GroupFeatures(None).fit(TEXTS)
    with pytest.raises(ValueError, match="max_size is 0"):
        GroupFeatures(TOPICS, max_size=0).fit(TEXTS)

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from laconic.groups import SentenceGroups
from laconic.linear import ElasticNetClassifier, GroupLassoClassifier
from laconic.models import TableClassifier, TextClassifier
from laconic.text import BagOfWords

TOPICS = {"space": ["moon", "orbit"]}
ROWS = [
    {"text": "moon orbit", "party": "D", "age": 30, "new": True},
    {"text": "orbit lamp", "party": "R", "age": 41, "new": False},
    {"text": "disk drive", "party": "R", "age": 50, "new": True},
    {"text": "disk lamp", "party": None, "age": None, "new": False},
]
Y = ["s", "s", "d", "d"]


def test_the_matrix_is_what_it_says():
    estimator = GroupLassoClassifier(group=0.05, l1=0.01)
    model = TableClassifier(estimator, TOPICS, columns=("party", "age", "new")).fit(ROWS, Y)
    words = BagOfWords(cells="binary").fit([row["text"] for row in ROWS])
    ages = np.array([30, 41, 50])
    age = [*((ages - ages.mean()) / ages.std()), 0.0]
    extra = np.array([[1, 0], [0, 1], [0, 1], [0, 0]]), np.array(age)[:, None], np.array([[0, 1], [1, 0]] * 2)
    X = np.hstack([words.X.toarray(), *extra])
    index = words.vocabulary.index
    by_hand = clone(estimator).set_params(groups={"space": [index["moon"], index["orbit"]]}).fit(X, Y)
    np.testing.assert_allclose(model.estimator_.coef_, by_hand.coef_)
    names = ["party=D", "party=R", "age", "new=False", "new=True"]
    assert model.feature_names_ == (*words.vocabulary.words, *names)
    np.testing.assert_allclose(model.decision_function(ROWS), by_hand.decision_function(X))
    np.testing.assert_allclose(model.predict_proba(ROWS), by_hand.predict_proba(X))


def test_without_columns_it_is_a_text_classifier():
    frame = pd.DataFrame({"body": [row["text"] for row in ROWS]})
    model = TableClassifier(groups=SentenceGroups(), text="body").fit(frame, Y)
    twin = TextClassifier(groups=SentenceGroups()).fit(list(frame["body"]), Y)
    np.testing.assert_array_equal(model.estimator_.coef_, twin.estimator_.coef_)
    assert TableClassifier(text="body").fit(frame, Y).predict(frame).tolist() == Y


def test_columns_help_where_words_do_not():
    rows = [{"text": "same words", "party": "DR"[i % 2], "age": 20.0 + i} for i in range(20)]
    model = TableClassifier(ElasticNetClassifier(l1=0.1), columns=["party"]).fit(rows, [i % 2 for i in range(20)])
    assert model.predict([{"text": "", "party": "R"}, {"text": "x", "party": "D"}]).tolist() == [1, 0]
    unknown = model.decision_function([{"text": "same words", "party": "Green"}, {"text": "same words", "party": None}])
    assert unknown[0] == unknown[1]


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (ROWS, {"columns": ["state"]}, "has no column 'state'; its columns are 'text', 'party', 'age', 'new'"),
        (ROWS, {"text": "body"}, "has no column 'body'"),
        ([], {}, "has no rows"),
        ([{"text": "a", "x": None}] * 2, {"columns": ["x"]}, "The column 'x' has no value in any row"),
        (
            [{"text": "a", "x": 1}, {"text": "b", "x": "two"}],
            {"columns": ["x"]},
            "has numbers and other values such as 'two'",
        ),
        ([{"text": "a", "x": 1.0}, {"text": "b", "x": np.inf}], {"columns": ["x"]}, "infinite"),
    ],
)
def test_mistakes(rows, options, message):
    with pytest.raises(ValueError, match=message):
        TableClassifier(**options).fit(rows, ["s", "d", "s", "d"][: len(rows)])


def test_a_number_that_is_none_later():
    model = TableClassifier(columns=["age"]).fit(ROWS, Y)
    with pytest.raises(ValueError, match="The column 'age' has the value 'old'; in training it had numbers only"):
        model.predict([{"text": "a", "age": "old"}])

"""Small models over the demo letters, fitted once."""

import pytest

from laconic.data import demo
from laconic.linear import ElasticNetClassifier
from laconic.models import TextClassifier


@pytest.fixture(scope="session")
def letters():
    return demo()


@pytest.fixture(scope="session")
def two(letters):
    """Texts and labels of two classes."""
    pairs = [(d.text, d.label) for d in letters.train if d.label != "praise"]
    return [text for text, _ in pairs], [label for _, label in pairs]


@pytest.fixture(scope="session")
def fitted(letters, two):
    """Return a fitted classifier by its parameters, the number of classes among them."""
    made = {}

    def get(n_classes=2, l1=1.0, loss="logistic", **parameters):
        key = (n_classes, l1, loss, *sorted(parameters.items()))
        if key not in made:
            texts, y = two if n_classes == 2 else (letters.train.texts, letters.train.labels)
            estimator = ElasticNetClassifier(l1=l1, l2=0.01, loss=loss)
            made[key] = TextClassifier(estimator, **parameters).fit(texts, y)
        return made[key]

    return get


@pytest.fixture
def strange_texts():
    return [
        "",
        "zzz",
        "Don't ’quote’ it, 'tis BROKEN broken!",
        "東京 lamp\ud800 İstanbul ΟΔΟΣ 😀",
        "''lamp''' a'''b \xa0É",
    ]

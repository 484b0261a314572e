"""The scorer against the classifier it came from, and alone in a process without scipy, numba and scikit-learn."""

import json
import subprocess
import sys
from itertools import islice, repeat

import numpy as np
import pytest

from laconic.models import TextClassifier, load
from laconic.text import Tokenizer

SETTINGS = [
    {},
    {"cells": "count"},
    {"cells": "tfidf", "l1": 0.2},
    {"ngrams": (1, 2), "cells": "count"},
    {"analyzer": "char", "ngrams": (2, 3)},
    {"analyzer": "char_wb", "ngrams": (2, 4), "cells": "tfidf", "l1": 0.2},
    {"tokenizer": "wnut2018", "strip_mail": True},
]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("parameters", SETTINGS)
def test_predictions_are_the_classifiers(fitted, letters, strange_texts, tmp_path, n_classes, parameters):
    model = fitted(n_classes=n_classes, **parameters)
    scorer = load(model.save(tmp_path / "model"))
    texts = [*letters.dev.texts, *strange_texts]
    assert scorer.decision_function(texts).shape == model.decision_function(texts).shape
    np.testing.assert_allclose(scorer.decision_function(texts), model.decision_function(texts), rtol=0, atol=1e-12)
    np.testing.assert_allclose(scorer.predict_proba(texts), model.predict_proba(texts), rtol=0, atol=1e-12)
    assert scorer.predict(texts).tolist() == model.predict(texts).tolist()
    assert scorer.predict(texts).dtype == model.predict(texts).dtype
    assert scorer.classes_.tolist() == model.classes_.tolist()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_results_do_not_depend_on_the_batch(fitted, letters, n_classes):
    scorer = fitted(n_classes=n_classes, cells="count").to_scorer()
    texts = letters.dev.texts
    alone = np.concatenate([scorer.decision_function([text]) for text in texts])
    np.testing.assert_array_equal(scorer.decision_function(texts), alone)
    streamed = list(scorer.iter_predict(iter(texts)))
    assert [label for label, _ in streamed] == scorer.predict(texts).tolist()
    np.testing.assert_allclose([shares for _, shares in streamed], scorer.predict_proba(texts), rtol=0, atol=1e-15)


def test_an_endless_stream_is_read_one_by_one(fitted):
    found = list(islice(fitted().to_scorer().iter_predict(repeat("The lamp is broken.")), 3))
    assert [label for label, _ in found] == ["repair"] * 3


@pytest.mark.parametrize("n_classes", [2, 3])
def test_no_known_words_means_the_intercept(fitted, n_classes):
    model = fitted(n_classes=n_classes)
    scorer = model.to_scorer()
    for text in ("", "qqq"):
        np.testing.assert_array_equal(np.ravel(scorer.decision_function([text])), model.estimator_.intercept_)


@pytest.mark.parametrize(("n_classes", "shape"), [(2, (0,)), (3, (0, 3))])
def test_no_texts(fitted, n_classes, shape):
    scorer = fitted(n_classes=n_classes).to_scorer()
    assert scorer.decision_function([]).shape == shape
    assert scorer.predict([]).shape == (0,)
    assert scorer.predict_proba([]).shape == (0, n_classes)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_model_without_words(fitted, tmp_path, n_classes):
    model = fitted(n_classes=n_classes, l1=1e6)
    assert model.n_words_ == 0
    scorer = load(model.save(tmp_path / "model"))
    assert scorer.words == {}
    np.testing.assert_allclose(scorer.predict_proba(["lamp"]), model.predict_proba(["lamp"]), rtol=0, atol=1e-15)
    assert scorer.explain("lamp").words == ()


def test_wrong_texts_are_refused(fitted):
    scorer = fitted().to_scorer()
    with pytest.raises(TypeError, match="single str"):
        scorer.predict("a text")
    with pytest.raises(TypeError, match=r"position 1 .*must be a string"):
        scorer.predict(["a", 1])
    with pytest.raises(TypeError, match=r"position 1 .*must be a string"):
        list(scorer.iter_predict(["a", None]))
    with pytest.raises(TypeError, match="must be a string"):
        scorer.explain(None)


def test_squared_hinge_has_no_probabilities(fitted, letters):
    scorer = fitted(loss="squared_hinge").to_scorer()
    with pytest.raises(AttributeError, match=r"margins, not probabilities.*loss='logistic'"):
        scorer.predict_proba(["a"])
    texts = letters.dev.texts[:5]
    assert list(scorer.iter_predict(texts)) == [(label, None) for label in scorer.predict(texts)]
    assert scorer.explain(texts[0]).probability is None


def test_words_come_strongest_first(fitted):
    model = fitted(n_classes=3)
    words = model.to_scorer().words
    assert len(words) == model.n_words_
    strengths = [max(map(abs, weights.values())) for weights in words.values()]
    assert strengths == sorted(strengths, reverse=True)
    word, weights = next(iter(words.items()))
    column = model.vocabulary_.index[word]
    assert list(weights.items()) == list(zip(model.classes_.tolist(), model.estimator_.coef_[:, column], strict=True))
    assert {label for weights in fitted().to_scorer().words.values() for label in weights} == {"repair"}


def shout(text):
    return text.upper().split()


def test_a_tokenizer_function_must_be_passed_again(fitted, tmp_path):
    with pytest.warns(
        UserWarning, match=r"without its tokenizer function '.*:shout'; pass it again.*tokenizer=\.\.\.\)\.$"
    ):
        folder = fitted(tokenizer=shout).save(tmp_path / "model")
    with pytest.raises(ValueError, match=r"tokenizer function '.*:shout'.*Pass that function as tokenizer="):
        load(folder)
    texts = ["the lamp is broken", "rude clerk"]
    assert load(folder, tokenizer=shout).predict(texts).tolist() == fitted(tokenizer=shout).predict(texts).tolist()
    assert all(word == word.upper() for word in load(folder, tokenizer=shout).words)
    with pytest.raises(ValueError, match="brings its own tokenizer"):
        load(fitted().save(tmp_path / "own"), tokenizer=shout)


def test_lists_of_tokens(letters, tmp_path):
    tokens = [Tokenizer.preset("default").tokens(text) for text in letters.train.texts]
    model = TextClassifier(analyzer="tokens").fit(tokens, letters.train.labels)
    scorer = load(model.save(tmp_path / "model"))
    assert scorer.predict(tokens[:9]).tolist() == model.predict(tokens[:9]).tolist()
    with pytest.raises(TypeError, match="list of tokens"):
        scorer.predict(["text"])


def test_only_numpy_and_the_standard_library_are_needed(fitted, letters, tmp_path):
    model = fitted(n_classes=3)
    folder = model.save(tmp_path / "model")
    code = """
import json, sys
import numpy
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "scipy", "sklearn", "pandas", "pyarrow"):
            raise ImportError(name + " is blocked")
sys.meta_path.insert(0, Refuse())
from laconic.models import load
scorer = load(sys.argv[1])
texts = json.load(sys.stdin)
json.dump([scorer.predict(texts).tolist(), scorer.predict_proba(texts).tolist(), scorer.explain(texts[0]).label,
           [label for label, _ in scorer.iter_predict(texts)], len(scorer.words)], sys.stdout)
"""
    texts = [*letters.dev.texts, "東京 \u2019s"]
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], input=json.dumps(texts), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    labels, shares, explained, streamed, n_words = json.loads(done.stdout)
    assert labels == streamed == model.predict(texts).tolist()
    np.testing.assert_allclose(shares, model.predict_proba(texts), rtol=0, atol=1e-12)
    assert explained == labels[0]
    assert n_words == model.n_words_

import numpy as np
import pytest

from laconic.models import load
from laconic.text import Tokenizer


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("parameters", [{}, {"cells": "tfidf", "l1": 0.2}, {"tokenizer": "wnut2018", "ngrams": (1, 2)}])
def test_the_classifier_comes_back(fitted, letters, two, tmp_path, n_classes, parameters):
    model = fitted(n_classes=n_classes, **parameters)
    back = load(model.save(tmp_path / "model")).to_estimator()
    texts = [*letters.dev.texts, ""]
    np.testing.assert_allclose(back.decision_function(texts), model.decision_function(texts), rtol=0, atol=1e-12)
    assert back.predict(texts).tolist() == model.predict(texts).tolist()
    mine, theirs = model.get_params(), back.get_params()
    assert mine.pop("estimator").get_params() == theirs.pop("estimator").get_params()
    assert mine == theirs
    assert (back.n_words_, back.n_vocabulary_) == (model.n_words_, len(model.vocabulary_))
    assert (
        back.save(tmp_path / "again").joinpath("model.json").read_bytes()
        == (tmp_path / "model" / "model.json").read_bytes()
    )


def test_it_can_be_fitted_again(fitted, two, tmp_path):
    model = fitted()
    again = load(model.save(tmp_path / "model")).to_estimator().fit(*two)
    np.testing.assert_array_equal(again.estimator_.coef_, model.estimator_.coef_)


def test_an_unknown_tokenizer_stays_data(fitted):
    other = Tokenizer(Tokenizer.preset("default").rule, type(Tokenizer.preset("default").lower)("", ""))
    assert fitted(tokenizer=other).to_scorer().to_estimator().tokenizer == other

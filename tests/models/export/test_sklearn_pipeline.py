import pickle

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.pipeline import Pipeline

SETTINGS = [
    {},
    {"cells": "count", "ngrams": (1, 2)},
    {"cells": "tfidf", "l1": 0.2},
    {"analyzer": "char_wb", "ngrams": (2, 3)},
    {"l1": 1e6},
    {"l1": 1e6, "cells": "tfidf"},
]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("parameters", SETTINGS)
def test_the_pipeline_predicts_the_same(fitted, letters, strange_texts, n_classes, parameters):
    model = fitted(n_classes=n_classes, **parameters)
    pipeline = pickle.loads(pickle.dumps(model.to_sklearn()))
    assert type(pipeline) is Pipeline
    assert type(pipeline[0]) is (TfidfVectorizer if model.cells == "tfidf" else CountVectorizer)
    texts = [*letters.dev.texts, *strange_texts]
    np.testing.assert_allclose(pipeline.predict_proba(texts), model.predict_proba(texts), rtol=0, atol=1e-12)
    assert pipeline.predict(texts).tolist() == model.predict(texts).tolist()
    if model.cells != "tfidf" and model.n_words_:
        assert len(pipeline[0].vocabulary_) == model.n_words_


def test_squared_hinge_becomes_a_support_vector_machine(fitted, letters):
    model = fitted(loss="squared_hinge")
    pipeline = model.to_sklearn()
    texts = letters.dev.texts
    np.testing.assert_allclose(pipeline.decision_function(texts), model.decision_function(texts), rtol=0, atol=1e-12)
    assert not hasattr(pipeline, "predict_proba")

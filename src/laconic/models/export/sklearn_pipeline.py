"""A linear text model as an ordinary scikit-learn pipeline: a vectorizer with a fixed vocabulary, and a classifier."""

from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from laconic.models.scoring.linear_text import LinearText, folded


def sklearn_pipeline(model: LinearText) -> Pipeline:
    """Return a fitted pipeline with the same predictions; a sigmoid calibration goes into the weights."""
    model = folded(model)
    # scikit-learn refuses an empty vocabulary; a word without weight changes nothing
    words = model.vocabulary.words or ("",)
    weights = model.dense_weights if model.vocabulary.words else np.zeros((1, len(model.outputs)))
    vectorizer: Any
    if model.cells == "tfidf":
        vectorizer = TfidfVectorizer(analyzer=model.analyzer.features, vocabulary=words)
        vectorizer.idf_ = model.vocabulary.inverse_document_frequency
    else:
        binary = model.cells == "binary"
        vectorizer = CountVectorizer(
            analyzer=model.analyzer.features, vocabulary=words, binary=binary, dtype=np.float64
        )
    classifier = LogisticRegression() if model.probabilistic else LinearSVC()
    classifier.coef_ = weights.T.copy()
    classifier.intercept_ = model.intercept.copy()
    classifier.classes_ = np.array(model.classes)
    classifier.n_features_in_ = len(words)
    classifier.n_iter_ = np.zeros(1, dtype=np.int32)
    return Pipeline([("words", vectorizer), ("weights", classifier)])

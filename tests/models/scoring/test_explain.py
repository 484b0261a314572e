import json

import numpy as np
import pytest

TEXT = "The LAMP is broken. A broken lamp, please repair it; the clerk was rude."


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("parameters", [{}, {"cells": "count", "ngrams": (1, 2)}, {"cells": "tfidf", "l1": 0.2}])
def test_the_explanation_adds_up(fitted, letters, n_classes, parameters):
    model = fitted(n_classes=n_classes, **parameters)
    for text in (TEXT, "", *letters.dev.texts[:5]):
        why = model.explain(text)
        margins = np.ravel(model.decision_function([text]))
        total = np.array(why.intercept) + sum(np.array(word.contributions) for word in why.words)
        np.testing.assert_allclose(why.margins, margins, rtol=0, atol=1e-12)
        np.testing.assert_allclose(total, margins, rtol=0, atol=1e-12)
        assert why.label == model.predict([text])[0]
        np.testing.assert_allclose(why.probabilities, model.predict_proba([text])[0], rtol=0, atol=1e-12)
        assert why.probability == max(why.probabilities)
        json.dumps(why.to_dict())


def test_places_are_places_in_the_text(fitted):
    why = fitted(cells="count").explain(TEXT)
    assert why.words
    for word in why.words:
        assert len(word.spans) == word.value
        assert {TEXT[start:end].lower() for start, end in word.spans} == {word.word}


def odds(margins, k):
    """log P / (1 − P) of a class, straight from its definition."""
    shares = np.exp([0.0, *margins] if len(margins) == 1 else margins)
    return np.log(shares[k]) - np.log(shares.sum() - shares[k])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_effects_are_changes_of_log_odds_and_the_largest_comes_first(fitted, n_classes):
    why = fitted(n_classes=n_classes).explain(TEXT)
    for k, label in enumerate(why.classes):
        expected = {
            word.word: odds(why.margins, k) - odds(np.subtract(why.margins, word.contributions), k)
            for word in why.words
        }
        assert len(expected) > 1
        assert {effect.word.word: effect.log_odds for effect in why.effects(label)} == pytest.approx(expected)
    sizes = [abs(effect.log_odds) for effect in why.effects()]
    assert sizes == sorted(sizes, reverse=True)
    assert why.words == tuple(effect.word for effect in why.effects())


def test_words_without_weight_are_left_out(fitted):
    model = fitted(cells="tfidf", l1=0.2)
    assert {word.word for word in model.explain(TEXT).words} < set(model.vocabulary_.words)
    assert all(any(word.weights) for word in model.explain(TEXT).words)

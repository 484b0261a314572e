"""Sentences as a model sees them, against predictions on texts from which the sentence was cut."""

import json

import numpy as np
import pytest

from laconic.data import Document
from laconic.models import TextClassifier, load
from laconic.models.scoring.explain import read_sentences
from laconic.text import sentence_spans

TEXT = "The lamp is broken and your man was rude. Nothing here! Was it broken again? Your man ignored me: rude."


def without(text, start, end):
    return text[:start] + " " * (end - start) + text[end:]


@pytest.mark.parametrize("cells", ["binary", "count", "tfidf"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_influence_is_what_a_prediction_without_the_sentence_loses(fitted, letters, cells, n_classes):
    model = fitted(n_classes, l1=0.3, cells=cells)
    for text in (TEXT, *letters.test.texts[:5]):
        for label in [*model.classes_.tolist(), None]:
            number = model.classes_.tolist().index(label or model.predict([text])[0])
            whole = np.log(model.predict_proba([text])[0, number])
            expected = [
                whole - np.log(model.predict_proba([without(text, *span)])[0, number]) for span in sentence_spans(text)
            ]
            np.testing.assert_allclose(model.influence(text, label), expected, atol=1e-10)


def test_ngrams_over_the_end_of_a_sentence_are_lost_with_both(fitted):
    model = fitted(ngrams=(1, 2), l1=0.05)
    parts = model.sentences("It was. Your office is broken.")
    assert "was your" not in parts[1].words
    scorer = model.to_scorer()
    only = scorer.predict_proba([["", "it was", "your office is broken"][k] for k in (1, 2)])
    number = scorer.model.classes.index(scorer.predict(["It was. Your office is broken."])[0])
    whole = np.log(scorer.predict_proba(["It was. Your office is broken."])[0, number])
    np.testing.assert_allclose(
        model.influence("It was. Your office is broken."), whole - np.log(only[::-1, number]), atol=1e-12
    )


def test_words_weights_and_selection(fitted):
    model = fitted(l1=1.0)
    weights = {word: one["repair"] for word, one in model.to_scorer().words.items()}
    parts = model.sentences(TEXT)
    assert [TEXT[part.start : part.end] for part in parts] == [TEXT[a:b] for a, b in sentence_spans(TEXT)]
    for part in parts:
        tokens = set(TEXT[part.start : part.end].lower().replace("!", "").replace("?", "").replace(".", "").split())
        own = {word for word in (token.strip(":") for token in tokens) if word in weights}
        assert set(part.words) == own
        assert part.weights[0] == pytest.approx(sum(weights[word] for word in own))
        assert part.norm == pytest.approx(np.linalg.norm([weights[word] for word in own]))
    assert not parts[1].selected
    assert parts[1].influence == 0.0
    assert model.selected_sentences(TEXT) == tuple(part for part in parts if part.selected)


def test_the_folder_is_enough_and_needs_no_scikit_learn(fitted, tmp_path):
    import subprocess
    import sys

    model = fitted(l1=1.0)
    saved = model.save(tmp_path / "m")
    np.testing.assert_array_equal(load(saved).influence(TEXT), model.influence(TEXT))
    code = (
        f"import laconic, sys; print(laconic.load({str(saved)!r}).influence({TEXT!r}).shape); "
        "print(sorted({'numba', 'scipy', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["(4,)", "[]"]


def test_selected_sentences_of_training_texts_are_the_selected_groups(letters):
    from laconic.groups import SentenceGroups
    from laconic.linear import GroupLassoClassifier

    train = letters.train.subset([i for i, label in enumerate(letters.train.labels) if label != "praise"])
    model = TextClassifier(GroupLassoClassifier(group=0.05, l1=1.0), SentenceGroups()).fit(train, train.labels)
    names, norms = [], []
    for document in train:
        for number, part in enumerate(model.sentences(document), 1):
            if part.selected:
                names.append(f"sentence {number} of doc {document.id}")
                norms.append(part.norm)
    chosen = dict(model.selected_groups_)
    assert 0 < len(names) < model.selected_groups_.n_groups
    assert set(names) == set(chosen)
    np.testing.assert_allclose(norms, [chosen[name] for name in names])


def test_given_sentences(fitted):
    model = fitted(l1=1.0)
    parts = model.sentences(Document("1", "one two three", sentences=("one two", "three")))
    assert [(part.start, part.end) for part in parts] == [(0, 7), (8, 13)]


def test_empty_texts_and_strange_ones(fitted, strange_texts):
    model = fitted(l1=1.0)
    for text in strange_texts:
        assert np.isfinite(model.influence(text)).all()
    assert model.sentences("") == ()
    assert model.influence("").shape == (0,)


def test_refusals(fitted, two):
    with pytest.raises(AttributeError, match="sentences have no influence"):
        fitted(loss="squared_hinge").influence(TEXT)
    assert fitted(loss="squared_hinge").sentences(TEXT)[0].influence is None
    with pytest.raises(ValueError, match="no class 'poem'; its classes are 'complaint', 'repair'"):
        fitted().influence(TEXT, "poem")
    with pytest.raises(TypeError, match="must be a string, but got int"):
        fitted().sentences(3)
    tokens = TextClassifier(analyzer="tokens").fit([["a"], ["b"]], [0, 1])
    with pytest.raises(ValueError, match="lists of tokens, which have no sentences"):
        read_sentences(tokens.to_scorer().model, ["a"])


LETTER = "The LAMP is broken. A broken lamp, please repair it; the clerk was rude."


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("parameters", [{}, {"cells": "count", "ngrams": (1, 2)}, {"cells": "tfidf", "l1": 0.2}])
def test_the_explanation_adds_up(fitted, letters, n_classes, parameters):
    model = fitted(n_classes=n_classes, **parameters)
    for text in (LETTER, "", *letters.dev.texts[:5]):
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
    why = fitted(cells="count").explain(LETTER)
    assert why.words
    for word in why.words:
        assert len(word.spans) == word.value
        assert {LETTER[start:end].lower() for start, end in word.spans} == {word.word}


def odds(margins, k):
    """log P / (1 − P) of a class, straight from its definition."""
    shares = np.exp([0.0, *margins] if len(margins) == 1 else margins)
    return np.log(shares[k]) - np.log(shares.sum() - shares[k])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_effects_are_changes_of_log_odds_and_the_largest_comes_first(fitted, n_classes):
    why = fitted(n_classes=n_classes).explain(LETTER)
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
    assert {word.word for word in model.explain(LETTER).words} < set(model.vocabulary_.words)
    assert all(any(word.weights) for word in model.explain(LETTER).words)

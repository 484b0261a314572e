"""What a model folder holds, and that a folder that does not fit together is refused."""

import json
import os

import numpy as np
import pytest

from laconic.core.folder import load_folder, save_folder
from laconic.models import TextClassifier, load
from laconic.models.folder.model import load_model


@pytest.fixture
def folder(fitted, tmp_path):
    return fitted().save(tmp_path / "model", extra={"seed": 7})


def rebuilt(folder, facts=(), parts=()):
    """Save the folder again with other facts and parts and hashes that fit."""
    old_facts, old_parts = load_folder(folder)
    kept = {k: v for k, v in old_facts.items() if k not in ("format", "laconic", "files", "sha256")}
    changed = {name: part for name, part in {**old_parts, **dict(parts)}.items() if part is not None}
    return save_folder(folder, {**kept, **dict(facts)}, changed, overwrite=True)


def test_what_the_folder_says(fitted, folder, two):
    model = fitted()
    facts = json.loads((folder / "model.json").read_text())
    assert facts["classes"] == ["complaint", "repair"]
    assert facts["n_words"] == model.n_words_ < facts["n_vocabulary"] == len(model.vocabulary_)
    assert facts["n_documents"] == len(two[0])
    assert facts["cells"] == "binary"
    assert facts["extra"] == {"seed": 7}
    assert facts["estimator"]["name"] == "ElasticNetClassifier"
    assert facts["estimator"]["parameters"]["l1"] == 1.0
    assert facts["certificate"]["relative_gap"] == model.estimator_.dual_gap_ <= 1e-6
    assert facts["certificate"]["objective"] == model.estimator_.solution_.objective
    assert facts["analyzer"]["tokenizer"]["kind"] == "regex"
    words = json.loads((folder / "words.json").read_text())
    weights = np.load(folder / "weights.npy")
    columns = [model.vocabulary_.index[word] for word in words]
    np.testing.assert_array_equal(weights, model.estimator_.coef_[:, columns].T)
    assert np.all(np.any(weights != 0, axis=1))
    assert len(words) == model.n_words_
    timings = json.loads((folder / "timings.json").read_text())
    assert set(timings["seconds"]) == {"design", "fit"}


def test_saving_twice_gives_the_same_bytes(fitted, folder, tmp_path):
    again = fitted().save(tmp_path / "again", extra={"seed": 7})
    for name in set(os.listdir(folder)) - {"timings.json"}:
        assert (folder / name).read_bytes() == (again / name).read_bytes(), name


def test_fitting_twice_gives_the_same_bytes(fitted, folder, two, tmp_path):
    again = TextClassifier(fitted().estimator).fit(*two).save(tmp_path / "again", extra={"seed": 7})
    for name in set(os.listdir(folder)) - {"timings.json"}:
        assert (folder / name).read_bytes() == (again / name).read_bytes(), name


def test_no_training_text_is_stored(folder, two):
    stored = b"".join(path.read_bytes() for path in folder.iterdir()).decode("latin-1")
    assert not [text for text in two[0] if text[:30] in stored]
    assert "vocabulary.json" not in os.listdir(folder)


def test_tfidf_stores_the_vocabulary(fitted, tmp_path):
    model = fitted(cells="tfidf", l1=0.2)
    folder = model.save(tmp_path / "model")
    assert json.loads((folder / "vocabulary.json").read_text()) == list(model.vocabulary_.words)
    assert len(json.loads((folder / "words.json").read_text())) == model.n_words_ < len(model.vocabulary_)


@pytest.mark.parametrize("labels", [("a", "b", "ü"), (1, 2, -3), (False, True)])
def test_labels_keep_their_types(labels, tmp_path):
    y = [label for label in labels for _ in range(2)]
    texts = [f"word{label} other" for label in y]
    scorer = load(TextClassifier().fit(texts, y).save(tmp_path / "model"))
    assert scorer.predict(texts).tolist() == y
    assert [type(label) for label, _ in scorer.iter_predict(texts)] == [type(label) for label in y]


@pytest.mark.parametrize(
    ("facts", "parts", "sentence"),
    [
        ({}, {"words.json": ["a", "b"]}, "2 words"),
        ({}, {"words.json": "ab"}, r"words\.json must be a list of words"),
        ({}, {"words.json": None}, r"lacks 'words\.json'"),
        ({}, {"weights.npy": np.zeros((2, 2))}, "weights disagree with the words"),
        ({"intercept": [1.0, 2.0]}, {}, "intercept of shape"),
        ({"classes": ["a", 1]}, {}, "of one type"),
        ({"classes": ["a"]}, {}, "two or more"),
        ({"kind": "parser"}, {}, "is a 'parser'"),
        ({"cells": "tf"}, {}, "Unknown cells"),
        ({"analyzer": {}}, {}, "analyzer lacks"),
        ({"analyzer": 3}, {}, "JSON object"),
    ],
)
def test_parts_that_do_not_fit_together(folder, facts, parts, sentence):
    rebuilt(folder, facts, parts)
    with pytest.raises(ValueError, match=sentence) as caught:
        load(folder)
    assert str(folder) in str(caught.value)


def test_weights_that_are_not_numbers(folder):
    weights = np.load(folder / "weights.npy")
    weights[0] = np.nan
    rebuilt(folder, parts={"weights.npy": weights})
    with pytest.raises(ValueError, match="weights must be finite"):
        load(folder)


def test_an_edited_weight_is_noticed(folder):
    weights = np.load(folder / "weights.npy")
    weights[0] += 1.0
    np.save(folder / "weights.npy", weights)
    with pytest.raises(ValueError, match=r"weights\.npy is not as it was saved"):
        load(folder)


def test_load_model_returns_what_was_saved(folder, fitted):
    model, facts = load_model(folder)
    assert model.n_vocabulary == len(fitted().vocabulary_)
    assert facts["extra"] == {"seed": 7}

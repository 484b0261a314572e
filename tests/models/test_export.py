"""Every form that a model is exported in scores a thousand documents as Python does."""

import json
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.pipeline import Pipeline

from laconic.data import demo
from laconic.linear import ElasticNetClassifier
from laconic.models import TextClassifier
from laconic.models.export import export_model, portable
from tests.report.unusual_texts import unusual_texts

SCORERS = Path(__file__).parents[2] / "docs" / "scorers"
KINDS = {
    "binary": {},
    "count": {"cells": "count", "ngrams": (1, 2)},
    "tfidf": {"cells": "tfidf", "ngrams": (1, 2)},
    "two classes": {"cells": "count"},
}


@pytest.fixture(scope="module", params=KINDS)
def scorer(request):
    train = demo().train
    if request.param == "two classes":
        train = train.subset([i for i, label in enumerate(train.labels) if label != "praise"])
    estimator = ElasticNetClassifier(l1=0.3, l2=0.1, tol=1e-3)
    return TextClassifier(estimator, **KINDS[request.param]).fit(train, train.labels).to_scorer()


@pytest.fixture(scope="module")
def texts(scorer):
    return unusual_texts(scorer.words, 1000)


def told(command, texts):
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    return np.array(json.loads(done.stdout))


def test_json_by_a_short_program_in_python(scorer, texts, tmp_path):
    path = export_model(scorer, "json", tmp_path / "m.json")
    found = told([sys.executable, "-S", str(SCORERS / "score.py"), str(path)], texts)
    assert np.abs(found - scorer.predict_proba(texts)).max() < 1e-6


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on the path")
def test_json_by_a_short_program_in_javascript(scorer, texts, tmp_path):
    path = export_model(scorer, "json", tmp_path / "m.json")
    found = told(["node", str(SCORERS / "score.js"), str(path)], texts)
    assert np.abs(found - scorer.predict_proba(texts)).max() < 1e-6


def test_a_scikit_learn_pipeline(scorer, texts, tmp_path):
    pipeline = joblib.load(export_model(scorer, "sklearn", tmp_path / "m.joblib"))
    assert np.abs(pipeline.predict_proba(texts) - scorer.predict_proba(texts)).max() < 1e-6
    assert pipeline.predict(texts).tolist() == scorer.predict(texts).tolist()


def test_onnx_over_count_vectors(scorer, texts, tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    from sklearn.feature_extraction.text import CountVectorizer

    path = export_model(scorer, "onnx", tmp_path / "m.onnx")
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    facts = {name: json.loads(value) for name, value in session.get_modelmeta().custom_metadata_map.items()}
    assert facts["classes"] == list(scorer.model.classes)
    vectorizer = CountVectorizer(analyzer=scorer.model.analyzer.features, vocabulary=facts["words"])
    counts = vectorizer.transform(texts).toarray().astype(np.float64)
    margins, labels, shares = session.run(["margins", "label", "probabilities"], {"counts": counts})
    assert np.abs(shares - scorer.predict_proba(texts)).max() < 1e-6
    assert margins.shape == (1000, len(scorer.model.outputs))
    assert [facts["classes"][k] for k in labels] == scorer.predict(texts).tolist()


def test_the_short_programs_are_short():
    for name in ("score.js", "score.py"):
        lines = (SCORERS / name).read_text(encoding="utf-8").splitlines()
        code = [
            line for line in lines if line.strip() and not line.startswith(("//", '"""', "The texts", "import", "from"))
        ]
        assert len(code) <= 36


def test_what_cannot_be_written_down_is_refused(tmp_path):
    scorer = TextClassifier(tokenizer=str.split).fit(["broken lamp", "kind thanks"], ["a", "b"]).to_scorer()
    with pytest.raises(ValueError, match=r"Python function builtins:str\.split"):
        export_model(scorer, "json", tmp_path / "m.json")
    lists = TextClassifier(analyzer="tokens").fit([["a"], ["b"]], ["x", "y"]).to_scorer()
    with pytest.raises(ValueError, match="lists of tokens"):
        portable(lists.model)
    with pytest.raises(ValueError, match="no form 'pmml'"):
        export_model(scorer, "pmml", tmp_path / "m")
    with pytest.raises(FileNotFoundError, match="does not exist"):
        export_model(scorer, "json", tmp_path / "no" / "m")
    assert list(tmp_path.iterdir()) == []


def test_a_model_without_probabilities_has_margins_and_labels(tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    texts, labels = ["broken lamp", "kind thanks"] * 4, ["repair", "praise"] * 4
    model = TextClassifier(ElasticNetClassifier(l1=0.1, loss="squared_hinge")).fit(texts, labels)
    path = export_model(model.to_scorer(), "onnx", tmp_path / "m.onnx")
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert [one.name for one in session.get_outputs()] == ["margins", "label"]
    margins, _ = session.run(None, {"counts": np.eye(model.n_words_)})
    assert margins[:, 0] == pytest.approx(model.decision_function(model.to_scorer().model.words))


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

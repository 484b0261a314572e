"""A model saved by an earlier laconic loads and predicts what it predicted then."""

import json
from pathlib import Path

import numpy as np
import pytest

from laconic.models import load

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.parametrize("name", ["format-1/count", "format-1/tfidf"])
def test_stored_models_predict_as_ever(name):
    scorer = load(FIXTURES / name)
    expected = json.loads((FIXTURES / f"{name}-expected.json").read_text())
    texts, margins = expected["texts"], np.array(expected["margins"])
    np.testing.assert_allclose(scorer.decision_function(texts), margins, rtol=0, atol=1e-12)
    assert scorer.predict(texts).tolist() == [scorer.info["classes"][k] for k in margins.argmax(axis=1)]
    np.testing.assert_allclose(scorer.to_estimator().decision_function(texts), margins, rtol=0, atol=1e-12)
    assert scorer.info["format"] == 1
    assert scorer.info["extra"] == {"fixture": name.partition("/")[2]}

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score, hamming_loss

from laconic.evaluate import evaluate_labels
from laconic.evaluate.metrics.multilabel import label_matrix

CLASSES = ["art", "law", "war"]
rows = st.lists(st.tuples(st.sets(st.sampled_from(CLASSES)), st.sets(st.sampled_from(CLASSES))), min_size=1)


def test_label_matrix():
    assert label_matrix([("art", "law"), (), "war"], CLASSES).tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
    with pytest.raises(ValueError, match=r"Document 1 \(counting from 0\) has the unknown label 'sea'"):
        label_matrix([(), ("sea",)], CLASSES)


@given(rows)
def test_against_scikit_learn(pairs):
    predicted, truth = zip(*pairs, strict=True)
    found = evaluate_labels(predicted, truth, CLASSES)
    given, true = label_matrix(predicted, CLASSES), label_matrix(truth, CLASSES)
    occur = np.flatnonzero((given | true).any(axis=0))
    assert found.metrics["exact"] == pytest.approx(accuracy_score(true, given))
    assert found.metrics["hamming"] == pytest.approx(hamming_loss(true, given))
    assert found.metrics["micro_f1"] == pytest.approx(f1_score(true, given, average="micro", zero_division=1.0))
    if len(occur):
        expected = f1_score(true, given, labels=occur, average="macro", zero_division=0.0)
        assert found.metrics["macro_f1"] == pytest.approx(expected)
    assert [row.support for row in found.per_label] == true.sum(axis=0).tolist()
    assert found.to_dict()["per_label"][0]["label"] == "art"


def test_as_many_predictions_as_documents():
    with pytest.raises(ValueError, match="There are 1 predictions for 2 documents"):
        evaluate_labels([()], [(), ()], CLASSES)

import numpy as np
import pytest

from laconic.evaluate.resampling.subsamples import check_halves, half_models, halves
from laconic.linear import ElasticNetClassifier


def test_halves_are_complementary_and_keep_the_shares():
    labels = np.array([0] * 11 + [1] * 20)
    found = list(halves(labels, 5, np.random.default_rng(0)))
    assert len(found) == 10
    for first, second in zip(found[::2], found[1::2], strict=True):
        assert not set(first) & set(second)
        for half in (first, second):
            assert np.bincount(labels[half]).tolist() == [5, 10]


def test_a_class_of_one_document_is_refused():
    check_halves(np.array(["a", "a", "b", "b"]))
    with pytest.raises(ValueError, match="The class 'b' has one document"):
        check_halves(np.array(["a", "a", "b"]))


def test_models_of_halves_weigh_as_much_as_one_of_all_documents():
    X, y = np.eye(4), np.array([0, 0, 1, 1])
    models = list(half_models(ElasticNetClassifier(), X, y, pairs=1, seed=0))
    for model, half in zip(models, halves(y, 1, np.random.default_rng(0)), strict=True):
        twice = ElasticNetClassifier().fit(X[np.repeat(half, 2)], y[np.repeat(half, 2)])
        assert np.allclose(model.coef_, twice.coef_, atol=1e-4)

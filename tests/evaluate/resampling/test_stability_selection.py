import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from laconic import ElasticNetClassifier, GroupLassoClassifier, stability
from laconic.evaluate.resampling.stability_selection import (
    _counted,
    check_halves,
    expected_errors,
    half_models,
    halves,
    lowest_threshold,
)


@given(st.integers(2, 60), st.floats(1, 50), st.integers(100, 2000))
def test_bounds_fall_with_the_threshold(pairs, words, n_features):
    shares = np.arange(pairs + 2, 2 * pairs + 1) / (2 * pairs)
    bounds = [expected_errors(share, pairs, words, n_features) for share in shares]
    always = [words**2 / n_features / (2 * share - 1) for share in shares]
    assert all(one <= other * (1 + 1e-12) for one, other in zip(bounds, always, strict=True))
    lowest = lowest_threshold(1.0, pairs, words, n_features)
    reach = [share for share, bound in zip(shares, bounds, strict=True) if bound <= 1.0]
    assert lowest == (min(reach) if reach else None)


def test_published_values_of_the_bound():
    # θ = 0.02, q = 20: θ q = 0.4; the two branches of C(τ, B) by hand
    assert expected_errors(0.6, 50, 20, 1000) == pytest.approx(0.4 / (2 * (0.2 - 0.01)))
    assert expected_errors(0.9, 50, 20, 1000) == pytest.approx(0.4 * 4 * 0.11 / 1.02)
    assert expected_errors(0.9, 50, 700, 1000) == pytest.approx(0.7 * 700 / 0.8)


def test_the_bound_holds_for_words_selected_blindly():
    """A procedure that draws q words of p: the worst noise there is, all of it at θ."""
    rng = np.random.default_rng(0)
    pairs, words, n_features = 25, 10, 100
    limit = lowest_threshold(0.5, pairs, words, n_features)
    false = []
    for _ in range(200):
        picks = np.argsort(rng.random((2 * pairs, n_features)), axis=1) < words
        false.append(np.count_nonzero(picks.mean(axis=0) >= limit))
    assert np.mean(false) <= expected_errors(limit, pairs, words, n_features) <= 0.5


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


def drawn(seed=0, n=200, p=60, true=4):
    rng = np.random.default_rng(seed)
    X = (rng.random((n, p)) < 0.3).astype(float)
    signs = np.where(np.arange(true) % 2, -2.0, 2.0)
    y = (rng.random(n) < 1 / (1 + np.exp(-(X[:, :true] @ signs)))).astype(int)
    return X, y


@pytest.mark.parametrize(("words", "counted"), [(None, 9), (5, 5), (60, 60)])
def test_frequencies_and_areas_are_those_of_fits_to_the_halves(words, counted):
    X, y = drawn()
    found = stability(ElasticNetClassifier(l1=10.0, l2=0.0), X, y, pairs=4, threshold=0.6, words=words, seed=3)
    up, down, area = np.zeros(60), np.zeros(60), np.zeros(60)
    for half in halves(y, 4, np.random.default_rng(3)):
        # twice the documents of a half, in place of weights
        weights = ElasticNetClassifier(l1=10.0 * len(half) / len(y), l2=0.0).fit(X[half], y[half]).coef_[0]
        own = sorted(np.flatnonzero(weights), key=lambda j: (-abs(weights[j]), j))
        for rank, j in enumerate(own):
            up[j] += rank < counted and weights[j] > 0
            down[j] += rank < counted and weights[j] < 0
            area[j] += np.sign(weights[j]) * (1 - rank / len(own)) / 8
    assert {one.word: one.frequency for one in found.words} == {
        str(j): max(up[j], down[j]) / 8 for j in np.flatnonzero(area)
    }
    assert {one.word: one.area for one in found.words} == {
        str(j): pytest.approx(abs(area[j])) for j in np.flatnonzero(area)
    }
    assert all(one.sign == ("+" if up[int(one.word)] > down[int(one.word)] else "-") for one in found.words[:5])
    assert found.selected == pytest.approx((up + down).sum() / 8)
    assert [one.area for one in found.words] == sorted((one.area for one in found.words), reverse=True)
    assert found.stable == tuple(one.word for one in found.words if one.frequency >= 0.6)
    assert json.loads(json.dumps(found.to_dict()))["stable"] == list(found.stable)


def test_of_several_classes_the_largest_weight_says_what_a_word_is_evidence_for():
    rng = np.random.default_rng(0)
    X = (rng.random((300, 40)) < 0.3).astype(float)
    y = np.where(X[:, 0] > 0, "a", np.where(X[:, 1] > 0, "b", "c"))
    found = stability(ElasticNetClassifier(l1=10.0, l2=0.0), X, y, pairs=5, words=3)
    assert set(found.stable) == {"0", "1"}
    assert [(one.label, one.sign) for one in sorted(found.words)[:2]] == [("a", "+"), ("b", "+")]
    assert found.errors == expected_errors(found.threshold, 5, found.selected, 40)


def test_the_true_words_are_found_on_any_estimator():
    X, y = drawn(n=400)
    names = [f"w{j}" for j in range(60)]
    for estimator in (
        ElasticNetClassifier(l1=20.0, l2=0.0),
        LogisticRegression(C=0.05, l1_ratio=1.0, solver="liblinear"),
        LogisticRegression(C=0.1),  # all words have weights; the strongest count
    ):
        found = stability(estimator, X, y, pairs=15, words=6, names=names)
        assert set(found.stable) == {"w0", "w1", "w2", "w3"}
        assert found.errors <= 1.0
        assert {one.word: one.sign for one in found.words if one.word in ("w0", "w1")} == {"w0": "+", "w1": "-"}


def test_of_equal_weights_the_first_columns_count():
    X = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]] * 6)
    found = stability(ElasticNetClassifier(l1=0.0, l2=1.0), X, [1, 0] * 6, pairs=2, words=2, threshold=1.0)
    assert found.selected == 2.0
    assert {one.word: one.frequency for one in found.words}["2"] in (0.0, 1.0)


@given(st.integers(1, 100_000), st.floats(1e-3, 1e6))
def test_the_number_of_words_that_count_follows_from_the_errors(n_features, errors):
    counted = _counted(errors, 2 * n_features, n_features)
    assert 1 <= counted <= n_features
    assert counted == 1 or counted**2 <= 0.8 * errors * 2 * n_features


def test_groups_are_counted_too():
    X, y = drawn(n=300)
    groups = {"true": [0, 2], "noise": [10, 11, 12]}
    found = stability(GroupLassoClassifier(groups, group=3.0, l1=3.0), X, y, pairs=5, threshold=0.9)
    shares = dict(found.groups)
    assert shares["true"] == 1.0
    assert shares.get("noise", 0.0) < 0.5


def test_words_that_substitute_for_one_another_are_named_together():
    rng = np.random.default_rng(1)
    X = (rng.random((400, 30)) < 0.3).astype(float)
    X[:, 1] = np.where(rng.random(400) < 0.97, X[:, 0], 1 - X[:, 0])  # almost the same word
    X[:, 2] = X[:, 3] = (rng.random(400) < 0.3).astype(float)  # the very same
    y = (rng.random(400) < 1 / (1 + np.exp(-(2 * X[:, 0] - 2 * X[:, 2])))).astype(int)
    found = stability(ElasticNetClassifier(l1=10.0, l2=0.0), X, y, pairs=15, words=6)
    groups = [set(one.words) for one in found.together]
    assert {"0", "1"} in groups
    assert {"2", "3"} in groups
    assert all(one.frequency > 0.95 for one in found.together if set(one.words) <= {"0", "1", "2", "3"})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pairs": 1}, "pairs must be"),
        ({"errors": 0.0}, "errors must be"),
        ({"threshold": 0.5}, "above 0.5"),
        ({"words": 61}, "from 1 to 60, the number of words"),
        ({"names": ["a"]}, "1 names for 60"),
        ({"errors": 1e-6, "pairs": 3}, r"the 1 strongest of each model allow \d[\d.e+-]* at best"),
    ],
)
def test_wrong_settings_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        stability(ElasticNetClassifier(l1=5.0, l2=0.0), *drawn(), **options)


def test_wrong_data_and_estimators_are_refused():
    X, y = drawn()
    with pytest.raises(TypeError, match="has no coef_"):
        stability(GaussianNB(), X, y, pairs=2)
    with pytest.raises(ValueError, match="has one document"):
        stability(ElasticNetClassifier(), X, [2, *y[1:]], pairs=2)

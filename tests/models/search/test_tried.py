import numpy as np
import pytest
from scipy.stats import ttest_1samp
from sklearn.dummy import DummyClassifier
from sklearn.metrics import accuracy_score, average_precision_score, f1_score, log_loss

from laconic.evaluate.tuning.candidates import Candidate
from laconic.models.search.recipe import Recipe
from laconic.models.search.tried import EachLabel, OneLabel, Sizes, gain, paired

N, PARTS = 150, 3
SIZES = Sizes(3.0, 5.0, 1e-4)


@pytest.fixture(scope="module")
def has():
    rng = np.random.default_rng(0)
    return rng.random(N) < 0.3


def drawn(n_classes, seed=1):
    rng = np.random.default_rng(seed)
    codes = np.arange(N) % n_classes
    margins = rng.normal(size=N) if n_classes == 2 else rng.normal(size=(N, n_classes))
    return rng.permutation(codes), margins


def softmax(margins):
    odds = np.exp(np.column_stack([np.zeros(N), margins]) if margins.ndim == 1 else margins)
    return odds / odds.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("metric", ["accuracy", "macro_f1", "log_loss"])
def test_one_label_has_the_mean_of_its_folds_by_scikit_learns_metrics(metric, n_classes):
    codes, margins = drawn(n_classes)
    part = np.arange(N) % PARTS
    tried = OneLabel(Recipe(metric=metric), codes, n_classes, part, on_dev=False).tried("lasso", {}, margins, SIZES)
    proba = softmax(margins)
    said = proba.argmax(axis=1)
    by_hand = {
        "accuracy": lambda rows: accuracy_score(codes[rows], said[rows]),
        "macro_f1": lambda rows: f1_score(codes[rows], said[rows], average="macro"),
        "log_loss": lambda rows: log_loss(codes[rows], proba[rows], labels=range(n_classes)),
    }
    folds = {name: [score(part == fold) for fold in range(PARTS)] for name, score in by_hand.items()}
    np.testing.assert_allclose(tried.scores, folds[metric])
    assert tried.mean == pytest.approx(np.mean(folds[metric]))
    assert tried.standard_error == pytest.approx(np.std(folds[metric], ddof=1) / np.sqrt(PARTS))
    assert tried.loss == pytest.approx(log_loss(codes, proba))
    assert tried.also == pytest.approx({name: np.mean(folds[name]) for name in ("accuracy", "macro_f1")})


def test_on_a_dev_set_all_documents_are_scored_together_and_parts_serve_differences():
    codes, margins = drawn(3)
    part = np.arange(N) % PARTS
    tried = OneLabel(Recipe(), codes, 3, part, on_dev=True).tried("lasso", {}, margins, SIZES)
    said = margins.argmax(axis=1)
    assert tried.mean == tried.also["accuracy"] == accuracy_score(codes, said)
    assert tried.standard_error == pytest.approx(np.sqrt(tried.mean * (1 - tried.mean) / N))
    assert len(tried.scores) == PARTS
    with pytest.raises(ValueError, match="needs dev documents of every class"):
        OneLabel(Recipe(metric="average_precision"), codes % 2, 3, part, on_dev=True)


@pytest.mark.parametrize(("metric", "other"), [("average_precision", average_precision_score), ("log_loss", log_loss)])
def test_other_metrics_of_a_label_are_scikit_learns(has, metric, other):
    margins = np.random.default_rng(1).normal(size=N)
    part = np.arange(N) % PARTS
    found = EachLabel(Recipe(metric=metric), has, part).tried("lasso", {}, margins, SIZES)
    assert found.mean == pytest.approx(other(has, 1.0 / (1.0 + np.exp(-margins))))
    few = EachLabel(Recipe(metric=metric), np.arange(N) == 0, part).tried("lasso", {}, margins, SIZES)
    assert np.isnan(few.scores[1:]).all()


def test_a_label_is_scored_at_its_best_threshold(has):
    margins = np.random.default_rng(2).normal(size=N) + has - 2.0
    part = np.arange(N) % PARTS
    tried = EachLabel(Recipe(), has, part).tried("lasso", {}, margins, SIZES)
    given = 1.0 / (1.0 + np.exp(-margins)) >= tried.threshold.value
    assert tried.mean == pytest.approx(f1_score(has, given))
    np.testing.assert_allclose(tried.scores, [f1_score(has[part == one], given[part == one]) for one in range(PARTS)])
    assert tried.mean > f1_score(has, margins >= 0.0)


def test_a_label_without_words_or_documents_keeps_one_half(has):
    part = np.arange(N) % PARTS
    assert EachLabel(Recipe(), has, part).tried("lasso", {}, np.ones(N), Sizes(0.0, 0.0, 0.0)).threshold is None
    nobody = EachLabel(Recipe(), np.zeros(N, dtype=bool), part).tried("lasso", {}, np.ones(N), SIZES)
    assert nobody.threshold is None
    assert np.isnan(nobody.mean)


def scored(*scores):
    return Candidate({}, scores, float(np.mean(scores)), 0.0, 1.0, 0.0, 0.0)


def test_differences_are_paired_and_their_interval_is_students():
    first, second = scored(0.8, 0.7, 0.9, 0.6), scored(0.79, 0.68, 0.89, 0.57)
    difference = paired(first, second)
    expected = ttest_1samp([0.01, 0.02, 0.01, 0.03], 0.0).confidence_interval(0.95)
    assert (difference.value - difference.half, difference.value + difference.half) == pytest.approx(tuple(expected))
    assert gain(first, second, "log_loss").value == -difference.value
    assert paired(scored(0.5, np.nan, 0.7), scored(0.4, 0.4, 0.5)).value == pytest.approx(0.15)
    assert np.isnan(paired(scored(0.5), scored(0.4)).half)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_majority_is_scikit_learns_dummy(n_classes):
    codes = drawn(n_classes)[0]
    codes[codes == 0] = 1
    counts = {f"class {k}": int(np.count_nonzero(codes == k)) + (k == 0) for k in range(n_classes)}
    tried = OneLabel(Recipe(), codes, n_classes, np.zeros(N, dtype=int), on_dev=True).majority(counts)
    dummy = DummyClassifier(strategy="prior").fit(
        np.zeros((sum(counts.values()), 1)), np.repeat(range(n_classes), list(counts.values()))
    )
    said, proba = dummy.predict(np.zeros((N, 1))), dummy.predict_proba(np.zeros((N, 1)))
    assert tried.method == "always 'class 1'"
    assert tried.mean == accuracy_score(codes, said)
    assert tried.also["macro_f1"] == pytest.approx(f1_score(codes, said, average="macro"))
    assert tried.loss == pytest.approx(log_loss(codes, proba, labels=range(n_classes)))
    assert tried.unpredicted == tuple(range(2, n_classes))  # no document has the first


def test_classes_that_are_never_predicted_are_known():
    codes, margins = drawn(4)
    margins[:, [0, 2]] = -10.0
    tried = OneLabel(Recipe(), codes, 4, np.arange(N) % PARTS, on_dev=False).tried("lasso", {}, margins, SIZES)
    assert tried.unpredicted == (0, 2)

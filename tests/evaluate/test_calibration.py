import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss

from laconic.evaluate import reliability
from laconic.evaluate.calibration import (
    A_POINT,
    LEAST,
    Goal,
    binned,
    choose_threshold,
    fit_calibration,
    fit_calibration_of_several,
    parse_goals,
    wilson,
)


def drawn(n_classes, n=400, seed=0, steep=3.0):
    """Margins that are too sure of themselves, and classes by the true probabilities."""
    rng = np.random.default_rng(seed)
    true = rng.normal(size=(n, n_classes)) * 1.5
    odds = np.exp(true - true.max(axis=1, keepdims=True))
    codes = np.array([rng.choice(n_classes, p=row / row.sum()) for row in odds])
    margins = steep * true
    return (margins[:, 1] - margins[:, 0] if n_classes == 2 else margins), codes


def platt_targets(codes, n_classes):
    counts = np.bincount(codes, minlength=n_classes)
    targets = np.array([[1 / (counts[k] + n_classes)] * n_classes for k in codes])
    targets[np.arange(len(codes)), codes] = [(counts[k] + 1) / (counts[k] + n_classes) for k in codes]
    return targets


def test_the_sigmoid_is_platts():
    margins, codes = drawn(2)
    found = fit_calibration("sigmoid", margins, codes, 2)
    # soft targets as weighted copies of every document
    targets = platt_targets(codes, 2)
    X, y = np.tile(margins, 2)[:, None], np.repeat([0, 1], len(margins))
    twin = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(X, y, sample_weight=targets.T.ravel())
    np.testing.assert_allclose(found.scale, twin.coef_[0], rtol=1e-5)
    np.testing.assert_allclose(found.shift, twin.intercept_, rtol=1e-4, atol=1e-6)
    assert found.scale[0] == pytest.approx(1 / 3, rel=0.2)


def test_the_sigmoid_of_more_classes_has_no_slope_left():
    margins, codes = drawn(4)
    found = fit_calibration("sigmoid", margins, codes, 4)
    assert len(set(found.scale)) == 1
    assert found.scale[0] == pytest.approx(1 / 3, rel=0.2)
    rest = found.probabilities(margins) - platt_targets(codes, 4)
    # of the scale and of every shift, per document and in units of the margins
    assert abs(np.sum(rest * margins)) / len(codes) < 1e-5
    assert np.abs(rest.sum(axis=0)).max() / len(codes) < 1e-6


def test_margins_that_order_nothing_leave_the_shares():
    codes = np.array([0, 1, 1] * 20)
    constant = fit_calibration("sigmoid", np.full(60, 3.0), codes, 2)
    assert constant.scale == (0.0,)
    assert constant.probabilities(np.array([7.0]))[0, 1] == pytest.approx(2 / 3, abs=0.01)
    backwards = fit_calibration("sigmoid", np.where(codes == 1, -1.0, 1.0), codes, 2)
    assert backwards.scale == (0.0,)


def test_separable_documents_give_finite_slopes():
    found = fit_calibration("sigmoid", np.array([-1.0, 1.0] * 10), np.array([0, 1] * 10), 2)
    assert found.probabilities(np.array([1.0]))[0, 1] == pytest.approx(11 / 12, abs=1e-4)


def isotonic_slowly(y):
    """Max-min formula over all stretches."""
    n = len(y)
    return [max(min(np.mean(y[a : b + 1]) for b in range(i, n)) for a in range(i + 1)) for i in range(n)]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.booleans(), min_size=2, max_size=12))
def test_isotonic_is_the_max_min_formula(truth):
    margins = np.arange(len(truth), dtype=float)
    found = fit_calibration("isotonic", margins, np.array(truth, dtype=int), 2).probabilities(margins)[:, 1]
    least = 1 / (len(truth) + 2)
    np.testing.assert_allclose(found, np.clip(isotonic_slowly(np.array(truth, float)), least, 1 - least), atol=1e-9)


def test_isotonic_of_more_classes_sums_to_one():
    margins, codes = drawn(3)
    Q = fit_calibration("isotonic", margins, codes, 3).probabilities(margins)
    np.testing.assert_allclose(Q.sum(axis=1), 1.0)
    assert Q.min() > 0.0


@pytest.mark.parametrize("kind", ["sigmoid", "isotonic"])
def test_of_several_labels_each_is_calibrated_alone(kind):
    first, codes = drawn(2, seed=1)
    second, others = drawn(2, seed=2)
    both = fit_calibration_of_several(kind, np.column_stack([first, second]), np.column_stack([codes, others]) == 1)
    Q = both.probabilities(np.column_stack([first, second]))
    alone = fit_calibration(kind, second, others, 2).probabilities(second)[:, 1]
    np.testing.assert_allclose(Q[:, 1], alone, rtol=1e-9)


@pytest.fixture
def squared():
    rng = np.random.default_rng(0)
    p = rng.random(1000)
    return p, rng.random(1000) < p**2


def test_the_error_is_the_mean_distance_of_ten_equal_bins(squared):
    p, true = squared
    order = np.argsort(p)
    parts = [order[i : i + 100] for i in range(0, 1000, 100)]
    slow = np.mean([abs(p[part].mean() - true[part].mean()) for part in parts])
    found = reliability(np.column_stack([1 - p, p]), true.astype(int))
    assert found.error == pytest.approx(slow, rel=1e-12)
    assert [one.documents for one in found.bins] == [100] * 10
    assert found.brier == pytest.approx(brier_score_loss(true, p))
    assert found.log_loss == pytest.approx(log_loss(true, p))


def test_true_probabilities_have_a_small_error(squared):
    p, true = squared
    assert reliability(np.column_stack([1 - p**2, p**2]), true.astype(int)).error < 0.04
    assert reliability(np.column_stack([1 - p, p]), true.astype(int)).error > 0.1


def test_of_more_classes_the_most_likely_one_is_looked_at():
    Q = np.array([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]])
    found = reliability(Q, np.array([0, 1]), bins=1)
    assert found.bins[0].probability == pytest.approx(0.65)
    assert found.bins[0].share == 0.5
    assert found.error == pytest.approx(0.15)


def test_equal_probabilities_stay_together():
    bins, _ = binned(np.array([0.1] * 7 + [0.9] * 3), np.array([False] * 10), bins=5)
    assert [one.documents for one in bins] == [7, 3]


def test_weights_count_documents_again(squared):
    p, true = squared
    Q, codes = np.column_stack([1 - p, p]), true.astype(int)
    twice = reliability(np.vstack([Q, Q[codes == 1]]), np.append(codes, codes[codes == 1]), bins=1)
    once = reliability(Q, codes, bins=1, weight=1.0 + codes)
    assert once.brier == pytest.approx(twice.brier)
    assert once.error == pytest.approx(twice.error)


def figures(scores, positive, threshold, weight):
    taken = scores >= threshold
    hits = weight[taken & positive].sum()
    return hits / max(weight[taken].sum(), 1e-300), hits / max(weight[positive].sum(), 1e-300), int(taken.sum())


@given(
    st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.7, 0.9]), st.booleans()), min_size=12, max_size=40),
    st.sampled_from([0.3, 0.5, 0.8, 1.0]),
    st.sampled_from(["precision", "recall", "cost", "f1"]),
    st.booleans(),
)
def test_no_other_threshold_is_better(pairs, value, kind, weighted):
    scores, positive = np.array([one for one, _ in pairs]), np.array([one for _, one in pairs])
    weight = np.where(positive, 2.0, 1.0) if weighted else np.ones(len(pairs))
    every = [figures(scores, positive, one, weight) for one in np.unique(scores)]
    if not positive.any():
        with pytest.raises(ValueError, match="No document has the label 'x'"):
            choose_threshold("x", scores, positive, Goal(kind, value), weight)
        return
    reach = [recall for precision, recall, n in every if precision >= value and n >= LEAST]
    if kind == "precision" and not reach:
        best = max(precision for precision, _, n in every if n >= LEAST)
        with pytest.raises(ValueError, match=f"at most {best:.3f} is possible"):
            choose_threshold("x", scores, positive, Goal(kind, value), weight)
        return
    if kind == "cost":

        def cost(threshold):
            taken = scores >= threshold
            return value * weight[taken & ~positive].sum() + weight[positive & ~taken].sum()

        least = min(cost(one) for one in np.unique(scores))
        if least > weight[positive].sum():
            with pytest.raises(ValueError, match="cheaper than never"):
                choose_threshold("x", scores, positive, Goal(kind, value), weight)
            return
    found = choose_threshold("x", scores, positive, Goal(kind, value), weight)
    precision, recall, n = figures(scores, positive, found.value, weight)
    assert (found.precision, found.recall, found.documents) == (pytest.approx(precision), pytest.approx(recall), n)
    assert found.low <= found.precision <= found.high
    if kind == "precision":
        assert precision >= value
        assert recall == pytest.approx(max(reach))
    elif kind == "recall":
        assert recall >= value - 1e-12
        assert n == min(n for _, recall, n in every if recall >= value - 1e-12)
    elif kind == "cost":
        assert cost(found.value) == pytest.approx(least)
    else:
        f1 = {one: 2.0 * p * r / max(p + r, 1e-300) for one, (p, r, _) in zip(np.unique(scores), every, strict=True)}
        top = max(f1.values())
        slack = max(A_POINT, min(1.0 / weight[positive].sum(), top / 2.0))
        near = [one for one, value in f1.items() if value >= top - slack]
        sizes = np.log([weight[scores >= one].sum() for one in near])
        middle = near[int(np.argmin(np.abs(sizes[::-1] - sizes.mean()))) * -1 - 1]
        assert n == (scores >= middle).sum()


def test_the_threshold_lies_between_two_scores():
    scores = np.array([0.9] * 10 + [0.4] * 10)
    assert choose_threshold("x", scores, scores > 0.5, Goal("precision", 0.9)).value == pytest.approx(0.65)


def test_goals_for_all_and_for_one():
    found = parse_goals(["precision=0.9", "b:recall=0.5"], ["a", "b"])
    assert found == {"a": Goal("precision", 0.9), "b": Goal("recall", 0.5)}
    assert parse_goals({1: "cost=3"}, [0, 1]) == {1: Goal("cost", 3.0)}
    assert parse_goals(["f1", "b:cost=2"], ["a", "b"]) == {"a": Goal("f1"), "b": Goal("cost", 2.0)}
    assert [str(Goal.parse(text)) for text in ("f1", "cost=2")] == ["f1", "cost=2"]
    assert parse_goals("x:y:recall=1", ["x:y", "z"]) == {"x:y": Goal("recall", 1.0)}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("precision", "'precision' is not a goal"),
        ("precision=high", "is not a goal"),
        ("accuracy=0.9", "not 'accuracy'"),
        ("precision=1.2", "above 0 and at most 1"),
        ("cost=-1", "positive number"),
        ("c:recall=0.5", "no class 'c'"),
        (["a:recall=0.5", "a:recall=0.6"], "'a' has two threshold goals"),
        (["recall=0.5", "recall=0.6"], "two goals for every class"),
    ],
)
def test_wrong_goals_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        parse_goals(given, ["a", "b"])


def test_the_interval_is_wilsons():
    assert wilson(0.9, 100) == pytest.approx((0.8256, 0.9448), abs=1e-4)
    assert wilson(0.0, 10)[0] == 0.0


def test_the_threshold_of_a_rare_label_does_not_rest_on_one_document():
    scores, positive = np.linspace(0.0, 1.0, 1001), np.zeros(1001, dtype=bool)
    positive[[1000, 998, 996, 985, 960, 940]] = True  # the best F1 is at 996
    few = choose_threshold("x", scores, positive, Goal("f1"))
    assert few.documents > 5
    positive[500:] |= np.arange(501) % 2 == 0  # many documents: the best decides
    many = choose_threshold("x", scores, positive, Goal("f1"))
    assert many.recall == pytest.approx(1.0, abs=0.03)

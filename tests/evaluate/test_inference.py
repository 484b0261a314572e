"""`compare`: all models against the first.

Bootstrap intervals against drawing documents one by one.

Paired tests against enumeration and against scipy.
"""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2_contingency

from laconic.evaluate import bootstrap_interval, compare, holm, mcnemar, score, sign_test
from laconic.evaluate.inference import _scores, drift

labels = st.lists(st.tuples(*[st.sampled_from("ab")] * 3), min_size=1, max_size=12)


def enumerated(wins, losses):
    """P(K ≥ wins): the share of all ways in which the deciding documents could have fallen."""
    ways = list(product((0, 1), repeat=wins + losses))
    return np.mean([sum(way) >= wins for way in ways])


@given(labels)
def test_against_enumeration(rows):
    truth, first, second = map(list, zip(*rows, strict=True))
    wins = sum(a == t != b for t, a, b in rows)
    losses = sum(b == t != a for t, a, b in rows)
    found = sign_test(truth, first, second)
    assert (found.wins, found.losses) == (wins, losses)
    assert found.p_value == pytest.approx(enumerated(wins, losses))
    two = mcnemar(truth, first, second).p_value
    assert two == pytest.approx(min(1.0, 2 * enumerated(max(wins, losses), min(wins, losses))))
    if wins + losses:
        assert two == pytest.approx(binomtest(wins, wins + losses).pvalue)
    assert mcnemar(truth, second, first).p_value == two


def test_models_that_agree_are_not_told_apart():
    y = [0, 1, 1]
    assert sign_test(y, y, y).p_value == mcnemar(y, y, y).p_value == 1.0


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_against_its_step_down(p_values):
    """Holm's procedure itself: a hypothesis is rejected at a level exactly if its adjusted value is at most that."""
    adjusted = holm(p_values)
    for level in (0.01, 0.05, 0.3):
        rejected, left = set(), sorted(range(len(p_values)), key=lambda i: p_values[i])
        for step, i in enumerate(left):
            if p_values[i] * (len(p_values) - step) > level:
                break
            rejected.add(i)
        assert {i for i, p in enumerate(adjusted) if p <= level} == rejected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 0], [1], [1, 0]), "2 true labels but 1 predictions of model 1"),
        (([1, 0], [1, 0], ["1", "0"]), "strings never equal numbers"),
        (([], [], []), "y_true has no labels"),
    ],
)
def test_wrong_labels(arguments, message):
    with pytest.raises(ValueError, match=message):
        sign_test(*arguments)


def test_wrong_p_values():
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.5, float("nan")])


METRICS = ("accuracy", "macro_f1", "balanced_accuracy")


def make(n=160, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.choice(list("abc"), size=n, p=[0.6, 0.3, 0.1])
    said = [np.where(rng.random(n) < right, truth, rng.choice(list("abcd"), size=n)) for right in (0.8, 0.7)]
    return truth, *said


def plain(metric, truth, said):
    """The metrics by their definitions; scikit-learn's, thousands of times, would take minutes."""
    if metric == "accuracy":
        return np.mean(truth == said)
    values = []
    for one in np.union1d(truth, said) if metric == "macro_f1" else np.unique(truth):
        hits = np.sum((truth == one) & (said == one))
        below = np.sum(truth == one) + np.sum(said == one) if metric == "macro_f1" else np.sum(truth == one)
        values.append((2 if metric == "macro_f1" else 1) * hits / below)
    return np.mean(values)


def drawn(metric, truth, first, second=None, n_samples=4000):
    """The obvious twin."""
    rng = np.random.default_rng(5)
    values = []
    for _ in range(n_samples):
        i = rng.integers(len(truth), size=len(truth))
        values.append(plain(metric, truth[i], first[i]) - (0 if second is None else plain(metric, truth[i], second[i])))
    return np.quantile(values, [0.025, 0.975])


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("paired", [False, True])
def test_against_its_twin(metric, paired):
    truth, first, second = make()
    minus = second if paired else None
    found = bootstrap_interval(metric, truth, first, minus, seed=1)
    value = score(metric, truth, first) - (score(metric, truth, second) if paired else 0)
    assert found.value == pytest.approx(value)
    assert (found.low, found.high) == pytest.approx(drawn(metric, truth, first, minus), abs=0.01)


@pytest.mark.parametrize("metric", METRICS)
def test_scores_of_counts_are_scikit_learns(metric):
    rng = np.random.default_rng(2)
    truth, said = np.array([0, 0, 1, 2, 2]), np.array([0, 1, 1, 3, 0])
    table = rng.integers(0, 4, size=(50, 5))
    table[:, 0] += 1
    found = _scores(metric, table, truth, said, n_classes=4, real=4)
    for row, value in zip(table, found, strict=True):
        assert value == pytest.approx(score(metric, np.repeat(truth, row), np.repeat(said, row)))


def test_pairing_is_kept():
    truth, first, _ = make()
    assert bootstrap_interval("accuracy", truth, first, first).low == 0.0
    wide = bootstrap_interval("accuracy", truth, first, level=0.99)
    narrow = bootstrap_interval("accuracy", truth, first, level=0.5)
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize(
    ("options", "message"),
    [({"level": 1.0}, "level must be"), ({"samples": 0}, "samples must be"), ({"metric": "log_loss"}, "not for")],
)
def test_wrong_arguments(options, message):
    given = {"metric": "accuracy", **options}
    with pytest.raises(ValueError, match=message):
        bootstrap_interval(given.pop("metric"), [0, 1], [0, 1], **given)


def test_no_label_is_an_error_but_no_class():
    y_true, y_pred = ["a", "a", "b", "b"] * 10, ["a", None, "b", "a"] * 10
    assert bootstrap_interval("accuracy", y_true, y_pred).value == 0.5
    # F1 of a: precision 1/2, recall 1/2; of b: precision 1, recall 1/2
    assert bootstrap_interval("macro_f1", y_true, y_pred).value == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert bootstrap_interval("accuracy", y_true, y_true, minus=y_pred).value == 0.5


Y = [0, 1] * 20
PREDICTIONS = {"half": [0] * 40, "good": [0, 1] * 18 + [1, 0] * 2, "best": Y}


def test_it_is_the_tests_one_by_one():
    first, good, best = compare(Y, PREDICTIONS)
    assert (first.name, first.difference, first.holm) == ("half", None, None)
    assert (good.wins, good.losses) == (18, 2)
    assert good.sign == sign_test(Y, PREDICTIONS["good"], PREDICTIONS["half"]).p_value
    raw = [mcnemar(Y, PREDICTIONS[name], PREDICTIONS["half"]).p_value for name in ("good", "best")]
    assert [good.mcnemar, best.mcnemar] == raw
    assert [good.holm, best.holm] == holm(raw)
    assert best.difference.value == 0.5
    assert good.to_dict()["accuracy"]["value"] == 0.9


def test_nothing_to_compare():
    with pytest.raises(ValueError, match="nothing to compare"):
        compare(Y, {})


numbers = st.lists(st.tuples(st.integers(0, 80), st.integers(0, 40), st.floats(0.0, 2.0)), min_size=1, max_size=8)


@settings(deadline=None)
@given(numbers)
def test_words_changed_are_those_of_the_test_of_two_shares(rows):
    before, now, strength = (np.array(one, dtype=float) for one in zip(*rows, strict=True))
    found = drift(before, 80, now, 40, strength)
    p_values = []
    for a, b in zip(before, now, strict=True):
        table = np.array([[a, 80 - a], [b, 40 - b]])
        # the squared z of two proportions is the chi-square of the table
        p_values.append(chi2_contingency(table, correction=False)[1] if table.sum(axis=0).min() > 0 else 1.0)
    # Holm, step by step
    order = np.argsort(p_values)
    slow = set()
    for step, j in enumerate(order):
        if p_values[j] * (len(rows) - step) >= 0.01:
            break
        slow.add(int(j))
    assert set(found.changed) == slow
    heard = float(strength @ (before / 80))
    effect = sum(strength[j] * abs(now[j] / 40 - before[j] / 80) for j in slow)
    assert found.value == pytest.approx(effect / heard if heard else 0.0)


def test_the_same_source_seldom_drifts():
    rng = np.random.default_rng(0)
    p = rng.random(50) * 0.3
    drifts = [
        drift(rng.binomial(2000, p).astype(float), 2000, rng.binomial(300, p).astype(float), 300, np.ones(50)).value
        for _ in range(100)
    ]
    assert np.count_nonzero(drifts) <= 5


def test_a_model_without_words_hears_nothing():
    assert drift(np.zeros(0), 10, np.zeros(0), 10, np.zeros(0)).value == 0.0

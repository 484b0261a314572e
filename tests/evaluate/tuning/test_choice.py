"""`choose` on tunings made by hand and on real ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from laconic.evaluate import Candidate, Tuned, choose, tune


def tuning(*rows, metric="accuracy", folds=None):
    """A tuning from rows of (mean, standard error, words)."""
    candidates = tuple(
        Candidate({"row": i}, (mean,), mean, error, float(words), 0.0, 0.0)
        for i, (mean, error, words) in enumerate(rows)
    )
    return Tuned(candidates, 0, 0, (), metric, "one_se", folds, None, None, ())


RIDGE = tuning((0.88, 0.01, 1000), (0.90, 0.02, 1000))
LASSO = tuning((0.80, 0.05, 10), (0.885, 0.01, 120), (0.89, 0.01, 150))


def test_smallest_within_one_error_of_the_best_of_all():
    # The best is ridge's; lasso's own smallest within its own error (0.80) is too far from it.
    assert choose({"ridge": RIDGE, "lasso": LASSO}) == ("lasso", 1)
    assert choose({"ridge": RIDGE, "lasso": LASSO}, rule="best") == ("ridge", 1)
    assert choose({"lasso": LASSO}, rule="best") == ("lasso", 2)


def test_max_words():
    both = {"ridge": RIDGE, "lasso": LASSO}
    assert choose(both, max_words=100) == ("lasso", 0)
    assert choose(both, rule="best", max_words=200) == ("lasso", 2)
    with pytest.raises(ValueError, match=r"at most max_words=5 words: the smallest has 10 \(method='lasso', row=0\)"):
        choose(both, max_words=5)


def test_equal_candidates_go_to_the_earlier_method():
    same = tuning((0.9, 0.0, 10))
    assert choose({"b": same, "a": same}) == ("b", 0)
    assert choose({"a": same, "b": same}) == ("a", 0)


def test_lower_is_better():
    one = tuning((0.30, 0.05, 100), (0.50, 0.05, 1), metric="log_loss")
    other = tuning((0.34, 0.05, 50), metric="log_loss")
    assert choose({"one": one, "other": other}) == ("other", 0)


rows = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 5)), min_size=1, max_size=5)


@given(st.dictionaries(st.sampled_from("abc"), rows, min_size=1), st.sampled_from(["one_se", "best"]))
def test_the_same_as_one_long_tuning(tables, rule):
    name, index = choose({name: tuning(*table) for name, table in tables.items()}, rule)
    _, position = choose({"all": tuning(*(row for table in tables.values() for row in table))}, rule)
    places = [(n, i) for n, table in tables.items() for i in range(len(table))]
    assert places[position] == (name, index)


def test_errors():
    with pytest.raises(ValueError, match="at least one tuning"):
        choose({})
    with pytest.raises(ValueError, match="at least one tuning"):
        choose([RIDGE])
    with pytest.raises(TypeError, match="tuning of 'x' must be a result of tune, got int"):
        choose({"ridge": RIDGE, "x": 3})
    with pytest.raises(ValueError, match="'ridge' has accuracy on a dev set and 'x' log_loss on a dev set"):
        choose({"ridge": RIDGE, "x": tuning((1, 1, 1), metric="log_loss")})
    with pytest.raises(ValueError, match="'x' accuracy on 5 folds"):
        choose({"ridge": RIDGE, "x": tuning((1, 1, 1), folds=5)})
    with pytest.raises(ValueError, match="no rule 'nonsense'"):
        choose({"ridge": RIDGE}, rule="nonsense")


def test_real_tunings(data, dev, lasso):
    ridge = tune(LogisticRegression(), {"C": [0.1, 1.0]}, *data, dev=dev)
    sparse = tune(lasso, {"C": [0.03, 0.1, 1.0]}, *data, dev=dev)
    name, index = choose({"ridge": ridge, "lasso": sparse})
    everyone = [*ridge.candidates, *sparse.candidates]
    best = max(everyone, key=lambda c: c.mean)
    chosen = {"ridge": ridge, "lasso": sparse}[name].candidates[index]
    assert chosen.mean >= best.mean - best.standard_error
    assert chosen.words == min(c.words for c in everyone if c.mean >= best.mean - best.standard_error)

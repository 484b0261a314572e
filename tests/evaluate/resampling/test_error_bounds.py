import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.evaluate.resampling.error_bounds import expected_errors, lowest_threshold


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

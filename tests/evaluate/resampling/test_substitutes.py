import numpy as np

from laconic.evaluate.resampling.substitutes import substitutes


def test_choices_between_words_link_them():
    rng = np.random.default_rng(2)
    base = rng.random(300) < 0.4
    X = np.column_stack([base & (rng.random(300) < 0.7), base & (rng.random(300) < 0.7), rng.random(300) < 0.4])
    coin = rng.random(40) < 0.5
    selected = np.column_stack([coin, ~coin, rng.random(40) < 0.5])
    (group,) = substitutes(X.astype(float), selected)
    assert set(group.features) == {0, 1}
    assert group.frequency == 1.0


def test_a_word_that_is_nearly_always_there_is_nobodys_substitute():
    rng = np.random.default_rng(3)
    base = rng.random(300) < 0.4
    X = np.column_stack([base & (rng.random(300) < 0.7), base & (rng.random(300) < 0.7)]).astype(float)
    often = np.arange(50) != 7
    # the other one is in the single model that lacks the first, and in a few more
    assert substitutes(X, np.column_stack([often, ~often | (np.arange(50) < 2)])) == ()

"""The benchmark of stability selection, on a few of its corpora: what the page says of a hundred holds for them."""

import numpy as np

from benchmarks import stability


def test_fewer_false_words_than_a_tuned_lasso_and_the_bound_holds():
    rows = {row["what"]: row for row in stability.run(seeds=2)}
    assert rows["stability"]["true words"] == rows["lasso"]["true words"]
    assert rows["stability"]["false words"] < rows["lasso"]["false words"]
    for errors in stability.ERRORS:
        row = rows[f"errors={errors:g}"]
        assert row["false words"] <= row["bound"] <= errors


def test_labels_follow_from_the_true_words_alone():
    X, y, true = stability.planted_topics(0)
    assert X.shape == (500, 530)
    assert true.sum() == 30
    correlation = np.abs(np.corrcoef(X.toarray().T, y)[-1, :-1])
    assert correlation[true].mean() > 2 * correlation[~true].mean()

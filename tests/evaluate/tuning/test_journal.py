"""Searches that are killed and taken up again."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from laconic.evaluate import tune
from laconic.evaluate.tuning.journal import Journal
from laconic.evaluate.tuning.trials import Trial

GRID = {"C": [0.01, 0.1, 1.0]}


class Stopping(LogisticRegression):
    """A regression that gives up after so many fits."""

    left = 10**9
    fits = 0

    def fit(self, X, y):
        if type(self).left == 0:
            raise KeyboardInterrupt
        type(self).left -= 1
        type(self).fits += 1
        return super().fit(X, y)


@pytest.fixture
def stopping():
    Stopping.left, Stopping.fits = 10**9, 0
    return Stopping


@pytest.mark.parametrize("with_dev", [False, True])
@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_killed_search_ends_with_the_same_result(data, dev, tmp_path, stopping, with_dev, after):
    given = {"dev": dev} if with_dev else {"folds": 2}
    whole = tune(stopping(), GRID, *data, journal=tmp_path / "whole", **given)
    fits = stopping.fits
    stopping.left, stopping.fits = after, 0
    with pytest.raises(KeyboardInterrupt):
        tune(stopping(), GRID, *data, journal=tmp_path / "killed", **given)
    stopping.left = 10**9
    again = tune(stopping(), GRID, *data, journal=tmp_path / "killed", **given)
    assert again == whole
    assert stopping.fits == fits
    np.testing.assert_array_equal(again.estimator.coef_, whole.estimator.coef_)
    once_more = tune(stopping(), GRID, *data, journal=tmp_path / "killed", **given)
    assert once_more == whole
    assert stopping.fits == fits + 1  # only the chosen one
    other = 1 if whole.chosen != 1 else 2
    np.testing.assert_array_equal(once_more.model(other, *data).coef_, whole.model(other, *data).coef_)


def test_a_line_that_was_cut_off_is_ignored(tmp_path):
    path = tmp_path / "journal"
    journal = Journal(path, 1)
    for split in (0, 1):
        journal.add(split, [0, 1], [Trial(i, 0.5, None, 3, 0.0, 1.0, None) for i in (0, 1)])
    text = path.read_text("utf-8")
    path.write_text(text[:-20], encoding="utf-8")
    again = Journal(path, 1)
    assert again.find(0, [0, 1])[1].setting == 1
    assert again.find(1, [0, 1]) is None
    again.add(1, [0, 1], again.find(0, [0, 1]))
    assert path.read_text("utf-8") == text


def test_other_searches_are_refused(data, tmp_path):
    path = tmp_path / "journal"
    tune(LogisticRegression(), GRID, *data, folds=2, journal=path)
    for changed in ({"grid": {"C": [0.01, 0.1]}}, {"seed": 1}, {"folds": 3}, {"metric": "macro_f1"}):
        given = {"grid": GRID, "folds": 2, **changed}
        with pytest.raises(ValueError, match="journal of another search"):
            tune(LogisticRegression(), given.pop("grid"), *data, journal=path, **given)
    with pytest.raises(ValueError, match="journal of another search"):
        tune(LogisticRegression(), GRID, data[0] + 1, data[1], folds=2, journal=path)


@pytest.mark.parametrize("content", ["some text\n", "[]\n", '{"kind": "other"}\n'])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "file").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match="not a journal"):
        Journal(tmp_path / "file", 1)
    for wrong in (tmp_path, tmp_path / "no" / "place"):
        with pytest.raises(ValueError, match="cannot be written; name a file"):
            Journal(wrong, 1)

"""Groups by the papers' names, and the authors' own."""

import os
from pathlib import Path

import numpy as np
import pytest

from laconic.reproduce.families import AUTHORS, NotAvailable, authors_groups, groups_of
from laconic.reproduce.tasks import design_of


def test_groups_are_built_once_and_weighted(planted_sets, tmp_path):
    one = groups_of("sentences", "science", None, tmp_path)
    assert groups_of("sentences", "science", None, tmp_path) == one
    assert len(list((tmp_path / "groups").iterdir())) == 1
    assert set(groups_of("sentences", "science", None, tmp_path, weights="ones").weights) == {1.0}
    np.testing.assert_allclose(one.weights, np.sqrt(one.sizes))


@pytest.mark.parametrize(
    ("family", "message"),
    [("vectors", "no word vectors"), ("moods", "no groups of the kind"), ("authors:lda", "religion")],
)
def test_what_cannot_be_had_says_why(planted_sets, tmp_path, family, message):
    with pytest.raises(NotAvailable, match=message):
        groups_of(family, "science", str(tmp_path), tmp_path)


@pytest.mark.skipif("LACONIC_DATA" not in os.environ, reason="set LACONIC_DATA to the folder of the data sets")
@pytest.mark.parametrize(
    ("kind", "count"), [("lda", 1000), ("lsi", 863), ("graph", 35), ("vectors", 639), ("sentences", 18_783)]
)
def test_the_authors_groups_fit_the_vocabulary(kind, count):
    vocabulary = design_of("religion").vocabulary
    groups = authors_groups(Path(os.environ["LACONIC_DATA"], AUTHORS), kind, vocabulary)
    assert len(groups) == count
    assert groups.features_sha256 == vocabulary.sha256

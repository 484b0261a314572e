"""Groups by the papers' names, and the authors' own."""

import os
from pathlib import Path

import numpy as np
import pytest

from papers.families import AUTHORS, NotAvailable, authors_groups, groups_of
from papers.tasks import View, design_of


def test_groups_are_built_once_and_weighted(planted_sets, tmp_path):
    one = groups_of("sentences", "science", None, tmp_path)
    assert groups_of("sentences", "science", None, tmp_path) == one
    assert len(list((tmp_path / "groups").iterdir())) == 1
    assert set(groups_of("sentences", "science", None, tmp_path, weights="ones").weights) == {1.0}
    np.testing.assert_allclose(one.weights, np.sqrt(one.sizes))


def test_learned_groups_hold_words_alone_where_pairs_are_columns(planted_sets, tmp_path):
    pairs = View("count", "default-1", 2)
    words = pairs._replace(ngrams=1)
    old, new = (design_of("science", view).vocabulary for view in (words, pairs))
    before = groups_of("lsi", "science", None, tmp_path, quick=True, view=words)
    after = groups_of("lsi", "science", None, tmp_path, quick=True, view=pairs)
    assert after.features_sha256 == new.sha256
    kept = dict(zip(after.names, after.weights, strict=True))
    for g, name in enumerate(before.names):
        members = {old.words[j] for j in before.members(g)} & set(new.words)
        if members:
            assert kept[name] == before.weights[g]
            place = list(after.names).index(name)
            assert {new.words[j] for j in after.members(place)} == members
    sentences = groups_of("sentences", "science", None, tmp_path, view=pairs)
    assert any(" " in new.words[j] for j in sentences.indices)


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

"""Our builders beside the groups that the authors of W-NUT 2018 published for the religion task."""

import lzma
import os
from pathlib import Path

import numpy as np
import pytest

from laconic.data import Corpus, load
from laconic.groups import LSIGroups, SentenceGroups
from laconic.groups.lsi import _loadings
from laconic.text import Analyzer, BagOfWords, Tokenizer
from tests.groups.planted import lists

FOLDER = Path(os.environ.get("LACONIC_DATA", "")) / "text" / "omp_religion"
PREFIX = "alt.atheismsoc.religion.christian_unique_words_"

pytestmark = pytest.mark.skipif(
    "LACONIC_DATA" not in os.environ or not FOLDER.is_dir(), reason="LACONIC_DATA is not set or has no omp_religion"
)


def lines(name):
    return lzma.decompress((FOLDER / f"{name}.txt.xz").read_bytes()).decode("utf-8").split("\n")[:-1]


def test_sentence_groups_are_those_of_the_published_token_stream_and_ranges():
    words = lines("vocab_recovered")
    stream = [words[int(number) - 1] for number in lines(f"{PREFIX}M_CORPUS")]
    documents, sentences = [], []
    for first, last in (map(int, line.split()) for line in lines(f"{PREFIX}SENTENCES")):
        if (first, last) == (0, 0):
            documents.append(sentences)
            sentences = []
        else:
            sentences.append(stream[first - 1 : last])
    assert (len(documents), sum(map(len, documents))) == (863, 18783 + sum(not one for own in documents for one in own))
    given = [[" ".join(one) for one in own] for own in documents]
    corpus = Corpus.from_lists([" ".join(own) for own in given], sentences=given)
    analyzer = Analyzer(str.split)
    vocabulary = BagOfWords(analyzer).fit(corpus.texts).vocabulary
    groups = SentenceGroups().build(corpus, vocabulary, analyzer)
    found = [{vocabulary.words[j] for j in groups.members(g)} for g in range(len(groups))]
    assert found == [set(one) for own in documents for one in own if one]


def test_latent_semantic_components_are_the_published_ones():
    words = lines("vocab_recovered")
    analyzer = Analyzer(Tokenizer.preset("wnut2018"))
    design = BagOfWords(analyzer).fit(load("20ng/religion").train.texts)
    index = design.vocabulary.index
    published = [sorted(index[words[int(one) - 1]] for one in line.split()) for line in lines(f"{PREFIX}LSI") if line]
    with pytest.warns(UserWarning, match="1000 components were asked for, but the matrix .* has the rank 863"):
        groups = LSIGroups().build(load("20ng/religion").train, design.vocabulary, analyzer)
    loadings = np.abs(_loadings(design.X, 1000, 0)).T
    differ = 0
    for found, expected, loading in zip(lists(groups), published, loadings, strict=True):
        differ += found != expected
        # Words that stand in the same documents have the same loading, and either may be the tenth.
        assert np.sort(loading[found]) == pytest.approx(np.sort(loading[expected]), abs=1e-9)
    assert differ <= 20

"""Our builders beside the groups that the authors of W-NUT 2018 published for the religion task."""

import lzma
import os
from pathlib import Path

import pytest

from laconic.data import Corpus
from laconic.groups import SentenceGroups
from laconic.text import Analyzer, BagOfWords

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

import numpy as np
import pytest

from laconic.data import Corpus
from laconic.groups import CachedGroups, EmbeddingGroups, GivenGroups, LSIGroups, SentenceGroups
from laconic.text import Analyzer, BagOfWords

TEXTS = ["moon orbit. disk drive", "orbit moon"]
CORPUS = Corpus.from_lists(TEXTS)
VOCABULARY = BagOfWords().fit(TEXTS).vocabulary


def keys(*builders, corpus=CORPUS, vocabulary=VOCABULARY, analyzer=None):
    return [CachedGroups(one, "x").key(corpus, vocabulary, analyzer or Analyzer()) for one in builders]


def test_the_second_time_nothing_is_built(tmp_path, monkeypatch):
    cached = CachedGroups(SentenceGroups(), tmp_path / "kept")
    built = cached.build(CORPUS, VOCABULARY)
    monkeypatch.setattr(SentenceGroups, "build", lambda *_: pytest.fail("built again"))
    read = cached.build(CORPUS, VOCABULARY)
    assert read == built
    assert read.source == built.source
    assert len(list((tmp_path / "kept").iterdir())) == 1


def test_the_key_follows_the_content(tmp_path):
    place = tmp_path / "topics.json"
    place.write_text('{"space": ["moon"]}', encoding="utf-8")
    vectors = EmbeddingGroups((["moon"], np.ones((1, 2))))
    builders = [
        SentenceGroups(),
        SentenceGroups("document"),
        LSIGroups(),
        LSIGroups(texts=["a"]),
        LSIGroups(texts=["b"]),
        vectors,
        EmbeddingGroups((["moon"], np.zeros((1, 2)))),
        GivenGroups(place),
        GivenGroups({"space": ["moon"]}),
        SentenceGroups() + LSIGroups(),
    ]
    found = keys(*builders)
    assert len(set(found)) == len(builders)
    assert found == keys(*builders)
    place.write_text('{"space": ["orbit"]}', encoding="utf-8")
    changed = keys(*builders)
    assert [one for one, other in zip(found, changed, strict=True) if one != other] == [found[7]]
    labelled = Corpus.from_lists(TEXTS, ["a", "b"])
    assert keys(SentenceGroups(), corpus=labelled) == found[:1]  # labels are not looked at
    others = [
        keys(SentenceGroups(), corpus=Corpus.from_lists(TEXTS[::-1])),
        keys(SentenceGroups(), corpus=Corpus.from_lists(TEXTS, ids=["8", "9"])),
        keys(SentenceGroups(), corpus=Corpus.from_lists(TEXTS, trees=["(S a)", "(S b)"])),
        keys(SentenceGroups(), vocabulary=BagOfWords(min_df=2).fit(TEXTS).vocabulary),
        keys(SentenceGroups(), analyzer=Analyzer(strip_mail=True)),
    ]
    assert len({found[0], *(one for (one,) in others)}) == 6


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "kept").write_text("", encoding="utf-8")
    with pytest.raises(NotADirectoryError, match="is a file; name a folder"):
        CachedGroups(SentenceGroups(), tmp_path / "kept").check()

"""What all builders share: sums, texts of their own, words of character models."""

import numpy as np
import pytest

from laconic.data import Corpus
from laconic.groups import (
    BrownGroups,
    CachedGroups,
    EmbeddingGroups,
    GivenGroups,
    JoinedGroups,
    LDAGroups,
    LSIGroups,
    SentenceGroups,
    WordGraphGroups,
)
from laconic.groups.builder import finished, texts_to_learn
from laconic.linear import GroupLassoClassifier
from laconic.models import TextClassifier
from laconic.text import Analyzer, BagOfWords

TEXTS = ["moon orbit. disk drive", "orbit moon", "disk drive", "lamp"]
CORPUS = Corpus.from_lists(TEXTS)
VOCABULARY = BagOfWords().fit(TEXTS).vocabulary
SPACE = GivenGroups({"space": ["moon", "orbit"]})
DISKS = GivenGroups({"disks": ["disk", "drive"]})


def test_a_sum_of_builders_has_the_groups_of_all():
    both = SPACE + DISKS + SentenceGroups("document")
    assert both == JoinedGroups((SPACE, DISKS, SentenceGroups("document")))
    built = both.build(CORPUS, VOCABULARY)
    apart = [one.build(CORPUS, VOCABULARY) for one in both.builders]
    assert built == apart[0] + apart[1] + apart[2]
    assert (SPACE + (DISKS + SPACE)).builders == (SPACE, DISKS, SPACE)
    with pytest.raises(TypeError):
        SPACE + 1


def test_a_sum_checks_all_of_them():
    with pytest.raises(FileNotFoundError, match=r"nope\.json"):
        (SPACE + GivenGroups("nope.json")).check()


@pytest.mark.parametrize(
    "groups",
    [
        SPACE + DISKS,
        LSIGroups(components=2),
        LDAGroups(topics=2, iterations=5),
        WordGraphGroups(),
        BrownGroups(clusters=3),
    ],
    ids=lambda one: type(one).__name__,
)
def test_every_builder_serves_a_text_classifier(groups):
    model = TextClassifier(GroupLassoClassifier(group=0.01), groups).fit(TEXTS, [1, 1, 0, 0])
    assert model.predict(TEXTS).tolist() == [1, 1, 0, 0]
    assert len(model.selected_groups_) >= 1


@pytest.mark.parametrize("make", [LDAGroups, LSIGroups, WordGraphGroups])
def test_texts_of_their_own(make, tmp_path):
    other = ["lamp disk lamp disk"] * 3
    place = tmp_path / "unlabelled.txt"
    place.write_text("\n".join(other), encoding="utf-8")
    options = {} if make is WordGraphGroups else {next(iter(make.__dataclass_fields__)): 1}
    built = make(**options, texts=other).build(None, VOCABULARY)
    assert {VOCABULARY.words[j] for g in range(len(built)) for j in built.members(g)} == {"lamp", "disk"}
    assert built == make(**options, texts=str(place)).build(CORPUS, VOCABULARY)
    assert str(place) in make(**options, texts=place).build(CORPUS, VOCABULARY).source
    with pytest.raises(FileNotFoundError, match="no file of texts 'nope'"):
        make(texts="nope").check()
    with pytest.raises(TypeError, match="texts is a int"):
        make(texts=3)
    with pytest.raises(ValueError, match="no texts to learn groups from"):
        make().build(None, VOCABULARY)


@pytest.mark.parametrize("make", [LDAGroups, LSIGroups, WordGraphGroups])
@pytest.mark.filterwarnings("ignore:1000 ")
def test_no_groups_say_why(make):
    with pytest.raises(ValueError, match=r"There are no groups: (none of the vocabulary's words stands|no two words)"):
        make(texts=["nothing known here"]).build(None, VOCABULARY)


def test_no_groups_of_none():
    with pytest.raises(ValueError, match="There are no groups: of the weather"):
        finished([[], []], ["a", "b"], VOCABULARY, "sqrt", "a test", "of the weather")


def test_the_name_of_a_corpus():
    assert texts_to_learn(Corpus.from_lists(["a"], name="news"), None)[1] == "news"


def test_words_are_needed_for_a_graph():
    with pytest.raises(ValueError, match=r"A word graph needs words, but the features are character n-grams \('char'"):
        WordGraphGroups().build(CORPUS, VOCABULARY, Analyzer(kind="char", ngrams=(2, 3)))


TWO = ["moon orbit. disk drive", "orbit moon"]
PAIR = Corpus.from_lists(TWO)
KNOWN = BagOfWords().fit(TWO).vocabulary


def keys(*builders, corpus=PAIR, vocabulary=KNOWN, analyzer=None):
    return [CachedGroups(one, "x").key(corpus, vocabulary, analyzer or Analyzer()) for one in builders]


def test_the_second_time_nothing_is_built(tmp_path, monkeypatch):
    cached = CachedGroups(SentenceGroups(), tmp_path / "kept")
    built = cached.build(PAIR, KNOWN)
    monkeypatch.setattr(SentenceGroups, "build", lambda *_: pytest.fail("built again"))
    read = cached.build(PAIR, KNOWN)
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
    labelled = Corpus.from_lists(TWO, ["a", "b"])
    assert keys(SentenceGroups(), corpus=labelled) == found[:1]  # labels are not looked at
    others = [
        keys(SentenceGroups(), corpus=Corpus.from_lists(TWO[::-1])),
        keys(SentenceGroups(), corpus=Corpus.from_lists(TWO, ids=["8", "9"])),
        keys(SentenceGroups(), corpus=Corpus.from_lists(TWO, trees=["(S a)", "(S b)"])),
        keys(SentenceGroups(), vocabulary=BagOfWords(min_df=2).fit(TWO).vocabulary),
        keys(SentenceGroups(), analyzer=Analyzer(strip_mail=True)),
    ]
    assert len({found[0], *(one for (one,) in others)}) == 6


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "kept").write_text("", encoding="utf-8")
    with pytest.raises(NotADirectoryError, match="is a file; name a folder"):
        CachedGroups(SentenceGroups(), tmp_path / "kept").check()

"""What all builders share: sums, texts of their own, words of character models."""

import pytest

from laconic.data import Corpus
from laconic.groups import BrownGroups, GivenGroups, JoinedGroups, LDAGroups, LSIGroups, SentenceGroups, WordGraphGroups
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

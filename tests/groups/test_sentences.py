"""Sentence groups against a slow, obvious twin, and their names, weights and refusals."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laconic.groups.sentences as module
from laconic.core.group_parts import UnitNames
from laconic.data import Corpus, demo
from laconic.groups import SentenceGroups
from laconic.text import Analyzer, BagOfWords, Tokenizer, sentence_spans


def twin(corpus, vocabulary, analyzer, level="sentence"):
    """Return {name: words}: for each unit the features that start in it, by looking at every pair."""
    found = {}
    for document in corpus:
        if level == "document":
            units = [(0, len(document.text))]
        elif level == "paragraph":
            units = paragraphs(document.text)
        else:
            units = sentence_spans(document.text)
        spans = analyzer.spans(document.text)
        for number, (first, last) in enumerate(units, 1):
            words = {feature for start, _, feature in spans if first <= start < last} & set(vocabulary.words)
            if words:
                name = f"{level} {number} of doc {document.id}" if level != "document" else f"doc {document.id}"
                found[name] = words
    return found


def paragraphs(text):
    """Return the runs of lines that are not blank."""
    units, start, place = [], None, 0
    for line in text.splitlines(keepends=True):
        if line.strip() and start is None:
            start = place
        if not line.strip() and start is not None:
            units.append((start, place))
            start = None
        place += len(line)
    return units + ([(start, place)] if start is not None else [])


def as_dict(groups, vocabulary):
    return {groups.names[g]: {vocabulary.words[j] for j in groups.members(g).tolist()} for g in range(len(groups))}


def built(corpus, analyzer=None, **options):
    analyzer = Analyzer() if analyzer is None else analyzer
    vocabulary = BagOfWords(analyzer).fit(corpus.texts).vocabulary
    return SentenceGroups(**options).build(corpus, vocabulary, analyzer), vocabulary


@pytest.mark.parametrize("level", module.LEVELS)
@pytest.mark.parametrize(
    "analyzer",
    [
        Analyzer(),
        Analyzer(Tokenizer.preset("wnut2018")),
        Analyzer(ngrams=(1, 2)),
        Analyzer(str.split),
        Analyzer(kind="char_wb", ngrams=(3, 4)),
        Analyzer(strip_mail=True),
    ],
    ids=["word", "wnut2018", "bigrams", "function", "char_wb", "mail"],
)
def test_groups_are_the_words_of_each_unit(level, analyzer):
    letters = demo().train.subset(range(0, 180, 9))
    texts = [text.replace(". ", ".\n\n", 1) for text in letters.texts]
    corpus = Corpus.from_lists(texts, ids=letters.ids)
    groups, vocabulary = built(corpus, analyzer, level=level)
    assert as_dict(groups, vocabulary) == twin(corpus, vocabulary, analyzer, level)
    assert groups.covered.all()
    assert groups.features_sha256 == vocabulary.sha256


@given(
    st.lists(st.text(st.sampled_from("abC. !?\n'é東😀"), max_size=40), min_size=1, max_size=8),
    st.sampled_from(module.LEVELS),
    st.integers(1, 9),
)
@settings(max_examples=150, deadline=None)
def test_any_texts_in_any_chunks(texts, level, chunk):
    corpus = Corpus.from_lists([*texts, "a word"])
    vocabulary = BagOfWords(min_df=1).fit(corpus.texts).vocabulary
    before, module.CHUNK = module.CHUNK, chunk
    try:
        groups = SentenceGroups(level).build(corpus, vocabulary)
    finally:
        module.CHUNK = before
    assert as_dict(groups, vocabulary) == twin(corpus, vocabulary, Analyzer(), level)


def test_words_outside_the_vocabulary_are_left_out_and_empty_sentences_vanish():
    corpus = Corpus.from_lists(["One lamp. Two doors. Lamp lamp.", ""], ids=["a", "b"])
    vocabulary = BagOfWords(min_df=1).fit(["lamp"]).vocabulary
    groups = SentenceGroups().build(corpus, vocabulary)
    assert tuple(groups.names) == ("sentence 1 of doc a", "sentence 3 of doc a")
    assert groups.sizes.tolist() == [1, 1]


def test_weights():
    corpus = Corpus.from_lists(["One two three four. One."])
    assert built(corpus)[0].weights.tolist() == [2.0, 1.0]
    assert built(corpus, weights="ones")[0].weights.tolist() == [1.0, 1.0]


def test_given_sentences_win_over_rules():
    text = "one two. three four"
    corpus = Corpus.from_lists([text], sentences=[["one", "two. three", "four"]])
    groups, vocabulary = built(corpus)
    assert list(as_dict(groups, vocabulary).values()) == [{"one"}, {"two", "three"}, {"four"}]
    groups, _ = built(corpus, level="document")
    assert groups.sizes.tolist() == [4]


def test_given_sentences_that_are_not_in_the_text_are_read_by_themselves():
    corpus = Corpus.from_lists(["It 's late ."], sentences=[["It's late.", "Late!"]])
    vocabulary = BagOfWords().fit(["it's late"]).vocabulary
    groups = SentenceGroups().build(corpus, vocabulary)
    assert [group.tolist() for group in map(groups.members, range(2))] == [[0, 1], [1]]


def test_the_same_corpus_gives_the_same_groups_and_labels_do_not_matter():
    train = demo().train
    first, vocabulary = built(train)
    again = SentenceGroups().build(Corpus.from_lists(train.texts, ids=train.ids), vocabulary)
    assert first == again
    assert pickle.loads(pickle.dumps(first)) == first


def test_names_are_made_only_when_asked_for():
    groups, _ = built(demo().train)
    assert isinstance(groups.names, UnitNames)
    assert groups.names[0] == f"sentence 1 of doc {demo().train.ids[0]}"
    assert len(set(groups.names)) == len(groups)
    few = groups.take([5, 2])
    assert few.names == (groups.names[5], groups.names[2])
    both = groups + groups
    assert len(set(both.names)) == 2 * len(groups)


def test_token_lists_are_documents():
    corpus = Corpus((["a", "b"], ["b"]), None, ("1", "2"))
    analyzer = Analyzer(kind="tokens")
    vocabulary = BagOfWords(analyzer).fit(corpus.texts).vocabulary
    assert SentenceGroups("document").build(corpus, vocabulary, analyzer).sizes.tolist() == [2, 1]
    with pytest.raises(ValueError, match="lists of tokens have no sentences"):
        SentenceGroups().build(corpus, vocabulary, analyzer)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "word"}, "level is 'word'; allowed are 'sentence', 'paragraph', 'document'"),
        ({"weights": "log"}, "weights is 'log'; allowed are 'sqrt'"),
        ({"language": "english"}, "language is 'english'; use a two-letter"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        SentenceGroups(**options)

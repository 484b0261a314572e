"""The demo corpus is what its docstring says: counts, splits, sentences, truth, and learnable by a linear model."""

import re
from collections import Counter

import pytest

from laconic.data.corpus import Corpus
from laconic.data.letters import demo, demo_truth

LABELS = ("complaint", "praise", "repair")


@pytest.fixture(scope="module")
def letters():
    return demo()


@pytest.fixture(scope="module")
def documents(letters):
    return [document for _, corpus in letters for document in corpus]


def test_splits_are_stratified(letters):
    assert letters.train.class_counts() == dict.fromkeys(LABELS, 72)
    assert letters.dev.class_counts() == dict.fromkeys(LABELS, 24)
    assert letters.test.class_counts() == dict.fromkeys(LABELS, 24)
    assert [corpus.name for _, corpus in letters] == ["demo train", "demo dev", "demo test"]


def test_every_call_gives_the_same_corpus(letters):
    assert demo() == letters
    assert all(isinstance(corpus, Corpus) for _, corpus in letters)


def test_ids_and_texts_are_unique_over_all_splits(documents):
    assert len({document.id for document in documents}) == len(documents) == 360
    assert len({document.text.casefold() for document in documents}) == len(documents)


def test_ids_do_not_tell_the_label(documents):
    assert all(re.fullmatch(r"letter-\d{3}", document.id) for document in documents)
    # in the order of the ids no class comes in long runs, as it would had the ids been given class by class
    labels = "".join(document.label[0] for document in sorted(documents, key=lambda document: document.id))
    assert max(len(run.group()) for run in re.finditer(r"(.)\1*", labels)) <= 10


def test_sentences_join_to_the_text(documents):
    for document in documents:
        assert 2 <= len(document.sentences) <= 5, document.id
        assert " ".join(document.sentences) == document.text, document.id
        for sentence in document.sentences:
            assert re.fullmatch(r"[A-Z].*[.!?]", sentence), (document.id, sentence)
            assert sentence == " ".join(sentence.split()), (document.id, sentence)


def test_letters_are_short_plain_text(documents):
    for document in documents:
        assert 25 <= len(document.text.split()) <= 70, document.id
        assert document.text.isascii(), document.id
        assert document.text.isprintable(), document.id


def test_no_sentence_is_used_more_than_twice(documents):
    uses = Counter(sentence for document in documents for sentence in document.sentences)
    assert [sentence for sentence, count in uses.items() if count > 2] == []


def test_truth_names_one_or_two_sentences_of_every_letter_and_leaves_a_neutral_one(documents):
    truth = demo_truth()
    assert truth.keys() == {document.id for document in documents}
    for document in documents:
        telling = truth[document.id]
        assert isinstance(telling, tuple)
        assert 1 <= len(telling) <= 2, document.id
        assert list(telling) == sorted(set(telling)), document.id
        assert telling[0] >= 0, document.id
        assert telling[-1] < len(document.sentences), document.id
        assert len(telling) < len(document.sentences), document.id


def test_a_linear_model_learns_the_labels_but_not_from_the_neutral_sentences(letters):
    truth = demo_truth()
    neutral = [
        [" ".join(s for i, s in enumerate(one.sentences) if i not in truth[one.id]) for one in corpus]
        for corpus in (letters.train, letters.test)
    ]
    assert _test_accuracy(letters, letters.train.texts, letters.test.texts) >= 0.8
    assert _test_accuracy(letters, *neutral) <= 0.6


def _test_accuracy(letters, train_texts, test_texts):
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(CountVectorizer(), LogisticRegression(max_iter=1000))
    return model.fit(train_texts, letters.train.labels).score(test_texts, letters.test.labels)

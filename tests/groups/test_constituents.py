"""Constituents from brackets, CoNLL-U, spans and stanza; the paper's example; malformed trees."""

import os
from collections import namedtuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.data import Corpus, load
from laconic.groups import ConstituentGroups, parsed_by_stanza
from laconic.groups.constituents import read_trees
from laconic.models import TextClassifier
from laconic.text import Analyzer, BagOfWords
from tests.groups.planted import lists

SPLIT = Analyzer(lambda text: text.lower().split())
ACTORS = "(4 (2 (2 The) (2 actors)) (4 (4 (2 are) (4 fantastic)) (2 .)))"


def built(texts, analyzer=SPLIT, ids=None, given=None, **options):
    corpus = Corpus.from_lists(texts, trees=given, ids=ids)
    vocabulary = BagOfWords(analyzer).fit(texts).vocabulary
    groups = ConstituentGroups(**options).build(corpus, vocabulary, analyzer)
    return groups, [{vocabulary.words[j] for j in own} for own in lists(groups)]


def test_the_example_of_the_paper():
    groups, found = built(["The actors are fantastic ."], given=[ACTORS], singletons=True)
    phrases = [{"the", "actors"}, {"are", "fantastic"}, {"are", "fantastic", "."}]
    whole = {"the", "actors", "are", "fantastic", "."}
    assert len(found) == 9
    assert all(one in found for one in [*phrases, whole, *({word} for word in whole)])
    assert groups.structure == "tree"
    groups, found = built(["The actors are fantastic ."], given=[ACTORS])
    assert found == [*phrases, whole]
    assert groups.structure == "tree"
    assert groups.weights.tolist() == pytest.approx(np.sqrt([2, 2, 3, 5]))


def test_neutral_constituents_only():
    _, found = built(["The actors are fantastic ."], given=[ACTORS], labels=("2",))
    assert found == [{"the", "actors"}]
    with pytest.raises(
        ValueError, match=r"no constituents of .* has two words of the vocabulary and a label among '7'"
    ):
        built(["The actors are fantastic ."], given=[ACTORS], labels=["7"])


def test_penn_trees_traces_and_brackets():
    tree = "( (S (NP-SBJ (NNS dogs) (-LRB- -LRB-) (NN x\\/y)) (VP (VBP run) (NP (-NONE- *T*-1)))) )"
    (parsed,) = read_trees(tree)
    assert parsed.words == ["dogs", "(", "x/y", "run"]
    assert ("NP-SBJ", range(3)) in parsed.constituents
    assert [label for label, _ in parsed.constituents] == ["NNS", "-LRB-", "NN", "NP-SBJ", "VBP", "VP", "S"]
    _, found = built(["dogs ( x/y run"], given=[tree])
    assert found == [{"dogs", "(", "x/y"}, {"dogs", "(", "x/y", "run"}]


def test_several_sentences_are_numbered_through():
    groups, found = built(["a b . c d", "e"], given=["(S (A a) (B b))\n(S (C c) (D d))", "(S e)"], ids=["x", "y"])
    assert found == [{"a", "b"}, {"c", "d"}]
    assert list(groups.names) == ["constituent 1 of doc x", "constituent 2 of doc x"]


@given(st.integers(0, 10_000))
def test_constituents_of_a_sentence_are_nested(seed):
    rng = np.random.default_rng(seed)
    words = [f"w{k}" for k in range(rng.integers(2, 12))]

    def tree(own):
        if len(own) == 1:
            return f"(X {own[0]})"
        cut = int(rng.integers(1, len(own)))
        return f"(X {tree(own[:cut])} {tree(own[cut:])})"

    groups, found = built([" ".join(words)], given=[tree(words)], singletons=True)
    assert len(groups) == 2 * len(words) - 1
    assert groups.structure == "tree"
    assert set(words) in found


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ("(S (A a)", "line 1: a bracket is opened and never closed"),
        ("(S (A a))\n)", "line 2: a bracket is closed that was never opened"),
        ("(S (A a))\n\nword", "line 3: 'word' stands outside"),
    ],
)
def test_malformed_brackets_say_where(tmp_path, tree, message):
    with pytest.raises(ValueError, match=rf"tree of document '7', {message}"):
        built(["a b"], given=[tree], ids=["7"])
    (tmp_path / "t.mrg").write_text(tree, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"t\.mrg, {message}"):
        built(["a b"], trees=tmp_path / "t.mrg")
    with pytest.raises(ValueError, match=rf"tree 2, {message}"):
        built(["a b"], trees=["(S a b)", tree])


CONLLU = """# text = The small dogs won't run
1\tThe\tthe\tDET\t_\t_\t3\tdet\t_\t_
2\tsmall\tsmall\tADJ\t_\t_\t3\tamod\t_\t_
3\tdogs\tdog\tNOUN\t_\t_\t6\tnsubj\t_\t_
4-5\twon't\t_\t_\t_\t_\t_\t_\t_\t_
4\two\twill\tAUX\t_\t_\t6\taux\t_\t_
5\tn't\tnot\tPART\t_\t_\t6\tadvmod\t_\t_
5.1\tghost\t_\t_\t_\t_\t_\t_\t_\t_
6\trun\trun\tVERB\t_\t_\t0\troot\t_\t_

1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\trun\trun\tVERB\t_\t_\t0\troot\t_\t_
"""


def test_subtrees_of_dependencies(tmp_path):
    place = tmp_path / "d.conllu"
    place.write_text(CONLLU, encoding="utf-8")
    groups, found = built(["the small dogs wo n't run"], trees=place)
    assert found == [{"the", "small", "dogs"}, {"the", "small", "dogs", "wo", "n't", "run"}, {"dogs", "run"}]
    assert groups.names[0] == "constituent 1 of doc d.conllu:1"
    assert groups.take([0, 1]).structure == "tree"
    _, found = built(["the small dogs wo n't run"], trees=place, labels=["nsubj"])
    assert found == [{"the", "small", "dogs"}]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2\tsmall\tsmall\t", "2 small small ", "line 3: 7 columns, but line 2 has 10"),
        ("2\tsmall", "7\tsmall", "line 3: the word has the number '7', not 2"),
        ("3\tamod", "x\tamod", "line 3: the head is 'x'"),
        ("3\tamod", "9\tamod", "line 3, token 2 of sentence 1: the word is under word 9, but the sentence has 6 words"),
        (
            "0\troot\t_\t_\n\n",
            "3\troot\t_\t_\n\n",
            "line 2, token 1 of sentence 1: no word of the sentence has the head 0; a tree needs a root",
        ),
    ],
)
def test_malformed_dependencies_say_where(tmp_path, old, new, message):
    place = tmp_path / "d.conllu"
    place.write_text(CONLLU.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"d\.conllu, {message}"):
        built(["dogs run"], trees=place)


def test_spans_of_a_user():
    spans = {"x": [(0, 9), (4, 14), (0, 3)], "unknown": [(0, 5)]}
    _, found = built(["big dogs run. Not", "cats"], Analyzer(), ["x", "y"], trees=spans)
    assert found == [{"big", "dogs"}, {"dogs", "run"}]
    for wrong in ((3, 3), (-1, 2), (1,), "ab"):
        with pytest.raises(ValueError, match="Document 'x': a span is"):
            ConstituentGroups({"x": [wrong]})


Node = namedtuple("Node", "label children")
Sentence = namedtuple("Sentence", "constituency")
Parsed = namedtuple("Parsed", "sentences")


def test_trees_of_stanza():
    def node(label, *children):
        return Node(label, tuple(Node(one, ()) if isinstance(one, str) else one for one in children))

    # Of the shape that stanza.models.constituency.parse_tree.Tree has: a word is a node without children.
    tree = node(
        "ROOT",
        node(
            "S",
            node("NP", node("NNS", "Dogs"), node("PRN", node("-LRB-", "("), node("JJ", "big"), node("-RRB-", ")"))),
            node("VP", node("VBP", "run")),
            node(".", "."),
        ),
    )
    corpus = parsed_by_stanza(Corpus.from_lists(["Dogs (big) run.", " "]), lambda _: Parsed([Sentence(tree)] * 2))
    assert corpus.trees[0].splitlines()[0] == (
        "(ROOT (S (NP (NNS Dogs) (PRN (-LRB- -LRB-) (JJ big) (-RRB- -RRB-))) (VP (VBP run)) (. .)))"
    )
    assert corpus.trees[1] == ""
    vocabulary = BagOfWords().fit(corpus.texts).vocabulary
    groups = ConstituentGroups().build(corpus, vocabulary)
    assert [[vocabulary.words[j] for j in own] for own in lists(groups)] == [
        ["big", "dogs"],
        ["big", "dogs", "run"],
    ] * 2


def test_without_stanza_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "stanza", None)
    with pytest.raises(ImportError, match=r"pip install stanza"):
        parsed_by_stanza(Corpus.from_lists(["a"]))


def test_a_text_classifier_takes_the_trees_of_its_documents():
    texts = ["The actors are fantastic .", "dull dull plot"]
    corpus = Corpus.from_lists(texts, trees=[ACTORS, "(1 (1 dull) (1 (1 dull) (2 plot)))"])
    model = TextClassifier(groups=ConstituentGroups(), tokenizer=SPLIT.tokenizer).fit(corpus, [1, 0])
    assert model.predict(texts).tolist() == [1, 0]
    with pytest.raises(ValueError, match="The corpus brings no trees"):
        TextClassifier(groups=ConstituentGroups()).fit(texts, [1, 0])


def test_wrong_parameters():
    with pytest.raises(TypeError, match="trees must be a file"):
        ConstituentGroups(3)
    with pytest.raises(ValueError, match="labels is 'NP'; it must be a list"):
        ConstituentGroups(labels="NP")
    with pytest.raises(FileNotFoundError, match="no file of trees 'nope'"):
        ConstituentGroups("nope").check()


@pytest.mark.skipif("LACONIC_DATA" not in os.environ, reason="LACONIC_DATA is not set")
def test_the_sentiment_treebank():
    train = load("sst").train
    assert len(train) == 6920
    vocabulary = BagOfWords(SPLIT).fit(train.texts).vocabulary
    groups = ConstituentGroups().build(train, vocabulary, SPLIT)
    neutral = ConstituentGroups(labels=("2",)).build(train, vocabulary, SPLIT)
    # By another way: every opening bracket behind which another one comes is a phrase.
    phrases = sum(tree.count("(") - len(text.split()) for tree, text in zip(train.trees, train.texts, strict=True))
    assert 0.95 * phrases < len(groups) <= phrases  # some phrases have the same words as one inside them
    assert 0 < len(neutral) < len(groups)
    first = [g for g, name in enumerate(groups.names[:60]) if name.endswith(f"of doc {train.ids[0]}")]
    words = set(train.texts[0].lower().split())
    assert {vocabulary.words[j] for j in groups.members(first[-1])} == words

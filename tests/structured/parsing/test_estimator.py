"""`DependencyParser`: fit, choose, predict, save, explain."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

import laconic
from laconic import DependencyParser
from laconic.data.annotated.sentences import Sentences
from laconic.structured.parsing.estimator import say_if_long
from laconic.structured.parsing.named_sets import resolve_arcs
from laconic.structured.templates.ordering import comes_before
from tests.structured.trees import planted_trees


@pytest.fixture(scope="module")
def trees():
    return planted_trees(80)


@pytest.fixture(scope="module")
def parser(trees):
    return DependencyParser(passes=3).fit(*trees)


def test_planted_trees_are_found(parser):
    new = planted_trees(30, seed=9)
    assert parser.predict(new[0]) == new[1]
    assert parser.score(*new) == 1.0
    assert len(parser.templates_) <= 684
    assert parser.model_.single


@pytest.mark.parametrize("loss", ["perceptron", "svm", "crf", "mira-1best"])
def test_every_loss_learns(trees, loss):
    found = DependencyParser("small", loss=loss, passes=3, relations=False).fit(*trees)
    assert found.score(*planted_trees(30, seed=9)) > 0.9
    assert all(isinstance(head, int) for head in found.predict(trees[0])[0])


def test_projective_parser_with_many_roots(trees):
    found = DependencyParser("small", projective=True, single_root=False, passes=2, relations=False).fit(*trees)
    assert not found.model_.single
    assert found.score(*planted_trees(30, seed=9)) > 0.9


@pytest.mark.parametrize("selection", ["group-lasso", "information-gain"])
def test_a_budget_leaves_so_many_templates(trees, selection):
    found = DependencyParser(budget=12, selection=selection, selection_passes=2, every=20, passes=2, relations=False)
    found.fit(*trees)
    assert len(found.templates_) == 12
    assert found.score(*planted_trees(30, seed=9)) > 0.9
    assert next(iter(found.strengths_)) in found.templates_


def test_no_template_comes_before_a_coarser_one(trees):
    pair = "head.pos & mod.pos"
    near = ["head.pos[1]", "head.pos[1] & distance", "mod.pos[-1] & direction", "mod.pos[1] & direction"]
    templates = [pair, f"{pair} & direction", "head.word & mod.pos & direction", *near]
    options = {"budget": 3, "selection": "coarse-to-fine", "every": 20, "passes": 2, "relations": False}
    found = DependencyParser(templates, **options).fit(*trees)
    all_of_them = resolve_arcs(templates)
    kept = [one for one in all_of_them if found.strengths_[str(one)] > 0.0]
    assert 0 < len(kept) < 7
    for one in kept:
        assert all(found.strengths_[str(coarser)] > 0.0 for coarser in all_of_them if comes_before(coarser, one))
    assert found.score(*planted_trees(30, seed=9)) > 0.8


def test_lasso_counts_weights(trees):
    found = DependencyParser("small", budget=60, selection="lasso", every=20, passes=2, refit="frozen", relations=False)
    found.fit(*trees)
    assert found.model_.n_rows <= 60


def test_frozen_models_are_smaller(trees):
    options = {"budget": 20, "every": 20, "selection_passes": 2, "passes": 2, "relations": False}
    free = DependencyParser(**options).fit(*trees)
    frozen = DependencyParser(**options, refit="frozen").fit(*trees)
    assert set(frozen.templates_) <= set(free.templates_)
    assert frozen.model_.n_rows < free.model_.n_rows


def test_the_same_seed_gives_the_same_model(trees):
    one, two = (DependencyParser("small", budget=4, every=20, passes=1, relations=False).fit(*trees) for _ in range(2))
    assert one.templates_ == two.templates_
    for a, b in zip(one.model_.rows, two.model_.rows, strict=True):
        np.testing.assert_array_equal(a, b)


def test_saved_and_loaded(parser, tmp_path):
    new = planted_trees(6, seed=3)[0]
    scorer = laconic.load(parser.save(tmp_path / "parser"))
    assert scorer.predict(new) == parser.predict(new)
    assert scorer.to_estimator().predict(new) == parser.predict(new)
    assert scorer.to_estimator().get_params()["passes"] == 3
    (tmp_path / "parser" / "keys.npy").write_bytes(b"")
    with pytest.raises(ValueError, match=r"keys\.npy"):
        laconic.load(tmp_path / "parser")


def test_explanations_add_up(parser, trees):
    sentence = trees[0][0]
    found = parser.explain(sentence)
    scores = parser._parser.scores(Sentences.of([sentence]))[0]
    assert [(one.head, one.relation) for one in found] == parser.predict([sentence])[0]
    for m, one in enumerate(found, 1):
        total = sum(reason.weight for reason in one.reasons)
        other = sum(reason.against for reason in one.reasons)
        np.testing.assert_allclose(total, scores[one.head, m], atol=1e-3)
        np.testing.assert_allclose(total - other, one.margin, atol=1e-3)
    assert found[0].to_dict()["token"] == sentence["word"][0]


def test_marginals_are_probabilities(parser, trees):
    found = parser.predict_marginals(trees[0][:3])
    for one in found:
        np.testing.assert_allclose(one[:, 1:].sum(axis=0), 1.0, atol=1e-6)
        np.testing.assert_allclose(one[0].sum(), 1.0, atol=1e-6)


def test_no_sentences_and_empty_ones(parser):
    assert parser.predict([]) == []
    assert parser.predict([{"word": [], "pos": []}]) == [[]]
    assert clone(parser).passes == 3


@pytest.mark.parametrize(
    ("trees", "error", "message"),
    [
        ([[2, 0], [0]], ValueError, "1 sentences but trees for 2"),
        ([[2, 0, 1]], ValueError, "has 2 words, but its tree has 3 heads"),
        ([[3, 0]], ValueError, "under word 3, but the sentence has 2 words"),
        ([[2, 1]], ValueError, "a tree needs a root"),
        ([["a", 0]], TypeError, "A head is 'a'"),
        ([[(2, "x"), 0]], ValueError, "Some words have a relation and others have none"),
    ],
)
def test_bad_trees_are_refused(trees, error, message):
    sentence = [[{"word": "We", "pos": "P"}, {"word": "sang", "pos": "V"}]]
    with pytest.raises(error, match=message):
        DependencyParser("small").fit(sentence, trees)


def test_tags_are_asked_for():
    with pytest.raises(ValueError, match="a parser needs a part of speech for every token"):
        DependencyParser("small").fit([["We", "sang"]], [[2, 0]])
    with pytest.raises(ValueError, match="There is no token to learn from"):
        DependencyParser("small").fit([], [])


def test_a_column_that_training_had_is_missed(trees):
    sentences, y = trees
    with_lemmas = sentences.with_column("lemma", [word.upper() for word in sentences.columns["word"]])
    found = DependencyParser(["head.lemma & mod.pos", "head.pos & mod.pos & direction"], passes=1, relations=False)
    found.fit(with_lemmas, y)
    with pytest.warns(UserWarning, match="The column lemma of the sentences is empty"):
        found.predict(sentences[:2])


def test_very_long_sentences_work_and_say_what_they_cost(trees):
    found = DependencyParser(["head.pos & mod.pos & direction"], passes=1, relations=False).fit(*trees)
    sentence = {"word": ["lamp"] * 1001, "pos": ["NN"] * 1001}
    with pytest.warns(UserWarning, match=r"has 1,001 tokens: its 1\.0 million possible arcs"):
        (heads,) = found.predict([sentence])
    assert len(heads) == 1001
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        say_if_long(trees[0])

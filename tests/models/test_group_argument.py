"""Groups of text models: what may be given, and that they are built on the texts that are fitted."""

import numpy as np
import pytest
from sklearn.base import clone

from laconic.data import Corpus, Document
from laconic.evaluate import tune
from laconic.groups import GivenGroups, SentenceGroups
from laconic.groups.given import built_groups, check_groups, corpus_of
from laconic.linear import ElasticNetClassifier, GroupLassoClassifier
from laconic.models import TextClassifier, load
from laconic.text import Analyzer, BagOfWords

TOPICS = {"harm": ["broken", "leaking", "loose"], "anger": ["rude", "ignored", "unfair", "rude"]}


@pytest.fixture(scope="module")
def grouped(two):
    texts, y = two
    return TextClassifier(groups=SentenceGroups()).fit(texts, y)


@pytest.fixture(scope="module")
def corpus(letters):
    return letters.train.subset([i for i, label in enumerate(letters.train.labels) if label != "praise"])


def test_without_an_estimator_groups_mean_group_lasso(grouped, two):
    assert isinstance(grouped.estimator_, GroupLassoClassifier)
    assert grouped.estimator is None
    bag = BagOfWords(cells="binary")
    design = bag.fit(two[0])
    groups = SentenceGroups().build(Corpus.from_lists(two[0]), design.vocabulary)
    assert grouped.estimator_.groups == groups
    alone = GroupLassoClassifier(groups, 0.01, 0.1).fit(design.X, two[1])
    np.testing.assert_array_equal(alone.coef_, grouped.estimator_.coef_)
    assert grouped.selected_groups_.n_groups == len(groups)
    assert grouped.selected_groups_.names[0].startswith("sentence ")


def test_a_corpus_names_the_groups_and_brings_its_sentences(corpus):
    y = list(corpus.labels)
    model = TextClassifier(groups=SentenceGroups()).fit(corpus, y)
    assert model.estimator_.groups_.names[0] == f"sentence 1 of doc {corpus.ids[0]}"
    halves = [[text[:20], text[20:]] for text in corpus.texts]
    cut = Corpus.from_lists(corpus.texts, corpus.labels, corpus.ids, sentences=halves)
    assert len(TextClassifier(groups=SentenceGroups()).fit(cut, y).estimator_.groups_) == 2 * len(corpus)
    np.testing.assert_array_equal(model.predict(corpus), model.predict(list(corpus.texts)))


def test_all_that_may_be_given(two):
    texts, y = two
    corpus = Corpus.from_lists(texts)
    vocabulary = BagOfWords().fit(texts).vocabulary
    topics = GivenGroups(TOPICS).build(None, vocabulary)
    assert built_groups(TOPICS, corpus, vocabulary, Analyzer()) == topics
    assert built_groups(topics, corpus, vocabulary, Analyzer()) is topics
    both = built_groups([SentenceGroups("document"), TOPICS], corpus, vocabulary, Analyzer())
    assert len(both) == len(texts) + 2
    assert both.names[-1] == "anger"
    model = TextClassifier(GroupLassoClassifier(group=0.1, l1=0.5), [topics]).fit(texts, y)
    assert model.estimator_.groups_ == topics


@pytest.mark.parametrize("wrong", [3, "sentences", SentenceGroups, [SentenceGroups(), 1]])
def test_anything_else_is_refused_before_work(wrong):
    with pytest.raises(TypeError, match="it must be a builder such as SentenceGroups"):
        TextClassifier(groups=wrong).fit(["a", "b"], [0, 1])


def test_an_empty_list_and_an_estimator_without_groups_are_refused():
    with pytest.raises(ValueError, match="groups is an empty list"):
        check_groups([])
    with pytest.raises(ValueError, match="ElasticNetClassifier has no groups, but groups were given"):
        TextClassifier(ElasticNetClassifier(), SentenceGroups()).fit(["a", "b"], [0, 1])


def test_groups_of_another_vocabulary_are_refused_by_name(two):
    texts, y = two
    vocabulary = BagOfWords().fit(texts[:50]).vocabulary
    groups = GivenGroups(TOPICS).build(None, vocabulary)
    with pytest.raises(ValueError, match=r"The groups 'harm', 'anger' cannot be used here. .*Groups by word"):
        TextClassifier(groups=groups).fit(texts, y)


def test_a_grid_builds_groups_once_per_design(two, monkeypatch):
    texts, y = two
    calls = []
    build = SentenceGroups.build

    def counting(self, *arguments):
        calls.append(self.level)
        return build(self, *arguments)

    monkeypatch.setattr(SentenceGroups, "build", counting)
    grid = [{"estimator__l1": l1, "cells": cells} for l1 in (3.0, 1.0) for cells in ("binary", "count")]
    models = TextClassifier(groups=SentenceGroups("document")).fit_grid(texts[:60], y[:60], grid)
    assert len(calls) == 2
    assert [model.estimator_.l1 for model in models] == [3.0, 3.0, 1.0, 1.0]
    assert all(isinstance(model.estimator_, GroupLassoClassifier) for model in models)
    assert models[0].estimator_.groups_ is models[2].estimator_.groups_
    alone = clone(models[2]).fit(texts[:60], y[:60])
    np.testing.assert_allclose(alone.estimator_.coef_, models[2].estimator_.coef_, atol=1e-3)


def test_tuning_builds_groups_on_each_fold(two, monkeypatch):
    texts, y = two
    sizes = []
    build = SentenceGroups.build

    def noting(self, corpus, *rest):
        sizes.append(len(corpus))
        return build(self, corpus, *rest)

    monkeypatch.setattr(SentenceGroups, "build", noting)
    model = TextClassifier(GroupLassoClassifier(group=0.01, l1=2.0), SentenceGroups("document"))
    tuned = tune(model, {"estimator__l1": [4.0, 2.0]}, texts, y, folds=3)
    assert sizes == [len(texts) * 2 // 3] * 3 + [len(texts)]
    assert tuned.estimator.selected_groups_.n_groups == len(texts)


def test_the_folder_holds_selected_groups_cut_to_kept_words(grouped, two, tmp_path):
    scorer = load(grouped.save(tmp_path / "m"))
    kept = scorer.model.groups
    assert kept.n_selected == len(grouped.selected_groups_)
    assert kept.n_groups == grouped.selected_groups_.n_groups
    words = np.array(grouped.vocabulary_.words)
    weight = dict(zip(words, grouped.estimator_.coef_[0], strict=True))
    sentences = {frozenset(words[grouped.estimator_.groups_.members(g)]) for g in grouped.selected_groups_.indices}
    cut = {frozenset(word for word in one if weight[word] != 0.0) for one in sentences}
    stored = {frozenset(np.array(scorer.model.words)[kept.groups.members(g)]) for g in range(len(kept.groups))}
    assert stored == cut
    assert len(stored) == len(kept.groups)
    content = (tmp_path / "m" / "groups.json").read_text("utf-8")
    assert not any(word in content for word in words[grouped.estimator_.coef_[0] == 0.0] if len(word) > 9)


@pytest.mark.parametrize("cells", ["binary", "tfidf"])
def test_a_saved_model_comes_back_with_its_groups(two, tmp_path, cells):
    texts, y = two
    model = TextClassifier(GroupLassoClassifier(group=0.02, l1=0.5), TOPICS, cells=cells).fit(texts, y)
    again = load(model.save(tmp_path / "m")).to_estimator()
    np.testing.assert_allclose(again.predict_proba(texts), model.predict_proba(texts), atol=1e-12)
    names, norms = model.selected_groups_.names, model.selected_groups_.norms
    assert again.selected_groups_.names == names
    np.testing.assert_allclose(again.selected_groups_.norms, norms)
    assert again.selected_groups_.n_groups == 2
    again.save(tmp_path / "twice")
    first, second = (load(tmp_path / name).model.groups for name in ("m", "twice"))
    assert first.groups == second.groups
    assert (first.n_selected, first.n_groups) == (second.n_selected, second.n_groups)
    assert model.to_sklearn().predict(texts).tolist() == model.predict(texts).tolist()


def test_a_model_that_is_saved_again_still_knows_how_many_groups_were_selected(grouped, tmp_path):
    first = load(grouped.save(tmp_path / "m"))
    second = load(first.to_estimator().save(tmp_path / "twice"))
    assert len(first.model.groups.groups) < first.model.groups.n_selected
    assert second.model.groups.n_selected == first.model.groups.n_selected
    assert second.info["groups"] == first.info["groups"]
    for name in ("groups.json", "weights.npy", "words.json"):
        assert (tmp_path / "twice" / name).read_bytes() == (tmp_path / "m" / name).read_bytes()


def test_groups_that_disagree_with_the_words_are_refused(grouped):
    from dataclasses import replace

    model = grouped.to_scorer().model
    other = replace(model.groups, n_words=3)
    with pytest.raises(ValueError, match="The groups disagree with the words: they were cut to 3 words"):
        replace(model, groups=other)


def test_documents_become_a_corpus():
    documents = [Document("a", "x", sentences=("x",)), Document("b", "y")]
    assert corpus_of(documents).sentences is None
    assert corpus_of(documents[:1]).sentences == (("x",),)
    assert corpus_of(["x", documents[0]]).ids == ("1", "a")
    assert corpus_of([documents[0], documents[0]]).ids == ("1", "2")

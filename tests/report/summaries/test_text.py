from dataclasses import asdict

import numpy as np
import pytest
from sklearn.metrics import average_precision_score
from sklearn.svm import LinearSVC

from laconic.core.summaries.comparison import Contender
from laconic.data import Corpus, Document, demo
from laconic.evaluate import evaluate, reliability
from laconic.groups import SentenceGroups
from laconic.linear import ElasticNetClassifier, GroupLassoClassifier
from laconic.models import TextClassifier, load
from laconic.models.search.fit_text import fit_text
from laconic.models.search.recipe import Recipe
from laconic.report import markdown, summarize
from laconic.report.render.page_data import page_data
from laconic.report.summaries.text import POINTS, _stored_comparison, curves


@pytest.fixture(scope="module")
def letters():
    return demo()


@pytest.fixture(scope="module")
def made(letters):
    return fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("lasso", "none")))


def test_words_and_scores_are_those_of_the_model(letters, made):
    summary = summarize(made.model, letters.test, title="letters")
    weights = made.model.estimator_.coef_
    index = made.model.vocabulary_.index
    assert len(summary.words) == made.model.n_words_
    for one in summary.words:
        assert one.weights == tuple(weights[:, index[one.word]])
    assert [one.strength for one in summary.words] == sorted((one.strength for one in summary.words), reverse=True)
    expected = evaluate(made.model, list(letters.test.texts), list(letters.test.labels))
    assert summary.scores.metrics == pytest.approx(expected.metrics)
    assert summary.scores.confusion == expected.confusion
    assert summary.gap == made.model.estimator_.dual_gap_
    assert summary.title == "letters"


def test_a_saved_model_brings_its_comparison(made, tmp_path):
    loaded = load(made.model.save(tmp_path / "m", extra=made.config))
    summary = summarize(loaded)
    assert summary.scores is None
    assert summary.made["method"] == made.comparison.chosen.method
    assert summary.comparison.reason == made.comparison.reason
    assert [one.words for one in summary.comparison.contenders] == [one.words for one in made.comparison.contenders]
    none = next(one for one in summary.comparison.contenders if one.method == "none")
    assert none.gap == float("inf")
    assert none.seconds is None
    assert summary.comparison.frontier == made.comparison.frontier


def test_a_comparison_stored_before_there_was_a_frontier_comes_back():
    row = {
        **asdict(Contender("omp", 0.0, 0.1, 0.9, 0.1, None, 9, 0.0, chosen=True)),
        "gap": None,
        "curve": [{"words": 9}],
    }
    stored = {"metric": "accuracy", "scored_on": "dev", "reason": "So.", "contenders": [row]}
    comparison = _stored_comparison({"extra": {"comparison": stored}})
    assert (comparison.chosen.gap, comparison.majority, comparison.frontier) == (float("inf"), None, ())


def test_a_model_of_another_maker_has_no_comparison():
    model = TextClassifier(ElasticNetClassifier(l1=0.1)).fit(["broken lamp", "kind thanks"], ["repair", "praise"])
    summary = summarize(model)
    assert summary.comparison is None
    assert summary.made["method"] == "ElasticNetClassifier"
    assert summary.made["l1"] == 0.1


def test_sentences_add_up_to_the_effects_of_their_words(letters, made):
    summary = summarize(made.model, examples=letters.test)
    assert len(summary.examples) == len(letters.test)
    for example in summary.examples:
        effects = sum(effect.log_odds for effect in example.explanation.effects())
        assert sum(total for *_, total in example.sentences) == pytest.approx(effects)


def test_with_two_classes_sentences_add_up_to_the_margin_of_the_label(letters):
    two = letters.train.subset([i for i, label in enumerate(letters.train.labels) if label != "praise"])
    summary = summarize(TextClassifier().fit(two, two.labels), examples=letters.test)
    for example, document in zip(summary.examples, letters.test, strict=True):
        why = example.explanation
        sign = 1 if why.label == why.outputs[0] else -1
        total = sum(total for *_, total in example.sentences)
        assert sign * why.intercept[0] + total == pytest.approx(sign * why.margins[0])
        assert [example.text[start:end] for start, end, _ in example.sentences] == list(document.sentences)


def test_sentences_are_found_when_none_are_given_or_they_are_not_in_the_text(made):
    for sentences in (None, ("Not this.",)):
        document = Document("1", "A lamp is broken. Thank you.", None, sentences)
        (example,) = summarize(made.model, examples=[document]).examples
        assert [example.text[start:end] for start, end, _ in example.sentences] == ["A lamp is broken.", "Thank you."]


def test_a_corpus_without_labels_cannot_be_scored(made):
    with pytest.raises(ValueError, match="has no labels"):
        summarize(made.model, Corpus.from_lists(["a"]))


def test_the_selected_groups_strongest_first(letters):
    train = letters.train.subset([i for i, label in enumerate(letters.train.labels) if label != "praise"])
    model = TextClassifier(GroupLassoClassifier(group=0.05, l1=1.0), SentenceGroups()).fit(train, train.labels)
    selection = summarize(model, groups=10**6).selection
    assert summarize(model).selection.groups == selection.groups[:10]
    assert summarize(model, groups=0).selection.groups == ()
    assert selection.different == len(selection.groups)
    assert selection.selected == len(model.selected_groups_)
    assert selection.selected + selection.removed == model.selected_groups_.n_groups
    norms = [one.norm for one in selection.groups]
    assert norms == sorted(norms, reverse=True)
    assert norms[0] == pytest.approx(model.selected_groups_.norms[0])
    weights = {word: abs(one["repair"]) for word, one in model.to_scorer().words.items()}
    for one in selection.groups:
        own = [weights[word] for word in one.words]
        assert own == sorted(own, reverse=True)
        assert one.norm == pytest.approx(sum(weight**2 for weight in own) ** 0.5)
    text = markdown(summarize(model))
    assert "## Groups" in text
    assert selection.groups[0].name in text
    assert summarize(TextClassifier().fit(["a", "b"], [0, 1])).selection is None


def test_influences_are_those_of_the_predicted_label(letters, made):
    documents = list(letters.test)[:3]
    for document, example in zip(documents, summarize(made.model, examples=documents).examples, strict=True):
        assert example.influences == pytest.approx(made.model.influence(document, example.explanation.label))


@pytest.mark.parametrize("labels", [("repair", "complaint"), ("repair", "complaint", "praise")])
def test_the_page_and_the_terminal_bin_probabilities_alike(letters, labels):
    kept = letters.test.subset([i for i, label in enumerate(letters.test.labels) if label in labels])
    train = letters.train.subset([i for i, label in enumerate(letters.train.labels) if label in labels])
    model = TextClassifier().fit(train, train.labels)
    summary = summarize(model, kept)
    codes = np.searchsorted(model.classes_, kept.labels)
    bins = reliability(model.to_scorer().predict_proba(list(kept.texts)), codes).bins
    shown = page_data(summary)["scores"]["reliability"]
    assert summary.scores.reliability.bins == bins
    assert [one[2] for one in shown] == [one.documents for one in bins]
    assert np.allclose([one[:2] for one in shown], [(one.probability, one.share) for one in bins], atol=1e-3)


def test_only_models_of_laconic_are_summarized():
    with pytest.raises(TypeError, match="needs a model of laconic, loaded or fitted, got LinearSVC"):
        summarize(LinearSVC())


def test_points_fall_in_recall_and_the_area_is_the_average_precision():
    rng = np.random.default_rng(0)
    labels = rng.choice(["a", "b"], 60)
    p = np.clip(0.3 * rng.random(60) + 0.5 * (labels == "b"), 0, 1)
    points = np.array(curves(labels, np.column_stack([1 - p, p]), ["a", "b"]).precision_recall["b"])
    assert np.all(np.diff(points[:, 0]) <= 0)
    assert -np.sum(np.diff(points[:, 0]) * points[:-1, 1]) == pytest.approx(average_precision_score(labels == "b", p))


def test_many_thresholds_are_thinned_and_absent_classes_left_out():
    p = np.linspace(0, 1, 1000)
    shown = curves(["a", "b"] * 500, np.column_stack([1 - p, p, 0 * p]), ["a", "b", "c"]).precision_recall
    assert list(shown) == ["a", "b"]
    assert len(shown["a"]) == POINTS

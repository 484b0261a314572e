"""N-best, marginals and constrained decoding against enumeration of all tag sequences."""

from itertools import product

import numpy as np
import pytest

from laconic import SequenceTagger
from tests.structured.conftest import planted_sentences


@pytest.fixture(scope="module")
def tagger():
    return SequenceTagger(["word[0]", "pos[-1..0]"], passes=2).fit(*planted_sentences(80))


@pytest.fixture(scope="module")
def short():
    sentences, _ = planted_sentences(60, seed=8)
    return sentences.take(np.flatnonzero(sentences.lengths <= 5)[:8])


def all_scores(tagger, sentences):
    """For each sentence a dict from tag sequences to scores."""
    scorer = tagger.to_scorer()
    scores, answer = scorer._scorer.scores(sentences).astype(float), []
    transitions = tagger.model_.transitions.astype(float)
    for start, end in zip(sentences.ends, sentences.ends[1:], strict=False):
        values = {}
        for path in product(range(len(tagger.labels_)), repeat=end - start):
            before = [len(tagger.labels_), *path]
            values[path] = sum(scores[start + i, k] + transitions[before[i], k] for i, k in enumerate(path))
        answer.append(values)
    return answer


def test_n_best(tagger, short):
    for values, found in zip(all_scores(tagger, short), tagger.predict_nbest(short, 7), strict=True):
        best = sorted(values.values(), reverse=True)[:7]
        np.testing.assert_allclose([score for _, score in found], best, atol=1e-4)
        paths = [tuple(tagger.labels_.index(tag) for tag in tags) for tags, _ in found]
        assert len(set(paths)) == 7
        np.testing.assert_allclose([values[path] for path in paths], best, atol=1e-4)


def test_fewer_sequences_than_asked_for(tagger):
    found = tagger.predict_nbest([{"word": ["the"], "pos": ["DT"]}, {"word": [], "pos": []}], 100)
    assert len(found[0]) == len(tagger.labels_)
    assert found[1] == [([], 0.0)]
    with pytest.raises(ValueError, match="at least one"):
        tagger.predict_nbest([["the"]], 0)


def test_marginals(tagger, short):
    for values, found in zip(all_scores(tagger, short), tagger.predict_marginals(short), strict=True):
        log_z = np.logaddexp.reduce(list(values.values()))
        expected = np.zeros_like(found)
        for path, score in values.items():
            for i, label in enumerate(path):
                expected[i, label] += np.exp(score - log_z)
        np.testing.assert_allclose(found, expected, atol=1e-4)


def test_given_tags(tagger, short):
    labels = tagger.labels_
    rng = np.random.default_rng(0)
    given = [[str(rng.choice(labels)) if rng.random() < 0.4 else None for _ in range(n)] for n in short.lengths]
    found = tagger.predict(short, given=given)
    for values, fixed, tags in zip(all_scores(tagger, short), given, found, strict=True):
        fits = {
            path: score
            for path, score in values.items()
            if all(tag is None or labels[k] == tag for k, tag in zip(path, fixed, strict=True))
        }
        assert [labels[k] for k in max(fits, key=fits.get)] == tags


def test_given_tags_that_do_not_fit(tagger, short):
    with pytest.raises(ValueError, match="one tag or None"):
        tagger.predict(short, given=[[None]])
    wrong = [[None] * n for n in short.lengths]
    wrong[0][0] = "B-XP"
    with pytest.raises(ValueError, match="given has the tag 'B-XP'"):
        tagger.predict(short, given=wrong)


def test_reasons_add_up(tagger, short):
    scores = tagger.to_scorer()._scorer.scores(short[:1])
    sentence = short[0]
    tags = tagger.predict([sentence])[0]
    explained = tagger.explain(sentence)
    assert [one.tag for one in explained] == tags
    assert [one.token for one in explained] == sentence["word"]
    for i, one in enumerate(explained):
        mine, other = tagger.labels_.index(one.tag), tagger.labels_.index(one.runner_up)
        assert sum(reason.weight for reason in one.reasons) == pytest.approx(scores[i, mine], abs=1e-4)
        assert sum(reason.against for reason in one.reasons) == pytest.approx(scores[i, other], abs=1e-4)
        assert one.margin > 0
    assert tagger.explain({"word": [], "pos": []}) == []


def test_transitions(tagger):
    table = tagger.transitions_
    assert set(table) == {*tagger.labels_, "⊥"}
    assert table["⊥"]["I-NP"] == pytest.approx(float(tagger.model_.transitions[-1][tagger.labels_.index("I-NP")]))


@pytest.mark.parametrize("loss", ["crf", "perceptron"])
def test_learning_goes_on(loss):
    X, y = planted_sentences(100)
    tagger = SequenceTagger(["word[0]", "pos[0]", "word[-1..0]"], loss=loss, passes=2).partial_fit(X[:20], y[:20])
    before = tagger.predict(X)
    weights = tagger.model_.n_weights
    for _ in range(3):
        tagger.partial_fit(X[20:], y[20:])
    assert tagger.score(X, y) > 0.97
    assert tagger.score(X, y) >= score(y, before)
    assert tagger.model_.n_weights >= weights
    new = [{"word": ["Zanzibar", "the"], "pos": ["FW", "DT"]}]
    for _ in range(20):
        tagger.partial_fit(new, [["B-XP", "B-NP"]])
    assert "B-XP" in tagger.labels_
    assert tagger.predict(new) == [["B-XP", "B-NP"]]
    assert tagger.score(X, y) > 0.9  # what was learned before is not lost


def score(y, found):
    from laconic.structured.tagging.scores import score_tags

    return score_tags(y, found).overall.f1


def test_going_on_without_mistakes_changes_nothing():
    X, y = planted_sentences(40)
    tagger = SequenceTagger(["word[0]", "pos[0]"], loss="perceptron", passes=10, average=False).fit(X, y)
    assert tagger.predict(X) == y
    rows, templates = tagger.model_.rows.copy(), tagger.templates_
    tagger.partial_fit(X, y)
    assert tagger.templates_ == templates
    assert np.array_equal(tagger.model_.rows, rows)

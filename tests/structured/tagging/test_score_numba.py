"""N-best, marginals and constrained decoding against enumeration of all tag sequences."""

from itertools import product

import numpy as np
import pytest

from laconic import SequenceTagger
from tests.structured.planted import planted_sentences


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
    scores, answer = scorer.scores(sentences).astype(float), []
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

"""Scores by the kernels against those by numpy alone."""

import numpy as np
import pytest

from laconic.data.annotated.sentences import Sentences
from laconic.kernels.arcs.scores import BATCH
from laconic.structured.parsing import score_numba as compiled_arcs
from laconic.structured.parsing.fit import fit_arcs
from laconic.structured.parsing.score_numba import CompiledParser
from laconic.structured.parsing.scorer import ParseScorer
from laconic.structured.settings import ParserSettings
from tests.structured.arcs import TEMPLATES, planted_heads
from tests.structured.trees import planted_trees


@pytest.mark.parametrize("most_values", [255, 1])  # what stands between in blocks, or row by row
def test_numpy_alone_gives_the_same_trees(monkeypatch, most_values):
    monkeypatch.setattr(compiled_arcs, "MOST_VALUES", most_values)
    sentences, heads = planted_heads(40, seed=6)
    new = planted_trees(10, seed=7)[0]
    new.columns["word"][3] = "unseen"
    for projective in (False, True):
        settings = ParserSettings("arcs", passes=2, projective=projective, single_root=not projective)
        model = fit_arcs(sentences, heads, settings).model
        fast, plain = CompiledParser(model), ParseScorer(model)
        assert fast.table.blocks.held.any() == (most_values > 1)
        for a, b in zip(fast.scores(new), plain.scores(new), strict=True):
            np.testing.assert_allclose(a[:, 1:], b[:, 1:], atol=1e-9)
        np.testing.assert_array_equal(fast.heads(new), plain.heads(new))


def test_batches_and_long_sentences_give_the_scores_of_numpy():
    sentences, heads = planted_heads(20, seed=9)
    model = fit_arcs(sentences, heads, ParserSettings(TEMPLATES, passes=1)).model
    long = Sentences({name: column[:60] for name, column in sentences.columns.items()}, np.array([60]), "60 words")
    assert 3 * BATCH < 60 * 61
    for a, b in zip(CompiledParser(model).scores(long), ParseScorer(model).scores(long), strict=True):
        np.testing.assert_allclose(a[:, 1:], b[:, 1:], atol=1e-9)

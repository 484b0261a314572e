"""Several budgets from one selection: the largest as if it were alone, smaller ones inside it."""

import numpy as np
import pytest

from laconic.structured.parsing.estimator import read_arcs
from laconic.structured.parsing.fit import fit_arcs
from laconic.structured.parsing.named_sets import resolve_arcs
from laconic.structured.settings import ParserSettings
from laconic.structured.templates.ordering import comes_before
from papers.arc_budgets import fit_budgets, strongest
from tests.structured.trees import planted_trees

TEMPLATES = resolve_arcs(["small", "head.pos & direction", "mod.pos", "mod.word", "between.pos"])


@pytest.fixture(scope="module")
def planted():
    sentences, trees = planted_trees(30, seed=2)
    return sentences, read_arcs(trees, sentences)[0]


@pytest.mark.parametrize("selection", ["group-lasso", "information-gain"])
def test_the_largest_budget_is_a_fit_of_its_own(planted, selection):
    settings = ParserSettings(TEMPLATES, passes=1, selection_passes=1, every=15, selection=selection, budget=6)
    (first, alone), (second, fewer) = fit_budgets(*planted, settings, (2, 6))
    assert (first, second) == (6, 2)
    own = fit_arcs(*planted, settings).model
    assert alone.model.templates == own.templates
    assert all(np.array_equal(a, b) for a, b in zip(alone.model.rows, own.rows, strict=True))
    kept = [name for name in alone.strengths if name in set(map(str, own.templates))]
    assert {str(one) for one in fewer.model.templates} == set(kept[:2])


def test_coarser_templates_stay_with_finer_ones():
    rng = np.random.default_rng(0)
    for budget in range(1, len(TEMPLATES)):
        kept = strongest(TEMPLATES, rng.random(len(TEMPLATES)), "coarse-to-fine", budget)
        assert len(kept) == budget
        for number in kept:
            before = [a for a, one in enumerate(TEMPLATES) if comes_before(one, TEMPLATES[number])]
            assert set(before) <= set(kept.tolist())


def test_of_the_lasso_the_largest_weights_stay(planted):
    settings = ParserSettings(TEMPLATES, passes=1, selection_passes=1, every=15, selection="lasso", refit="frozen")
    sizes = {budget: fitted.model.n_rows for budget, fitted in fit_budgets(*planted, settings, (5, 40, 10))}
    assert list(sizes) == [40, 10, 5]
    assert 0 < sizes[5] <= sizes[10] <= sizes[40] <= 40

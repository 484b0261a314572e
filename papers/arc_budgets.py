"""Parsers of several budgets from one selection: that of the largest budget ranks what the smaller ones keep.

By the group lasso and information gain the strongest templates stay; coarse to fine a template is as strong as the
weakest of those before it, so that none stays without all coarser ones; by the lasso the largest weights stay.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.structured.fit import Fitted
from laconic.structured.parsing.fit import prepare_arcs, refit_arcs, select_arcs
from laconic.structured.parsing.model import ArcModel
from laconic.structured.selection import spare_ties
from laconic.structured.settings import ParserSettings
from laconic.structured.templates.ordering import coarse_groups


def fit_budgets(
    sentences: Sentences,
    heads: NDArray[np.int64],
    settings: ParserSettings,
    budgets: Sequence[int],
) -> Iterator[tuple[int, Fitted[ArcModel]]]:
    """Yield a budget and the parser of that budget, largest first.

    Parameters
    ----------
    sentences : Sentences
    heads : ndarray of int64
        Of all tokens, sentences one after another; 0 is the root.
    settings : ParserSettings
        Its budget is not looked at.
    budgets : sequence of int
        Of templates; for the lasso of weights.
    """
    descending = sorted(budgets, reverse=True)
    settings = replace(settings, budget=descending[0])
    given = prepare_arcs(sentences, heads, settings)
    templates = given.arcs.program.templates
    selected = select_arcs(given, settings, lambda: None)
    for budget in descending:
        if settings.selection == "lasso":
            learner = selected.learner
            keep_largest(learner.rows, budget)
            selected = replace(selected, strengths=np.sqrt(learner.template_squares()))
            kept = np.flatnonzero(selected.strengths > 0.0)
            learner.drop_zeros()
        else:
            kept = strongest(templates, selected.strengths, settings.selection, budget)
        mine = [templates[number] for number in kept]
        yield budget, refit_arcs(given, settings, selected, mine, lambda: None)


def strongest(
    templates: Sequence[Any], strengths: NDArray[np.float64], selection: str, budget: int
) -> NDArray[np.int64]:
    """Return the templates that a budget keeps, by their number, ascending.

    Examples
    --------
    >>> from laconic.structured.parsing.templates import parse_arc_templates
    >>> templates = parse_arc_templates(["head.pos", "head.word", "mod.pos"])
    >>> strongest(templates, np.array([0.2, 1.0, 0.5]), "group-lasso", 2)
    array([1, 2])
    >>> strongest(templates, np.array([0.2, 1.0, 0.5]), "coarse-to-fine", 2)
    array([0, 2])
    """
    strengths, before = strengths.copy(), np.zeros(len(templates))
    if selection == "coarse-to-fine":
        given = strengths.copy()
        for number, finer in enumerate(coarse_groups(templates)):
            strengths[finer] = np.minimum(strengths[finer], given[number])
            before[finer] += 1  # of templates that tie the coarser ones go first
    order = np.lexsort((before, -strengths))
    return np.sort(order[: min(budget, np.count_nonzero(strengths))])


def keep_largest(weights: NDArray[np.float32], budget: int) -> None:
    """Set all weights but the largest to zero, in place.

    Examples
    --------
    >>> weights = np.array([[0.5], [-2.0], [1.0]], dtype=np.float32)
    >>> keep_largest(weights, 2)
    >>> weights.ravel()
    array([ 0., -2.,  1.], dtype=float32)
    """
    sizes = np.abs(weights)
    threshold, surplus = spare_ties(sizes.ravel(), budget)
    weights[(sizes <= threshold) | surplus.reshape(weights.shape)] = 0.0

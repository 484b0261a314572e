"""Which templates to keep: online proximal gradient steps with a budget; with the perceptron loss, the sparseptron.

Every `every` sentences a proximal step leaves `budget` templates; in between all may come back. The run ends at the
last full window: the sentences after it would bring every template back to life.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.structured.extraction import Extracted
from laconic.structured.filtering import information_gains
from laconic.structured.learner import Learner
from laconic.structured.ordering import coarse_groups, column_tree, disjoint_families
from laconic.structured.settings import Settings
from laconic.structured.shrinkage import (
    Floats,
    budget_factors,
    family_factors,
    group_factors,
    row_norms,
    shrink_entries,
    spare_ties,
    tree_factors,
)

Watch = Callable[[int], None]


@dataclass(frozen=True)
class Selected:
    """What a selection found.

    Parameters
    ----------
    learner : Learner
        Of the last run, with the weights that survived.
    strengths : ndarray
        For each template ‖θ_m‖/d_m after the last proximal steps, as a share of the largest, averaged over the runs.
    memory : list of int
        Features with weights, after each pass at their most.
    """

    learner: Learner
    strengths: Floats
    memory: list[int]


def group_penalties(extracted: Extracted, n_labels: int, settings: Settings) -> Floats:
    """Return d_m of each template: log₂|G_m| (at least 1), 1, or as given by the template's text; 1 if not named."""
    if settings.group_weights == "one":
        return np.ones(len(extracted.program.templates))
    if settings.group_weights == "log2":
        return np.maximum(1.0, np.log2(np.maximum(extracted.sizes, 1) * n_labels))
    given = dict(settings.group_weights)  # type: ignore[arg-type]
    names = [str(one) for one in extracted.program.templates]
    unknown = sorted(set(given) - set(names))
    if unknown:
        raise ValueError(f"group_weights names the template {unknown[0]!r}, which is not among those used.")
    found = np.array([given.get(name, 1.0) for name in names], dtype=np.float64)
    if not (found > 0.0).all():
        raise ValueError("group_weights must be above 0.")
    return found


def select(
    extracted: Extracted, tags: NDArray[np.int64], costs: NDArray[np.float32], settings: Settings, watch: Watch
) -> Selected:
    """Run the selection ``settings.shuffles`` times, each in another order of the sentences.

    Parameters
    ----------
    extracted : Extracted
    tags : ndarray of int64
    costs : ndarray of float32
        Of a wrong token, by its label.
    settings : Settings
    watch : callable
        Called with 1 after each pass.
    """
    n_labels = len(costs)
    if settings.selection == "information-gain":
        gains = information_gains(extracted, tags, n_labels)
        return Selected(Learner(extracted, tags, n_labels), gains / max(float(gains.max()), 1e-30), [])
    penalties = group_penalties(extracted, n_labels, settings)
    shrink = _shrinker(extracted, n_labels, penalties, settings)
    strengths = np.zeros(len(penalties))
    memory: list[int] = []
    for run in range(settings.shuffles):
        learner = Learner(extracted, tags, n_labels)
        rng = np.random.default_rng([settings.random_state, run])
        norms = _run(learner, rng, costs, settings, shrink, memory, watch)
        units = norms / penalties
        strengths += units / max(float(units.max()), 1e-30) / settings.shuffles
    return Selected(learner, strengths, memory)


def template_squares(learner: Learner) -> Floats:
    """Return the squared norm of each template's weights."""
    squares = np.einsum("ij,ij->i", learner.rows, learner.rows)
    n_templates = len(learner.extracted.program.templates)
    return np.bincount(template_of(learner), weights=squares, minlength=n_templates).astype(np.float64)


def template_of(learner: Learner) -> NDArray[np.int64]:
    """Return the template of each row of weights."""
    return np.searchsorted(learner.extracted.text.base, learner.features, side="right") - 1


def _run(
    learner: Learner,
    rng: np.random.Generator,
    costs: NDArray[np.float32],
    settings: Settings,
    shrink: Callable[[Learner, int], None],
    memory: list[int],
    watch: Watch,
) -> Floats:
    n_sentences = len(learner.extracted.text.lengths)
    every = min(settings.every, n_sentences)
    total = settings.selection_passes * n_sentences // every * every
    orders = [rng.permutation(n_sentences) for _ in range(settings.selection_passes)]
    order = np.concatenate(orders)[:total]
    most, passes = 0, 0
    late: list[Floats] = []
    for start in range(0, total, every):
        rate = settings.rate / math.sqrt(start // n_sentences + 1)
        window = order[start : start + every]
        if settings.selection_loss == "crf":
            learner.by_likelihood(window, costs, False, rate, 0.0)
        else:
            learner.by_margin(window, settings.selection_loss, costs, rate)
        most = max(most, learner.n_rows)
        shrink(learner, len(window))
        if settings.shuffles > 1 and start >= total - n_sentences:
            late.append(np.sqrt(template_squares(learner)))
        if (start + every) // n_sentences > passes or start + every >= total:
            passes = (start + every) // n_sentences
            memory.append(most)
            most = 0
            watch(1)
    return np.mean(late, axis=0) if late else np.sqrt(template_squares(learner))


def _joint_penalty(
    extracted: Extracted, n_labels: int, group: NDArray[np.int64], penalties: Floats, settings: Settings
) -> float:
    """Return d of a group of templates: by the size of all of them, or, if d does not follow sizes, their mean."""
    if settings.group_weights == "log2":
        return max(1.0, float(np.log2(max(extracted.sizes[group].sum(), 1) * n_labels)))
    return float(penalties[group].mean())


def _shrinker(
    extracted: Extracted, n_labels: int, penalties: Floats, settings: Settings
) -> Callable[[Learner, int], None]:
    """Return the proximal step that a penalty asks for; rows that become zero leave the memory."""
    budget = settings.budget if settings.budget is not None else len(penalties)
    groups: list[NDArray[np.int64]] = []
    families: list[list[int]] = []
    if settings.selection == "coarse-to-fine":
        groups = coarse_groups(extracted.program.templates)
        families = disjoint_families(groups)
    tree = column_tree(extracted.program.templates) if settings.selection == "tree" else []
    tree_penalties = np.array([_joint_penalty(extracted, n_labels, group, penalties, settings) for group in tree])

    def shrink(learner: Learner, seen: int) -> None:
        rows = learner.rows
        if settings.selection in ("lasso", "elastic-net", "sparse-group"):
            shrink_entries(rows, settings.strength * settings.rate * seen)
        if settings.selection == "elastic-net":
            n_sentences = len(learner.extracted.text.lengths)
            rows /= np.float32(1.0 + 2.0 * settings.l2 / n_sentences * settings.rate * seen)
        if settings.selection in ("lasso", "elastic-net"):
            if settings.budget is not None:
                threshold, surplus = spare_ties(np.abs(rows).ravel(), budget)
                rows.reshape(-1)[surplus] = 0.0
                shrink_entries(rows, threshold)
        elif settings.selection == "labels":
            norms = row_norms(rows)
            threshold = 0.0
            if settings.budget is not None:
                threshold, surplus = spare_ties(norms, budget)
                norms[surplus] = 0.0
                rows[surplus] = 0.0
            step = threshold + settings.strength * settings.rate * seen
            rows *= group_factors(norms, np.ones_like(norms), step)[:, None].astype(np.float32)
        else:
            squares = template_squares(learner)
            if tree:
                factors = tree_factors(np.sqrt(squares), tree_penalties, tree, budget)
            elif groups:
                factors = family_factors(squares, penalties, groups, families, budget)
            else:
                factors = budget_factors(np.sqrt(squares), penalties, budget)
            if (factors < 1.0).any():
                rows *= factors[template_of(learner)][:, None].astype(np.float32)
        learner.drop(np.asarray(~rows.any(axis=1)))

    return shrink

r"""Which templates to keep: online proximal gradient steps with a budget; with the perceptron loss, the sparseptron.

Every `every` sentences a proximal step leaves `budget` templates; in between all may come back. The run ends at the
last full window: the sentences after it would bring every template back to life.

The group lasso :math:`\Omega(\theta) = \sum_m d_m\|\theta_m\|_2` over disjoint groups has the prox
:math:`\theta_m \leftarrow \max(0, 1 - \tau d_m/\|\theta_m\|)\,\theta_m`. A budget B chooses τ: while more than B groups
are nonzero, it lies half way between the B-th and the (B+1)-th largest :math:`\|\theta_m\|/d_m`, so that B stay. A step
reads every weight once and writes it once; with one per thousand sentences weights need no separate scales.
"""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from laconic.kernels.linear.overlapping import shrink_groups
from laconic.structured.settings import Settings
from laconic.structured.templates.ordering import coarse_groups, column_tree, disjoint_families

Floats = NDArray[np.float64]

TEMPLATE_BUDGETS = ("group-lasso", "tree", "sparse-group", "information-gain")  # whose budget counts templates


class Selectable(Protocol):
    """What a selection asks of a learner, of taggers or of parsers."""

    @property
    def n_rows(self) -> int: ...
    @property
    def rows(self) -> NDArray[np.float32]: ...
    def by_margin(self, order: NDArray[np.int64], rule: str, step: float = ..., cap: float = ...) -> None: ...
    def by_likelihood(self, order: NDArray[np.int64], adaptive: bool, rate: float, l2: float) -> None: ...
    def template_squares(self) -> Floats: ...
    def scale_templates(self, factors: Floats) -> None: ...
    def drop_zeros(self) -> None: ...


L = TypeVar("L", bound=Selectable)


@dataclass(frozen=True)
class Selected(Generic[L]):
    """The learner of the last run with the weights that survived, and the most features in memory in each pass."""

    # ``strengths`` has for each template ‖θ_m‖/d_m after the last steps, as a share of the largest, averaged over runs.

    learner: L
    strengths: Floats
    memory: list[int]


def group_penalties(names: Sequence[str], sizes: NDArray, settings: Settings) -> Floats:
    """Return d_m of each template: log₂ of its weights (at least 1), 1, or as given by its text; 1 if not named."""
    if settings.group_weights == "one":
        return np.ones(len(names))
    if not isinstance(settings.group_weights, Mapping):
        return np.maximum(1.0, np.log2(np.maximum(sizes, 1)))
    given = settings.group_weights
    unknown = sorted(set(given) - set(names))
    if unknown:
        raise ValueError(f"group_weights names the template {unknown[0]!r}, which is not among those used.")
    penalties = np.array([given.get(name, 1.0) for name in names], dtype=np.float64)
    if not (penalties > 0.0).all():
        raise ValueError("group_weights must be above 0.")
    return penalties


def run_selection(
    start: Callable[[], L],
    templates: Sequence[Any],
    n_sentences: int,
    settings: Settings,
    *,
    sizes: Callable[[], NDArray],
    gains: Callable[[], Floats],
    watch: Callable[[], None],
) -> Selected[L]:
    """Run a selection ``settings.shuffles`` times, each in another order of the sentences."""
    # ``start`` returns a learner without weights, ``sizes`` how many weights each template may have, ``gains`` their
    # information gains; ``watch`` is called after each pass.
    if settings.selection == "information-gain":
        found = gains()
        return Selected(start(), found / max(float(found.max()), 1e-30), [])
    counts = sizes() if settings.group_weights == "log2" else np.ones(len(templates))
    penalties = group_penalties([str(one) for one in templates], counts, settings)
    shrink = _shrinker(templates, counts, penalties, n_sentences, settings)
    strengths = np.zeros(len(penalties))
    memory: list[int] = []
    for run in range(settings.shuffles):
        learner = start()
        rng = np.random.default_rng([settings.random_state, run])
        norms = _run(learner, n_sentences, rng, settings, shrink, memory, watch)
        units = norms / penalties
        strengths += units / max(float(units.max()), 1e-30) / settings.shuffles
    return Selected(learner, strengths, memory)


def kept_templates(strengths: Floats, settings: Settings, hint: str) -> NDArray[np.int64]:
    """Return the numbers of the templates that a selection keeps; ``hint`` says why none might be left."""
    kept = np.flatnonzero(strengths > 0.0)
    if settings.budget is not None and settings.selection in TEMPLATE_BUDGETS:
        kept = np.sort(np.argsort(-strengths, kind="stable")[: min(settings.budget, len(kept))])
    if not len(kept):
        if settings.strength > 0.0:
            hint = "ask for a smaller strength"
        elif settings.min_count > 1:
            hint = "ask for a smaller min_count"
        raise ValueError(f"No template is left; {hint}.")
    if settings.selection == "coarse-to-fine" and settings.budget is not None and len(kept) > settings.budget:
        warnings.warn(
            f"{len(kept)} templates are left, more than the budget of {settings.budget}: where groups overlap, the "
            "budget is shared out among families of groups, of which each keeps at least one with all that it holds. "
            "Ask for a smaller budget, or take selection='group-lasso', which keeps to it.",
            stacklevel=3,
        )
    return kept


def by_strength(templates: Sequence[Any], strengths: Floats) -> dict[str, float]:
    """Return each template's strength, strongest first."""
    return {str(templates[number]): float(strengths[number]) for number in np.argsort(-strengths, kind="stable")}


def _run(
    learner: Selectable,
    n_sentences: int,
    rng: np.random.Generator,
    settings: Settings,
    shrink: Callable[[Selectable, int], None],
    memory: list[int],
    watch: Callable[[], None],
) -> Floats:
    """Go over the sentences with proximal steps between; return the norm of each template's weights in the end."""
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
            learner.by_likelihood(window, False, rate, 0.0)
        else:
            learner.by_margin(window, settings.selection_loss, rate)
        most = max(most, learner.n_rows)
        shrink(learner, len(window))
        if settings.shuffles > 1 and start >= total - n_sentences:
            late.append(np.sqrt(learner.template_squares()))
        if (start + every) // n_sentences > passes or start + every >= total:
            passes = (start + every) // n_sentences
            memory.append(most)
            most = 0
            watch()
    return np.mean(late, axis=0) if late else np.sqrt(learner.template_squares())


def _shrinker(
    templates: Sequence[Any], sizes: NDArray, penalties: Floats, n_sentences: int, settings: Settings
) -> Callable[[Selectable, int], None]:
    """Return the proximal step that a penalty asks for; rows that become zero leave the memory."""
    budget = settings.budget if settings.budget is not None else len(penalties)
    groups: list[NDArray[np.int64]] = []
    families: list[list[int]] = []
    if settings.selection == "coarse-to-fine":
        groups = coarse_groups(templates)
        families = disjoint_families(groups)
    tree = column_tree(templates) if settings.selection == "tree" else []
    # d of a group of templates is by the size of all of them (at least 1), or, if d does not follow sizes, their mean.
    by_size = settings.group_weights == "log2"
    joint = [np.log2(max(sizes[group].sum(), 2)) if by_size else penalties[group].mean() for group in tree]
    tree_penalties = np.array(joint, dtype=np.float64)

    def shrink(learner: Selectable, seen: int) -> None:
        rows, step = learner.rows, settings.strength * settings.rate * seen
        if settings.selection in ("lasso", "elastic-net", "sparse-group"):
            shrink_entries(rows, step)
        if settings.selection == "elastic-net":
            rows /= np.float32(1.0 + 2.0 * settings.l2 / n_sentences * settings.rate * seen)
        if settings.selection in ("lasso", "elastic-net"):
            keep_entries(rows, settings.budget)
        elif settings.selection == "labels":
            keep_rows(rows, settings.budget, step)
        else:
            squares = learner.template_squares()
            if tree:
                factors = tree_factors(np.sqrt(squares), tree_penalties, tree, budget)
            elif groups:
                factors = family_factors(squares, penalties, groups, families, budget)
            else:
                factors = budget_factors(np.sqrt(squares), penalties, budget)
            if (factors < 1.0).any():
                learner.scale_templates(factors)
        learner.drop_zeros()

    return shrink


def budget_threshold(norms: Floats, budget: int) -> float:
    """Return the τ that leaves ``budget`` of the groups with these norms, in units of d; 0 if no more are nonzero."""
    if np.count_nonzero(norms) <= budget:
        return 0.0
    if budget == 0:
        return float(norms.max())
    largest = np.partition(norms, [len(norms) - budget - 1, len(norms) - budget])
    return float(largest[len(norms) - budget - 1] + largest[len(norms) - budget]) / 2.0


def spare_ties(sizes: NDArray, budget: int) -> tuple[float, NDArray[np.bool_]]:
    """Return `budget_threshold` and what must become zero besides."""
    # More than ``budget`` groups that tie for the largest would all vanish. Then the threshold lies half way to the
    # next smaller size, and of those that tie the first ones stay.
    threshold = budget_threshold(sizes.astype(np.float64), budget)
    surplus = np.zeros(len(sizes), dtype=np.bool_)
    largest = sizes.max(initial=0.0)
    if threshold == 0.0 or threshold < largest:
        return threshold, surplus
    surplus[np.flatnonzero(sizes == largest)[budget:]] = True
    return float(largest + sizes[sizes < largest].max(initial=0.0)) / 2.0, surplus


def group_factors(norms: Floats, penalties: Floats, threshold: float) -> Floats:
    """Return by what the prox with step ``threshold`` multiplies each group."""
    if threshold == 0.0:
        return np.ones_like(norms)
    factors = np.zeros_like(norms)
    alive = norms > threshold * penalties
    factors[alive] = 1.0 - threshold * penalties[alive] / norms[alive]
    return factors


def budget_factors(norms: Floats, penalties: Floats, budget: int) -> Floats:
    """Return the factors of the budget-driven prox for disjoint groups."""
    threshold, surplus = spare_ties(norms / penalties, budget)
    return np.where(surplus, 0.0, group_factors(norms, penalties, threshold))


def family_factors(
    squares: Floats,
    penalties: Floats,
    groups: Sequence[NDArray[np.int64]],
    families: Sequence[Sequence[int]],
    budget: int,
) -> Floats:
    """Return the factors of each template for overlapping groups, by one prox per family of disjoint groups."""
    # ``squares`` are of each template's weights, ``penalties`` the d of each group. The budget is shared out among the
    # families by their size; each has at least one group.
    factors = np.ones(len(squares))
    total = sum(len(family) for family in families)
    for family in families:
        share = max(1, round(budget * len(family) / total))
        norms = np.array([np.sqrt((squares[groups[g]] * factors[groups[g]] ** 2).sum()) for g in family])
        for g, factor in zip(family, budget_factors(norms, penalties[list(family)], share), strict=True):
            factors[groups[g]] *= factor
    return factors


def tree_factors(norms: Floats, penalties: Floats, groups: Sequence[NDArray[np.int64]], budget: int) -> Floats:
    """Return the factors of each template for nested groups."""
    # The prox of :math:`\tau\sum_g d_g\|\theta_g\|_2` shrinks groups one after another, inner ones first. All τ in an
    # interval leave the same number of templates, at most ``budget``; the middle of it is taken. If that would be none,
    # because too many tie, the step is half as long, and the strongest stay. A group comes after those that it holds.
    ends = np.cumsum([0, *map(len, groups)])
    members = np.concatenate(groups).astype(np.int32)
    order = np.arange(len(groups))
    for one in (ends, members):
        one.setflags(write=False)  # as the kernel is compiled for

    def shrunk(threshold: float) -> Floats:
        left = norms[:, None].copy()
        shrink_groups(left, ends, members, threshold * penalties, order)
        return left[:, 0]

    def least(size: int) -> float:
        """Return the smallest τ that leaves at most ``size`` templates."""
        low, high = 0.0, 2.0 * float(norms.max(initial=0.0) / penalties.min())
        for _ in range(60):
            middle = (low + high) / 2.0
            low, high = (low, middle) if np.count_nonzero(shrunk(middle)) <= size else (middle, high)
        return high

    if np.count_nonzero(norms) <= budget:
        return np.ones_like(norms)
    start = least(budget)
    left = int(np.count_nonzero(shrunk(start)))
    if left:
        found = shrunk((start + least(left - 1)) / 2.0)
    else:  # too many vanish together: of those that are left shortly before, the strongest and first ones stay
        found = shrunk(start / 2.0)
        found[np.argsort(-found, kind="stable")[budget:]] = 0.0
    return found / np.where(norms > 0.0, norms, 1.0)


def shrink_entries(rows: NDArray[np.float32], threshold: float) -> None:
    """Soft-threshold every weight in place: the prox of the lasso."""
    size = np.float32(threshold)
    np.sign(rows, out=(signs := np.empty_like(rows)))
    np.abs(rows, out=rows)
    rows -= size
    np.maximum(rows, np.float32(0.0), out=rows)
    rows *= signs


def keep_entries(rows: NDArray[np.float32], budget: int | None) -> None:
    """Leave so many weights, all if there is no budget: the prox of the lasso with a budget, in place."""
    if budget is not None:
        threshold, surplus = spare_ties(np.abs(rows).ravel(), budget)
        rows.reshape(-1)[surplus] = 0.0
        shrink_entries(rows, threshold)


def keep_rows(rows: NDArray[np.float32], budget: int | None, step: float) -> None:
    """Shrink each row by ``step``, and by as much more as leaves so many of them, in place."""
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    threshold = 0.0
    if budget is not None:
        threshold, surplus = spare_ties(norms, budget)
        norms[surplus] = 0.0
        rows[surplus] = 0.0
    rows *= group_factors(norms, np.ones_like(norms), threshold + step)[:, None].astype(np.float32)

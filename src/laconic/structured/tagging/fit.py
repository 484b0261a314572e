"""`fit_chain`: sentences and tags to a model, in one or two stages.

With a budget, a selection (see `laconic.structured.selection.selection`) decides on the templates; then the model is
refitted
without penalty on those alone, which also leave the extraction. Without a budget all templates are fitted at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences, flat_tags
from laconic.structured.selection.selection import Selected, say_if_more, select
from laconic.structured.tagging.extraction import Extracted, extract
from laconic.structured.tagging.lbfgs import solve_crf
from laconic.structured.tagging.learner import Learner
from laconic.structured.tagging.model import ChainModel, compact
from laconic.structured.tagging.program import compile_program
from laconic.structured.tagging.settings import Settings
from laconic.structured.templates.language import Template

Progress = Callable[[int, int, str], None]
Weights = tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]


@dataclass(frozen=True)
class Fitted:
    """A model and how it came about.

    Parameters
    ----------
    model : ChainModel
    strengths : dict
        Template to its strength in the selection, strongest first; empty without one.
    memory : list of int
        Features with weights at most in each pass, selection and refit.
    objective : float, optional
        What L-BFGS reached: the summed loss with λ₂‖θ‖².
    """

    model: ChainModel
    strengths: dict[str, float] = field(default_factory=dict)
    memory: list[int] = field(default_factory=list)
    objective: float | None = None


def fit_chain(
    sentences: Sentences,
    tags: Sequence[Sequence[str]] | list[str],
    templates: Sequence[Template],
    settings: Settings,
    progress: Progress | None = None,
    start: ChainModel | None = None,
) -> Fitted:
    """Learn a tagger.

    Parameters
    ----------
    sentences : Sentences
    tags : list of list of str
        One list a sentence.
    templates : sequence of Template
    settings : Settings
    progress : callable, optional
        Called with (passes done, passes in all, what is done).
    start : ChainModel, optional
        Go on from its weights; the templates must be its own, and there is no selection.
    """
    flat = flat_tags(tags, sentences)
    if not flat:
        raise ValueError("There is no token to learn from; pass at least one sentence with tags.")
    labels = tuple(sorted({*flat, *(() if start is None else start.labels)}))
    if start is None and _selects(settings) and len(labels) == 1:
        raise ValueError(
            f"All tags are {labels[0]!r}, so that there is nothing to choose templates by; pass sentences with other "
            "tags too, or leave out the budget."
        )
    numbers = {label: number for number, label in enumerate(labels)}
    y = np.fromiter(map(numbers.__getitem__, flat), dtype=np.int64, count=len(flat))
    costs = _costs(labels, settings, settings.loss)
    steps = _Steps(settings, progress)
    extracted = extract(sentences, compile_program(templates), start, settings.min_count)
    strengths: dict[str, float] = {}
    memory: list[int] = []
    learner = Learner(extracted, y, len(labels))
    if start is not None:
        _begin_with(learner, start, numbers)
    if start is None and _selects(settings):
        asked = _costs(labels, settings, settings.selection_loss)
        selected = select(extracted, y, asked, settings, lambda done: steps.add("selection"))
        strengths = _by_strength(extracted, selected.strengths)
        memory = selected.memory
        learner = _surviving(extracted, y, selected, settings, costs)
        extracted = learner.extracted
    if settings.refit == "observed":
        _allow_observed(learner)
    weights, objective = _refit(learner, costs, settings, steps, memory)
    if settings.keep is not None and settings.keep < np.count_nonzero(weights[1]):
        _keep_most_salient(learner, weights, settings.keep)
        (features, rows, transitions), objective = _refit(learner, costs, settings, steps, memory)
        # Who cuts weights wants a small file: half precision changes nothing that could be seen, and halves it.
        weights = features, rows.astype(np.float16).astype(np.float32), transitions
    model = compact(extracted.program, extracted.tables, extracted.grams, labels, weights)
    return Fitted(model, strengths, memory, objective)


class _Steps:
    """Counts passes for the progress bar."""

    def __init__(self, settings: Settings, progress: Progress | None) -> None:
        self._progress, self._done = progress, 0
        fits = settings.passes * (1 if settings.keep is None else 2)
        steps = settings.selection_passes * settings.shuffles
        self._total = fits + (steps if _selects(settings) else 0)

    def add(self, what: str) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(min(self._done, self._total), self._total, what)


def _selects(settings: Settings) -> bool:
    return settings.budget is not None or settings.strength > 0.0


def _costs(labels: tuple[str, ...], settings: Settings, loss: str) -> NDArray[np.float32]:
    """Return what a wrong token costs, by its label: 1 if not named, and nothing in a CRF that was given no costs."""
    unknown = sorted(set(settings.token_costs) - set(labels))
    if unknown:
        raise ValueError(f"token_costs names the label {unknown[0]!r}; the tags have {', '.join(labels)}.")
    usual = 0.0 if loss == "crf" and not settings.token_costs else 1.0
    return np.array([settings.token_costs.get(label, usual) for label in labels], dtype=np.float32)


def _by_strength(extracted: Extracted, strengths: NDArray[np.float64]) -> dict[str, float]:
    order = np.argsort(-strengths, kind="stable")
    return {str(extracted.program.templates[number]): float(strengths[number]) for number in order}


def _surviving(
    extracted: Extracted, y: NDArray[np.int64], selected: Selected, settings: Settings, costs: NDArray[np.float32]
) -> Learner:
    """Return a learner over the templates that were kept; if frozen, only their surviving weights may change."""
    strengths = selected.strengths
    kept = np.flatnonzero(strengths > 0.0)
    if settings.budget is not None and settings.selection in (
        "group-lasso",
        "tree",
        "sparse-group",
        "information-gain",
    ):
        kept = np.sort(np.argsort(-strengths, kind="stable")[: min(settings.budget, len(kept))])
    if not len(kept):
        hint = "none of them tells the tags apart; pass other templates"
        if settings.strength > 0.0:
            hint = "ask for a smaller strength"
        elif settings.min_count > 1:
            hint = "ask for a smaller min_count"
        raise ValueError(f"No template is left; {hint}.")
    say_if_more(len(kept), settings, "selection='tree' or 'group-lasso', which keep to it")
    smaller = extracted.only(compile_program([extracted.program.templates[number] for number in kept]))
    learner = Learner(smaller, y, len(costs))
    if settings.refit != "frozen":
        return learner
    if settings.shuffles == 1 and settings.selection != "information-gain":
        old = selected.learner
        of = np.searchsorted(extracted.text.base, old.features, side="right") - 1
        places = {str(one): number for number, one in enumerate(smaller.program.templates)}
        new = np.array([places.get(str(one), -1) for one in extracted.program.templates])[of]
        features = old.features - extracted.text.base[of] + smaller.text.base[new]
        learner.start_from(features[new >= 0], old.rows[new >= 0], old.transitions)
    else:
        # The runs differ in what they leave; pairs of feature and label are those that the perceptron asks for.
        rng = np.random.default_rng([settings.random_state, settings.shuffles])
        for _ in range(settings.selection_passes):
            learner.by_margin(rng.permutation(len(smaller.text.lengths)), "perceptron", costs)
    learner.freeze()
    learner.forget_weights()
    return learner


def _begin_with(learner: Learner, start: ChainModel, numbers: dict[str, int]) -> None:
    """Give the learner the weights of a model; it may know more labels and features than the model."""
    columns = [numbers[label] for label in start.labels]
    rows = np.zeros((len(start.rows), len(numbers)), dtype=np.float32)
    rows[:, columns] = start.rows
    transitions = np.zeros((len(numbers) + 1, len(numbers)), dtype=np.float32)
    transitions[np.ix_([*columns, len(numbers)], columns)] = start.transitions
    base = learner.extracted.text.base
    features = np.concatenate([first + kept for first, kept in zip(base, start.features, strict=True)])
    learner.start_from(features.astype(np.int64), rows, transitions)


def _allow_observed(learner: Learner) -> None:
    """Allow only pairs of feature and label that occur in the training sentences."""
    learner.observe()
    learner.freeze()
    learner.forget_weights()


def _keep_most_salient(learner: Learner, weights: Weights, keep: int) -> None:
    """Freeze all but ``keep`` weights: those with the largest w² times the occurrences of their feature.

    This is what the loss would grow by if a weight were cut, up to a curvature that is taken to be the same for all.
    """
    features, rows, _ = weights
    saliency = np.square(rows.astype(np.float64)) * learner.extracted.occurrences()[features][:, None]
    allowed = np.zeros(saliency.shape, dtype=np.bool_)
    allowed.reshape(-1)[np.argpartition(saliency.ravel(), saliency.size - keep)[saliency.size - keep :]] = True
    learner.freeze(allowed)
    learner.forget_weights()


def _refit(
    learner: Learner, costs: NDArray[np.float32], settings: Settings, steps: _Steps, memory: list[int]
) -> tuple[Weights, float | None]:
    if settings.loss == "crf" and settings.optimizer == "lbfgs":
        learner.give_rows()
        solved = solve_crf(learner, costs, settings.l2, settings.passes)
        memory.append(learner.n_rows)
        return (learner.features, solved[0].astype(np.float32), solved[1].astype(np.float32)), solved[2]
    rng = np.random.default_rng(settings.random_state)
    n_sentences = len(learner.extracted.text.lengths)
    adaptive = settings.loss == "crf" and settings.optimizer == "adagrad"
    for number in range(settings.passes):
        order = rng.permutation(n_sentences)
        if settings.loss == "crf":
            rate = settings.rate if adaptive else settings.rate / np.sqrt(number + 1)
            learner.by_likelihood(order, costs, adaptive, rate, 2.0 * settings.l2 / n_sentences, settings.damping)
        else:
            cap = np.inf if settings.cap is None else settings.cap
            step = settings.rate / np.sqrt(number + 1) if settings.loss == "svm" else 1.0
            learner.by_margin(order, settings.loss, costs, step, cap)
        memory.append(learner.n_rows)
        steps.add("refit" if _selects(settings) else "fit")
    averages = settings.average and not adaptive
    rows, transitions = learner.averaged() if averages else (learner.rows, learner.transitions)
    return (learner.features, rows, transitions), None

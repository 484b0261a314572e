"""`fit_chain`: sentences and tags to a model, in one or two stages.

With a budget, a selection (see `laconic.structured.selection`) decides on the templates; then the model is
refitted without penalty on those alone, which also leave the extraction. Without a budget all templates are fitted.
"""

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences, flat_tags
from laconic.kernels.chains.crf import likelihood_gradient
from laconic.structured.fit import Fitted, Progress, Steps, counted, is_adaptive, run_passes
from laconic.structured.selection import Selected, by_strength, kept_templates, run_selection
from laconic.structured.settings import Settings, selects
from laconic.structured.tagging.extraction import Extracted, extract
from laconic.structured.tagging.learner import Learner
from laconic.structured.tagging.model import ChainModel, compact
from laconic.structured.tagging.named_sets import resolve_templates
from laconic.structured.templates.language import compile_program

HISTORY = 6

Weights = tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]


def fit_chain(
    sentences: Sentences,
    tags: Sequence[Sequence[str]] | list[str],
    settings: Settings,
    progress: Progress | None = None,
    start: ChainModel | None = None,
) -> Fitted[ChainModel]:
    """Return a tagger learned from tags, one list a sentence."""
    # With ``start`` it goes on from the weights of a model, with its templates and without a selection.
    templates = resolve_templates(settings.templates) if start is None else start.templates
    flat = flat_tags(tags, sentences)
    if not flat:
        raise ValueError("There is no token to learn from; pass at least one sentence with tags.")
    labels = tuple(sorted({*flat, *(() if start is None else start.labels)}))
    numbers = {label: number for number, label in enumerate(labels)}
    y = np.fromiter(map(numbers.__getitem__, flat), dtype=np.int64, count=len(flat))
    steps = counted(settings, progress)
    costs = _costs(labels, settings, settings.loss)
    if start is not None or not selects(settings):
        extracted = extract(sentences, compile_program(templates), start, settings.min_count)
        learner = Learner(extracted, y, costs, settings.damping)
        if start is not None:
            _begin_with(learner, start, numbers)
        return _refitted(learner, labels, settings, steps)
    if len(labels) == 1:
        raise ValueError(
            f"All tags are {labels[0]!r}, so that there is nothing to choose templates by; pass sentences with other "
            "tags too, or leave out the budget."
        )
    extracted = extract(sentences, compile_program(templates), None, settings.min_count)
    selected = _select(extracted, y, _costs(labels, settings, settings.selection_loss), settings, steps)
    fitted = _refitted(_surviving(extracted, y, selected, settings, costs), labels, settings, steps)
    strengths = by_strength(extracted.program.templates, selected.strengths)
    return Fitted(fitted.model, strengths, [*selected.memory, *fitted.memory], fitted.objective)


def _costs(labels: tuple[str, ...], settings: Settings, loss: str) -> NDArray[np.float32]:
    """Return what a wrong token costs, by its label: 1 if not named, and nothing in a CRF that was given no costs."""
    given = settings.token_costs or {}
    unknown = sorted(set(given) - set(labels))
    if unknown:
        raise ValueError(f"token_costs names the label {unknown[0]!r}; the tags have {', '.join(labels)}.")
    usual = 0.0 if loss == "crf" and not given else 1.0
    return np.array([given.get(label, usual) for label in labels], dtype=np.float32)


def _select(
    extracted: Extracted, y: NDArray[np.int64], costs: NDArray[np.float32], settings: Settings, steps: Steps
) -> Selected[Learner]:
    return run_selection(
        lambda: Learner(extracted, y, costs),
        extracted.program.templates,
        len(extracted.text.lengths),
        settings,
        sizes=lambda: np.maximum(extracted.sizes, 1) * len(costs),
        gains=lambda: information_gains(extracted, y, len(costs)),
        watch=lambda: steps("selection"),
    )


def _surviving(
    extracted: Extracted,
    y: NDArray[np.int64],
    selected: Selected[Learner],
    settings: Settings,
    costs: NDArray[np.float32],
) -> Learner:
    """Return a learner over the templates that were kept; if frozen, only their surviving weights may change."""
    hint = "none of them tells the tags apart; pass other templates"
    kept = kept_templates(selected.strengths, settings, hint)
    smaller = extracted.only(compile_program([extracted.program.templates[number] for number in kept]))
    learner = Learner(smaller, y, costs, settings.damping)
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
            learner.by_margin(rng.permutation(len(smaller.text.lengths)), "perceptron")
    learner.freeze()
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


def _refitted(learner: Learner, labels: tuple[str, ...], settings: Settings, steps: Steps) -> Fitted[ChainModel]:
    """Return the model of a learner's final weights, cut down to those that are asked for."""
    if settings.refit == "observed":
        learner.observe()
        learner.freeze()
    memory: list[int] = []
    weights, objective = _refit(learner, settings, steps, memory)
    if settings.keep is not None and settings.keep < np.count_nonzero(weights[1]):
        learner.freeze(_most_salient(learner, weights, settings.keep))
        (features, rows, transitions), objective = _refit(learner, settings, steps, memory)
        # Who cuts weights wants a small file: half precision changes nothing that could be seen, and halves it.
        weights = features, rows.astype(np.float16).astype(np.float32), transitions
    extracted = learner.extracted
    model = compact(extracted.program, extracted.tables, extracted.grams, labels, weights)
    return Fitted(model, memory=memory, objective=objective)


def _most_salient(learner: Learner, weights: Weights, keep: int) -> NDArray[np.bool_]:
    """Return which ``keep`` weights have the largest w² times the occurrences of their feature."""
    # This is what the loss would grow by if a weight were cut, up to a curvature that is taken to be the same for all.
    features, rows, _ = weights
    saliency = np.square(rows.astype(np.float64)) * learner.extracted.occurrences()[features][:, None]
    allowed = np.zeros(saliency.shape, dtype=np.bool_)
    allowed.reshape(-1)[np.argpartition(saliency.ravel(), saliency.size - keep)[saliency.size - keep :]] = True
    return allowed


def _refit(learner: Learner, settings: Settings, steps: Steps, memory: list[int]) -> tuple[Weights, float | None]:
    if settings.loss == "crf" and settings.optimizer == "lbfgs":
        learner.give_rows()
        solved = solve_crf(learner, settings.l2, settings.passes)
        memory.append(learner.n_rows)
        return (learner.features, solved[0].astype(np.float32), solved[1].astype(np.float32)), solved[2]
    stage = "refit" if selects(settings) else "fit"
    memory += run_passes(learner, len(learner.extracted.text.lengths), settings, lambda: steps(stage))
    averages = settings.average and not is_adaptive(settings)
    rows, transitions = learner.averaged() if averages else (learner.rows, learner.transitions)
    return (learner.features, rows, transitions), None


def solve_crf(learner: Learner, l2: float, max_iter: int) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return weights of the learner's rows, transitions, and the least Σ_s (log Z(x_s) − θ·φ(x_s, y_s)) + λ₂‖θ‖²."""
    # Every feature that may have weights needs a row; frozen weights stay zero. λ₂ must be above 0: without it there
    # may be no optimum. L-BFGS over all sentences is slower than stochastic steps, and certain.
    from scipy.optimize import minimize  # here: all other learners do without

    weights, n_rows = learner.weights, learner.n_rows
    shape = learner.transitions.shape
    entries = np.flatnonzero(weights.allowed[:n_rows]) if len(weights.allowed) else np.arange(n_rows * shape[1])
    rows, gradient = np.zeros((n_rows, shape[1])), np.zeros((n_rows, shape[1]))
    text = learner.extracted.text

    def value(theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        rows.reshape(-1)[entries] = theta[: len(entries)]
        transitions = theta[len(entries) :].reshape(shape)
        gradient[:] = 0.0
        pairs = np.zeros(shape)
        loss = likelihood_gradient(
            text, learner.tags, learner.token_starts, weights.row_of, rows, transitions, learner.costs, gradient, pairs
        )
        slope = np.concatenate([gradient.reshape(-1)[entries], pairs.ravel()])
        return loss + l2 * float(theta @ theta), slope + 2.0 * l2 * theta

    start = np.concatenate([learner.rows.reshape(-1)[entries], learner.transitions.ravel()]).astype(np.float64)
    options = {"maxiter": max_iter, "maxcor": HISTORY, "ftol": 1e-10, "gtol": 1e-5, "maxfun": 10 * max_iter}
    solved = minimize(value, start, jac=True, method="L-BFGS-B", options=options)
    if not solved.success:
        warnings.warn(
            f"L-BFGS stopped after {solved.nit} iterations at the objective {solved.fun:.6g}, before it converged; "
            "raise passes, which is the number of iterations for optimizer='lbfgs'.",
            stacklevel=2,
        )
    rows.reshape(-1)[entries] = solved.x[: len(entries)]
    return rows, solved.x[len(entries) :].reshape(shape), float(solved.fun)


def information_gains(extracted: Extracted, tags: NDArray[np.int64], n_labels: int) -> NDArray[np.float64]:
    """Return the information gain of each template about the label numbers of all tokens, in bits."""
    # IG_m = Σ_{f ∈ T_m} Σ_a P(f, a) log₂ P(f, a)/(P(f) P(a)), where f is what template m finds at a token, a its tag.
    text, tokens = extracted.text, extracted.tokens()
    gains = []
    p_tag = np.bincount(tags, minlength=n_labels) / len(tags)
    for place, size in zip(text.place, extracted.sizes.tolist(), strict=True):
        found = text.grams[place + tokens].astype(np.int64) + 1  # 0 is nothing, which says something too
        pairs, counts = np.unique(found * n_labels + tags, return_counts=True)
        joint = counts / len(tags)
        p_found = np.bincount(found, minlength=size + 1) / len(tags)
        gains.append(float((joint * np.log2(joint / (p_found[pairs // n_labels] * p_tag[pairs % n_labels]))).sum()))
    return np.array(gains)

"""`fit_arcs`: trees to a model, in one or two stages.

With a budget, a selection (see `laconic.structured.selection.selection`) decides on the templates; then the model is
refitted
without penalty on those alone, which also leave the extraction. Without a budget all templates are fitted at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.data.annotated.treebank import check_trees
from laconic.kernels.arcs.tables import list_rows
from laconic.structured.parsing.counts import arc_gains, arc_sizes
from laconic.structured.parsing.extraction import Arcs, extract_arcs
from laconic.structured.parsing.learner import ArcLearner
from laconic.structured.parsing.model import ArcModel, compact_arcs
from laconic.structured.parsing.program import compile_arcs
from laconic.structured.parsing.settings import ParserSettings
from laconic.structured.parsing.templates import ArcTemplate
from laconic.structured.parsing.tree_columns import fill_columns, stand_ins
from laconic.structured.selection.selection import Selected, run_selection, say_if_more

Progress = Callable[[int, int, str], None]
A_HEAD = np.ones(1, dtype=np.float32)  # what a wrong head costs


@dataclass(frozen=True)
class FittedArcs:
    """A model and how it came about.

    Parameters
    ----------
    model : ArcModel
    strengths : dict
        Template to its strength in the selection, strongest first; empty without one.
    memory : list of int
        Weights in memory at most in each pass, selection and refit.
    """

    model: ArcModel
    strengths: dict[str, float] = field(default_factory=dict)
    memory: list[int] = field(default_factory=list)


def fit_arcs(
    sentences: Sentences,
    heads: NDArray[np.int64],
    templates: Sequence[ArcTemplate],
    settings: ParserSettings,
    progress: Progress | None = None,
) -> FittedArcs:
    """Learn to attach words.

    Parameters
    ----------
    sentences : Sentences
    heads : ndarray of int64
        Of all tokens, sentences one after another; 0 is the root.
    templates : sequence of ArcTemplate
    settings : ParserSettings
    progress : callable, optional
        Called with (passes done, passes in all, what is done).
    """
    arcs, trees, replaced = prepare_arcs(sentences, heads, templates, settings)
    total = settings.passes + (settings.selection_passes * settings.shuffles if settings.budget is not None else 0)
    done = 0

    def step(what: str) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(min(done, total), total, what)

    if settings.budget is None:
        return learn_arcs(arcs, trees, replaced, settings, None, lambda: step("fit"))
    selected = select_arcs(arcs, trees, settings, lambda count: step("selection"))
    kept = _kept(arcs, selected.strengths, settings)
    return refit_arcs(arcs, trees, replaced, settings, selected, kept, lambda: step("refit"))


def prepare_arcs(
    sentences: Sentences, heads: NDArray[np.int64], templates: Sequence[ArcTemplate], settings: ParserSettings
) -> tuple[Arcs, tuple[bool, bool], tuple[str, ...]]:
    """Return sentences for the kernels, whether trees have one root and are projective, and columns made of others."""
    if not sentences.n_tokens:
        raise ValueError("There is no token to learn from; pass at least one sentence with its tree.")
    check_trees(heads, sentences)
    program = compile_arcs(templates)
    replaced = stand_ins(sentences, program.columns)
    single = _single_roots(heads, sentences) if settings.single_root is None else settings.single_root
    arcs = extract_arcs(fill_columns(sentences, replaced), program, heads)
    return arcs, (single, settings.projective), replaced


def refit_arcs(
    arcs: Arcs,
    trees: tuple[bool, bool],
    replaced: tuple[str, ...],
    settings: ParserSettings,
    selected: Selected[ArcLearner],
    kept: Sequence[ArcTemplate],
    watch: Callable[[], None],
) -> FittedArcs:
    """Learn the weights of templates that a selection left.

    Parameters
    ----------
    arcs : Arcs
        With all templates.
    trees : tuple of bool
        Single root, projective.
    replaced : tuple of str
        Columns that others stand in for.
    settings : ParserSettings
    selected : Selected
    kept : sequence of ArcTemplate
    watch : callable
        Called after each pass.
    """
    fewer = arcs.only(compile_arcs(kept))
    learner = _surviving(fewer, trees, selected, settings) if settings.refit == "frozen" else None
    fitted = learn_arcs(fewer, trees, replaced, settings, learner, watch)
    return FittedArcs(fitted.model, _by_strength(arcs, selected.strengths), [*selected.memory, *fitted.memory])


def learn_arcs(
    arcs: Arcs,
    trees: tuple[bool, bool],
    replaced: tuple[str, ...],
    settings: ParserSettings,
    learner: ArcLearner | None,
    watch: Callable[[], None],
) -> FittedArcs:
    """Learn the weights of all templates of ``arcs``, in a learner that is given or a new one."""
    if learner is None:
        collapsed = settings.loss != "crf"
        learner = ArcLearner(arcs, *trees, sums=settings.average or not collapsed, collapsed=collapsed)
    memory: list[int] = []
    _learn(learner, settings, memory, watch)
    keys, rows = base_rows(learner)
    return FittedArcs(compact_arcs(arcs.program, arcs.tables, keys, rows, *trees, replaced), memory=memory)


def select_arcs(
    arcs: Arcs, trees: tuple[bool, bool], settings: ParserSettings, watch: Callable[[int], None]
) -> Selected[ArcLearner]:
    """Run the selection that the settings ask for."""
    templates = arcs.program.templates
    if settings.selection == "information-gain":
        gains = arc_gains(arcs)
        return Selected(ArcLearner(arcs, *trees, sums=False), gains / max(float(gains.max()), 1e-30), [])
    sizes = arc_sizes(arcs) if settings.group_weights == "log2" else np.ones(len(templates))
    n_sentences = len(arcs.text.lengths)
    return run_selection(
        lambda: ArcLearner(arcs, *trees, sums=False), templates, sizes, n_sentences, A_HEAD, settings, watch
    )


def _kept(arcs: Arcs, strengths: NDArray[np.float64], settings: ParserSettings) -> list[ArcTemplate]:
    kept = np.flatnonzero(strengths > 0.0)
    if settings.selection in ("group-lasso", "information-gain") and settings.budget is not None:
        kept = np.sort(np.argsort(-strengths, kind="stable")[: min(settings.budget, len(kept))])
    if not len(kept):
        raise ValueError("No template is left: none of them tells right arcs from wrong ones; pass other templates.")
    say_if_more(len(kept), settings, "selection='group-lasso', which keeps to it")
    return [arcs.program.templates[number] for number in kept]


def _surviving(
    arcs: Arcs, trees: tuple[bool, bool], selected: Selected[ArcLearner], settings: ParserSettings
) -> ArcLearner:
    """Return a learner over the rows that survived the selection, and no others."""
    learner = ArcLearner(arcs, *trees, sums=settings.average, collapsed=True)
    old = selected.learner
    ours = {base: number for number, base in enumerate(arcs.program.bases)}
    keys = [np.zeros(0, dtype=np.int64)] * len(ours)
    for b, base in enumerate(old.arcs.program.bases):
        if base in ours:
            keys[ours[base]] = _listed(old, b)[0]
    learner.only_rows(keys)
    return learner


def _learn(learner: ArcLearner, settings: ParserSettings, memory: list[int], watch: Callable[[], None]) -> None:
    rng = np.random.default_rng(settings.random_state)
    n_sentences = len(learner.arcs.text.lengths)
    l2 = 2.0 * settings.l2 / n_sentences
    adaptive = settings.loss == "crf" and settings.optimizer == "adagrad"
    for number in range(settings.passes):
        order = rng.permutation(n_sentences)
        rate = settings.rate if adaptive else settings.rate / np.sqrt(number + 1)
        if settings.loss == "crf":
            learner.by_likelihood(order, A_HEAD, adaptive, rate, l2)
        else:
            cap = np.inf if settings.cap is None else settings.cap
            learner.by_margin(order, settings.loss, A_HEAD, rate if settings.loss == "svm" else 1.0, cap)
        memory.append(learner.n_rows)
        watch()
    learner.settle(settings.average and not adaptive)


def base_rows(learner: ArcLearner) -> tuple[list[NDArray[np.int64]], list[NDArray[np.float32]]]:
    """Return the keys of each base and the sums of their templates' weights."""
    keys, rows = [], []
    program, collapsed = learner.arcs.program, learner.collapsed
    maps = program.sums()
    for b, width in enumerate(learner.bases.width.tolist()):
        found, starts = _listed(learner, b)
        mine = learner.table.weights[starts[:, None] + np.arange(width)]
        keys.append(found)
        rows.append(mine if collapsed else (mine @ maps[b]).astype(np.float32))
    return keys, rows


def _listed(learner: ArcLearner, b: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    count = int(learner.table.counts[b])
    keys, starts = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    list_rows(learner.table, b, keys, starts)
    return keys, starts


def _by_strength(arcs: Arcs, strengths: NDArray[np.float64]) -> dict[str, float]:
    order = np.argsort(-strengths, kind="stable")
    return {str(arcs.program.templates[number]): float(strengths[number]) for number in order}


def _single_roots(heads: NDArray[np.int64], sentences: Sentences) -> bool:
    """Say whether every sentence has exactly one root."""
    roots = np.concatenate([[0], np.cumsum(heads == 0)])
    counts = roots[sentences.ends[1:]] - roots[sentences.ends[:-1]]
    return bool((counts[sentences.lengths > 0] == 1).all())

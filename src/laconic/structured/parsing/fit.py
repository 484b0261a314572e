"""`fit_parser`: trees to a model, in one or two stages, and the names of arcs in another.

With a budget, a selection (see `laconic.structured.selection.selection`) decides on the templates; then the model is
refitted without penalty on those alone, which also leave the extraction. Without a budget all templates are fitted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.data.annotated.treebank import check_trees
from laconic.kernels.arcs.tables import list_rows
from laconic.structured.fit import Fitted, Progress, Steps, is_adaptive, run_passes
from laconic.structured.parsing.counts import arc_gains, arc_sizes
from laconic.structured.parsing.extraction import Arcs, extract_arcs
from laconic.structured.parsing.learner import ArcLearner
from laconic.structured.parsing.model import ArcModel, compact_arcs
from laconic.structured.parsing.named_sets import resolve_arcs
from laconic.structured.parsing.program import compile_arcs
from laconic.structured.parsing.relations import fit_relations
from laconic.structured.parsing.settings import ParserSettings
from laconic.structured.parsing.templates import ArcTemplate
from laconic.structured.parsing.tree_columns import all_columns, fill_columns, stand_ins
from laconic.structured.selection.selection import Selected, by_strength, kept_templates, run_selection

NO_TEMPLATE = "none of them tells right arcs from wrong ones; pass other templates"


@dataclass(frozen=True)
class Prepared:
    """Training trees for the kernels, whether trees have a single root, and the columns that others stand in for."""

    arcs: Arcs
    single: bool
    stand_ins: tuple[str, ...]


def fit_parser(
    sentences: Sentences,
    heads: NDArray[np.int64],
    relations: Sequence[str] | None,
    settings: ParserSettings,
    progress: Progress | None = None,
) -> Fitted[ArcModel]:
    """Return a parser that finds heads, and names relations if there are any and they are asked for."""
    fitted = fit_arcs(sentences, heads, settings, progress)
    if not settings.relations or relations is None or len(set(relations)) < 2:
        return fitted
    filled = all_columns(sentences, fitted.model.stand_ins)
    chain = fit_relations(filled, heads, relations, settings.random_state)
    return replace(fitted, model=replace(fitted.model, relations=chain))


def fit_arcs(
    sentences: Sentences, heads: NDArray[np.int64], settings: ParserSettings, progress: Progress | None = None
) -> Fitted[ArcModel]:
    """Return a parser that finds heads, learned from those of all tokens, sentences one after another."""
    given, steps = prepare_arcs(sentences, heads, settings), Steps(settings, progress)
    if settings.budget is None:
        return learn_arcs(given, settings, None, lambda: steps.add("fit"))
    selected = select_arcs(given, settings, lambda: steps.add("selection"))
    templates = given.arcs.program.templates
    kept = [templates[number] for number in kept_templates(selected.strengths, settings, NO_TEMPLATE)]
    return refit_arcs(given, settings, selected, kept, lambda: steps.add("refit"))


def prepare_arcs(sentences: Sentences, heads: NDArray[np.int64], settings: ParserSettings) -> Prepared:
    """Return training trees for the kernels; refuse heads that are no trees."""
    templates = resolve_arcs(settings.templates)
    if not sentences.n_tokens:
        raise ValueError("There is no token to learn from; pass at least one sentence with its tree.")
    check_trees(heads, sentences)
    program = compile_arcs(templates)
    replaced = stand_ins(sentences, program.columns)
    single = _single_roots(heads, sentences) if settings.single_root is None else settings.single_root
    return Prepared(extract_arcs(fill_columns(sentences, replaced), program, heads), single, replaced)


def select_arcs(given: Prepared, settings: ParserSettings, watch: Callable[[], None]) -> Selected[ArcLearner]:
    """Run the selection that the settings ask for."""
    return run_selection(
        lambda: ArcLearner(given.arcs, given.single, settings.projective, sums=False),
        given.arcs.program.templates,
        len(given.arcs.text.lengths),
        settings,
        sizes=lambda: arc_sizes(given.arcs),
        gains=lambda: arc_gains(given.arcs),
        watch=watch,
    )


def refit_arcs(
    given: Prepared,
    settings: ParserSettings,
    selected: Selected[ArcLearner],
    kept: Sequence[ArcTemplate],
    watch: Callable[[], None],
) -> Fitted[ArcModel]:
    """Learn the weights of the templates that a selection left."""
    fewer = replace(given, arcs=given.arcs.only(compile_arcs(kept)))
    learner = _surviving(fewer, selected, settings) if settings.refit == "frozen" else None
    fitted = learn_arcs(fewer, settings, learner, watch)
    strengths = by_strength(given.arcs.program.templates, selected.strengths)
    return Fitted(fitted.model, strengths, [*selected.memory, *fitted.memory])


def learn_arcs(
    given: Prepared, settings: ParserSettings, learner: ArcLearner | None, watch: Callable[[], None]
) -> Fitted[ArcModel]:
    """Learn the weights of all templates, in a learner that is given or a new one."""
    arcs, single, projective = given.arcs, given.single, settings.projective
    if learner is None:
        collapsed = settings.loss != "crf"
        learner = ArcLearner(arcs, single, projective, sums=settings.average or not collapsed, collapsed=collapsed)
    memory = run_passes(learner, len(arcs.text.lengths), settings, watch)
    learner.settle(settings.average and not is_adaptive(settings))
    keys, rows = base_rows(learner)
    model = compact_arcs(arcs.program, arcs.tables, keys, rows, single, projective, given.stand_ins)
    return Fitted(model, memory=memory)


def _surviving(given: Prepared, selected: Selected[ArcLearner], settings: ParserSettings) -> ArcLearner:
    """Return a learner over the rows that survived the selection, and no others."""
    learner = ArcLearner(given.arcs, given.single, settings.projective, sums=settings.average, collapsed=True)
    old = selected.learner
    ours = {base: number for number, base in enumerate(given.arcs.program.bases)}
    keys = [np.zeros(0, dtype=np.int64)] * len(ours)
    for b, base in enumerate(old.arcs.program.bases):
        if base in ours:
            keys[ours[base]] = _listed(old, b)[0]
    learner.only_rows(keys)
    return learner


def base_rows(learner: ArcLearner) -> tuple[list[NDArray[np.int64]], list[NDArray[np.float32]]]:
    """Return the keys of each base and the sums of their templates' weights."""
    keys, rows = [], []
    program, collapsed = learner.arcs.program, learner.collapsed
    maps = program.sums()
    for b, width in enumerate(learner.bases.width.tolist()):
        mine, starts = _listed(learner, b)
        weights = learner.table.weights[starts[:, None] + np.arange(width)]
        keys.append(mine)
        rows.append(weights if collapsed else (weights @ maps[b]).astype(np.float32))
    return keys, rows


def _listed(learner: ArcLearner, b: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    count = int(learner.table.counts[b])
    keys, starts = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    list_rows(learner.table, b, keys, starts)
    return keys, starts


def _single_roots(heads: NDArray[np.int64], sentences: Sentences) -> bool:
    """Say whether every sentence has exactly one root."""
    roots = np.concatenate([[0], np.cumsum(heads == 0)])
    counts = roots[sentences.ends[1:]] - roots[sentences.ends[:-1]]
    return bool((counts[sentences.lengths > 0] == 1).all())

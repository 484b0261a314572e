"""`fit_parser`: trees to a model, in one or two stages, and the names of arcs in another.

With a budget, a selection (see `laconic.structured.selection`) decides on the templates; then the model is
refitted without penalty on those alone, which also leave the extraction. Without a budget all templates are fitted.

Arcs are named by a tagger over the words of a sentence. The head of a word, its own head, and the first and last word
below it become columns of the word; on these and on the word's neighbours a linear chain chooses the relation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.data.annotated.treebank import check_trees
from laconic.kernels.arcs.shapes import BINS
from laconic.kernels.arcs.tables import count_arcs, list_arcs
from laconic.structured.fit import Fitted, Progress, counted, is_adaptive, run_passes
from laconic.structured.parsing.extraction import Arcs, all_columns, extract_arcs, fill_columns, stand_ins, with_heads
from laconic.structured.parsing.learner import ArcLearner, listed_rows
from laconic.structured.parsing.model import ArcModel, compact_arcs
from laconic.structured.parsing.named_sets import RELATION_TEMPLATES, resolve_arcs
from laconic.structured.parsing.templates import ArcTemplate, compile_arcs, sums_of
from laconic.structured.selection import Selected, by_strength, kept_templates, run_selection
from laconic.structured.settings import ParserSettings, TaggerSettings
from laconic.structured.tagging.fit import fit_chain

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
    filled = with_heads(all_columns(sentences, fitted.model.stand_ins), heads)
    tags = Sentences({"tag": list(relations)}, sentences.lengths).split("tag")
    naming = TaggerSettings(RELATION_TEMPLATES, loss="perceptron", random_state=settings.random_state)
    chain = fit_chain(filled, tags, naming).model
    return replace(fitted, model=replace(fitted.model, relations=chain))


def fit_arcs(
    sentences: Sentences, heads: NDArray[np.int64], settings: ParserSettings, progress: Progress | None = None
) -> Fitted[ArcModel]:
    """Return a parser that finds heads, learned from those of all tokens, sentences one after another."""
    given, steps = prepare_arcs(sentences, heads, settings), counted(settings, progress)
    if settings.budget is None:
        return learn_arcs(given, settings, None, lambda: steps("fit"))
    selected = select_arcs(given, settings, lambda: steps("selection"))
    templates = given.arcs.program.templates
    kept = [templates[number] for number in kept_templates(selected.strengths, settings, NO_TEMPLATE)]
    return refit_arcs(given, settings, selected, kept, lambda: steps("refit"))


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
            keys[ours[base]] = listed_rows(old.table, b)[0]
    learner.only_rows(keys)
    return learner


def base_rows(learner: ArcLearner) -> tuple[list[NDArray[np.int64]], list[NDArray[np.float32]]]:
    """Return the keys of each base and the sums of their templates' weights."""
    keys, rows = [], []
    program, collapsed = learner.arcs.program, learner.collapsed
    for b, width in enumerate(learner.bases.width.tolist()):
        mine, starts = listed_rows(learner.table, b)
        weights = learner.table.weights[starts[:, None] + np.arange(width)]
        keys.append(mine)
        rows.append(
            weights if collapsed else (weights @ np.concatenate(sums_of(program.by_base[b]))).astype(np.float32)
        )
    return keys, rows


def _single_roots(heads: NDArray[np.int64], sentences: Sentences) -> bool:
    """Say whether every sentence has exactly one root."""
    roots = np.concatenate([[0], np.cumsum(heads == 0)])
    counts = roots[sentences.ends[1:]] - roots[sentences.ends[:-1]]
    return bool((counts[sentences.lengths > 0] == 1).all())


def arc_sizes(arcs: Arcs) -> NDArray[np.int64]:
    """Return |G_m|: how many different values each template has on the arcs of the training trees."""
    bases, ends = arcs.program.arrays(arcs.tables), arcs.ends
    sizes = []
    for b, templates in enumerate(arcs.program.by_base):
        keys, combinations = list_arcs(arcs.text, arcs.heads, ends, bases, b)
        different, numbers = np.unique(keys, return_inverse=True)
        seen = np.zeros((len(different), 2, BINS), dtype=np.bool_)
        seen[numbers, combinations // BINS, combinations % BINS] = True
        for one in templates:
            axes = tuple(axis for axis, told in ((1, one.direction), (2, one.distance)) if not told)
            sizes.append(int(np.count_nonzero(np.any(seen, axis=axes))))
    return np.array(sizes, dtype=np.int64)


def arc_gains(arcs: Arcs) -> NDArray[np.float64]:
    """Return the information gain of each template, in bits, over all arcs that a tree could have."""
    # IG_m = Σ_{f ∈ T_m} Σ_a P(f, a) log₂ P(f, a)/(P(f) P(a)), where a says whether the arc is in the tree.
    bases, ends = arcs.program.arrays(arcs.tables), arcs.ends
    gains = []
    for b, templates in enumerate(arcs.program.by_base):
        counts = count_arcs(arcs.text, arcs.heads, ends, bases, b).reshape(-1, 2, 2, BINS)  # key, right, direction, bin
        for one in templates:
            axes = tuple(axis for axis, told in ((2, one.direction), (3, one.distance)) if not told)
            gains.append(_gain(counts.sum(axis=axes)))
    return np.array(gains)


def _gain(counts: NDArray[np.integer]) -> float:
    """Return the mutual information of the second axis and all others of a table of counts."""
    # With c for cells, f and a for their sums over the second axis and over all others, and N for the sum of all, it is
    # :math:`\log_2 N + (\sum c\log_2 c - \sum f\log_2 f - \sum a\log_2 a)/N`.
    total = int(counts.sum())
    if not total:
        return 0.0
    others = tuple(axis for axis in range(counts.ndim) if axis != 1)
    parts = _entropy_sum(counts) - _entropy_sum(counts.sum(axis=1)) - _entropy_sum(counts.sum(axis=others))
    return max(0.0, float(np.log2(total) + parts / total))


def _entropy_sum(counts: NDArray[np.integer]) -> float:
    """Return Σ c log₂ c."""
    positive = counts[counts > 0].astype(np.float64)
    return float((positive * np.log2(positive)).sum())

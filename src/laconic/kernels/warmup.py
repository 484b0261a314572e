"""Compile all kernels ahead of the first fit, for the argument types that the solvers and penalties use."""

import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from laconic.kernels import softmax_model, softmax_pursuit, softmax_refit
from laconic.kernels._compile import cache_folder
from laconic.kernels.arc_counting import count_arcs, list_arcs
from laconic.kernels.arc_learning import learn_arcs_by_likelihood, learn_arcs_by_margin, parse_all
from laconic.kernels.arc_shapes import ArcText, Bases, Table, no_blocks
from laconic.kernels.arc_tables import (
    add_rows,
    lay_out_slots,
    list_rows,
    move_rows,
    part_squares,
    place_rows,
    scale_parts,
)
from laconic.kernels.arcs import score_arcs
from laconic.kernels.blocks import add_lifts, bend_norms, bound_blocks, descend_blocks, descend_rows, lift_norms
from laconic.kernels.brown import Words, cluster_words, merge_rest, new_window
from laconic.kernels.columns import accumulate, column_curvatures, correlate, strongest_cells
from laconic.kernels.coordinate import descend
from laconic.kernels.copies import update_copies
from laconic.kernels.crf import learn_by_likelihood, likelihood_gradient
from laconic.kernels.decoding import marginals_all, n_best_paths, score_one
from laconic.kernels.gram import add_gram
from laconic.kernels.grams import find_keys, intern_keys, mix_keys
from laconic.kernels.overlapping import (
    absorb,
    adapt_damping,
    bend_diagonal,
    bend_groups,
    count_members,
    gather_members,
    group_norms,
    growth,
    smooth_groups,
    weigh_groups,
)
from laconic.kernels.partners import divide_by_pairs, pair_up
from laconic.kernels.prox import ascend_groups, shrink_groups
from laconic.kernels.pursuit import Search, follow_rows, pursue_columns, score_atoms
from laconic.kernels.refit import Target, look_at_all, new_model, refit
from laconic.kernels.softmax import bend_softmax
from laconic.kernels.tagging import Text, Weights, decode_all, learn_by_margin, mark_observed
from laconic.kernels.trees import arc_marginals


def compile_all() -> tuple[float, Path]:
    """Call every kernel on tiny arrays, so that its machine code is in the cache.

    Returns
    -------
    seconds : float
        How long it took; almost nothing when the cache was full.
    folder : Path
        Where the machine code is kept.

    Examples
    --------
    >>> seconds, folder = compile_all()
    >>> folder.name.startswith("kernels-")
    True
    """
    started = time.perf_counter()
    one = np.ones(1)
    ends, indices = np.array([0, 1], dtype=np.int32), np.zeros(1, dtype=np.int32)
    blocks, square = np.array([0, 1]), np.ones((1, 1))
    side = np.zeros((1, 1), dtype=np.int8)
    for rows in (np.uint16, np.uint32):
        columns = one, np.zeros(1, dtype=rows), ends[:1], ends[1:]
        column_curvatures(*columns, one, one.copy(), one.copy())
        strongest_cells(*columns, one, 0.0, indices.copy(), one.copy(), one.copy())
        descend(*columns, one, one.copy(), one.copy(), one, one, side[0], one, one, True, 0.0, 1e-3, 0.0, 1)
        accumulate(*columns, one, one.copy())
        correlate(*columns, one, one.copy())
        add_gram(*columns, one, square.copy())
        bound_blocks(*columns, blocks, one, one.copy(), one.copy(), one.copy())
        moving = one, one.copy(), one.copy()
        descend_blocks(*columns, blocks, *moving, one, one, one, side[0], one, one, one, True, 0.0, 1e-3, 0.0, 1)
        descend_rows(*columns, blocks, square, one, one, square.copy(), square.copy(), one, one, side, one, square, 1)
    bend_softmax(np.ones((1, 1)), one, one, np.ones((1, 1)))
    bend_norms(blocks, blocks[:1], one, one, one, one.copy())
    lift_norms(blocks, blocks[:1], one, one, one, one.copy(), one.copy())
    add_lifts(blocks, blocks[:1], one, one, one, one.copy())
    atoms = np.zeros(1, dtype=np.int32), blocks
    score_atoms(one, *atoms, np.zeros(1, dtype=np.bool_), 0.0, one.copy())
    follow_rows(one, atoms[0], ends, np.zeros(1, dtype=np.intp), square, square.copy())
    _compile_pursuit(one, ends)
    _compile_softmax_pursuit(one, ends)
    _compile_brown()
    _compile_overlapping(one, np.zeros(1, dtype=np.int32), ends.astype(np.int64))
    _compile_tagging(np.zeros(1, dtype=np.int64))
    _compile_parsing()
    # Groups are frozen: their arrays cannot be written to, and that is part of the type.
    first, ends = np.zeros(1, dtype=np.int32), ends.astype(np.int64)
    first.setflags(write=False)
    ends.setflags(write=False)
    weights, order = np.ones((1, 1)), np.zeros(1, dtype=np.int64)
    shrink_groups(weights, ends, first, one, order)
    ascend_groups(weights, weights.copy(), np.zeros(1, dtype=np.bool_), ends, first, one, order)
    copies = weights, weights.copy(), weights.copy(), weights.copy(), 1.0, 1.0
    flags = np.zeros(1, dtype=np.bool_)
    update_copies(*copies, one, ends, first, order, order - 1, flags, np.zeros(2))
    return time.perf_counter() - started, cache_folder()


def _compile_pursuit(one: NDArray[np.float64], ends: NDArray[np.int32]) -> None:
    target, first = Target(one, one, 0, True), np.zeros(1, dtype=np.int32)
    columns = one, first.view(np.uint32), ends[:1], ends[1:]
    search = Search(np.zeros(1), np.zeros(1), np.zeros(1, dtype=np.bool_), one, one.copy(), one.copy())
    model = new_model(np.array([2]), 2, 0.0)
    look_at_all(columns, target, model)
    refit(columns, target, first, one, model, 1e-4)
    rows = one, first, ends
    pursue_columns(columns, rows, target, one, model, search, 0.0, 1e-4, -1.0, np.empty(2), np.empty((1, 4)))


def _compile_softmax_pursuit(one: NDArray[np.float64], ends: NDArray[np.int32]) -> None:
    """One document of two classes, and one word."""
    first, both = np.zeros(1, dtype=np.int32), np.array([0, 1], dtype=np.int64)
    target = softmax_model.Target(both[:1], one, first.view(np.uint32), True)
    columns = one, first.view(np.uint32), ends[:1], ends[1:]
    model = softmax_model.new_model(np.array([2]), 2, np.zeros(2))
    softmax_model.look_at_all(columns, target, model)
    softmax_refit.refit(columns, target, first, one, model, 1e-4)
    softmax_pursuit.residual_length(target, model.documents.P)
    flags = np.zeros(1, dtype=np.bool_), np.zeros(1, dtype=np.bool_)
    search = softmax_pursuit.Search(np.zeros((1, 2)), np.array([[1.0, 0.0]]), np.zeros(1), *flags, one, one.copy())
    data, written = (
        (columns, (one.copy(), first, ends), target, one, model, search),
        (np.empty((2, 2)), np.empty((1, 5))),
    )
    softmax_pursuit.pursue_columns(*data, 0.0, 1e-4, -1.0, *written)


def _compile_brown() -> None:
    """Two words that stand beside each other, two clusters, one merge."""
    window = new_window(2, np.log(np.array([1.0, 1.0, 2.0, 3.0])))
    ends, other, once = np.arange(3), np.array([1, 0], dtype=np.int32), np.ones(2, dtype=np.int32)
    words = Words(ends, other, once, ends, other, once, np.ones(2, np.int64), ends[:2].copy(), np.full(2, -1))
    cluster_words(0, 2, 0, window, words)
    merge_rest(0, 1, np.zeros((1, 2), dtype=np.int64), window)


def _compile_overlapping(one: NDArray[np.float64], indices: NDArray[np.int32], indptr: NDArray[np.int64]) -> None:
    sets = indptr, indices
    smooth_groups(one, one, one, one, *sets, one.copy(), one.copy(), one.copy(), one.copy())
    bend_groups(one, one, one, one, *sets, one.copy())
    bend_diagonal(one, one, one, *sets, one.copy(), indices.copy(), one.copy())
    group_norms(one, one, *sets)
    absorb(one.copy(), one.copy(), one, *sets, 0.0, 1)
    growth(one, one, one, *sets)
    weigh_groups(one, one, *sets, 0.1, one.copy(), one.copy())
    adapt_damping(one, one, one, one, indptr, one.copy())
    total = count_members(*sets, indices, indptr[:1].copy())
    none = np.zeros(1)
    pair_up(one, indices, none, none, indices.copy(), one.copy(), one, none, none, none.copy(), none, none.copy())
    divide_by_pairs(one, one, indices, one, one, indices, one, one, none, none, none)
    gather_members(*sets, indices, np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int32))


def _compile_tagging(zero: NDArray[np.int64]) -> None:
    flags, keys, ids = np.ones(1, dtype=np.bool_), np.zeros(16, dtype=np.uint64), np.zeros(16, dtype=np.int32)
    mix_keys(np.zeros((1, 1), dtype=np.int32), zero, zero, flags, keys[:1].copy())
    intern_keys(keys[:1].copy(), keys.copy(), ids.copy(), ids[:1].copy(), zero.copy())
    find_keys(keys[:1].copy(), keys, ids, ids[:1].copy())
    text = Text(ids[:1].copy(), zero, zero, 1, np.zeros((0, 1), dtype=np.float32), zero, zero + 1)
    small, wide = np.zeros((1, 1), dtype=np.float32), np.zeros((2, 1), dtype=np.float32)
    weights = Weights(
        ids[:1].copy(),
        small,
        small.copy(),
        zero.copy(),
        np.zeros((1, 1), dtype=np.int32),
        small[:0] > 0,
        wide,
        wide.copy(),
        np.ones(2, dtype=np.int64),
    )
    costs = np.ones(1, dtype=np.float32)
    learn_by_margin(text, zero, zero, zero, 0, 1, weights, costs, 0, 1.0, 1.0)
    learn_by_likelihood(text, zero, zero, zero, 0, 1, weights, costs, True, *np.ones(3, dtype=np.float32))
    mark_observed(text, zero, zero, weights)
    decode_all(text, ids[:1].copy(), small, wide, zero, zero.copy())
    marginals_all(text, ids[:1].copy(), small, wide, small.copy())
    score_one(text, ids[:1].copy(), small, 0, small.copy())
    n_best_paths(small, wide, np.zeros((1, 1), dtype=np.int64), np.zeros(1, dtype=np.float32))
    double = np.zeros((1, 1)), np.zeros((2, 1))
    likelihood_gradient(text, zero, zero, ids[:1].copy(), *double, costs, double[0].copy(), double[1].copy())


def _compile_parsing() -> None:
    """One sentence of two words, one template without cells."""
    zero, ones = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    ends, nothing = np.array([0, 1]), np.zeros(0, dtype=np.int64)
    text = ArcText(np.zeros((1, 8), dtype=np.int32), zero + 2, zero + 2)
    cells = np.array([0, 0]), nothing, nothing, nothing, nothing
    bases = Bases(zero + 2, *cells, zero - 1, zero, zero, ends, zero, zero, zero, ones, zero, zero, zero, ones)

    def table() -> Table:
        slots = np.zeros(64, dtype=np.uint64), np.zeros(64, dtype=np.uint32)
        floats = np.zeros(64, dtype=np.float32), np.zeros(64, dtype=np.float32)
        return Table(zero.copy(), zero + 63, *slots, zero.copy(), *floats, np.zeros(2, dtype=np.int64), no_blocks(1))

    heads, order, mine = np.array([2, 0]), zero.copy(), table()
    learn_arcs_by_margin(text, heads, zero, order, 0, 1, bases, mine, True, 0, False, 1.0, 1.0, False, False)
    learn_arcs_by_likelihood(text, heads, zero, order, 0, 1, bases, mine, True, True, np.float32(0.1), False)
    parse_all(text, bases, mine, False, False, np.zeros(2, dtype=np.int64))
    score_arcs(text, bases, mine, 0, np.zeros((3, 3)))
    lay_out_slots(mine, table())
    move_rows(bases, mine, table())
    add_rows(bases, table(), ends, zero)
    place_rows(table(), 0, zero, zero)
    list_rows(mine, 0, np.zeros(64, dtype=np.int64), np.zeros(64, dtype=np.int64))
    part_squares(bases, mine, np.zeros(1))
    scale_parts(bases, mine, np.ones(1, dtype=np.float32))
    list_arcs(text, heads, zero, bases, 0)
    count_arcs(text, heads, zero, bases, 0)
    arc_marginals(np.zeros((3, 3)), 2, False, np.zeros((3, 3)))

r"""What is asked of a partition: sums over its documents, from nothing but its block and a short message.

Every pass is a function ``(documents, message) -> tuple`` whose entries are added up over blocks (arrays are summed,
lists are joined). Margins are computed anew from the few nonzero weights of a point, so a partition has no state: a
pass gives the same answer wherever and however often it runs.

A *dual candidate* is the residual of a point, or the one that the quadratic model at a point predicts after a step d,
:math:`\alpha - H(X_Jd + d_0)`, moved to where the conjugate of the loss is finite and then balanced.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import iadd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.core.group_parts import merge_equal
from laconic.core.losses import Array, Loss
from laconic.kernels.linear.columns import accumulate, add_gram, column_curvatures, correlate
from laconic.kernels.linear.overlapping import count_members, gather_members
from laconic.kernels.linear.pursuit import TIE, score_atoms
from laconic.partitions.block import Block

Sums = tuple[Any, ...]


@dataclass(frozen=True)
class Terms:
    """What is minimised but for the penalty: the loss, which documents (``part``) count, and how much."""

    # A ``share`` of the documents, drawn by a hash of their places, is "held" and the others "train".

    loss: Loss
    fit_intercept: bool = True
    class_weight: tuple[float, ...] = ()
    part: str = "all"
    share: float = 0.0

    @property
    def n_outputs(self) -> int:
        """The number of margins of a document."""
        return self.loss.n_outputs(np.zeros(0))


class Weights(NamedTuple):
    """Some features with a row of weights each, and intercepts: a point, or a step."""

    features: NDArray[np.intp]
    values: Array
    intercept: Array

    @classmethod
    def on(cls, features: NDArray[np.intp], values: Array, intercept: Array) -> "Weights":
        """Leave out the features whose weights are all zero."""
        kept = np.flatnonzero(values.any(axis=1))
        return cls(features[kept], values[kept], intercept)


class Candidate(NamedTuple):
    """A dual candidate: the balanced residual at ``point``, or after the ``step`` of a model (of ``curvature_at``)."""

    point: Weights
    step: Weights | None
    totals: Array | None = None
    curvature_at: Weights | None = None


class Part(NamedTuple):
    """Some columns of the documents of one block that count, cells by column; empty ``values`` are ones."""

    place: str
    sizes: NDArray[np.int64]
    rows: NDArray[Any]
    values: Array
    targets: Array
    weights: Array


class Documents:
    """The documents of a block that count, with targets and weights."""

    def __init__(self, block: Block, terms: Terms) -> None:
        self.block, self.terms, self.loss = block, terms, terms.loss
        labels = block.labels
        self.n_all = len(labels)
        self.kept: NDArray[np.intp] | None = None
        if terms.part != "all":
            self.kept = np.flatnonzero(_drawn(self.n_all, terms.share) == (terms.part == "held"))
        if self.kept is not None:
            labels = labels[self.kept]
        self.y = terms.loss.encode(labels)
        self.s = np.ones(len(labels))
        if terms.class_weight:
            self.s = np.asarray(terms.class_weight, dtype=np.float64)[labels.astype(np.intp)]

    def margins(self, weights: Weights) -> Array:
        """Return X w + b."""
        columns = self.block.columns.take(weights.features)
        F = np.zeros((len(weights.intercept), self.n_all))
        for row, w in zip(F, weights.values.T, strict=True):
            accumulate(*columns, np.ascontiguousarray(w), row)
        F += weights.intercept[:, None]
        return F.T if self.kept is None else F.T[self.kept]

    def residual(self, candidate: Candidate) -> Array:
        """Return the residual of a candidate, balanced where it has totals."""
        F = self.margins(candidate.point)
        alpha = self.loss.residual(self.y, F, self.s)
        if candidate.step is not None:
            there = F if candidate.curvature_at is None else self.margins(candidate.curvature_at)
            h = self.loss.curvature(self.y, there, self.s)
            alpha = alpha - self.loss.curvature_product(h, self.s, self.margins(candidate.step))
            alpha = self.loss.admit(self.y, alpha, self.s)
        if candidate.totals is not None:
            alpha = self.loss.balance(self.y, alpha, self.s, candidate.totals)
        return alpha

    def spread(self, column: Array) -> Array:
        """Return one number per document of the block, zero for those that do not count."""
        if self.kept is None:
            return np.ascontiguousarray(column)
        full = np.zeros(self.n_all)
        full[self.kept] = column
        return full

    def correlations(self, alpha: Array, features: NDArray[np.intp] | None = None) -> Array:
        """Return Xᵀα of some features or of all."""
        columns = self.block.columns if features is None else self.block.columns.take(features)
        C = np.empty((alpha.shape[1], len(columns.start)))
        for row, a in zip(C, alpha.T, strict=True):
            correlate(*columns, self.spread(a), row)
        return C.T


def _drawn(n: int, share: float) -> NDArray[np.bool_]:
    """Say which of n documents are held out: the same ones every time, without a pattern."""
    mixed = (np.arange(n, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return (mixed >> np.uint64(11)).astype(np.float64) < share * 2.0**53


def score(documents: Documents, message: Weights) -> Sums:
    """Return the labels and the margins of all documents that count, each in a list of one array."""
    labels = documents.block.labels if documents.kept is None else documents.block.labels[documents.kept]
    return [np.asarray(labels)], [documents.margins(message)]


def begin(documents: Documents, message: Weights) -> Sums:
    """Return loss and totals of the residual at a point, how many documents count, and the cells of every column."""
    F = documents.margins(message)
    loss, y, s = documents.loss, documents.y, documents.s
    sizes = (documents.block.columns.stop - documents.block.columns.start).astype(np.int64)
    return float(s @ loss.values(y, F)), loss.totals(y, loss.residual(y, F, s), s), len(s), sizes


def gather(documents: Documents, message: NDArray[np.intp]) -> Sums:
    """Return some columns of the documents that count, with their targets and weights, in a list of one `Part`."""
    data, indices, start, stop = documents.block.columns.take(message)
    sizes = (stop - start).astype(np.int64)
    places = np.repeat(start - (np.cumsum(sizes) - sizes), sizes) + np.arange(int(sizes.sum()))
    rows: Any = indices[places]
    values = data[places] if len(data) else data
    if documents.kept is not None:
        number = np.full(documents.n_all, -1, dtype=np.int64)
        number[documents.kept] = np.arange(len(documents.kept))
        counts = number[rows] >= 0
        column = np.repeat(np.arange(len(sizes)), sizes)[counts]
        sizes = np.bincount(column, minlength=len(sizes))
        rows = number[rows[counts]].astype(indices.dtype)
        values = values[counts] if len(data) else data
    return ([Part(documents.block.place, sizes, rows, values, documents.y, documents.s)],)


def hessian(documents: Documents, message: tuple[Weights, NDArray[np.intp]]) -> Sums:
    """Return slope and curvature of the loss in entries aK + k (feature a of the set, output k) and intercepts."""
    # Of the curvature the upper triangle of every pair of outputs is filled.
    point, J = message
    K, n = documents.terms.n_outputs, len(J)
    F = documents.margins(point)
    alpha = documents.loss.residual(documents.y, F, documents.s)
    h = documents.loss.curvature(documents.y, F, documents.s)
    columns = documents.block.columns.take(J)
    G, crossed, own = np.zeros((K, K, n, n)), np.zeros((n, K, K)), np.zeros((K, K))
    for k in range(K):
        for m in range(k, K):
            if documents.loss.scalar_curvature:
                hkm = h[:, 0]
            else:
                hkm = documents.s * h[:, k] * ((k == m) - h[:, m])
            full = documents.spread(hkm)
            add_gram(*columns, full, G[k, m])
            line = np.empty(n)
            correlate(*columns, full, line)
            crossed[:, k, m] = crossed[:, m, k] = line
            own[k, m] = own[m, k] = hkm.sum()
    return documents.correlations(alpha, J), alpha.sum(axis=0), G, crossed, own


def gradient(documents: Documents, message: tuple[Weights, NDArray[np.intp]]) -> Sums:
    """Return the slope of the loss at a point in the weights of a working set, and in the intercepts."""
    point, J = message
    alpha = documents.loss.residual(documents.y, documents.margins(point), documents.s)
    return documents.correlations(alpha, J), alpha.sum(axis=0)


def try_steps(documents: Documents, message: tuple[Candidate, Weights | None, tuple[float, ...]]) -> Sums:
    """Return, after steps of several lengths, loss and totals of the residual; and totals of a candidate there."""
    candidate, step, lengths = message
    loss, y, s = documents.loss, documents.y, documents.s
    F = documents.margins(candidate.point)
    Z = np.zeros_like(F) if step is None else documents.margins(step)
    there = [F + t * Z for t in lengths]
    values = np.array([float(s @ loss.values(y, one)) for one in there])
    totals = np.stack([loss.totals(y, loss.residual(y, one, s), s) for one in there])
    return values, totals, loss.totals(y, documents.residual(candidate), s)


def count_empty(documents: Documents, message: NDArray[np.intp]) -> Sums:
    """Return in how many documents none of some features occurs."""
    found = documents.margins(Weights(message, np.ones((len(message), 1)), np.zeros(1)))
    return (int(np.count_nonzero(found == 0.0)),)


def dual_point(documents: Documents, message: Candidate) -> Sums:
    """Return Xᵀα of all features for a candidate, what it is worth in the dual, and ‖α‖²."""
    alpha = documents.residual(message)
    value = documents.loss.dual_value(documents.y, alpha, documents.s)
    return documents.correlations(alpha), value, float(np.vdot(alpha, alpha))


def dual_value(documents: Documents, message: tuple[Candidate, float]) -> Sums:
    """Return what a candidate times a factor is worth in the dual."""
    candidate, factor = message
    return (documents.loss.dual_value(documents.y, factor * documents.residual(candidate), documents.s),)


def cut_groups(documents: Documents, message: NDArray[np.intp]) -> Sums:
    """Return (sizes, members, weights, counts, first document and unit) of groups on a working set, and how many."""
    groups = documents.block.groups
    if groups is None:
        return [], 0
    number = np.full(documents.block.n_features, -1, dtype=np.int32)
    number[message] = np.arange(len(message), dtype=np.int32)
    counts = np.empty(len(groups.weights), dtype=np.int64)
    total = count_members(groups.indptr, groups.indices, number, counts)
    places, seen = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int32)
    gather_members(groups.indptr, groups.indices, number, places, seen)
    alive = np.flatnonzero(counts)
    twin, first, indptr, indices = merge_equal(np.concatenate([[0], np.cumsum(counts[alive])]), seen)
    weights = np.bincount(twin, groups.weights[alive], len(first))
    named = documents.block.ids[groups.documents[alive[first]]], groups.numbers[alive[first]]
    return [(np.diff(indptr), indices, weights, np.bincount(twin, minlength=len(first)), *named)], len(counts)


def column_stats(documents: Documents, message: None) -> Sums:
    """Return Σ s x² of every column, the sum of the weights of its groups, and how many groups there are."""
    squares, sums = np.empty(documents.block.n_features), np.empty(documents.block.n_features)
    column_curvatures(*documents.block.columns, documents.spread(documents.s), squares, sums)
    groups = documents.block.groups
    if groups is None:
        return squares, np.zeros(documents.block.n_features), 0
    shares = np.repeat(groups.weights, np.diff(groups.indptr))
    return squares, np.bincount(groups.indices, shares, documents.block.n_features), len(groups.weights)


def best_group(documents: Documents, message: tuple[Array, NDArray[np.bool_], float, int]) -> Sums:
    """Return the block's group with the highest score: a list of one (score, members left, document, unit), or none."""
    # The message: squared correlations, which are chosen already, the power of a size in its score, room for members.
    squares, gone, power, room = message
    groups = documents.block.groups
    if groups is None or not len(groups.weights):
        return ([],)
    scores = np.empty(len(groups.weights))
    score_atoms(squares, groups.indices, groups.indptr, gone, power, scores)
    if room < documents.block.n_features:
        left = np.add.reduceat((~gone[groups.indices]).astype(np.int64), groups.indptr[:-1])
        scores[left > room] = -1.0
    best = int(np.argmax(scores >= scores.max() * (1.0 - TIE)))
    if scores[best] <= 0.0:
        return ([],)
    members = groups.indices[groups.indptr[best] : groups.indptr[best + 1]]
    kept = members[~gone[members]].astype(np.intp)
    return ([(float(scores[best]), kept, str(documents.block.ids[groups.documents[best]]), int(groups.numbers[best]))],)


def summed(answers: Iterable[Sums]) -> Sums:
    """Return the sum of the answers to a pass, added up in their order; the arrays of the first are used for it."""
    total: Sums | None = None
    for answer in answers:
        total = answer if total is None else tuple(iadd(a, b) for a, b in zip(total, answer, strict=True))
    if total is None:
        raise ValueError("There are no partitions to look at.")
    return total

r"""`PartitionedProblem`: a loss over documents that no single process holds.

All that a solver asks is a sum over partitions: the loss after a step, correlations :math:`X^\top\alpha` of a dual
candidate, its value, and slope and curvature in the weights of a working set. Only numbers per feature, and per pair
of features of a working set, ever reach this process; none per document.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.core.group_parts import merge_equal
from laconic.core.groups import Groups
from laconic.core.losses import Array, Loss
from laconic.partitions import passes
from laconic.partitions.passes import Candidate, Part, Terms, Weights
from laconic.partitions.runners import Runner
from laconic.solvers.overlapping.slices import entries


class LossModel(NamedTuple):
    """Slope and curvature in the entries of a working set, the intercepts eliminated, and how these then move."""

    slope: Array
    curvature: Array
    crossed: Array  # curvature between entries and intercepts
    inverse: Array  # of the curvature of the intercepts
    total: Array  # slope of the intercepts
    at: Weights  # the point that all curvature belongs to

    def change(self, d: Array) -> float:
        """Return the predicted change of the loss by a step d, with its best move of the intercepts."""
        return 0.5 * float(d @ (self.curvature @ d)) - float(self.slope @ d) - self.gain

    def move(self, d: Array) -> Array:
        """Return the best move of the intercepts with a step d."""
        return self.inverse @ (self.total - self.crossed.T @ d)

    @property
    def gain(self) -> float:
        """What the intercepts gain without a step."""
        return 0.5 * float(self.total @ self.inverse @ self.total)


class Tried(NamedTuple):
    """Losses after steps of several lengths, totals of the residuals there and of the predicted residual."""

    losses: Array
    totals: Array
    predicted: Array


class Beginning(NamedTuple):
    """Loss and totals of the residual at a point, the number of documents, and that of the cells of every column."""

    loss: float
    totals: Array
    n_documents: int
    sizes: NDArray[np.int64]


class SeenGroups(NamedTuple):
    """Groups of partitions as some features see them, ``counts`` equal ones merged, the first in ``ids``, ``units``."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    weights: Array
    counts: NDArray[np.int64]
    ids: NDArray[np.str_]
    units: NDArray[np.int32]
    n_groups: int


class PartitionedProblem:
    """A loss over linear margins, summed over partitions."""

    def __init__(self, runner: Runner, terms: Terms, n_features: int) -> None:
        self.runner, self.terms, self.n_features = runner, terms, n_features
        self.loss: Loss = terms.loss
        self.fit_intercept = terms.fit_intercept
        self.n_outputs = terms.n_outputs

    def begin(self, point: Weights) -> Beginning:
        """Return what a fit must know before its first round, at the point where it begins."""
        return Beginning(*self.runner.total(passes.begin, self.terms, point))

    def gather(self, features: NDArray[np.intp]) -> list[Part]:
        """Return some columns of every block, the blocks in the order of their names."""
        return sorted(self.runner.total(passes.gather, self.terms, features)[0], key=lambda part: part.place)

    def hessian(self, point: Weights, J: NDArray[np.intp]) -> LossModel:
        """Return the quadratic model of the loss at a point over a working set."""
        slope, total, G, crossed, own = self.runner.total(passes.hessian, self.terms, (point, J))
        K, n = self.n_outputs, len(J)
        for k in range(K):
            for m in range(k, K):
                block = G[k, m]
                G[k, m] = G[m, k] = np.triu(block) + np.triu(block, 1).T
        curvature = np.ascontiguousarray(G.transpose(2, 0, 3, 1).reshape(n * K, n * K))
        crossed = crossed.reshape(n * K, K) if self.fit_intercept else np.zeros((n * K, K))
        # The curvature of softmax is zero along equal shifts of all intercepts.
        inverse = np.linalg.pinv(own, rcond=1e-10, hermitian=True) if self.fit_intercept else np.zeros((K, K))
        curvature -= crossed @ (inverse @ crossed.T)
        return self._with_gradient(
            LossModel(np.empty(0), curvature, crossed, inverse, np.empty(0), point), slope, total
        )

    def gradient(self, point: Weights, J: NDArray[np.intp], model: LossModel, places: NDArray[np.intp]) -> LossModel:
        """Return the model at a point with the curvature of an earlier one, of which J are the features ``places``."""
        slope, total = self.runner.total(passes.gradient, self.terms, (point, J))
        kept = entries(places, self.n_outputs)
        if len(kept) < len(model.slope):
            model = model._replace(curvature=model.curvature[np.ix_(kept, kept)], crossed=model.crossed[kept])
        return self._with_gradient(model, slope, total)

    def _with_gradient(self, model: LossModel, slope: Array, total: Array) -> LossModel:
        slope = np.ascontiguousarray(slope).reshape(-1) - model.crossed @ (model.inverse @ total)
        return model._replace(slope=slope, total=total)

    def try_steps(self, candidate: Candidate, step: Weights | None, lengths: tuple[float, ...]) -> Tried:
        """Return losses and totals after steps of several lengths from a candidate's point, and its own totals."""
        return Tried(*self.runner.total(passes.try_steps, self.terms, (candidate, step, lengths)))

    def dual_point(self, candidate: Candidate) -> tuple[Array, float, float]:
        """Return Xᵀα of a dual candidate for all features, its value in the dual, and ‖α‖²."""
        C, value, square = self.runner.total(passes.dual_point, self.terms, self._balanced(candidate))
        return C, float(value), float(square)

    def dual_value(self, candidate: Candidate, factor: float) -> float:
        """Return the value in the dual of a candidate times a factor."""
        return float(self.runner.total(passes.dual_value, self.terms, (self._balanced(candidate), factor))[0])

    def groups_on(self, J: NDArray[np.intp]) -> SeenGroups:
        """Return the groups that live in the partitions as some features see them, equal ones merged."""
        parts, total = self.runner.total(passes.cut_groups, self.terms, J)
        empty = np.zeros(0, dtype=np.int64)
        columns = zip(*parts, strict=True) if parts else [[empty]] * 6
        sizes, members, weights, counts, ids, units = (np.concatenate(one) for one in columns)
        indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        twin, first, indptr, indices = merge_equal(indptr, members.astype(np.int32))
        return SeenGroups(
            indptr.astype(np.int64),
            indices,
            np.bincount(twin, weights, len(first)).astype(np.float64),
            np.bincount(twin, counts, len(first)).astype(np.int64),
            ids[first],
            units[first],
            int(total),
        )

    def column_stats(self) -> tuple[Array, Array, int]:
        """Return Σ s x² of every column, the weights of its groups in the partitions, and how many these have."""
        return self.runner.total(passes.column_stats, self.terms, None)

    def best_group(self, message: Any) -> list[tuple[float, NDArray[np.intp], str, int]]:
        """Return the best group of every block; see `passes.best_group`."""
        return self.runner.total(passes.best_group, self.terms, message)[0]

    def count_empty(self, features: NDArray[np.intp]) -> int:
        """Return in how many documents none of some features occurs."""
        return self.runner.total(passes.count_empty, self.terms, features)[0]

    def score(self, point: Weights) -> tuple[NDArray[np.int32], Array]:
        """Return class numbers and margins of the documents, for a part that is small enough to be held here."""
        labels, margins = self.runner.total(passes.score, self.terms, point)
        return np.concatenate(labels), np.concatenate(margins)

    def _balanced(self, candidate: Candidate) -> Candidate:
        return candidate if self.fit_intercept else candidate._replace(totals=None)

    def largest_levels(self, groups: Groups | None = None) -> tuple[float, float]:
        """Return the λ₁ from which on all weights are 0, max |c_j|, and the scale of λ_g, max |c_j| / Σ_{g∋j} d_g."""
        # Without ``groups`` those of the partitions count.
        C = np.abs(self.dual_point(Candidate(self.without_words(), None))[0]).max(axis=1, initial=0.0)
        if groups is None:
            _, reach, _ = self.column_stats()
        else:
            shares = np.repeat(groups.weights, groups.sizes)
            reach = np.bincount(groups.indices, shares, self.n_features).astype(np.float64)
        shares = np.divide(C, reach, out=np.zeros_like(C), where=reach > 0.0)
        return float(C.max(initial=0.0)), float(shares.max(initial=0.0))

    def without_words(self) -> Weights:
        """Return the best model without any words: its intercept, by Newton's method."""
        nothing = np.zeros(0, dtype=np.intp)
        point = Weights(nothing, np.zeros((0, self.n_outputs)), np.zeros(self.n_outputs))
        for _ in range(50 if self.fit_intercept else 0):
            move = np.clip(self.hessian(point, nothing).move(np.zeros(0)), -2.0, 2.0)
            point = point._replace(intercept=point.intercept + move)
            if np.abs(move).max() <= 1e-12:
                break
        return point

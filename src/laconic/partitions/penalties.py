"""Penalties as the outer loop sees them: which features to look at, the penalty on these, and the bound.

`Closed` is for penalties whose conjugate has a closed form: elastic nets, disjoint and nested groups. `Overlapping` is
for all other groups, whether they are held here or live in the partitions; it carries their dual variables along.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.core.groups import Groups
from laconic.core.losses import Array
from laconic.core.penalties.base import Penalty
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.penalties.group import GroupedPenalty, group_penalty
from laconic.core.penalties.overlapping import OverlappingPenalty
from laconic.core.problem import LinearProblem
from laconic.core.solution import Solution
from laconic.partitions.problem import PartitionedProblem
from laconic.solvers.dispatch import solve
from laconic.solvers.overlapping.balls import Balls, Restriction
from laconic.solvers.overlapping.memory import OverlappingMemory
from laconic.solvers.overlapping.slices import entries
from laconic.solvers.warm_start import WarmStart

ROOM = 500  # features may join a set of groups in one round, whatever is asked for
TRACE = 0.05  # of the tolerance, relative to all radii of a feature: what its groups may leave of it unseen
INNER_STEPS = 5000

DualValue = Callable[[float], float]


class Minimised(NamedTuple):
    """The weights that minimise a model plus a penalty, those that the dual point belongs to, and the steps it took."""

    weights: Array
    shadow: Array
    steps: int


class Closed:
    """An elastic net, or a penalty on disjoint or nested groups that are held here."""

    on_set: Penalty

    def __init__(self, penalty: Penalty, n_outputs: int) -> None:
        self.penalty, self.n_outputs = penalty, n_outputs

    def enter(self, problem: PartitionedProblem, J: NDArray[np.intp]) -> None:
        """Restrict the penalty to a working set."""
        penalty, K = self.penalty, self.n_outputs
        l1 = np.repeat(penalty.l1[J], K) if isinstance(penalty.l1, np.ndarray) else penalty.l1
        if isinstance(penalty, GroupedPenalty):
            self.on_set = group_penalty(_over_entries(penalty.groups.restrict(J), K), penalty.group, l1, penalty.l2)
        else:
            self.on_set = ElasticNetPenalty(l1, penalty.l2)

    def value(self, w: Array) -> float:
        """Return the penalty of the weights of the working set."""
        return self.on_set.value(w)

    def minimise(self, model: LinearProblem, start: Solution, tol: float) -> Minimised:
        """Minimise a model plus the penalty over the working set."""
        solution = solve(model, self.on_set, start, tol, INNER_STEPS)
        w = solution.weights[:, 0]
        return Minimised(w, w, solution.iterations)

    def next_set(
        self, C: Array, inside: NDArray[np.bool_], support: NDArray[np.bool_], tol: float, room: int
    ) -> NDArray[np.bool_]:
        """Return the features with weights, and those that leave the dual set most."""
        sizes = np.linalg.norm(self.penalty.prox(C, 1.0), axis=1)
        return support | _most(np.where(support, 0.0, sizes), support, room)

    def bound(self, C: Array, value: float, dual_value: DualValue, inside: NDArray[np.bool_]) -> float:
        """Return the bound on the optimum by a dual candidate, worth ``dual_value`` of its multiples."""
        point = self.penalty.dual(C)
        if point.scale <= 0.0:
            return -np.inf
        return (value if point.scale == 1.0 else dual_value(point.scale)) - point.value


class Overlapping:
    """Any groups; ``groups=None`` says that they live in the partitions, where a working set must ask for them."""

    def __init__(
        self, groups: Groups | None, group: float, l1: float | Array, l2: float, n_features: int, n_outputs: int
    ) -> None:
        if groups is None and l2 == 0.0 and not np.all(np.asarray(l1) > 0.0):
            raise ValueError(
                "Groups that live in the partitions need l1 above 0: without it every word of the vocabulary would "
                "have to be looked at together. Give l1 a value, however small, or l2, or build the groups here."
            )
        self.groups, self.group, self.l1, self.l2 = groups, group, l1, l2
        self.n_features, self.n_outputs = n_features, n_outputs
        self._take(Groups.from_lists([], n_features) if groups is None else groups)

    def _take(self, groups: Groups) -> None:
        penalty = OverlappingPenalty(groups, self.group, self.l1, self.l2)
        self.balls = Balls.of(penalty, self.n_outputs)
        self.reach = self.balls.reach()
        self.xi = np.zeros(len(self.balls.indices))

    def enter(self, problem: PartitionedProblem, J: NDArray[np.intp]) -> None:
        """Restrict the penalty to a working set."""
        if self.groups is None:
            on_set = problem.groups_on(J)
            self._take(Groups(on_set.indptr, J[on_set.indices], on_set.weights, self.n_features))
        self._restriction = Restriction(self.balls, entries(J, self.n_outputs))
        seen = self._restriction.balls
        single = seen.sizes == 1
        l1 = np.zeros(seen.n_entries)
        l1[seen.indices[seen.indptr[:-1][single]]] = seen.radii[single]
        kept = np.flatnonzero(~single)
        sizes = seen.sizes[kept]
        members = seen.indices[np.repeat(~single, seen.sizes)]
        groups = Groups(np.concatenate([[0], np.cumsum(sizes)]), members, seen.radii[kept], seen.n_entries)
        self.on_set = OverlappingPenalty(groups, 1.0, l1, self.l2)
        # Where the solver keeps the dual variables of each ball: single entries by number, then sets by size.
        order = np.concatenate(
            [
                np.flatnonzero(single)[np.argsort(seen.indices[seen.indptr[:-1][single]])],
                kept[np.argsort(sizes, kind="stable")],
            ]
        )
        self._places = np.concatenate(
            [np.arange(a, b) for a, b in zip(seen.indptr[:-1][order], seen.indptr[1:][order], strict=True)]
            or [np.zeros(0, dtype=np.int64)]
        )

    def value(self, w: Array) -> float:
        """Return the penalty of the weights of the working set."""
        return self.on_set.value(w)

    def minimise(self, model: LinearProblem, start: Solution, tol: float) -> Minimised:
        """Minimise a model plus the penalty over the working set."""
        memory = OverlappingMemory()
        if start.weights.any():
            balls = Balls.of(self.on_set)
            xi = self._restriction.down(self.xi)[self._places]
            if not xi.any():
                xi = balls.start(start.weights[:, 0])
            w = start.weights[:, 0]
            memory.keep(self.on_set.groups, balls, w, start.intercept, xi, w)
        solution = solve(model, self.on_set, None, tol, INNER_STEPS, WarmStart(memory=memory), "overlapping")
        common = np.empty(len(self._places))
        common[self._places] = memory.xi
        self._restriction.up(common, self.xi)
        return Minimised(solution.weights[:, 0], memory.shadow, solution.iterations)

    def next_set(
        self, C: Array, inside: NDArray[np.bool_], support: NDArray[np.bool_], tol: float, room: int
    ) -> NDArray[np.bool_]:
        """Return the last working set, whose zeros may be held by groups, and features of which groups leave most."""
        shape = -1, self.n_outputs
        left = self._taken_up(C, inside, tol).reshape(shape)
        size = np.where(inside, 0.0, np.abs(left).max(axis=1))
        size[size <= TRACE * tol * self.reach.reshape(shape).min(axis=1)] = 0.0
        return inside | _most(size, inside, min(room, ROOM))

    def bound(self, C: Array, value: float, dual_value: DualValue, inside: NDArray[np.bool_]) -> float:
        """Return the bound on the optimum by a dual candidate, worth ``dual_value`` of its multiples."""
        r = self._taken_up(C, inside, 1e-3)
        factor = max(1.0, self.balls.growth(r, self.xi, self.reach))
        bound = -np.inf
        if np.isfinite(factor):
            bound = value if factor == 1.0 else dual_value(1.0 / factor)
        return max(bound, value - float(r @ r) / (4.0 * self.l2)) if self.l2 > 0.0 else bound

    def _taken_up(self, C: Array, inside: NDArray[np.bool_], tol: float) -> Array:
        c = np.ascontiguousarray(C).reshape(-1)
        held = np.repeat(inside, self.n_outputs)
        return self.balls.take_up(c, self.xi, held, 1e-3 * tol * float(np.abs(c).max(initial=0.0)))


def _most(size: Array, inside: NDArray[np.bool_], room: int) -> NDArray[np.bool_]:
    """Return the features of the largest sizes above zero: at most as many as there are inside, or 500."""
    found = size > 0.0
    room = max(room, int(inside.sum()))
    if np.count_nonzero(found) > room:
        found &= size >= np.partition(size, -room)[-room]
    return found


def _over_entries(groups: Groups, n_outputs: int) -> Groups:
    """Return groups of features as groups of their entries."""
    if n_outputs == 1:
        return groups
    members = entries(groups.indices.astype(np.intp), n_outputs).astype(np.int32)
    return Groups(groups.indptr * n_outputs, members, groups.weights, groups.n_features * n_outputs)

r"""The trail of a path: solved points, and starts for others from them.

Between two solved levels λ_a > λ_b, the line between their solutions is nearly the path, and the line between their
residuals is feasible without a look at the data: |x_jᵀα| is at most λ_a at one end and λ_b at the other, so at most
(1 − t)λ_a + tλ_b between. Both errors vanish faster than λ_a − λ_b, so a point between is often certified as it is.
Beyond the last level the line through the last two solutions is a start, and that through their correlations says
which words will enter: with these in the working set, one round is enough.
"""

from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.core.losses import Array
from laconic.core.penalties.base import Penalty
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.penalties.group import GroupedPenalty
from laconic.core.problem import InMemoryProblem, Problem
from laconic.core.solution import Solution, Step, nonzero_rows
from laconic.solvers.certificate import DualCandidate, lower_bound
from laconic.solvers.screening import Screen

MARGIN = 1.05  # on the correlations expected ahead: what they leave out of the working set costs a round


class Point:
    """Weights and the best intercept for them, with margins, the loss of every document, and the objective."""

    def __init__(self, problem: Problem, penalty: Penalty, W: Array, b: Array, F: Array | None = None) -> None:
        F = problem.margins(W, b) if F is None else F
        shift = problem.intercept(F)
        self.W, self.b, self.F = W, b + shift, F + shift
        self.values = problem.loss_values(self.F)
        self.objective = float(self.values.sum()) + penalty.value(W)

    def under(self, penalty: Penalty) -> "Point":
        """Return the same point with the objective of another penalty; its weights and intercept may be changed."""
        other = copy(self)
        other.W, other.b = self.W.copy(), self.b.copy()
        other.objective = self.objective_under(penalty)
        return other

    def objective_under(self, penalty: Penalty) -> float:
        """Return the objective of this point under another penalty."""
        return float(self.values.sum()) + penalty.value(self.W)


class Solved(NamedTuple):
    """A solved point with its penalty, its dual candidate with the scale at which that is feasible, and its support."""

    level: float
    penalty: Penalty
    point: Point
    candidate: DualCandidate
    scale: float
    support: NDArray[np.intp]


class Start(NamedTuple):
    """Where to begin, a dual candidate, and the correlations to expect at the end: they choose the working set."""

    point: Point
    candidate: DualCandidate
    likely: Array


class Trail:
    """The solved points of one problem, by their levels."""

    def __init__(self, problem: InMemoryProblem) -> None:
        self.problem = problem
        self.screen = Screen(problem)
        self._solved: list[Solved] = []

    @property
    def is_empty(self) -> bool:
        """Whether nothing was solved yet."""
        return not self._solved

    def add(self, penalty: Penalty, point: Point, candidate: DualCandidate, valid: bool = True) -> None:
        """Remember a solved point and its dual candidate, and whether that one makes a bound."""
        scale = penalty.dual(candidate.correlations).scale if valid else 0.0
        self._solved.append(Solved(level_of(penalty), penalty, point, candidate, scale, nonzero_rows(point.W)))

    def forget(self, keep: int) -> None:
        """Forget all but the ``keep`` lowest levels."""
        self._solved = sorted(self._solved, key=lambda solved: -solved.level)[-keep:]

    def begin(self, penalty: Penalty) -> Start | None:
        """Return a start for another level: between two solved ones, ahead of them, or at the last; None for none."""
        if not self._solved:
            return None
        level = level_of(penalty)
        chord = self._chord(level)
        if chord is not None:
            point = Point(self.problem, penalty, chord.mix("W"), chord.mix("b"), chord.mix("F"))
            candidate = chord.candidate()
            return Start(point, candidate, candidate.correlations)
        last = self._solved[-1]
        if len(self._solved) > 1 and self._solved[-2].level > last.level > level:
            there, likely = self._ahead(penalty, level)
            if there.objective < last.point.objective_under(penalty):
                return Start(there, last.candidate, likely)
        return Start(last.point.under(penalty), last.candidate, last.candidate.correlations)

    def between(self, penalty: Penalty) -> Solution | None:
        """Return the point between two solved ones with its certificate, without a look at the data; None for none."""
        chord = self._chord(level_of(penalty))
        if chord is None or not (chord.above.scale > 0.0 and chord.below.scale > 0.0):
            return None
        problem, support = self.problem, np.union1d(chord.above.support, chord.below.support)
        W, b, few = np.zeros(chord.above.point.W.shape), chord.mix("b"), chord.mix("W", support)
        W[support] = few
        size = penalty.restrict(support).value(few) if isinstance(penalty, ElasticNetPenalty) else penalty.value(W)
        objective = float(problem.loss_values(chord.mix("F")).sum()) + size
        if all(map(_is_lasso, (penalty, chord.above.penalty, chord.below.penalty))):
            bound = problem.dual_value(chord.residual())
        else:
            bound = lower_bound(problem, penalty, chord.candidate())
        return Solution(W, b, objective, bound, trace=(Step(objective, bound, len(support)),))

    def _chord(self, level: float) -> "Chord | None":
        above = [solved for solved in self._solved if solved.level > level]
        below = [solved for solved in self._solved if solved.level < level]
        return Chord(min(above, key=_level), max(below, key=_level), level) if above and below else None

    def _ahead(self, penalty: Penalty, level: float) -> tuple[Point, Array]:
        before, last = self._solved[-2:]
        ahead = (last.level - level) / (before.level - last.level)

        def beyond(first: Array, second: Array) -> Array:
            return second + ahead * (second - first)

        rows = np.union1d(before.support, last.support)
        W, b = np.zeros(last.point.W.shape), beyond(before.point.b, last.point.b)
        F = beyond(before.point.F, last.point.F)
        few = beyond(before.point.W[rows], last.point.W[rows])
        # Weights keep their signs: what would cross zero, or was zero, is zero.
        lost = few * last.point.W[rows] <= 0.0
        if lost.any():
            W[rows] = np.where(lost, few, 0.0)
            F -= self.problem.margins(W, np.zeros_like(b))
        W[rows] = np.where(lost, 0.0, few)
        likely = MARGIN * beyond(before.candidate.correlations, last.candidate.correlations)
        return Point(self.problem, penalty, W, b, F), likely


class Chord:
    """The line between two solved points, at one level."""

    def __init__(self, above: Solved, below: Solved, level: float) -> None:
        self.above, self.below = above, below
        self._t = (above.level - level) / (above.level - below.level)

    def mix(self, name: str, rows: NDArray[np.intp] | slice = slice(None)) -> Array:
        """Return what the two points have of that name, mixed."""
        return self._mixed(getattr(self.above.point, name)[rows], getattr(self.below.point, name)[rows])

    def candidate(self) -> DualCandidate:
        """Return the dual candidates, mixed."""
        return DualCandidate(*map(self._mixed, self.above.candidate, self.below.candidate))

    def residual(self) -> Array:
        """Return the residuals, each scaled into the dual set of its own penalty, mixed."""
        return self._mixed(*(end.scale * end.candidate.residual for end in (self.above, self.below)))

    def _mixed(self, first: Array, second: Array) -> Array:
        return (1.0 - self._t) * first + self._t * second


def level_of(penalty: Penalty) -> float:
    """Return how strong a penalty is: λ_g plus the largest λ₁."""
    return float((penalty.group if isinstance(penalty, GroupedPenalty) else 0.0) + np.max(penalty.l1, initial=0.0))


def _is_lasso(penalty: Penalty) -> bool:
    """Say whether two penalties of this kind have dual sets that differ by a factor only, that of their levels."""
    return isinstance(penalty, ElasticNetPenalty) and penalty.l2 == 0.0 and np.ndim(penalty.l1) == 0


def _level(solved: Solved) -> float:
    return solved.level

r"""The trail of a path: solved points, and starts for others from them.

Between two solved levels λ_a > λ_b, the line between their solutions is nearly the path, and the line between their
residuals is feasible without a look at the data: |x_jᵀα| is at most λ_a at one end and λ_b at the other, so at most
(1 − t)λ_a + tλ_b between. Both errors are of second order in λ_a − λ_b, so a point between is often certified as it is.
Beyond the last level the line through the last two solutions is a start that needs one round of its own.
"""

from copy import copy
from typing import Any

from laconic.core.losses import Array
from laconic.solvers.certificate import DualCandidate
from laconic.solvers.screening import Screen


class Point:
    """Weights and the best intercept for them, with margins, the loss of every document, and the objective."""

    def __init__(self, problem: Any, penalty: Any, W: Array, b: Array, F: Array | None = None) -> None:
        F = problem.margins(W, b) if F is None else F
        shift = problem.intercept(F)
        self.W, self.b, self.F = W, b + shift, F + shift
        self.values = problem.loss_values(self.F)
        self.objective = float(self.values.sum()) + penalty.value(W)

    def under(self, penalty: Any) -> "Point":
        """Return the same point with the objective of another penalty; its weights and intercept may be changed."""
        other = copy(self)
        other.W, other.b = self.W.copy(), self.b.copy()
        other.objective = float(self.values.sum()) + penalty.value(self.W)
        return other


Solved = tuple[float, Point, DualCandidate]


class Trail:
    """The solved points of one problem, with the level λ₁ (the largest of all features) that each solved."""

    def __init__(self, problem: Any) -> None:
        self.problem = problem
        self.screen = Screen(problem)
        self._solved: list[Solved] = []

    def add(self, level: float, point: Point, candidate: DualCandidate) -> None:
        """Remember a solved point and its dual candidate."""
        self._solved.append((level, point, candidate))

    def forget(self, keep: int) -> None:
        """Forget all but the ``keep`` lowest levels."""
        self._solved = sorted(self._solved, key=lambda one: -one[0])[-keep:]

    def begin(self, penalty: Any, level: float) -> tuple[Point, DualCandidate] | None:
        """Return a start for another level: between two solved ones, ahead of them, or at the last; None for none."""
        if not self._solved:
            return None
        above = [one for one in self._solved if one[0] > level]
        below = [one for one in self._solved if one[0] < level]
        if above and below:
            return self._between(penalty, level, min(above, key=_level), max(below, key=_level))
        _, point, candidate = self._solved[-1]
        here = point.under(penalty)
        if len(self._solved) > 1 and self._solved[-2][0] > self._solved[-1][0] > level:
            there = self._ahead(penalty, level)
            if there.objective < here.objective:
                return there, candidate
        return here, candidate

    def _between(
        self,
        penalty: Any,
        level: float,
        one: tuple[float, Point, DualCandidate],
        two: tuple[float, Point, DualCandidate],
    ) -> tuple[Point, DualCandidate]:
        (high, a, c), (low, b, d) = one, two
        t = (high - level) / (high - low)

        def mix(first: Array, second: Array) -> Array:
            return (1.0 - t) * first + t * second

        point = Point(self.problem, penalty, mix(a.W, b.W), mix(a.b, b.b), mix(a.F, b.F))
        return point, DualCandidate(mix(c.residual, d.residual), mix(c.correlations, d.correlations))

    def _ahead(self, penalty: Any, level: float) -> Point:
        (first, before, _), (second, last, _) = self._solved[-2:]
        ahead = (second - level) / (first - second)
        W = last.W + ahead * (last.W - before.W)
        # Weights keep their signs: what would cross zero, or was zero, is zero.
        W[W * last.W <= 0.0] = 0.0
        return Point(self.problem, penalty, W, last.b + ahead * (last.b - before.b))


def _level(solved: Solved) -> float:
    return solved[0]

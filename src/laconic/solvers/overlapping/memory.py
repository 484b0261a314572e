"""What the certified solver of overlapping groups knows from its last solve."""

import numpy as np

from laconic.core.groups import Groups
from laconic.core.losses import Array
from laconic.solvers.overlapping.balls import Balls


class OverlappingMemory:
    """What one solve leaves to the next on the same problem and groups; ``xi`` belongs to the residual of ``shadow``,
    the weights before the smallest groups became zero."""

    def __init__(self) -> None:
        self.balls: Balls | None = None
        self.xi = self.shadow = np.empty(0)
        self.weights = self.intercept = np.empty(0)
        self._groups: Groups | None = None

    def recall(self, groups: Groups, balls: Balls) -> tuple[Array, Array, Array] | None:
        """Return weights, intercept and dual variables to start from; None if the last solve had other groups."""
        if self.balls is None or self._groups is not groups or balls.n_entries != self.balls.n_entries:
            return None
        if not np.array_equal(balls.indptr, self.balls.indptr):
            return self.weights, self.intercept, balls.start(self.weights)
        return self.weights, self.intercept, self.xi * np.repeat(balls.radii / self.balls.radii, balls.sizes)

    def keep(self, groups: Groups, balls: Balls, weights: Array, intercept: Array, xi: Array, shadow: Array) -> None:
        """Remember the end of a solve."""
        self._groups, self.balls, self.weights, self.intercept, self.xi = groups, balls, weights, intercept, xi
        self.shadow = shadow

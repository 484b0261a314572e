"""``Solution``: what every solver returns, with the proof of how good it is."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Step(NamedTuple):
    """One line of a solver's trace."""

    objective: float
    dual_objective: float
    nonzero: int


def nonzero_rows(weights: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the numbers of the rows with any nonzero entry."""
    return np.flatnonzero(weights[:, 0] if weights.shape[1] == 1 else weights.any(axis=1))


@dataclass(frozen=True)
class Solution:
    """Weights, and a certificate: no weights whatever have an objective below ``dual_objective``.

    Attributes
    ----------
    weights : ndarray of shape (n_features, n_outputs)
    intercept : ndarray of shape (n_outputs,)
    objective, dual_objective : float
        The value reached, and a proven lower bound on the best possible value (−inf where there is no certificate).
    converged : bool
        Whether the solver's stopping rule was met.
    iterations : int
    trace : tuple of Step
    order : tuple of int
        Features or groups in the order in which they entered, where the solver has such an order.
    message : str
        One sentence when there is something a user must know, else empty.

    Examples
    --------
    >>> import numpy as np
    >>> solution = Solution(np.array([[0.0], [2.0]]), np.zeros(1), objective=4.0, dual_objective=3.9)
    >>> solution.support.tolist(), round(solution.relative_gap, 3)
    ([1], 0.025)
    """

    weights: NDArray[np.float64] = field(repr=False)
    intercept: NDArray[np.float64]
    objective: float
    dual_objective: float
    converged: bool = True
    iterations: int = 0
    trace: tuple[Step, ...] = field(default=(), repr=False)
    order: tuple[int, ...] = field(default=(), repr=False)
    message: str = ""

    @property
    def gap(self) -> float:
        """Objective minus dual objective: an upper bound on how far the objective is from the optimum."""
        return self.objective - self.dual_objective

    @property
    def relative_gap(self) -> float:
        """The gap divided by the objective."""
        gap = self.gap
        return gap / self.objective if self.objective > 0 and np.isfinite(gap) else gap

    @property
    def support(self) -> NDArray[np.intp]:
        """Indices of the features with any nonzero weight."""
        return nonzero_rows(self.weights)

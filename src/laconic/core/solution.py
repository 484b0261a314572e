"""``Solution``: what every solver returns, with the proof of how good it is; ``Path``: solutions by λ or by step.

A path is cut at any size without a refit. It keeps of each solution only the words it has: two thousand models of a
pursuit over a vocabulary of 100,000 take megabytes, not gigabytes. A solution with all its zeros is made when it is
asked for. The models of a pursuit, each of which has the words of the one before and more, share one list of words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


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


@dataclass(frozen=True)
class SparseSolution:
    """A solution without its zeros: the features with any nonzero weight, their weights, and in ``rest`` all else."""

    support: NDArray[np.intp]
    values: NDArray[np.float64]
    n_features: int
    rest: Solution

    @classmethod
    def of(cls, solution: Solution) -> "SparseSolution":
        """Drop the zeros of a solution."""
        support = solution.support
        rest = replace(solution, weights=np.empty((0, solution.weights.shape[1])))
        return cls(support, solution.weights[support], len(solution.weights), rest)

    def among(self, features: NDArray[np.intp], n_features: int) -> "SparseSolution":
        """Return a solution over some features, in their order, as one over all."""
        return replace(self, support=features[self.support], n_features=n_features)

    def dense(self) -> Solution:
        """Return the solution with its zeros."""
        weights = np.zeros((self.n_features, self.values.shape[1]))
        weights[self.support] = self.values
        return replace(self.rest, weights=weights)


@dataclass(frozen=True, repr=False, init=False)
class Path:
    """Solutions from the smallest model to the largest.

    Parameters
    ----------
    solutions : sequence of Solution, or of SparseSolution
    parameters : sequence of dict
        What gave each solution: estimator parameters (``{"l1": …, "l2": …}``), or what entered at this step.
    classes : ndarray, optional
        Sorted class labels; None for a regression.

    Examples
    --------
    >>> import numpy as np
    >>> path = Path(
    ...     [Solution(np.array([[a], [b]]), np.zeros(1), 1.0, 1.0) for a, b in [(0, 0), (1, 0), (2, 1)]],
    ...     [{"l1": 3.0}, {"l1": 2.0}, {"l1": 1.0}],
    ...     np.array(["no", "yes"]),
    ... )
    >>> path.sizes.tolist(), path.at(1).weights.ravel().tolist()
    ([0, 1, 2], [1.0, 0.0])
    >>> path.score(np.array([[1.0, 0.0], [-1.0, 0.0]]), ["yes", "no"]).tolist()
    [0.5, 1.0, 1.0]
    """

    points: Sequence[SparseSolution]
    parameters: tuple[dict[str, Any], ...]
    classes: NDArray[Any] | None

    def __init__(
        self,
        solutions: Sequence[Solution] | Sequence[SparseSolution],
        parameters: Sequence[dict[str, Any]],
        classes: NDArray[Any] | None = None,
    ) -> None:
        # A path of thousands makes its solutions when they are asked for: only dense ones are all looked at.
        points: Any = solutions
        if isinstance(solutions[0], Solution):
            points = tuple(SparseSolution.of(one) for one in solutions if isinstance(one, Solution))
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "parameters", tuple(parameters))
        object.__setattr__(self, "classes", classes)

    def __repr__(self) -> str:
        return f"Path({len(self)} solutions, {self.sizes.min()} to {self.sizes.max()} words)"

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, step: int) -> Solution:
        return self.points[step].dense()

    def __iter__(self) -> Iterator[Solution]:
        return (point.dense() for point in self.points)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of words (features with any nonzero weight) of each solution."""
        return np.array([len(point.support) for point in self.points])

    def at(self, k: int) -> Solution:
        """Return the last solution before the path first exceeds ``k`` words."""
        return self[self.step_at(k)]

    def step_at(self, k: int) -> int:
        """Return the number of the last solution before the path first exceeds ``k`` words."""
        too_big = np.flatnonzero(self.sizes > k)
        last = int(too_big[0]) - 1 if len(too_big) else len(self) - 1
        if last < 0:
            raise ValueError(
                f"No solution of this path has at most {k} words; its smallest has {self.sizes[0]}. Ask for more words."
            )
        return last

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return margins of shape (n_solutions, n_samples, n_outputs), by one pass over ``X``."""
        n_features = self.points[0].n_features
        if X.shape[1] != n_features:
            raise ValueError(f"X has {X.shape[1]} features, but this path was fitted on {n_features}.")
        used = np.unique(np.concatenate([point.support for point in self.points]))
        n_outputs = self.points[0].values.shape[1]
        stacked = np.zeros((len(used), len(self), n_outputs))
        for step, point in enumerate(self.points):
            stacked[np.searchsorted(used, point.support), step] = point.values
        columns = X.tocsc()[:, used].tocsr() if hasattr(X, "tocsc") else np.asarray(X)[:, used]
        margins = np.asarray(columns @ stacked.reshape(len(used), -1)).reshape(X.shape[0], len(self), n_outputs)
        return margins.transpose(1, 0, 2) + np.stack([point.rest.intercept for point in self.points])[:, None, :]

    def score(self, X: Any, y: ArrayLike) -> NDArray[np.float64]:
        """Return the accuracy (or R² of a regression) of every solution, by one pass over ``X``."""
        margins = self.decision_function(X)
        target = np.asarray(y)
        if self.classes is None:
            errors = ((margins[:, :, 0] - target) ** 2).sum(axis=1)
            return np.asarray(1.0 - errors / ((target - target.mean()) ** 2).sum())
        if margins.shape[2] == 1:
            predicted = self.classes[(margins[:, :, 0] > 0).astype(int)]
        else:
            predicted = self.classes[margins.argmax(axis=2)]
        return np.asarray((predicted == target).mean(axis=1))


NO_WEIGHTS = np.empty((0, 1))


@dataclass(eq=False)
class NestedSolutions(Sequence[SparseSolution]):
    """Solutions by the order in which words entered: solution i has ``values[i]`` for the first of ``order``."""

    order: NDArray[np.intp]
    values: Sequence[NDArray[np.float64]]
    intercepts: Sequence[float] | Sequence[NDArray[np.float64]]
    objectives: Sequence[float]
    n_features: int

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, step: int | slice) -> Any:
        if isinstance(step, slice):
            part = self.values[step], self.intercepts[step], self.objectives[step]
            return NestedSolutions(self.order, *part, self.n_features)
        values = self.values[step] if self.values[step].ndim == 2 else self.values[step][:, None]
        rest = Solution(values[:0], np.atleast_1d(self.intercepts[step]), self.objectives[step], -np.inf)
        return SparseSolution(self.order[: len(values)], values, self.n_features, rest)

"""``Path``: solutions ordered by λ or by step, cut at any size without a refit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.core.solution import Solution


@dataclass(frozen=True, repr=False)
class Path:
    """Solutions from the smallest model to the largest.

    Attributes
    ----------
    solutions : tuple of Solution
    parameters : tuple of dict
        The estimator parameters that gave each solution (``{"l1": …, "l2": …}``).
    classes : ndarray or None
        Sorted class labels; None for a regression.

    Examples
    --------
    >>> import numpy as np
    >>> path = Path(
    ...     tuple(Solution(np.array([[a], [b]]), np.zeros(1), 1.0, 1.0) for a, b in [(0, 0), (1, 0), (2, 1)]),
    ...     ({"l1": 3.0}, {"l1": 2.0}, {"l1": 1.0}),
    ...     np.array(["no", "yes"]),
    ... )
    >>> path.sizes.tolist(), path.at(1).weights.ravel().tolist()
    ([0, 1, 2], [1, 0])
    >>> path.score(np.array([[1.0, 0.0], [-1.0, 0.0]]), ["yes", "no"]).tolist()
    [0.5, 1.0, 1.0]
    """

    solutions: tuple[Solution, ...]
    parameters: tuple[dict[str, Any], ...]
    classes: NDArray | None = None

    def __repr__(self) -> str:
        return f"Path({len(self)} solutions, {self.sizes.min()} to {self.sizes.max()} words)"

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.solutions)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of words (features with any nonzero weight) of each solution."""
        return np.array([len(solution.support) for solution in self.solutions])

    def at(self, k: int) -> Solution:
        """Return the last solution before the path first exceeds ``k`` words."""
        too_big = np.flatnonzero(self.sizes > k)
        last = int(too_big[0]) - 1 if len(too_big) else len(self) - 1
        if last < 0:
            raise ValueError(
                f"No solution of this path has at most {k} words; its smallest has {self.sizes[0]}. Ask for more words."
            )
        return self.solutions[last]

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return margins of shape (n_solutions, n_samples, n_outputs), by one pass over ``X``."""
        n_features = len(self.solutions[0].weights)
        if X.shape[1] != n_features:
            raise ValueError(f"X has {X.shape[1]} features, but this path was fitted on {n_features}.")
        stacked = np.concatenate([solution.weights for solution in self.solutions], axis=1)
        margins = np.asarray(X @ stacked).reshape(X.shape[0], len(self), -1)
        return margins.transpose(1, 0, 2) + np.stack([solution.intercept for solution in self.solutions])[:, None, :]

    def score(self, X: Any, y: Sequence) -> NDArray[np.float64]:
        """Return the accuracy (or R² of a regression) of every solution, by one pass over ``X``."""
        margins = self.decision_function(X)
        target = np.asarray(y)
        if self.classes is None:
            errors = ((margins[:, :, 0] - target) ** 2).sum(axis=1)
            return 1.0 - errors / ((target - target.mean()) ** 2).sum()
        if margins.shape[2] == 1:
            predicted = self.classes[(margins[:, :, 0] > 0).astype(int)]
        else:
            predicted = self.classes[margins.argmax(axis=2)]
        return (predicted == target).mean(axis=1)

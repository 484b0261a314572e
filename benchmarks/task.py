"""``Task``: what every solver is asked to minimise, in laconic's convention.

P(W, b) = Σ_i loss_i + l1·‖W‖₁ + l2·‖W‖₂², losses summed, no ½ before l2, the intercept b free or absent. Where there
is a group size, l1·Σ_g √size·‖W_g‖₂ stands in place of l1·‖W‖₁, for groups of so many neighbouring columns (the last
may be smaller). Each solver file converts to its library's own scale.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """One point of a race: penalties, whether there is an intercept, and the number of classes (2: one output)."""

    l1: float
    l2: float
    intercept: bool
    n_classes: int
    group_size: int = 0

    @property
    def inverse(self) -> float:
        """scikit-learn's C: the inverse of l1 + 2·l2."""
        return 1.0 / (self.l1 + 2.0 * self.l2)

    @property
    def l1_ratio(self) -> float:
        """Share of the l1 part, as scikit-learn and glmnet count it: l1 / (l1 + 2·l2)."""
        return self.l1 / (self.l1 + 2.0 * self.l2)

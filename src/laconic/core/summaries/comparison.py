"""What was compared before a model was kept: each method with its best setting, and the reason for the choice."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CurvePoint:
    """One budget of a pursuit: words, score with its standard error, and whether it was chosen."""

    words: float
    score: float
    error: float
    chosen: bool = False


@dataclass(frozen=True)
class Contender:
    """One method in a comparison, with the penalty chosen for it."""

    method: str
    l1: float
    l2: float
    score: float  # by the metric of the comparison, on the dev set or in cross-validation
    error: float  # standard error of the score
    test: float | None  # the metric on the test set, if there was one
    words: int
    gap: float  # relative duality gap of the final fit; infinite without a certificate
    seconds: float | None = None  # tuning and final fit together; None for a saved model
    chosen: bool = False
    group: float = 0.0  # 0 for a method without groups
    budget: int | None = None  # number of words requested from a pursuit
    curve: tuple[CurvePoint, ...] = ()  # of a pursuit, for the λ₂ that was chosen, the smallest model first


@dataclass(frozen=True)
class Comparison:
    """The methods that were compared, and in one sentence the reason why one of them was kept."""

    metric: str
    scored_on: str  # e.g. "dev" or "5-fold cv"
    reason: str
    contenders: tuple[Contender, ...]

    @property
    def chosen(self) -> Contender:
        """The contender that was kept."""
        return next(contender for contender in self.contenders if contender.chosen)

"""What was compared before a model was kept: each method with its best setting, and the reason for the choice."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CurvePoint:
    """One budget of a pursuit: words, score with its standard error, and whether it was taken."""

    words: float
    score: float
    error: float
    chosen: bool = False


@dataclass(frozen=True)
class Contender:
    """One method in a comparison, with the penalty chosen for it.

    Attributes
    ----------
    method : str
    l1, l2 : float
        λ₁ and λ₂.
    group : float
        λ_g; 0 for a method without groups.
    score : float
        On the dev set or in cross-validation, by the metric of the comparison.
    error : float
        Standard error of ``score``.
    test : float or None
        The metric on the test set, if there was one.
    words : int
    gap : float
        Relative duality gap of the final fit; infinite without a certificate.
    seconds : float or None
        Tuning and final fit together; None for a saved model, which does not keep it.
    chosen : bool
        Whether this is the model that was kept.
    budget : int or None
        Of a pursuit: how many words it was asked for.
    curve : tuple of CurvePoint
        Of a pursuit: score against words for the λ₂ that was chosen, the smallest model first.
    """

    method: str
    l1: float
    l2: float
    score: float
    error: float
    test: float | None
    words: int
    gap: float
    seconds: float | None = None
    chosen: bool = False
    group: float = 0.0
    budget: int | None = None
    curve: tuple[CurvePoint, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """The methods that were compared, and why one of them was kept.

    Attributes
    ----------
    metric : str
    scored_on : str
        What ``score`` of the contenders refers to, e.g. "dev" or "5-fold cv".
    reason : str
        One sentence.
    contenders : tuple of Contender
    """

    metric: str
    scored_on: str
    reason: str
    contenders: tuple[Contender, ...]

    @property
    def chosen(self) -> Contender:
        """The contender that was kept."""
        return next(one for one in self.contenders if one.chosen)

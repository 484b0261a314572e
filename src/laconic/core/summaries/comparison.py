"""What was compared before a model was kept: each method with its best setting, score against words, and the reason."""

from dataclasses import dataclass, field
from typing import Any

from laconic.core.values import excerpt


@dataclass(frozen=True)
class Contender:
    """One method in a comparison, with the penalty chosen for it, or the best model of some size."""

    method: str
    l1: float
    l2: float
    score: float  # by the metric of the comparison, on the dev set or in cross-validation
    error: float  # standard error of the score
    test: float | None  # the metric on the test set, if there was one
    words: int  # of the final fit; without one as scored, with folds the mean of their models
    gap: float  # relative duality gap of the final fit; infinite without a certificate
    seconds: float | None = None  # tuning and final fit together; None for a saved model
    chosen: bool = False
    group: float = 0.0  # 0 for a method without groups
    budget: int | None = None  # number of words requested from a pursuit
    also: dict[str, float] = field(default_factory=dict)  # accuracy and macro F1
    gain: float | None = None  # over the chosen model, as paired on the same documents; positive is better
    half: float | None = None  # of the 95% interval of the gain

    def gained(self, metric: str) -> str:
        """Return the gain with its interval, in points where scores are shares; nothing for the chosen model."""
        if self.chosen or self.gain is None:
            return ""
        scale, digits = (1.0, 3) if metric == "log_loss" else (100.0, 1)
        ends = [] if self.half is None else [self.gain - self.half, self.gain + self.half]
        interval = ", ".join(f"{scale * end:+.{digits}f}" for end in ends)
        return f"{scale * self.gain:+.{digits}f}" + (f" [{interval}]" if ends else "")


@dataclass(frozen=True)
class Comparison:
    """The methods that were compared, and in one sentence the reason why one of them was kept."""

    metric: str
    scored_on: str  # e.g. "dev" or "5-fold cv"
    reason: str
    contenders: tuple[Contender, ...]
    frontier: tuple[Contender, ...] = ()  # by words, from always answering one class to a weight for every word
    unpredicted: tuple[Any, ...] = ()  # classes of scored documents that the chosen model never predicts

    @property
    def chosen(self) -> Contender:
        """The contender that was kept."""
        return next(contender for contender in self.contenders if contender.chosen)

    @property
    def majority(self) -> Contender | None:
        """What always answers the most frequent class; None for models of before."""
        return self.frontier[0] if self.frontier else None

    @property
    def by_size(self) -> tuple[list[str], list[list[str]]]:
        """Headings and cells of score against words, the same in every table."""
        others = [name for name in self.majority.also if name != self.metric][:1] if self.majority else []
        headings = ["method", "words", f"{self.metric}, {self.scored_on}", *others, "over the kept [95%]"]
        rows = [
            [point.method, f"{point.words:,}", f"{point.score:.3f} ± {point.error:.3f}"]
            + [f"{point.also[name]:.3f}" for name in others]
            + [point.gained(self.metric)]
            for point in self.frontier
        ]
        return headings, rows

    @property
    def doubts(self) -> list[str]:
        """What to know before the chosen model is trusted, a sentence each."""
        sentences = []
        if self.unpredicted:
            more = f" and {rest:,} more class{'es' * (rest > 1)}" if (rest := len(self.unpredicted) - 1) else ""
            sentences.append(f"The model never predicts {excerpt(self.unpredicted[0])}{more} ({self.scored_on}).")
        always = self.majority
        if always is not None and (always.gain or 0.0) + (always.half or 0.0) >= 0.0:
            sentences.append(
                f"The model is not surely better than {always.method}: {self.metric} {self.chosen.score:.3f} "
                f"against {always.score:.3f} ({self.scored_on})."
            )
        return sentences

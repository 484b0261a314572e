"""Which of several candidates to take.

``best``: the best mean score; among equals the one with the fewest words, then the earliest. ``one_se``: the candidate
with the fewest words among those whose mean is within one standard error (that of the best one) of the best; among
equally small ones the better, then the earlier. The rule is from Breiman, Friedman, Olshen and Stone,
*Classification and Regression Trees* (1984), section 3.4.3.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from laconic.evaluate.arguments import check_whole
from laconic.evaluate.metrics.scores import higher_is_better
from laconic.evaluate.tuning.candidates import Candidate, describe

RULES = ("one_se", "best")
# Means of the same scores in another order differ in the last bits; such candidates tie all the same.
SLACK = 1e-12


@dataclass(frozen=True)
class Pick:
    """Positions in a list of candidates: the best, the others that score the same, and the chosen one."""

    best: int
    ties: tuple[int, ...]
    chosen: int


def pick(candidates: Sequence[Candidate], metric: str, rule: str, max_words: int | None = None) -> Pick:
    """Return what a rule takes among candidates with at most ``max_words`` words, scored by ``metric``."""
    check_choice(rule, max_words)
    competing = [i for i, c in enumerate(candidates) if max_words is None or c.words <= max_words]
    if not competing:
        smallest = min(candidates, key=lambda c: c.words)
        raise ValueError(
            f"No candidate has at most max_words={max_words} words: the smallest has {smallest.words:g} "
            f"({describe(smallest.params)}); allow more words or add stronger penalties to the grid."
        )
    sign = 1.0 if higher_is_better(metric) else -1.0
    goodness = {i: sign * candidates[i].mean for i in competing}
    top = max(goodness.values())
    slack = SLACK * max(1.0, abs(top))
    tied = [i for i in competing if goodness[i] >= top - slack]
    best = min(tied, key=lambda i: (candidates[i].words, i))
    chosen = best
    if rule == "one_se":
        enough = goodness[best] - candidates[best].standard_error - slack
        near = [i for i in competing if goodness[i] >= enough]
        chosen = min(near, key=lambda i: (candidates[i].words, -goodness[i], i))
    return Pick(best, tuple(i for i in tied if i != best), chosen)


def check_choice(rule: str, max_words: int | None) -> None:
    """Raise ``ValueError`` unless ``rule`` is one of `RULES` and ``max_words`` None or a whole number from 1."""
    if rule not in RULES:
        raise ValueError(f"There is no rule {rule!r}; use one of {', '.join(RULES)}.")
    if max_words is not None:
        check_whole("max_words", max_words, 1, ", or None for no limit")

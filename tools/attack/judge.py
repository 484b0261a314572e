"""What every answer to a penalised problem promises, checked against the oracle.

* The weights are finite and obey bans and signs, and there is no intercept where none was asked for.
* The objective that is claimed is that of the weights, and the bound that is claimed is below every known objective.
* Who says "converged" has a finite gap below the tolerance, and no answer is known that is better by more than that.
* Who stops early says so in a warning.
"""

import math

import numpy as np

from tools.attack.convex import better_known, smoothed
from tools.attack.estimators import Answer
from tools.attack.oracle import Plain, lower_bound, noise, objective
from tools.attack.verdicts import HELD, Verdict

SLACK = 1e-3  # of the tolerance
FAR = 1e-4  # of the objective: how much a fit without a certificate may miss, or ten times a looser tolerance


def judge(one: Plain, tol: float, answer: Answer, second_opinion: bool = False) -> Verdict:
    """Return the verdict on an answer."""
    wrong = _malformed(one, answer) or _false_claims(one, answer)
    if wrong:
        return Verdict("finding", wrong)
    reached = objective(one, answer.weights, answer.intercept)
    best = better_known(one) if second_opinion else None
    allowed = noise(one, answer.weights, answer.intercept)
    bound = answer.solution.dual_objective
    if best is not None and bound > best + allowed + 1e-9 * abs(best):
        return Verdict("finding", f"claims the bound {bound!r}, but {best!r} can be reached")
    if not answer.solution.converged:
        return Verdict("unfinished") if answer.warned else Verdict("finding", "stopped early without a warning")
    if not one.penalised:
        return _without_bound(one, answer, reached, best, allowed, max(FAR, 10.0 * tol))
    if not answer.solution.relative_gap <= tol * (1.0 + SLACK):
        return Verdict("finding", f"converged with a gap of {answer.solution.relative_gap:.3g} where tol is {tol:g}")
    allowed += tol * (1.0 + SLACK) * abs(reached)
    if reached - lower_bound(one, answer.weights, answer.intercept) <= allowed:
        return HELD
    best = better_known(one) if best is None else best
    if best is not None and reached > best + allowed:
        return Verdict("finding", f"converged at {reached!r}, but {best!r} can be reached (tol={tol:g})")
    return HELD


def _malformed(one: Plain, answer: Answer) -> str:
    W, b = answer.weights, answer.intercept
    if not (np.isfinite(W).all() and np.isfinite(b).all()):
        return "weights that are not finite"
    if np.any(one.low > W) or np.any(one.high < W):
        return "weights on a side that was forbidden"
    return "an intercept where none was asked for" if not one.intercept and b.any() else ""


def _false_claims(one: Plain, answer: Answer) -> str:
    solution = answer.solution
    reached = objective(one, answer.weights, answer.intercept)
    allowed = noise(one, answer.weights, answer.intercept) + 1e-9 * abs(reached)
    if not abs(solution.objective - reached) <= allowed:
        return f"claims the objective {solution.objective!r}, its weights have {reached!r}"
    if solution.dual_objective > reached + allowed:
        return f"claims the bound {solution.dual_objective!r}, its own weights have {reached!r}"
    if math.isnan(solution.dual_objective):
        return "a bound that is no number"
    return ""


def _without_bound(
    one: Plain, answer: Answer, reached: float, best: float | None, allowed: float, far: float
) -> Verdict:
    """Judge a fit in which some feature has no penalty: no bound is asked for, but nothing much better may exist."""
    free = not (one.low == 0.0).any() and not (one.high == 0.0).any()
    if free and not one.levels.any() and not one.groups:
        best = smoothed(one, answer.weights, answer.intercept)
    nothing = np.zeros_like(answer.weights), np.zeros_like(answer.intercept)
    scale = abs(reached) + objective(one, *nothing) / len(one.s)  # and what one document costs without features
    if best is not None and reached > best + allowed + far * scale and not answer.warned:
        return Verdict("finding", f"converged at {reached!r} without a warning, but {best!r} can be reached")
    return HELD

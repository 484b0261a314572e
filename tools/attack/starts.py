"""Random problems with random starts: no start may change the answer by more than the tolerance, or break its proof."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from laconic import Solution
from tools.attack.draws import Draw, random_draw
from tools.attack.estimators import Answer, fitted, start_of
from tools.attack.judge import judge
from tools.attack.oracle import Plain, noise, objective, plain
from tools.attack.verdicts import Verdict, refused

KINDS = ("zero", "random", "huge", "of another problem", "with an intercept")


def start_case(rng: np.random.Generator, folder: Path) -> Verdict:
    """Return the verdict on one problem that is solved from a random start."""
    draw = random_draw(rng)
    kind = KINDS[rng.integers(len(KINDS))]
    if kind == "with an intercept":
        draw = replace(draw, intercept=False)
    one = plain(draw)
    try:
        cold = fitted(draw, one)
        warm = fitted(draw, one, _start(rng, kind, draw, one))
    except ValueError as error:
        return refused(error)
    verdict = judge(one, draw.tol, warm)
    if verdict.word == "held":
        verdict = _agree(one, draw.tol, cold, warm)
    return verdict if verdict.word != "finding" else Verdict("finding", f"start {kind}: {verdict.why} [{draw}]")


def _start(rng: np.random.Generator, kind: str, draw: Draw, one: Plain) -> Solution:
    shape = one.X.shape[1], one.n_outputs
    if kind == "of another problem":
        other = replace(draw, y=rng.permutation(draw.y), l1=3.0 * draw.l1, sample_weight=None, class_weight=None)
        return fitted(other, plain(other)).solution
    if kind == "with an intercept":
        return start_of(one, np.zeros(shape), np.full(shape[1], rng.normal() * 5.0))
    size = {"zero": 0.0, "random": 10.0 ** rng.uniform(-2, 1), "huge": 1e6}[kind]
    return start_of(one, size * rng.normal(size=shape), size * rng.normal(size=shape[1]) * one.intercept)


def _agree(one: Plain, tol: float, cold: Answer, warm: Answer) -> Verdict:
    """Hold two answers against each other: the worse may miss the better by the tolerance, no bound may exceed it."""
    reached = [objective(one, answer.weights, answer.intercept) for answer in (cold, warm)]
    allowed = max(noise(one, answer.weights, answer.intercept) for answer in (cold, warm)) + 1e-9 * max(reached)
    for answer in (cold, warm):
        if answer.solution.dual_objective > min(reached) + allowed:
            return Verdict("finding", f"a bound of {answer.solution.dual_objective!r} above {min(reached)!r}")
    finished = cold.solution.converged and warm.solution.converged and one.penalised
    if finished and abs(reached[0] - reached[1]) > allowed + 1.01 * tol * max(reached):
        return Verdict("finding", f"objectives {reached[0]!r} without and {reached[1]!r} with it, both converged")
    return Verdict("held")

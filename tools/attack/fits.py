"""Random problems, fitted and judged; one in five is a pursuit."""

from pathlib import Path

import numpy as np

from tools.attack.draws import random_draw
from tools.attack.estimators import fitted
from tools.attack.judge import judge
from tools.attack.oracle import plain
from tools.attack.pursuits import pursuit_case
from tools.attack.verdicts import Verdict, refused

PURSUITS = 0.2  # of the cases
OPINIONS = 0.05  # of the cases also go to an interior-point solver


def fit_case(rng: np.random.Generator, folder: Path) -> Verdict:
    """Return the verdict on one random problem."""
    if rng.random() < PURSUITS:
        return pursuit_case(rng)
    draw = random_draw(rng)
    one = plain(draw)
    try:
        answer = fitted(draw, one)
    except ValueError as error:
        return refused(error)
    verdict = judge(one, draw.tol, answer, bool(rng.random() < OPINIONS))
    return verdict if verdict.word != "finding" else Verdict("finding", f"{verdict.why} [{draw}]")

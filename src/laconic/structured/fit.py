"""What fits of taggers and of parsers share: passes over the sentences, their count for a progress bar, the result."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, TypeVar

import numpy as np

from laconic.kernels.chains.tagging import MIRA, PERCEPTRON, SVM
from laconic.structured.selection import Selectable
from laconic.structured.settings import Settings, selects

Progress = Callable[[int, int, str], None]
Steps = Callable[[str], None]  # counts a pass
M = TypeVar("M")
RULES = {"perceptron": PERCEPTRON, "svm": SVM, "mira": MIRA, "mira-1best": MIRA}
TINY = 1e-8


@dataclass(frozen=True)
class Fitted(Generic[M]):
    """A model and how it came about."""

    # ``strengths`` has each template's strength in the selection, strongest first, or nothing; ``memory`` the most
    # weights that were held in each pass; ``objective`` what L-BFGS reached.

    model: M
    strengths: dict[str, float] = field(default_factory=dict)
    memory: list[int] = field(default_factory=list)
    objective: float | None = None


def counted(settings: Settings, progress: Progress | None) -> Steps:
    """Return what counts a pass and tells ``progress``, if there is one: passes done, passes in all, what is done."""
    done, total = count(1), settings.passes * (1 if settings.keep is None else 2)
    if selects(settings):
        total += settings.selection_passes * settings.shuffles
    return lambda what: None if progress is None else progress(min(next(done), total), total, what)


def is_adaptive(settings: Settings) -> bool:
    """Say whether the final fit takes AdaGrad's steps, which are not averaged."""
    return settings.loss == "crf" and settings.optimizer == "adagrad"


def run_passes(learner: Selectable, n_sentences: int, settings: Settings, watch: Callable[[], None]) -> list[int]:
    """Go over the sentences ``settings.passes`` times; return how many rows of weights there were after each pass."""
    rng = np.random.default_rng(settings.random_state)
    adaptive, memory = is_adaptive(settings), []
    cap = np.inf if settings.cap is None else settings.cap
    for number in range(settings.passes):
        order = rng.permutation(n_sentences)
        falling = settings.rate / np.sqrt(number + 1)
        if settings.loss == "crf":
            rate = settings.rate if adaptive else falling
            learner.by_likelihood(order, adaptive, rate, 2.0 * settings.l2 / n_sentences)
        else:
            learner.by_margin(order, settings.loss, falling if settings.loss == "svm" else 1.0, cap)
        memory.append(learner.n_rows)
        watch()
    return memory

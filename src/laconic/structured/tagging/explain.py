"""Why a token got its tag: the weights of its features and of the tag before."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.structured.explain import Explained, Reason, strongest_first
from laconic.structured.tagging.model import ChainModel
from laconic.structured.tagging.score_numpy import PlainScorer


@dataclass(frozen=True)
class TokenExplanation(Explained):
    """A token (the value of the first column), its tag, and the evidence for it, strongest reasons first.

    ``runner_up`` is the tag that would be best here if the tags of the other tokens stayed, or None; ``margin`` by how
    much it scores less. ``transition`` is what the tags before and after add to the score.
    """

    token: str
    tag: str
    runner_up: str | None
    margin: float
    transition: float
    reasons: tuple[Reason, ...]


def explain_tags(scorer: PlainScorer, sentence: Any) -> list[TokenExplanation]:
    """Return an explanation of each tag of one sentence: a list of words, a list of dicts, or a dict of columns."""
    model, given = scorer.model, Sentences.of([sentence])
    if not given.n_tokens:
        return []
    best, scores = scorer.best(given), scorer.scores(given)
    rows, values = scorer.feature_rows(given)
    n_labels, tokens = len(model.labels), next(iter(given.columns.values()))
    explained = []
    for i, label in enumerate(best.tolist()):
        pairs = model.transitions[best[i - 1] if i else n_labels].copy()
        if i + 1 < len(best):
            pairs += model.transitions[:n_labels, best[i + 1]]
        total = (scores[i] + pairs).astype(np.float64)
        total[label], mine = -np.inf, total[label]
        other = int(total.argmax())
        runner_up, margin = (model.labels[other], float(mine - total[other])) if n_labels > 1 else (None, float("inf"))
        reasons = strongest_first(_reasons(model, rows[:, i], values[:, i], label, other))
        explained.append(
            TokenExplanation(str(tokens[i]), model.labels[label], runner_up, margin, float(pairs[label]), reasons)
        )
    return explained


def _reasons(
    model: ChainModel, rows: NDArray[np.int32], values: NDArray[np.float32], label: int, other: int
) -> Iterator[Reason]:
    """Yield the features of a token that have weights for its label or for the other one."""
    for template, row in enumerate(rows.tolist()):
        if row < 0:
            continue
        real = template - model.program.first_real
        scale = 1.0 if real < 0 else float(values[real])
        weight, against = scale * float(model.rows[row, label]), scale * float(model.rows[row, other])
        if weight or against:
            yield Reason(*model.feature_name(row), weight, against)

"""Why a token got its tag: the weights of its features and of the tag before."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from laconic.data.annotated.sentences import Sentences
from laconic.structured.tagging.score_numpy import PlainScorer


@dataclass(frozen=True)
class Reason:
    """One feature of a token.

    Parameters
    ----------
    template : str
    values : tuple of str
        What its cells held; ``⊥`` is beyond the sentence.
    weight : float
        What it added to the score of the tag.
    against : float
        What it added to the score of the runner-up.
    """

    template: str
    values: tuple[str, ...]
    weight: float
    against: float


@dataclass(frozen=True)
class TokenExplanation:
    """A token, its tag, and what spoke for it.

    Parameters
    ----------
    token : str
        The value of the first column.
    tag : str
    runner_up : str or None
        The tag that would be best here if the tags of the other tokens stayed.
    margin : float
        The score of the tag less that of the runner-up, with the tags of the other tokens as they are.
    transition : float
        What the tags before and after add to the score.
    reasons : tuple of Reason
        Those that favour the tag most come first.
    """

    token: str
    tag: str
    runner_up: str | None
    margin: float
    transition: float
    reasons: tuple[Reason, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**self.__dict__, "reasons": [dict(one.__dict__) for one in self.reasons]}


def explain_tags(scorer: PlainScorer, sentence: Any) -> list[TokenExplanation]:
    """Explain the tags of one sentence.

    Parameters
    ----------
    scorer : PlainScorer
    sentence : list or dict
        A list of words, a list of dicts, or a dict of columns.
    """
    model = scorer.model
    given = Sentences.of([sentence])
    if not given.n_tokens:
        return []
    best = scorer.best(given)
    scores = scorer.scores(given)
    rows, values = scorer.feature_rows(given)
    first = next(iter(given.columns.values()))
    found = []
    for i, label in enumerate(best.tolist()):
        pairs = model.transitions[best[i - 1] if i else len(model.labels)].copy()
        if i + 1 < len(best):
            pairs += model.transitions[: len(model.labels), best[i + 1]]
        total = (scores[i] + pairs).astype(np.float64)
        total[label], mine = -np.inf, total[label]
        other = int(total.argmax())
        alone = len(model.labels) == 1
        reasons = []
        for template, row in enumerate(rows[:, i].tolist()):
            if row < 0:
                continue
            real = template - model.program.first_real
            scale = 1.0 if real < 0 else float(values[real, i])
            weight, against = scale * float(model.rows[row, label]), scale * float(model.rows[row, other])
            if weight or against:
                reasons.append(Reason(*model.feature_name(row), weight, against))
        reasons.sort(key=lambda one: -(one.weight - one.against))
        margin = float("inf") if alone else float(mine - total[other])
        runner_up = None if alone else model.labels[other]
        found.append(
            TokenExplanation(str(first[i]), model.labels[label], runner_up, margin, float(pairs[label]), tuple(reasons))
        )
    return found

"""Why a token got its tag, the weights of its features and of the tag before; and what a tagger looks at."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.structured.explain import Explained, Reason, ranked_templates, strongest_first
from laconic.structured.tagging.model import ChainModel
from laconic.structured.tagging.named_sets import resolve_templates
from laconic.structured.tagging.scorer import TagScorer


@dataclass(frozen=True)
class TokenExplanation(Explained):
    """A token (the value of the first column), its tag, and the evidence for it, strongest reasons first."""

    # ``runner_up`` is the tag that would be best here if the tags of the other tokens stayed, or None; ``margin`` by
    # how much it scores less. ``transition`` is what the tags before and after add to the score.

    token: str
    tag: str
    runner_up: str | None
    margin: float
    transition: float
    reasons: tuple[Reason, ...]


def explain_tags(scorer: TagScorer, sentence: Any) -> list[TokenExplanation]:
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


def template_rows(model: ChainModel, info: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one dict a template, as `laconic.structured.explain` describes them."""
    weights = [np.count_nonzero(model.rows[start:end]) for start, end in pairwise(model.ends)]
    counts = np.column_stack([np.diff(model.ends), np.array(weights, dtype=np.int64)])
    return ranked_templates(model.templates, model.norms, counts, info, resolve_templates)


def strongest_features(
    model: ChainModel, top: int, labels: Sequence[str] | None = None
) -> dict[str, list[dict[str, Any]]]:
    """Return for each label, all or some, the features of the largest weights, strongest first."""
    found: dict[str, list[dict[str, Any]]] = {}
    for number, label in enumerate(model.labels):
        if labels is not None and label not in labels:
            continue
        weights = model.rows[:, number]
        order = np.argsort(-np.abs(weights), kind="stable")[:top]
        found[label] = []
        for row in order[weights[order] != 0.0].tolist():
            template, values = model.feature_name(row)
            found[label].append({"template": template, "values": list(values), "weight": float(weights[row])})
    return found


def transition_table(model: ChainModel) -> dict[str, dict[str, float]]:
    """Return the weight of each pair of labels, by the first; ``⊥`` is the start of a sentence."""
    starts = [*model.labels, "⊥"]
    return {
        start: dict(zip(model.labels, row, strict=True))
        for start, row in zip(starts, model.transitions.tolist(), strict=True)
    }

"""What a person wants to see of a tagger: its templates, its strongest features, its transitions."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from laconic.structured.summary import ranked_templates
from laconic.structured.tagging.model import ChainModel
from laconic.structured.tagging.named_sets import resolve_templates


def template_rows(model: ChainModel, info: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one dict a template, as `laconic.structured.summary` describes them."""
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

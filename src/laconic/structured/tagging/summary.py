"""What a person wants to see of a tagger: its templates, its strongest features, its transitions."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from laconic.structured.tagging.model import ChainModel
from laconic.structured.tagging.named_sets import resolve_templates


def template_rows(model: ChainModel, info: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one dict a template, those of the model first, by falling norm; then those that were dropped.

    Parameters
    ----------
    model : ChainModel
    info : mapping
        ``model.json``: its settings name the templates to begin with.
    """
    strengths = info.get("strengths") or {}
    sizes = np.diff(model.ends)
    norms = model.norms
    order = np.argsort(-norms, kind="stable")
    rows = [
        {
            "template": str(model.templates[number]),
            "kept": True,
            "norm": float(norms[number]),
            "features": int(sizes[number]),
            "weights": int(np.count_nonzero(model.rows[model.ends[number] : model.ends[number + 1]])),
            "strength": strengths.get(str(model.templates[number])),
        }
        for number in order
    ]
    kept = {row["template"] for row in rows}
    given = (info.get("settings") or {}).get("templates")
    dropped = [str(one) for one in resolve_templates(given)] if given else []
    empty = {"kept": False, "norm": 0.0, "features": 0, "weights": 0}
    return rows + [{"template": one, **empty, "strength": strengths.get(one)} for one in dropped if one not in kept]


def strongest_features(
    model: ChainModel, top: int, labels: Sequence[str] | None = None
) -> dict[str, list[dict[str, Any]]]:
    """Return for each label the features of the largest weights, strongest first.

    Parameters
    ----------
    model : ChainModel
    top : int
    labels : sequence of str, optional
        Default: all.
    """
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
    """Return the weight of each pair of labels, by the first; ``⊥`` is the start of a sentence.

    Parameters
    ----------
    model : ChainModel
    """
    starts = [*model.labels, "⊥"]
    return {
        start: dict(zip(model.labels, row, strict=True))
        for start, row in zip(starts, model.transitions.tolist(), strict=True)
    }

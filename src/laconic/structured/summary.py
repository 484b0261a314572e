"""The table of templates that taggers and parsers have in common."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def ranked_templates(
    templates: Sequence[Any],
    norms: NDArray[np.float64],
    counts: NDArray,
    info: Mapping[str, Any],
    resolve: Callable[[Any], Sequence[Any]],
) -> list[dict[str, Any]]:
    """Return one dict a template, those of the model first, by falling norm; then those that were dropped.

    ``counts`` has the features and the weights of each template; ``info`` is ``model.json``, whose settings name the
    templates to begin with.
    """
    strengths = info.get("strengths") or {}
    rows = []
    for number in np.argsort(-norms, kind="stable"):
        (features, weights), name = counts[number].tolist(), str(templates[number])
        sizes = {"norm": float(norms[number]), "features": features, "weights": weights}
        rows.append({"template": name, "kept": True, **sizes, "strength": strengths.get(name)})
    kept = {row["template"] for row in rows}
    given = (info.get("settings") or {}).get("templates")
    dropped = [name for name in map(str, resolve(given)) if name not in kept] if given else []
    empty = {"kept": False, "norm": 0.0, "features": 0, "weights": 0}
    return rows + [{"template": name, **empty, "strength": strengths.get(name)} for name in dropped]

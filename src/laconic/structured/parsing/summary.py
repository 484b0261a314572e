"""What a person wants to see of a parser: its templates, their kinds, its strongest features."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from laconic.structured.parsing.model import ArcModel, combination_names
from laconic.structured.parsing.named_sets import resolve_arcs
from laconic.structured.parsing.templates import BETWEEN, HEAD, MOD, ArcTemplate, parse_arc_template

LEXICAL = {"word", "lemma"}


def arc_template_rows(model: ArcModel, info: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one dict a template, those of the model first, by falling norm; then those that were dropped.

    Parameters
    ----------
    model : ArcModel
    info : mapping
        ``model.json``: its settings name the templates to begin with.
    """
    strengths = info.get("strengths") or {}
    templates, norms, counts = model.program.templates, model.norms, model.n_features
    rows = [
        {
            "template": str(templates[number]),
            "kept": True,
            "norm": float(norms[number]),
            "features": int(counts[number]),
            "weights": int(counts[number]),
            "strength": strengths.get(str(templates[number])),
        }
        for number in np.argsort(-norms, kind="stable")
    ]
    kept = {row["template"] for row in rows}
    given = (info.get("settings") or {}).get("templates")
    dropped = [str(one) for one in resolve_arcs(given)] if given else []
    empty = {"kept": False, "norm": 0.0, "features": 0, "weights": 0}
    return rows + [{"template": one, **empty, "strength": strengths.get(one)} for one in dropped if one not in kept]


def kinds_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Count the templates of each kind, kept and in all; see `template_kinds`.

    Parameters
    ----------
    rows : sequence of mappings
        Of `arc_template_rows`.
    """
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        for kind in template_kinds(parse_arc_template(row["template"])):
            counts = found.setdefault(kind, {"kept": 0, "of": 0})
            counts["of"] += 1
            counts["kept"] += int(row["kept"])
    return dict(sorted(found.items()))


def template_kinds(template: ArcTemplate) -> list[str]:
    """Return the kinds that a template belongs to: what it looks at, how lexical it is, what joins it.

    Examples
    --------
    >>> template_kinds(parse_arc_template("head.word & mod.pos & direction"))
    ['looks at head and modifier', 'one word or lemma', 'with direction']
    """
    sides = {cell.side for cell in template.base}
    around = any(cell.offset for cell in template.base)
    if BETWEEN in sides:
        place = "looks between"
    elif sides == {HEAD, MOD}:
        place = "looks around head and modifier" if around else "looks at head and modifier"
    else:
        place = "looks at the head alone" if sides == {HEAD} else "looks at the modifier alone"
    lexical = sum(cell.column in LEXICAL for cell in template.base)
    words = ("no word or lemma", "one word or lemma", "two words or lemmas")[min(lexical, 2)]
    joined = " and ".join(
        name for name, flag in (("direction", template.direction), ("distance", template.distance)) if flag
    )
    return [place, words, f"with {joined}" if joined else "plain"]


def strongest_arcs(model: ArcModel, top: int) -> list[dict[str, Any]]:
    """Return the features of the largest weights, strongest first.

    Parameters
    ----------
    model : ArcModel
    top : int
    """
    found: list[tuple[float, int, int, int]] = []
    for b, rows in enumerate(model.rows):
        for t, weights in model.template_weights(b, rows).items():
            flat = np.abs(weights).ravel()
            for place in np.argsort(-flat, kind="stable")[:top].tolist():
                row, column = divmod(place, weights.shape[1])
                found.append((float(weights[row, column]), t, row, column))
    found.sort(key=lambda one: -abs(one[0]))
    answer = []
    for weight, t, row, column in found[:top]:
        b = model.program.base_of[t]
        template = model.program.templates[t]
        values = [*model.key_values(b, int(model.keys[b][row])), *filter(None, [combination_names(template)[column]])]
        answer.append({"template": str(template), "values": values, "weight": weight})
    return answer

"""What a person wants to see of a parser: its templates, their kinds, its strongest features."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from laconic.structured.parsing.model import ArcModel
from laconic.structured.parsing.named_sets import resolve_arcs
from laconic.structured.parsing.templates import BETWEEN, HEAD, MOD, ArcTemplate, parse_arc_template
from laconic.structured.summary import ranked_templates

LEXICAL = {"word", "lemma"}


def arc_template_rows(model: ArcModel, info: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one dict a template, as `laconic.structured.summary` describes them."""
    counts = np.column_stack([model.n_features, model.n_features])
    return ranked_templates(model.program.templates, model.norms, counts, info, resolve_arcs)


def kinds_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Return how many templates of each kind (see `template_kinds`) there are, kept and in all, from their rows."""
    kinds: dict[str, dict[str, int]] = {}
    for row in rows:
        for kind in template_kinds(parse_arc_template(row["template"])):
            counts = kinds.setdefault(kind, {"kept": 0, "of": 0})
            counts["of"] += 1
            counts["kept"] += int(row["kept"])
    return dict(sorted(kinds.items()))


def template_kinds(template: ArcTemplate) -> list[str]:
    """Return the kinds that a template belongs to: what it looks at, how lexical it is, what joins it."""
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
    """Return the features of the largest weights, strongest first."""
    largest: list[tuple[float, int, int, int]] = []
    for b, rows in enumerate(model.rows):
        for t, weights in model.template_weights(b, rows).items():
            flat = np.abs(weights).ravel()
            for place in np.argsort(-flat, kind="stable")[:top].tolist():
                row, column = divmod(place, weights.shape[1])
                largest.append((float(weights[row, column]), t, row, column))
    largest.sort(key=lambda entry: -abs(entry[0]))
    answer = []
    for weight, t, row, column in largest[:top]:
        key = int(model.keys[model.program.base_of[t]][row])
        template, values = model.feature_name(t, key, column)
        answer.append({"template": template, "values": list(values), "weight": weight})
    return answer

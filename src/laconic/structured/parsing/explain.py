"""Why a word got its head: what tells the arc from its runner-up; and what a parser looks at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from laconic.data.annotated.sentences import Sentences
from laconic.kernels.arcs.shapes import BINS
from laconic.structured.explain import Explained, Reason, ranked_templates, strongest_first
from laconic.structured.parsing.extraction import arc_text, fill_columns
from laconic.structured.parsing.model import ArcModel
from laconic.structured.parsing.named_sets import resolve_arcs
from laconic.structured.parsing.scorer import ParseScorer, distance_bins
from laconic.structured.parsing.templates import BETWEEN, HEAD, MOD, ArcTemplate, parse_arc_template

ROOT = "root"
NEGLIGIBLE = 1e-6
Arc = tuple[int, int]
Features = dict[tuple[str, tuple[str, ...]], float]


@dataclass(frozen=True)
class ArcExplanation(Explained):
    """A word, its head (0 is the root), and the evidence for it, strongest reasons first."""

    # ``runner_up`` is the other head with the highest score for this word, whatever the rest of the tree, or None;
    # ``margin`` by how much it scores less, below 0 where only the tree as a whole decided. ``against`` of a reason is
    # what the same template gave the runner-up.

    token: str
    head: int
    head_token: str
    relation: str | None
    runner_up: int | None
    runner_up_token: str | None
    margin: float
    reasons: tuple[Reason, ...]


def explain_arcs(scorer: ParseScorer, sentence: Any) -> list[ArcExplanation]:
    """Return an explanation of each arc of one sentence: a list of dicts, or a dict of columns."""
    given = Sentences.of([sentence])
    if not given.n_tokens:
        return []
    (scores,) = scorer.scores(given)
    found = scorer.heads(given)
    heads: list[int] = found.tolist()
    relations: Sequence[str | None] = scorer.relations(given, found) or [None] * len(heads)
    words = [ROOT, *map(str, given.columns["word"])]
    others = [
        max((h for h in range(len(words)) if h not in (head, m)), key=scores[:, m].__getitem__, default=None)
        for m, head in enumerate(heads, 1)
    ]
    wanted = {(h, m) for of in (heads, others) for m, h in enumerate(of, 1) if h is not None}
    features = _features(scorer, given, wanted)
    explained = []
    for m, (head, other, relation) in enumerate(zip(heads, others, relations, strict=True), 1):
        mine, theirs = features[head, m], {} if other is None else features[other, m]
        reasons = strongest_first(
            Reason(*name, mine.get(name, 0.0), theirs.get(name, 0.0)) for name in dict.fromkeys([*mine, *theirs])
        )
        margin = float("inf") if other is None else float(scores[head, m] - scores[other, m])
        second = None if other is None else words[other]
        explained.append(ArcExplanation(words[m], head, words[head], relation, other, second, margin, reasons))
    return explained


def _features(scorer: ParseScorer, given: Sentences, wanted: set[Arc]) -> dict[Arc, Features]:
    """Return for each of some arcs, (head, modifier), its features with their weights."""
    model, program = scorer.model, scorer.model.program
    text = arc_text(fill_columns(given, model.stand_ins), program, model.tables)
    start, n = int(text.starts[0]), int(text.lengths[0])
    found: dict[Arc, Features] = {arc: {} for arc in wanted}
    for b in range(len(program.bases)):
        for heads, mods, keys in scorer.pairs(b, text.atoms, start, n):
            rows = scorer.rows_at(b, keys)
            for h, m, key, row in zip(heads.tolist(), mods.tolist(), keys.tolist(), rows.tolist(), strict=True):
                if row < 0 or (h, m) not in wanted:
                    continue
                for t, weights in model.template_weights(b, model.rows[b][row : row + 1]).items():
                    place = _place(program.templates[t], h, m)
                    if abs(weights[0, place]) > NEGLIGIBLE:
                        found[h, m][model.feature_name(t, key, place)] = float(weights[0, place])
    return found


def _place(template: ArcTemplate, h: int, m: int) -> int:
    """Return which weight of a row of a template an arc reads."""
    by_distance = int(distance_bins(np.array([abs(h - m)]))[0]) if template.distance else 0
    by_direction = (BINS if template.distance else 1) * int(m > h) if template.direction else 0
    return by_direction + by_distance


LEXICAL = {"word", "lemma"}


def arc_template_rows(model: ArcModel, info: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one dict a template, as `laconic.structured.explain` describes them."""
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

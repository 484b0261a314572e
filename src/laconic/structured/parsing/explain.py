"""Why a word got its head: the weights of the features that tell the arc from its runner-up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.kernels.arcs.shapes import BINS
from laconic.structured.parsing.extraction import arc_text
from laconic.structured.parsing.model import combination_names
from laconic.structured.parsing.score_numpy import PlainParser, distance_bins
from laconic.structured.parsing.templates import ArcTemplate
from laconic.structured.parsing.tree_columns import fill_columns
from laconic.structured.tagging.explain import Reason

if TYPE_CHECKING:
    from laconic.structured.parsing.scorer import ParseScorer

ROOT = "root"
NEGLIGIBLE = 1e-6


@dataclass(frozen=True)
class ArcExplanation:
    """A word, its head, and what spoke for it.

    Parameters
    ----------
    token : str
    head : int
        Its number in the sentence; 0 is the root.
    head_token : str
    relation : str or None
    runner_up : int or None
        The other head with the highest score for this word, whatever the rest of the tree.
    runner_up_token : str or None
    margin : float
        The score of the arc less that of the runner-up's; below 0 where only the tree as a whole decided.
    reasons : tuple of Reason
        Those that favour the head most come first; ``against`` is what the same template gave the runner-up.
    """

    token: str
    head: int
    head_token: str
    relation: str | None
    runner_up: int | None
    runner_up_token: str | None
    margin: float
    reasons: tuple[Reason, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**self.__dict__, "reasons": [dict(one.__dict__) for one in self.reasons]}


def explain_arcs(scorer: ParseScorer, sentence: Any) -> list[ArcExplanation]:
    """Explain the tree of one sentence.

    Parameters
    ----------
    scorer : ParseScorer
    sentence : list or dict
        A list of dicts, or a dict of columns.
    """
    given = Sentences.of([sentence])
    if not given.n_tokens:
        return []
    parser = PlainParser(scorer.model)
    (scores,) = parser.scores(given)
    heads = parser.heads(given)
    relations = scorer.relations(given, heads)
    words = [ROOT, *map(str, given.columns["word"])]
    others = [_runner_up(scores[:, m], head, m) for m, head in enumerate(heads.tolist(), 1)]
    wanted = {(head, m) for m, head in enumerate(heads.tolist(), 1)}
    wanted |= {(other, m) for m, other in enumerate(others, 1) if other is not None}
    features = _features(parser, given, wanted)
    found = []
    for token, (head, other) in enumerate(zip(heads.tolist(), others, strict=True)):
        m = token + 1
        mine, theirs = features[head, m], {} if other is None else features[other, m]
        names = dict.fromkeys([*mine, *theirs])
        reasons = [
            Reason(template, values, mine.get((template, values), 0.0), theirs.get((template, values), 0.0))
            for template, values in names
        ]
        reasons.sort(key=lambda one: -(one.weight - one.against))
        margin = float("inf") if other is None else float(scores[head, m] - scores[other, m])
        found.append(
            ArcExplanation(
                token=words[m],
                head=head,
                head_token=words[head],
                relation=None if relations is None else relations[token],
                runner_up=other,
                runner_up_token=None if other is None else words[other],
                margin=margin,
                reasons=tuple(reasons),
            )
        )
    return found


def _runner_up(column: NDArray[np.float64], head: int, m: int) -> int | None:
    """Return the other head with the highest score; None if there is no other."""
    others = [h for h in range(len(column)) if h not in (head, m)]
    return max(others, key=lambda h: column[h]) if others else None


def _features(
    parser: PlainParser, given: Sentences, wanted: set[tuple[int, int]]
) -> dict[tuple[int, int], dict[tuple[str, tuple[str, ...]], float]]:
    """Return for each of some arcs, (head, modifier), its features with their weights."""
    model, program = parser.model, parser.model.program
    text = arc_text(fill_columns(given, model.stand_ins), program, model.tables)
    start, n = int(text.starts[0]), int(text.lengths[0])
    found: dict[tuple[int, int], dict[tuple[str, tuple[str, ...]], float]] = {arc: {} for arc in wanted}
    for b in range(len(program.bases)):
        for heads, mods, keys in parser.pairs(b, text.atoms, start, n):
            rows = parser.rows_at(b, keys)
            for h, m, key, row in zip(heads.tolist(), mods.tolist(), keys.tolist(), rows.tolist(), strict=True):
                if row < 0 or (h, m) not in wanted:
                    continue
                for t, weights in model.template_weights(b, model.rows[b][row : row + 1]).items():
                    one = program.templates[t]
                    place = _place(one, h, m)
                    if abs(weights[0, place]) > NEGLIGIBLE:
                        values = (*model.key_values(b, key), *filter(None, [combination_names(one)[place]]))
                        found[h, m][str(one), values] = float(weights[0, place])
    return found


def _place(template: ArcTemplate, h: int, m: int) -> int:
    """Return which weight of a row of a template an arc reads."""
    by_distance = int(distance_bins(np.array([abs(h - m)]))[0]) if template.distance else 0
    by_direction = (BINS if template.distance else 1) * int(m > h) if template.direction else 0
    return by_direction + by_distance

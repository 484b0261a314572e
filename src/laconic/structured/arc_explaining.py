"""Why a word got its head: the weights of the features that tell the arc from its runner-up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.sentences import Sentences
from laconic.structured.arc_extraction import arc_text
from laconic.structured.arc_model import combination_names
from laconic.structured.explaining import Reason
from laconic.structured.plain_arcs import PlainParser, distance_bins
from laconic.structured.tree_columns import fill_columns

if TYPE_CHECKING:
    from laconic.structured.parse_scorer import ParseScorer

ROOT = "root"


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
    found = []
    for token, head in enumerate(heads.tolist()):
        m = token + 1
        column = scores[:, m].copy()
        column[[head, m]] = -np.inf
        other = int(column.argmax()) if np.isfinite(column).any() else None
        mine = _features(parser, given, head, m)
        theirs = {} if other is None else _features(parser, given, other, m)
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


def _features(parser: PlainParser, given: Sentences, h: int, m: int) -> dict[tuple[str, tuple[str, ...]], float]:
    """Return the features of an arc with their weights."""
    model, program = parser.model, parser.model.program
    text = arc_text(fill_columns(given, model.stand_ins), program, model.tables)
    start, n = int(text.starts[0]), int(text.lengths[0])
    bin_ = int(distance_bins(np.array([abs(h - m)]))[0])
    found: dict[tuple[str, tuple[str, ...]], float] = {}
    for b in range(len(program.bases)):
        keys = _keys(parser, b, text.atoms, start, n, h, m)
        for key, row in zip(keys.tolist(), parser.rows_at(b, keys).tolist(), strict=True):
            if row < 0:
                continue
            for t, weights in model.template_weights(b, model.rows[b][row : row + 1]).items():
                one = program.templates[t]
                by_distance = bin_ if one.distance else 0
                place = (int(m > h) * (8 if one.distance else 1) if one.direction else 0) + by_distance
                if abs(weights[0, place]) > 1e-6:
                    values = (*model.key_values(b, key), *filter(None, [combination_names(one)[place]]))
                    found[str(one), values] = float(weights[0, place])
    return found


def _keys(parser: PlainParser, b: int, atoms: NDArray, start: int, n: int, h: int, m: int) -> NDArray[np.int64]:
    parts = [keys[(hs == h) & (ms == m)] for hs, ms, keys in parser.pairs(b, atoms, start, n)]
    return np.concatenate([*parts, np.zeros(0, dtype=np.int64)])

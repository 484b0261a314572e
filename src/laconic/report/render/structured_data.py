"""What the page's script is given about a tagger or a parser."""

import json
from collections.abc import Mapping
from typing import Any

from laconic.core.summaries.structured import StructuredSummary
from laconic.report.render.headline import fact

LONGEST = 80  # words of a sentence that are shown


def structured_data(summary: StructuredSummary) -> dict[str, Any]:
    """Return the data of the page."""
    return {
        "title": summary.title or f"A {summary.kind}",
        "kind": summary.kind,
        "lead": _lead(summary),
        "facts": _facts(summary),
        "labels": list(summary.labels),
        "templates": _short(summary.templates),
        "edges": summary.edges,
        "features": _short(summary.features),
        "transitions": _short(summary.transitions),
        "memory": summary.memory,
        "corpus": summary.corpus,
        "scores": summary.scores,
        "confusions": summary.confusions,
        "sentences": [
            {
                "words": sentence.words[:LONGEST],
                "true": sentence.true[:LONGEST],
                "predicted": sentence.predicted[:LONGEST],
                "true_heads": sentence.true_heads,
                "predicted_heads": sentence.predicted_heads,
                "cut": max(len(sentence.words) - LONGEST, 0),
            }
            for sentence in summary.sentences
            if len(sentence.words) <= LONGEST or not sentence.true_heads  # a tree cannot be cut
        ],
        "configuration": json.dumps(summary.configuration, indent=2, ensure_ascii=False, default=str),
    }


def _lead(summary: StructuredSummary) -> str:
    kept = sum(row["kept"] for row in summary.templates)
    what = "tag" if summary.kind == "sequence tagger" else "relation"
    text = (
        f"This {summary.kind} predicts {len(summary.labels)} {what}s. It uses {kept} of {len(summary.templates)} "
        f"templates and has {summary.weights:,} non-zero weights."
    )
    best = _best(summary)
    return text + (f" Its {best[0]} on {summary.corpus} is {best[1]:.1%}." if best else "")


def _best(summary: StructuredSummary) -> tuple[str, float] | None:
    for row in summary.scores[1:2] or summary.scores[:1]:
        for key, name in (("f1", "F1"), ("accuracy", "accuracy")):
            if key in row:
                return name, row[key]
    return None


def _facts(summary: StructuredSummary) -> list[dict[str, Any]]:
    kept = sum(row["kept"] for row in summary.templates)
    labels = ", ".join(summary.labels[:8]) + (" …" if len(summary.labels) > 8 else "")
    best = _best(summary)
    return [
        fact("Task", f"{len(summary.labels)} labels", labels),
        *([fact(best[0], f"{best[1]:.2%}", summary.corpus)] if best else []),
        fact("Templates kept", f"{kept}", f"of {len(summary.templates)}"),
        fact("Weights", f"{summary.weights:,}", "non-zero"),
        *([fact("Size", f"{summary.size / 1e3:,.0f} kB", "the whole model on disk")] if summary.size else []),
    ]


def _short(value: Any) -> Any:
    """Return plain data with five digits of every number that is not whole."""
    if isinstance(value, Mapping):
        return {name: _short(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_short(part) for part in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value

"""What the page's script is given about a tagger or a parser."""

import json
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
        "templates": [
            {
                **row,
                "norm": _short(row["norm"]),
                "strength": None if row["strength"] is None else _short(row["strength"]),
            }
            for row in summary.templates
        ],
        "edges": summary.edges,
        "features": {
            label: [{**feature, "weight": _short(feature["weight"])} for feature in strongest]
            for label, strongest in summary.features.items()
        },
        "transitions": {
            start: {end: _short(weight) for end, weight in row.items()} for start, row in summary.transitions.items()
        },
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


def _short(value: float) -> float:
    return float(f"{value:.5g}")

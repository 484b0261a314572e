"""Taggers on the terminal: scores, templates and features as aligned tables."""

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laconic.structured.tagging.explain import TokenExplanation
from laconic.structured.tagging.model import ChainModel
from laconic.structured.tagging.scores import SpanScore, TagScores


def model_line(model: ChainModel, n_templates: int) -> str:
    """Return the size of a model in one line."""
    return (
        f"{len(model.templates)} of {n_templates} templates, {len(model.rows):,} features, {model.n_weights:,} "
        f"weights, {len(model.labels)} labels"
    )


def score_table(scores: TagScores) -> RenderableType:
    """Return span scores, all types together first, and accuracy below."""
    table = _table("type")
    for heading in ("precision", "recall", "F1", "right", "predicted", "true"):
        table.add_column(heading, justify="right")
    table.add_row("all", *_numbers(scores.overall), style="bold")
    for kind, score in scores.types.items():
        table.add_row(kind, *_numbers(score))
    right = f"{100 * scores.accuracy:.2f} % of {scores.tokens:,} tokens in {scores.sentences:,} sentences are right."
    return Group(table, Text(), Text(right)) if scores.types else Text(right)


def template_table(rows: list[dict[str, Any]]) -> RenderableType:
    """Return the templates that were kept with their norms; those that were dropped are named below."""
    table = _table("template")
    for heading in ("norm", "features", "weights", "selected by"):
        table.add_column(heading, justify="right")
    for row in rows:
        if row["kept"]:
            strength = "-" if row["strength"] is None else f"{row['strength']:.3f}"
            table.add_row(
                row["template"], f"{row['norm']:.2f}", f"{row['features']:,}", f"{row['weights']:,}", strength
            )
    dropped = [row["template"] for row in rows if not row["kept"]]
    if not dropped:
        return table
    return Group(table, Text(), Text(f"Dropped ({len(dropped)}): {', '.join(dropped)}"))


def feature_lists(features: dict[str, list[dict[str, Any]]]) -> RenderableType:
    """Return the strongest features of each label."""
    table = _table("label")
    table.add_column("weight", justify="right")
    table.add_column("template")
    table.add_column("values")
    for label, found in features.items():
        for place, one in enumerate(found):
            style = "green" if one["weight"] > 0 else "magenta"
            weight = Text(f"{one['weight']:+.3f}", style=style)
            table.add_row("" if place else label, weight, one["template"], " ".join(one["values"]))
    return table


def explanation_table(found: list[TokenExplanation], top: int) -> RenderableType:
    """Return the tags of a sentence with the features that spoke most for each."""
    table = _table("token")
    table.add_column("tag")
    table.add_column("instead of")
    table.add_column("margin", justify="right")
    table.add_column("because")
    for one in found:
        reasons = [f"{reason.template} {' '.join(reason.values)} {reason.weight:+.2f}" for reason in one.reasons[:top]]
        pairs = f"neighbouring tags {one.transition:+.2f}"
        table.add_row(one.token, one.tag, one.runner_up or "-", f"{one.margin:.2f}", "; ".join([pairs, *reasons]))
    return table


def _numbers(score: SpanScore) -> list[str]:
    shares = [f"{100 * share:.2f}" for share in (score.precision, score.recall, score.f1)]
    return [*shares, f"{score.right:,}", f"{score.predicted:,}", f"{score.true:,}"]


def _table(first: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first)
    return table

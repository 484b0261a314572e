"""Parsers on the terminal: scores, kinds of templates and features as aligned tables."""

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laconic.structured.parsing.explain import ArcExplanation
from laconic.structured.parsing.model import ArcModel
from laconic.structured.parsing.scores import AttachmentScores


def parser_line(model: ArcModel, n_templates: int) -> str:
    """Return the size of a model in one line."""
    named = "no relations" if model.relations is None else f"{len(model.relations.labels)} relations"
    return (
        f"{len(model.templates)} of {n_templates} templates, {model.n_weights:,} weights, {named}, "
        f"{'one root' if model.single else 'any number of roots'}, "
        f"{'no crossing arcs' if model.projective else 'arcs may cross'}"
    )


def attachment_table(scores: AttachmentScores) -> RenderableType:
    """Return UAS and LAS, with and without punctuation."""
    table = _table("counted", "tokens", "UAS", "LAS")
    for name, one in (
        ("without punctuation", scores.words),
        ("without PUNCT", scores.ud_words),
        ("all tokens", scores.all),
    ):
        las = "-" if one.las is None else f"{100 * one.las:.2f}"
        table.add_row(name, f"{one.tokens:,}", f"{100 * one.uas:.2f}", las)
    right = f"{100 * scores.complete:.2f} % of {scores.sentences:,} sentences have all heads right."
    return Group(table, Text(), Text(right))


def kind_table(kinds: dict[str, dict[str, int]]) -> RenderableType:
    """Return how many templates of each kind were kept."""
    table = _table("kind of template", "kept", "of")
    for kind, counts in kinds.items():
        table.add_row(kind, f"{counts['kept']:,}", f"{counts['of']:,}")
    return table


def strongest_table(features: list[dict[str, Any]]) -> RenderableType:
    """Return the strongest features."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("weight", justify="right")
    table.add_column("template")
    table.add_column("values")
    for one in features:
        weight = Text(f"{one['weight']:+.3f}", style="green" if one["weight"] > 0 else "magenta")
        table.add_row(weight, one["template"], " ".join(one["values"]))
    return table


def arcs_table(found: list[ArcExplanation], top: int) -> RenderableType:
    """Return the tree of a sentence with the features that spoke most for each arc."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("", "word", "head", "relation", "instead of"):
        table.add_column(heading)
    table.add_column("margin", justify="right")
    table.add_column("because")
    for number, one in enumerate(found, 1):
        reasons = [
            f"{reason.template} {' '.join(reason.values)} {reason.weight - reason.against:+.2f}"
            for reason in one.reasons[:top]
        ]
        head = f"{one.head} {one.head_token}"
        other = "-" if one.runner_up is None else f"{one.runner_up} {one.runner_up_token}"
        margin = f"{one.margin:.2f}"
        table.add_row(str(number), one.token, head, one.relation or "-", other, margin, "; ".join(reasons))
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first)
    for heading in others:
        table.add_column(heading, justify="right")
    return table

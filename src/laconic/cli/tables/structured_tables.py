"""Taggers and parsers on the terminal: sizes, scores, templates and features."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from laconic.cli.shared.output import spaced, table

if TYPE_CHECKING:
    from laconic.structured.parsing.explain import ArcExplanation
    from laconic.structured.parsing.model import ArcModel
    from laconic.structured.scores import AttachmentScores, SpanScore, TagScores
    from laconic.structured.tagging.explain import TokenExplanation
    from laconic.structured.tagging.model import ChainModel


def tagger_line(model: "ChainModel", n_templates: int) -> str:
    """Return the size of a tagger in one line."""
    return (
        f"{len(model.templates)} of {n_templates} templates, {len(model.rows):,} features, {model.n_weights:,} "
        f"weights, {len(model.labels)} labels"
    )


def parser_line(model: "ArcModel", n_templates: int) -> str:
    """Return the size of a parser in one line."""
    named = "no relations" if model.relations is None else f"{len(model.relations.labels)} relations"
    return (
        f"{len(model.templates)} of {n_templates} templates, {model.n_weights:,} weights, {named}, "
        f"{'one root' if model.single else 'any number of roots'}, "
        f"{'no crossing arcs' if model.projective else 'arcs may cross'}"
    )


def score_table(scores: "TagScores") -> RenderableType:
    """Return span scores, all types together first, and accuracy below."""
    right = f"{100 * scores.accuracy:.2f}% of {scores.tokens:,} tokens in {scores.sentences:,} sentences are correct."
    if not scores.types:
        return right
    made = table("type", ">precision", ">recall", ">F1", ">correct", ">predicted", ">true")
    made.add_row("all", *_numbers(scores.overall), style="bold")
    for kind, score in scores.types.items():
        made.add_row(kind, *_numbers(score))
    return spaced(made, right)


def attachment_table(scores: "AttachmentScores") -> RenderableType:
    """Return UAS and LAS, with and without punctuation."""
    counted = {"without punctuation": scores.words, "without PUNCT": scores.ud_words, "all tokens": scores.all}
    rows = (
        (name, f"{part.tokens:,}", f"{100 * part.uas:.2f}", "-" if part.las is None else f"{100 * part.las:.2f}")
        for name, part in counted.items()
    )
    right = f"{100 * scores.complete:.2f}% of {scores.sentences:,} sentences have all heads correct."
    return spaced(table("counted", ">tokens", ">UAS", ">LAS", rows=rows), right)


def template_table(rows: Iterable[Mapping[str, Any]]) -> RenderableType:
    """Return the templates that were kept with their norms; those that were dropped are named below."""
    made = table("template", ">norm", ">features", ">weights", ">selected by")
    for row in rows:
        if row["kept"]:
            strength = "-" if row["strength"] is None else f"{row['strength']:.3f}"
            counts = f"{row['features']:,}", f"{row['weights']:,}"
            made.add_row(row["template"], f"{row['norm']:.2f}", *counts, strength)
    dropped = [row["template"] for row in rows if not row["kept"]]
    return spaced(made, f"Dropped ({len(dropped)}): {', '.join(dropped)}") if dropped else made


def kind_table(kinds: Mapping[str, Mapping[str, int]]) -> Table:
    """Return how many templates of each kind were kept."""
    rows = ((kind, f"{counts['kept']:,}", f"{counts['of']:,}") for kind, counts in kinds.items())
    return table("kind of template", ">kept", ">of", rows=rows)


def feature_lists(features: Mapping[str, Sequence[Mapping[str, Any]]]) -> Table:
    """Return the strongest features of each label."""
    named = (("" if place else label, *_feature(row)) for label, of in features.items() for place, row in enumerate(of))
    return table("label", ">weight", "template", "values", rows=named)


def strongest_table(features: Iterable[Mapping[str, Any]]) -> Table:
    """Return the strongest features."""
    return table(">weight", "template", "values", rows=map(_feature, features))


def tokens_table(tokens: Iterable["TokenExplanation"], top: int) -> Table:
    """Return the tags of a sentence with the features that counted most for each."""
    made = table("token", "tag", "instead of", ">margin", "because")
    for token in tokens:
        reasons = [f"{why.template} {' '.join(why.values)} {why.weight:+.2f}" for why in token.reasons[:top]]
        because = "; ".join([f"neighbouring tags {token.transition:+.2f}", *reasons])
        made.add_row(token.token, token.tag, token.runner_up or "-", f"{token.margin:.2f}", because)
    return made


def arcs_table(arcs: Iterable["ArcExplanation"], top: int) -> Table:
    """Return the tree of a sentence with the features that counted most for each arc."""
    made = table("", "word", "head", "relation", "instead of", ">margin", "because")
    for number, arc in enumerate(arcs, 1):
        reasons = [
            f"{why.template} {' '.join(why.values)} {why.weight - why.against:+.2f}" for why in arc.reasons[:top]
        ]
        other = "-" if arc.runner_up is None else f"{arc.runner_up} {arc.runner_up_token}"
        head = f"{arc.head} {arc.head_token}"
        made.add_row(str(number), arc.token, head, arc.relation or "-", other, f"{arc.margin:.2f}", "; ".join(reasons))
    return made


def _feature(row: Mapping[str, Any]) -> tuple[Text, str, str]:
    style = "green" if row["weight"] > 0 else "magenta"
    return Text(f"{row['weight']:+.3f}", style=style), row["template"], " ".join(row["values"])


def _numbers(score: "SpanScore") -> list[str]:
    shares = [f"{100 * share:.2f}" for share in (score.precision, score.recall, score.f1)]
    return [*shares, f"{score.right:,}", f"{score.predicted:,}", f"{score.true:,}"]

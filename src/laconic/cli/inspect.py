"""``laconic inspect``: the words of a saved model, or the reasons for the label of one text."""

import sys
from typing import Any

import click

from laconic.cli.options import json_option
from laconic.cli.output import echo_json, show


@click.command()
@click.argument("model", metavar="MODEL")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Words per class.")
@click.option("--all", "everything", is_flag=True, help="All words.")
@click.option("--class", "label", metavar="CLASS", help="Only the words of this class.")
@click.option("--text", metavar="TEXT", help="Explain the label of this text; - reads it from standard input.")
@json_option
def command(model: str, top: int, everything: bool, label: str | None, text: str | None, as_json: bool) -> None:
    """Show the words of a saved model, strongest first, per class; or explain one text.

    \b
    Examples:
      laconic inspect reviews.laconic
      laconic inspect reviews.laconic --class positive --all
      laconic inspect reviews.laconic --text "Dull, but well acted."
    """
    from laconic.data.document import Document
    from laconic.models import load
    from laconic.report import summarize

    scorer = load(model)
    if text == "-":
        text = sys.stdin.read()
    examples = [] if text is None else [Document("text", text)]
    summary = summarize(scorer, title=model, examples=examples)
    labels = None if label is None else [_matching(label, summary.classes)]
    if as_json:
        echo_json(summary.examples[0].explanation.to_dict() if examples else summary.to_dict())
        return
    from laconic.cli.tables import example_view, header, word_lists

    if examples:
        show(example_view(summary.examples[0]))
    else:
        show(header(summary), word_lists(summary, labels, None if everything else top))


def _matching(given: str, classes: tuple[Any, ...]) -> Any:
    for label in classes:
        if str(label) == given:
            return label
    raise ValueError(f"the model has no class {given!r}; its classes are {', '.join(map(str, classes))}")

"""``laconic explain``: why a model gives one text its label, in the colours and bars of the page."""

import sys

import click

from laconic.cli.shared.options import json_option
from laconic.cli.shared.output import echo_json, show
from laconic.cli.shared.sources import load_text_model


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("text", metavar="TEXT")
@click.option("--class", "label", metavar="CLASS", help="Show what speaks for this class instead of the predicted one.")
@json_option
def command(model: str, text: str, label: str | None, as_json: bool) -> None:
    """Show the probabilities of one text, and its sentences and words with what each did for the label.

    TEXT is the text itself, or - to read it from standard input. Blue words speak for the label, yellow ones against
    it; the bar of a sentence is what it adds to the log-odds of the label.

    \b
    Examples:
      laconic explain reviews.laconic "Dull, but well acted."
      laconic explain reviews.laconic - < letter.txt
    """
    scorer = load_text_model(model)
    content = sys.stdin.read() if text == "-" else text
    why = scorer.explain(content)
    wanted = why.label
    if label is not None:
        known = {str(one): one for one in why.classes}
        if label not in known:
            raise click.UsageError(f"the model has no class {label!r}; its classes are {', '.join(known)}.")
        wanted = known[label]
    parts = scorer.sentences(content, wanted)
    if as_json:
        from dataclasses import asdict

        sentences = [{**asdict(part), "text": content[part.start : part.end]} for part in parts]
        echo_json({**why.to_dict(), "explained": wanted, "sentences": sentences})
        return
    from laconic.cli.tables.explanation_view import explain_view

    show(explain_view(why, parts, wanted))

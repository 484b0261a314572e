"""``laconic explain``: why a model gives one text its label, in the colours and bars of the report."""

import sys
from dataclasses import asdict

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.output import answer
from laconic.cli.tables.explanation_view import explain_view
from laconic.workflows.sources import load_text_model


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("content", metavar="TEXT")
@opt.text("--class", "label", "CLASS", "Class to explain instead of the predicted one.")
@opt.json_option
def command(model: str, content: str, label: str | None, as_json: bool) -> None:
    """Show the probabilities of one text, and the contributions (log-odds) of its sentences and words to the label.

    TEXT is the text itself, or - to read it from standard input. Blue words are evidence for the label, yellow ones
    against it; the bar of a sentence is what it adds to the log-odds of the label. Of a multi-label model every label
    that the text gets is explained, or the likeliest if it gets none.

    \b
    Examples:
      laconic explain reviews.laconic "Dull, but well acted."
      laconic explain reviews.laconic - < letter.txt
    """
    scorer = load_text_model(model, several=True)
    content = sys.stdin.read() if content == "-" else content
    why = scorer.explain(content)
    known = {str(name): name for name in why.classes}
    if label is not None and label not in known:
        raise click.UsageError(f"the model has no class {label!r}; its classes are {', '.join(known)}.")
    wanted = (why.given or (why.label,)) if label is None else (known[label],)
    parts = {name: scorer.sentences(content, name) for name in wanted}
    sentences = [{**asdict(part), "text": content[part.start : part.end]} for part in parts[wanted[0]]]
    data = {**why.to_dict(wanted[0]), "explained": wanted[0], "sentences": sentences}
    answer(as_json, data, explain_view(why, parts))

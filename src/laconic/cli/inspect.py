"""``laconic inspect``: the words of a saved model, or the reasons for the label of one text."""

import sys
from dataclasses import asdict
from typing import Any

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.options import HowMany
from laconic.cli.shared.output import answer
from laconic.cli.tables.diff_tables import edits_line
from laconic.cli.tables.explanation_view import example_view
from laconic.cli.tables.model_tables import group_list, header, word_lists
from laconic.core.summaries.summary import Example
from laconic.data.document import Document
from laconic.report import summarize
from laconic.workflows.sources import load_text_model


@click.command()
@click.argument("model", metavar="MODEL")
@opt.number("--top", "Number of words per class.", default=20)
@opt.flag("--all", "everything", "Show all words.")
@opt.text("--class", "label", "CLASS", "Show only the words of this class.")
@opt.text("--text", "content", "TEXT", "Text whose label is explained; - reads it from standard input.")
@click.option(
    "--groups",
    type=HowMany(),
    metavar="[N]",
    is_flag=False,
    flag_value=20,
    help="Show the N strongest groups (sentences, …) that the model selected, with their words. Default: 20.",
)
@opt.json_option
def command(
    model: str, top: int, everything: bool, label: str | None, content: str | None, groups: int | None, as_json: bool
) -> None:
    """Show the words of a saved model per class, by weight times documents; its groups; or explain one text.

    For a text, each sentence is shown with its pull (the sum of its words' effects on the log-odds of the label) and
    with log P, its influence: the log-probability of the label with the sentence minus that without it.

    \b
    Examples:
      laconic inspect reviews.laconic
      laconic inspect reviews.laconic --class positive --all
      laconic inspect reviews.laconic --groups 50
      laconic inspect reviews.laconic --text "Dull, but well acted."
    """
    scorer = load_text_model(model, several=True)
    if groups is not None and content is not None:
        raise click.UsageError("--groups shows the groups of the model and --text explains a text; pass one of them.")
    if groups is not None and (label is not None or everything):
        raise click.UsageError("--groups shows the groups of all classes; --class and --all are for the list of words.")
    examples = [] if content is None else [Document("text", sys.stdin.read() if content == "-" else content)]
    summary = summarize(scorer, title=model, examples=examples, groups=groups or 0)
    if groups is not None and summary.selection is None:
        raise ValueError(f"the model {model} has no groups; fit one with laconic fit … --groups sentences")
    labels = None if label is None else [own for own in summary.classes if str(own) == label]
    if labels == []:
        raise ValueError(f"the model has no class {label!r}; its classes are {', '.join(map(str, summary.classes))}")
    if summary.examples:
        answer(as_json, _example_data(summary.examples[0]), example_view(summary.examples[0], influence=True))
    elif groups is not None and summary.selection is not None:
        selected = group_list(summary.selection, summary) if summary.selection.selected else "No group was selected."
        answer(as_json, asdict(summary.selection), header(summary), selected)
    else:
        words = word_lists(summary, labels, None if everything else top)
        answer(as_json, summary.to_dict(), header(summary), words, *edits_line(scorer.info.get("edits")))


def _example_data(example: Example) -> dict[str, Any]:
    influences = example.influences or [None] * len(example.sentences)
    sentences = [
        {"start": start, "end": end, "pull": pull, "influence": influence}
        for (start, end, pull), influence in zip(example.sentences, influences, strict=True)
    ]
    return {**example.explanation.to_dict(), "sentences": sentences}

"""``laconic diff``: what changed from one saved model to another."""

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.output import answer
from laconic.cli.tables.diff_tables import diff_tables
from laconic.workflows.edit import compare_saved
from laconic.workflows.sources import Reading


@click.command()
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.argument("source", metavar="[FILE]", required=False)
@opt.number("--top", "Maximum number of rows of each table.", default=20)
@opt.reading_options()
@opt.json_option
def command(before: str, after: str, source: str | None, top: int, reading: Reading, as_json: bool) -> None:
    """Show the words and groups added, removed or changed in sign from model A to model B.

    With a FILE of texts, also the documents that the two models classify differently, and which of them is correct if
    the documents are labelled. Columns that are not named are those of the documents that the models were made from,
    where FILE has them. For a built-in dataset, the test split is used.

    \b
    Examples:
      laconic diff reviews.laconic reviews-edited.laconic
      laconic diff old.laconic new.laconic held-out.csv --top 50
      laconic diff a.laconic b.laconic 20ng/science --json
    """
    diff = compare_saved(before, after, source, reading)
    answer(as_json, diff.to_dict(), *diff_tables(diff, top))

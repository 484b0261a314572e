"""``laconic diff``: what changed from one saved model to another."""

from typing import TYPE_CHECKING, Any

import click

from laconic.cli.shared.options import column_options, data_option, json_option
from laconic.cli.shared.output import echo_json, show
from laconic.cli.shared.sources import Reading, earlier_columns, known_splits, load_text_model, stored_reading

if TYPE_CHECKING:
    from laconic.data import Corpus


@click.command()
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.argument("source", metavar="[FILE]", required=False)
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Rows of each table at most.")
@column_options()
@data_option
@json_option
def command(
    before: str,
    after: str,
    source: str | None,
    top: int,
    text_cols: tuple[str, ...],
    label_col: str | None,
    id_col: str | None,
    data_dir: str | None,
    as_json: bool,
) -> None:
    """Show the words and groups that came, went or changed their sign from model A to model B.

    With a FILE of texts, also the documents that the two label differently, and which of them is right where the
    texts have labels. Columns that are not named are those of the texts that the models were made from, where FILE has
    them. Of a known data set the test documents are taken.

    \b
    Examples:
      laconic diff reviews.laconic reviews-edited.laconic
      laconic diff old.laconic new.laconic held-out.csv --top 50
      laconic diff a.laconic b.laconic 20ng/science --json
    """
    from laconic.models.edit.diff import diff_models

    first, second = (load_text_model(model, several=True) for model in (before, after))
    texts: list[str] = []
    ids: Any = None
    labels: Any = None
    if source is not None:
        corpus = _read(source, Reading(text_cols, label_col, id_col), [first, second], data_dir)
        texts, ids, labels = list(corpus.texts), corpus.ids, corpus.labels
    diff = diff_models(first, second, texts, ids, labels)
    if as_json:
        echo_json(diff.to_dict())
        return
    from laconic.cli.tables.diff_tables import diff_tables

    show(*diff_tables(diff, top))


def _read(source: str, reading: Reading, models: list[Any], data_dir: str | None) -> "Corpus":
    """Read texts, with labels where the file has them; columns that were not named are those of the models."""
    from laconic import data

    splits = known_splits(source, data_dir)
    if splits is not None:
        return splits.test
    reading = earlier_columns(source, reading, *(stored_reading(model.info) for model in models))
    columns = list(reading.text_cols) or None
    return data.read(source, text_col=columns, label_col=reading.label_col, id_col=reading.id_col)

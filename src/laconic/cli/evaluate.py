"""``laconic evaluate``: how well a saved model does on labelled texts."""

import click

from laconic.cli.shared.options import column_options, data_option, json_option
from laconic.cli.shared.output import echo_json, show
from laconic.cli.shared.sources import (
    Reading,
    find_columns,
    known_splits,
    load_text_model,
    read_labelled,
    stored_reading,
)


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="FILE")
@column_options()
@data_option
@json_option
def command(
    model: str,
    source: str,
    text_cols: tuple[str, ...],
    label_col: str | None,
    id_col: str | None,
    data_dir: str | None,
    as_json: bool,
) -> None:
    """Score a saved model on labelled texts: metrics, scores per class, confusion matrix.

    Columns that are not named are those of the texts that the model was made from, where FILE has them. Of a known data
    set the test documents are taken.

    \b
    Examples:
      laconic evaluate reviews.laconic held-out.csv
      laconic evaluate science.laconic 20ng/science --json
    """
    from laconic.report import summarize

    reading = Reading(text_cols, label_col, id_col)
    scorer = load_text_model(model, several=True)
    splits = known_splits(source, data_dir)
    if splits is None:
        corpus = read_labelled(source, find_columns(source, reading, stored_reading(scorer.info)))
    else:
        corpus = splits.test
    if scorer.model.several:
        from laconic.cli.tables.label_tables import evaluate_several

        evaluate_several(scorer, corpus, as_json)
        return
    summary = summarize(scorer, corpus, title=model, groups=0)
    if as_json:
        echo_json(summary.to_dict()["scores"])
        return
    from laconic.cli.tables.model_tables import scores_tables

    if summary.scores is not None:
        show(scores_tables(summary.scores))

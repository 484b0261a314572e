"""``laconic compare``: saved models beside each other on the same labelled texts, with paired tests."""

from pathlib import Path

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
@click.argument("models", metavar="MODEL MODEL...", nargs=-1, required=True)
@click.argument("source", metavar="FILE")
@column_options()
@data_option
@json_option
def command(
    models: tuple[str, ...],
    source: str,
    text_cols: tuple[str, ...],
    label_col: str | None,
    id_col: str | None,
    data_dir: str | None,
    as_json: bool,
) -> None:
    """Compare saved models on the same labelled texts, each with the first.

    Shown are accuracy and macro F1 with 95 % bootstrap intervals, the documents that only one of two models labels
    rightly, the one-sided micro sign test (is the model better than the first?) and the exact McNemar test (do they
    differ?), the latter also corrected by Holm for the number of models. Columns that are not named are those of the
    texts that the models were made from, where FILE has them. Of a known data set the test documents are taken.

    \b
    Examples:
      laconic compare ridge.laconic lasso.laconic held-out.csv
      laconic compare a.laconic b.laconic c.laconic 20ng/science --json
    """
    from laconic.evaluate import compare
    from laconic.evaluate.metrics.scores import as_labels, check_same_kind, check_some_known

    if len(models) < 2:
        raise click.UsageError("give at least two models and then a FILE of labelled texts.")
    if len({Path(name).resolve() for name in models}) < len(models):
        raise click.UsageError("a model is named twice; a model cannot be compared with itself.")
    reading = Reading(text_cols, label_col, id_col)
    scorers = {name: load_text_model(name) for name in models}
    splits = known_splits(source, data_dir)
    if splits is None:
        earlier = [stored_reading(scorer.info) for scorer in scorers.values()]
        corpus = read_labelled(source, find_columns(source, reading, *earlier))
    else:
        corpus = splits.test
    texts = list(corpus.texts)
    labels = list(corpus.labels or ())
    truth = as_labels(labels, "y")
    for name, scorer in scorers.items():
        classes = as_labels(scorer.classes_, "classes_")
        check_same_kind(truth, classes, f"the model {name}")
        check_some_known(truth, classes, f"the model {name}'s")
    rows = compare(labels, {name: scorer.predict(texts) for name, scorer in scorers.items()})
    sizes = {name: len(scorer.model.words) for name, scorer in scorers.items()}
    if as_json:
        echo_json({"documents": len(texts), "models": [{**row.to_dict(), "words": sizes[row.name]} for row in rows]})
        return
    from laconic.cli.tables.model_tables import versus_table

    show(f"{len(texts):,} documents of {corpus.name}", versus_table(rows, sizes))

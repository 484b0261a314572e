"""``laconic compare``: saved models beside each other on the same labelled texts, with paired tests."""

import click

from laconic.cli.options import column_options, data_option, json_option
from laconic.cli.output import echo_json, show
from laconic.cli.sources import Reading, find_columns, known_splits, read_labelled


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
    differ?), the latter also corrected by Holm for the number of models. Of a known data set the test documents are
    taken.

    \b
    Examples:
      laconic compare ridge.laconic lasso.laconic held-out.csv
      laconic compare a.laconic b.laconic c.laconic 20ng/science --json
    """
    from laconic.evaluate import compare
    from laconic.models import load

    if len(models) < 2:
        raise click.UsageError("give at least two models and then a FILE of labelled texts.")
    if len(set(models)) < len(models):
        raise click.UsageError("a model is named twice; a model cannot be compared with itself.")
    reading = Reading(text_cols, label_col, id_col)
    scorers = {name: load(name) for name in models}
    splits = known_splits(source, data_dir)
    corpus = read_labelled(source, find_columns(source, reading)) if splits is None else splits.test
    texts = list(corpus.texts)
    rows = compare(list(corpus.labels or ()), {name: scorer.predict(texts) for name, scorer in scorers.items()})
    sizes = {name: len(scorer.model.words) for name, scorer in scorers.items()}
    if as_json:
        echo_json({"documents": len(texts), "models": [{**row.to_dict(), "words": sizes[row.name]} for row in rows]})
        return
    from laconic.cli.tables import versus_table

    show(f"{len(texts):,} documents of {corpus.name}", versus_table(rows, sizes))

"""``laconic compare``: saved models beside each other on the same labelled documents, with paired tests."""

from pathlib import Path

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.output import answer, terminal
from laconic.cli.tables.model_tables import versus_table
from laconic.workflows.evaluate import compare_models
from laconic.workflows.sources import Reading


@click.command()
@click.argument("models", metavar="MODEL MODEL...", nargs=-1, required=True)
@click.argument("source", metavar="FILE")
@opt.reading_options()
@opt.json_option
def command(models: tuple[str, ...], source: str, reading: Reading, as_json: bool) -> None:
    """Compare saved models on the same labelled documents, each with the first.

    Shown are accuracy and macro F1 with 95% bootstrap intervals, the documents that only one of two models classifies
    correctly, the one-sided micro sign test (is the model better than the first?) and the exact McNemar test (do they
    differ?), the latter also corrected by Holm for the number of models. Columns that are not named are those of the
    documents that the models were made from, where FILE has them. For a built-in dataset, the test split is used.

    \b
    Examples:
      laconic compare ridge.laconic lasso.laconic held-out.csv
      laconic compare a.laconic b.laconic c.laconic 20ng/science --json
    """
    if len(models) < 2:
        raise click.UsageError("give at least two models and then a FILE of labelled texts.")
    if len({Path(name).resolve() for name in models}) < len(models):
        raise click.UsageError("a model is named twice; a model cannot be compared with itself.")
    with terminal() as watch:
        corpus, rows, sizes = compare_models(models, source, reading, watch)
    data = {"documents": len(corpus), "models": [{**row.to_dict(), "words": sizes[row.name]} for row in rows]}
    answer(as_json, data, f"{len(corpus):,} documents of {corpus.name}", versus_table(rows, sizes))

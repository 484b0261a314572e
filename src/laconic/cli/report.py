"""``laconic report``: saved models as one HTML page that explains them and runs the first."""

import warnings
from pathlib import Path
from typing import Any

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.output import echo_json, terminal
from laconic.workflows.report import ReportJob, report


@click.command()
@click.argument("models", metavar="MODEL...", nargs=-1, required=True)
@opt.text("--corpus", "source", "FILE", "Labelled documents to score the model on.")
@opt.text("-o", "--out", "target", "FILE", "The report; default: MODEL.html, beside the model.")
@opt.number(
    "--documents",
    "Put N documents of the corpus into the report, the worst mistakes first. Whoever gets the report can read them.",
    default=0,
    least=0,
)
@opt.text("--title", "TEXT", "Title of the report; default: the name of the training documents.")
@opt.reading_options()
@opt.json_option
def command(models: tuple[str, ...], source: str | None, documents: int, as_json: bool, **options: Any) -> None:
    """Write a saved model as one HTML page: its words, its scores, and a box to try it in.

    The report works offline, in any browser, and scores texts by itself: it is the model. With --corpus it shows the
    scores of the model on labelled documents (for a built-in dataset, on the test split), and with several models how
    each of them compares with the first, which is the one that the report shows. Columns that are not named are those
    of the documents that the models were made from, where FILE has them. For a tagger or a parser the report shows
    templates and features, and with --corpus its errors; --documents is then the number of sentences to show.

    \b
    Examples:
      laconic report reviews.laconic
      laconic report reviews.laconic --corpus held-out.csv -o reviews.html
      laconic report reviews.laconic --corpus held-out.csv --documents 100
      laconic report small.laconic large.laconic --corpus held-out.csv
    """
    if source is None and (documents or len(models) > 1):
        what = "--documents" if documents else "a comparison of several models"
        raise click.UsageError(f"{what} needs labelled documents: pass --corpus FILE.")
    if len({Path(name).resolve() for name in models}) < len(models):
        raise click.UsageError("a model is named twice; a model cannot be compared with itself.")
    with terminal() as watch:
        page = report(ReportJob(models, source, documents=documents, **options), watch)
    if documents:
        warnings.warn(f"{page} contains document text from {source}; share it with care.", stacklevel=1)
    if as_json:
        echo_json({"report": str(page)})
    else:
        click.echo(f"Report: {page}")

"""``laconic report``: a saved model as one HTML page that explains it and runs it."""

from collections.abc import Mapping
from typing import Any

import click

from laconic.cli.options import column_options, data_option, json_option
from laconic.cli.output import echo_json
from laconic.cli.sources import Reading, find_columns, known_splits, load_text_model, read_labelled, stem


@click.command()
@click.argument("model", metavar="MODEL")
@click.option("--corpus", "source", metavar="FILE", help="Labelled texts to score the model on.")
@click.option("-o", "--out", metavar="FILE", help="The page to write; default: MODEL.html, beside it.")
@column_options()
@data_option
@json_option
def command(
    model: str,
    source: str | None,
    out: str | None,
    text_cols: tuple[str, ...],
    label_col: str | None,
    id_col: str | None,
    data_dir: str | None,
    as_json: bool,
) -> None:
    """Write a saved model as one HTML page: its words, its scores, and a box to try it in.

    The page works offline, in any browser, and scores texts by itself: it is the model. With --corpus it shows how the
    model does on labelled texts (of a known data set on its test documents).

    \b
    Examples:
      laconic report reviews.laconic
      laconic report reviews.laconic --corpus held-out.csv -o reviews.html
    """
    from laconic.report.page import check_page, page_beside, write_page
    from laconic.report.summarizing import summarize

    target = check_page(out or page_beside(model))
    reading = Reading(text_cols, label_col, id_col)
    scorer = load_text_model(model)
    corpus = None
    if source is not None:
        splits = known_splits(source, data_dir)
        corpus = read_labelled(source, find_columns(source, reading)) if splits is None else splits.test
    write_page(summarize(scorer, corpus, title=stem(_trained_on(scorer.info) or model)), target)
    if as_json:
        echo_json({"report": str(target)})
    else:
        click.echo(f"Report: {target}")


def _trained_on(info: Mapping[str, Any]) -> str:
    """Return the name of the texts that ``laconic fit`` read."""
    return ((info.get("extra") or {}).get("data") or {}).get("train", {}).get("name") or ""

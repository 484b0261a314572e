"""``laconic report``: saved models as one HTML page that explains them and runs the first."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from laconic.cli.shared.options import column_options, data_option, json_option
from laconic.cli.shared.output import echo_json
from laconic.cli.shared.sources import (
    Reading,
    find_columns,
    known_splits,
    load_text_model,
    read_labelled,
    stem,
    stored_reading,
)


@click.command()
@click.argument("models", metavar="MODEL...", nargs=-1, required=True)
@click.option("--corpus", "source", metavar="FILE", help="Labelled texts to score the model on.")
@click.option("-o", "--out", metavar="FILE", help="The page to write; default: MODEL.html, beside the model.")
@click.option(
    "--documents",
    type=click.IntRange(0),
    metavar="N",
    default=0,
    help="Put N texts of the corpus into the page, the worst mistakes first. Mind what is in them: whoever gets the "
    "page can read them.",
)
@click.option(
    "--title", metavar="TEXT", help="The heading; default: the name of the texts that the model is made from."
)
@column_options()
@data_option
@json_option
def command(
    models: tuple[str, ...],
    source: str | None,
    out: str | None,
    documents: int,
    title: str | None,
    text_cols: tuple[str, ...],
    label_col: str | None,
    id_col: str | None,
    data_dir: str | None,
    as_json: bool,
) -> None:
    """Write a saved model as one HTML page: its words, its scores, and a box to try it in.

    The page works offline, in any browser, and scores texts by itself: it is the model. With --corpus it shows how the
    model does on labelled texts (of a known data set on its test documents), and with several models how each of them
    does against the first, which is the one that the page shows. Columns that are not named are those of the texts that
    the models were made from, where FILE has them. Of a tagger or a parser the page shows templates,
    features, and with --corpus its errors; --documents then says how many sentences to show.

    \b
    Examples:
      laconic report reviews.laconic
      laconic report reviews.laconic --corpus held-out.csv -o reviews.html
      laconic report reviews.laconic --corpus held-out.csv --documents 100
      laconic report small.laconic large.laconic --corpus held-out.csv
    """
    if source is None and (documents or len(models) > 1):
        what = "--documents" if documents else "a comparison of several models"
        raise click.UsageError(f"{what} needs labelled texts: pass --corpus FILE.")
    if len({Path(name).resolve() for name in models}) < len(models):
        raise click.UsageError("a model is named twice; a model cannot be compared with itself.")

    from laconic.core.folder import folder_kind
    from laconic.models.scoring.scorer import PARSER, TAGGER
    from laconic.report.render.page import check_page, page_beside, write_page
    from laconic.report.summaries.compare import report_summary

    target = check_page(out or page_beside(models[0]))
    if (kind := folder_kind(models[0])) in (TAGGER, PARSER):
        if len(models) > 1:
            raise click.UsageError("several models can be compared only if they classify texts.")
        write = _write_tagger if kind == TAGGER else _write_parser
        write(models[0], source, title, documents, target)
        _say(target, source if documents else None, as_json)
        return
    scorer = load_text_model(models[0], several=True)
    info = scorer.info
    if scorer.model.several and (documents or len(models) > 1):
        what = "--documents shows texts" if documents else "several models are compared"
        raise click.UsageError(f"{what} only of models that give a text one label; {models[0]} gives several.")
    earlier = [stored_reading(info), *(stored_reading(load_text_model(other).info) for other in models[1:])]
    corpus = None
    if source is not None:
        splits = known_splits(source, data_dir)
        reading = Reading(text_cols, label_col, id_col)
        corpus = read_labelled(source, find_columns(source, reading, *earlier)) if splits is None else splits.test
    heading = title or stem(_trained_on(info) or models[0])
    write_page(report_summary(models, corpus, title=heading, documents=documents), target)
    _say(target, source if documents else None, as_json)


def _write_tagger(model: str, source: str | None, title: str | None, documents: int, target: Path) -> None:
    from laconic.data.annotated.tagged_files import read_like_training
    from laconic.models.scoring.scorer import load
    from laconic.report.render.page import write_page
    from laconic.report.summaries.tagger import summarize_tagger

    scorer = load(model)
    corpus = None if source is None else read_like_training(Path(source), None, None, scorer.info)
    facts: dict[str, Any] = {"title": title or stem(model), "sentences": documents, "folder": model}
    write_page(summarize_tagger(scorer, corpus, name="" if source is None else Path(source).name, **facts), target)


def _write_parser(model: str, source: str | None, title: str | None, documents: int, target: Path) -> None:
    from laconic.data.annotated.sentences import Sentences
    from laconic.data.annotated.treebank import read_treebank
    from laconic.models.scoring.scorer import load
    from laconic.report.render.page import write_page
    from laconic.report.summaries.parser import summarize_parser

    corpus = None
    if source is not None:
        treebank = read_treebank(Path(source))
        names = treebank.relations or ["_"] * treebank.n_tokens
        arcs = list(zip(treebank.trees.tolist(), names, strict=True))
        corpus = treebank.sentences, Sentences({"arc": arcs}, treebank.sentences.lengths).split("arc")
    facts: dict[str, Any] = {"title": title or stem(model), "sentences": documents, "folder": model}
    write_page(summarize_parser(load(model), corpus, name="" if source is None else Path(source).name, **facts), target)


def _say(target: Path, texts_of: str | None, as_json: bool) -> None:
    if texts_of is not None:
        click.echo(f"laconic: warning: {target} holds texts of {texts_of}; mind who gets it.", err=True)
    if as_json:
        echo_json({"report": str(target)})
    else:
        click.echo(f"Report: {target}")


def _trained_on(info: Mapping[str, Any]) -> str:
    """Return the name of the texts that ``laconic fit`` read."""
    return ((info.get("extra") or {}).get("data") or {}).get("train", {}).get("name") or ""

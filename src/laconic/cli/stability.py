"""``laconic stability``: which words of a saved model its method selects again and again."""

from typing import Any

import click

from laconic.cli.options import column_options, data_option, json_option, quiet_option
from laconic.cli.output import echo_json, progress_bar, show
from laconic.cli.sources import Reading, find_columns, known_splits, load_text_model, read_labelled, stored_reading


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="FILE")
@click.option("--pairs", type=click.IntRange(2), default=50, show_default=True, help="Pairs of halves; two fits each.")
@click.option(
    "--errors",
    type=click.FloatRange(0.0, min_open=True),
    default=1.0,
    show_default=True,
    help="How many noise words may be expected among the stable ones.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0.5, 1.0, min_open=True),
    metavar="SHARE",
    help="Share of models that must select a stable word, instead of --errors.",
)
@click.option("--words", type=click.IntRange(1), metavar="N", help="Of each model count the N strongest words only.")
@click.option("--top", type=click.IntRange(1), default=30, show_default=True, help="How many words to show.")
@click.option("--seed", type=click.IntRange(0), metavar="N", default=0, show_default=True, help="Of the halves.")
@column_options()
@data_option
@quiet_option
@json_option
def command(
    model: str,
    source: str,
    top: int,
    text_cols: tuple[str, ...],
    label_col: str | None,
    id_col: str | None,
    data_dir: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Fit the method of a model to many halves of its texts, and say which words are selected again.

    MODEL was made by laconic fit; FILE holds the texts that it was made from (of a known data set the training
    documents are taken). Words that at least a share of the models selects are stable: by default the lowest share at
    which at most one word that is no better than chance is expected among them (stability selection with complementary
    pairs, Shah and Samworth 2013). Words that stand in for one another are named together.

    \b
    Examples:
      laconic stability reviews.laconic reviews.csv
      laconic stability reviews.laconic reviews.csv --words 50 --errors 0.5 --json
    """
    from laconic.models.recipe import classifier_of

    reading = Reading(text_cols, label_col, id_col)
    scorer = load_text_model(model)
    classifier = classifier_of(scorer.info)
    splits = known_splits(source, data_dir)
    if splits is None:
        corpus = read_labelled(source, find_columns(source, reading, stored_reading(scorer.info)))
    else:
        corpus = splits.train
    with progress_bar("stability", quiet) as advance:
        found = classifier.stability(corpus, list(corpus.labels or ()), progress=advance, **options)
    if as_json:
        echo_json({**found.to_dict(), "model_words": list(scorer.words)})
        return
    from laconic.cli.stability_tables import stability_view

    show(stability_view(found, scorer, top))

"""``laconic evaluate``: how well a saved model does on labelled documents."""

from dataclasses import asdict

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.output import answer, terminal
from laconic.cli.tables.model_tables import label_scores_tables, scores_tables
from laconic.core.summaries.summary import Scores
from laconic.workflows.evaluate import evaluate
from laconic.workflows.sources import Reading


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="FILE")
@opt.reading_options()
@opt.json_option
def command(model: str, source: str, reading: Reading, as_json: bool) -> None:
    """Score a saved model on labelled documents: metrics, scores per class, confusion matrix.

    Columns that are not named are those of the documents that the model was made from, where FILE has them. For a
    built-in dataset, the test split is used.

    \b
    Examples:
      laconic evaluate reviews.laconic held-out.csv
      laconic evaluate science.laconic 20ng/science --json
    """
    with terminal() as watch:
        corpus, scores = evaluate(model, source, reading, watch)
    tables = scores_tables(scores) if isinstance(scores, Scores) else label_scores_tables(scores, corpus.name)
    answer(as_json, asdict(scores), tables)

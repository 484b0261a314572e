"""``laconic stability``: which words of a saved model its method selects again and again."""

from typing import Any

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.output import echo_json, show, terminal
from laconic.cli.tables.stability_tables import stability_view
from laconic.workflows.evaluate import stability
from laconic.workflows.sources import Reading


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="FILE")
@opt.number("--pairs", "Number of pairs of subsamples; two fits each.", default=50, least=2)
@opt.share(
    "--errors",
    "Expected number of noise words among the stable ones.",
    type=click.FloatRange(0.0, min_open=True),
    default=1.0,
)
@opt.share(
    "--threshold",
    "Share of models that must select a stable word, e.g. 0.9, instead of --errors.",
    type=click.FloatRange(0.5, 1.0, min_open=True),
    metavar="SHARE",
)
@opt.number("--words", "Count only the N largest weights of each model; default: what suits --errors.")
@opt.number("--top", "Number of words to show.", default=30)
@opt.number("--seed", "Random seed for the subsamples.", default=0, least=0)
@opt.reading_options()
@opt.quiet_option
@opt.json_option
def command(model: str, source: str, reading: Reading, top: int, quiet: bool, as_json: bool, **options: Any) -> None:
    """Refit a model on many subsamples of its documents, and show which words are selected again.

    MODEL was made by laconic fit; FILE holds the documents that it was made from (for a built-in dataset, the training
    split is used). Words that at least a share of the models has among its strongest, with one sign, are stable: by
    default the lowest share at which at most one word that is no better than chance is expected among them (stability
    selection with complementary pairs, Shah and Samworth 2013). Words are listed by their area: the share of models,
    averaged over the number of words that count in each model. Words that stand in for one another are named together.
    For a multi-label model, every label is examined separately.

    \b
    Examples:
      laconic stability reviews.laconic reviews.csv
      laconic stability reviews.laconic reviews.csv --words 50 --errors 0.5 --json
    """
    with terminal("stability", quiet) as watch:
        scorer, found = stability(model, source, reading, watch, **options)
    several, names = scorer.model.several, scorer.model.classes
    every = scorer.words.items()
    words = {label: [word for word, row in every if not several or row[label]] for label in found}
    if as_json:
        rows = {str(label): {**stable.to_dict(), "model_words": words[label]} for label, stable in found.items()}
        echo_json(rows if several else rows["None"])
        return
    for label, stable in found.items():
        sides = (f"not {label}", str(label)) if several else None
        if not several and len(names) == 2:
            sides = (str(names[0]), str(names[1]))
        view = stability_view(stable, words[label], sides, top)
        show(*([f"{label}:", view, ""] if several else [view]))

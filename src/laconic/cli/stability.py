"""``laconic stability``: which words of a saved model its method selects again and again."""

from typing import Any

import click

from laconic.cli.shared.options import column_options, data_option, json_option, quiet_option
from laconic.cli.shared.output import echo_json, progress_bar, show
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
@click.option(
    "--words",
    type=click.IntRange(1),
    metavar="N",
    help="Of each model count the N strongest words only; default: what suits --errors.",
)
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
    documents are taken). Words that at least a share of the models has among its strongest, with one sign, are stable:
    by default the lowest share at which at most one word that is no better than chance is expected among them
    (stability selection with complementary pairs, Shah and Samworth 2013). Words are shown by their area: the share of
    models, averaged over how many words of a model count. Words that stand in for one another are named together. Of a
    model that gives several labels, every label is looked at by itself.

    \b
    Examples:
      laconic stability reviews.laconic reviews.csv
      laconic stability reviews.laconic reviews.csv --words 50 --errors 0.5 --json
    """
    reading = Reading(text_cols, label_col, id_col)
    scorer = load_text_model(model, several=True)
    classifier = _classifier(scorer)
    splits = known_splits(source, data_dir)
    if splits is None:
        corpus = read_labelled(source, find_columns(source, reading, stored_reading(scorer.info)))
    else:
        corpus = splits.train
    with progress_bar("stability", quiet) as advance:
        found = classifier.stability(corpus, list(corpus.labels or ()), progress=advance, **options)
    from laconic.cli.tables.stability_tables import stability_view

    names = scorer.model.classes
    if not scorer.model.several:
        if as_json:
            echo_json({**found.to_dict(), "model_words": list(scorer.words)})
        else:
            sides = (str(names[0]), str(names[1])) if len(names) == 2 else ("", "")
            show(stability_view(found, list(scorer.words), sides, top))
        return
    words = {label: [word for word, row in scorer.words.items() if row[label]] for label in names}
    if as_json:
        echo_json({str(label): {**one.to_dict(), "model_words": words[label]} for label, one in found.items()})
        return
    for label, one in found.items():
        show(f"{label}:", stability_view(one, words[label], (f"not {label}", str(label)), top), "")


def _classifier(scorer: Any) -> Any:
    """Return the unfitted classifier behind a model that ``laconic fit`` made."""
    from laconic.models.folder.restore import restore_labels
    from laconic.models.search.recipe import Recipe, classifier_of

    if not scorer.model.several:
        return classifier_of(scorer.info)
    stored = (scorer.info.get("extra") or {}).get("recipe")
    if stored is None:
        raise ValueError("The model does not say how it was made; use one that laconic fit made.")
    classifier = restore_labels(scorer.model, scorer.info)
    classifier.text.set_params(groups=Recipe.from_dict(stored).builders())
    return classifier

"""``laconic edit``: a saved model once more, with words banned, kept or signed, or on newer texts."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from laconic.cli.shared.edit_options import edit_options, take_edits
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
@click.argument("source", metavar="[FILE]", required=False)
@edit_options()
@click.option("--test", metavar="FILE", help="Labelled texts, or a known data set, to score both models on.")
@click.option("--out", metavar="DIR", help="Where to save the new model; default: MODEL's name with -edited.")
@click.option("--force", is_flag=True, help="Replace a model that is there; with --out MODEL, the old one.")
@column_options()
@data_option
@quiet_option
@json_option
def command(
    model: str,
    source: str | None,
    test: str | None,
    out: str | None,
    force: bool,
    text_cols: tuple[str, ...],
    label_col: str | None,
    id_col: str | None,
    data_dir: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Refit a saved model with changes that you decide on, or on newer texts.

    FILE holds the labelled texts to fit on; without it the training matrix that laconic fit --editable kept is taken,
    or the texts that the model was made from are read again. Method, penalty, text options and groups stay as they are
    and nothing is tuned: the fit starts from the model's own weights and takes seconds. Shown are the words that came,
    went or changed their sign, and the accuracy of both models where there are test documents.

    \b
    Examples:
      laconic edit reviews.laconic --ban nolan --ban @names.txt
      laconic edit mails.laconic --keep refund --sign thanks=+praise --factor edu=10
      laconic edit topics.laconic --ban-group "topic 12"
      laconic edit reviews.laconic newer.csv --out newer.laconic
    """
    from laconic.core.folder import check_target
    from laconic.models.edit.diff import diff_models
    from laconic.models.edit.kept_design import design_folder, load_design
    from laconic.models.edit.refit import edit_text

    edits = take_edits(options)
    if not edits and source is None:
        raise click.UsageError("there is nothing to do: give an edit such as --ban WORD, or a FILE of newer texts.")
    target = Path(out or f"{Path(model).name.removesuffix('.laconic')}-edited.laconic")
    if target.exists() and not force:
        raise FileExistsError(f"{target} exists already; choose another place with --out, or replace it with --force")
    check_target(target, overwrite=force)
    before = load_text_model(model, several=True)
    extra = before.info.get("extra") or {}
    beside = Path(model).parent / extra["design"] if extra.get("design") else design_folder(model)
    reading = Reading(text_cols, label_col, id_col)
    earlier, held, dev = stored_reading(before.info), None, None
    train: Any
    matrix = None
    if source is None and beside.is_dir():
        train, reading, source = load_design(beside), earlier, extra.get("source")
        matrix = os.path.relpath(beside, target.parent)
    else:
        source = source or extra.get("source")
        if source is None:
            raise click.UsageError(f"{model} does not say from which texts it was made; give them as FILE.")
        splits = known_splits(source, data_dir)
        if splits is None:
            reading = find_columns(source, reading, earlier)
            train = read_labelled(source, reading)
        else:
            train, dev, held = splits.train, splits.dev, splits.test
        known = extra.get("data", {}).get("train", {}).get("fingerprint")
        if known is not None and known != train.fingerprint() and not quiet:
            click.echo("laconic: note: the texts differ from those that the model was made from", err=True)
    if test is not None:
        held = _held_out(test, reading, data_dir)
    with progress_bar("edit", quiet) as advance:
        advance(0, 1, "fitting again")
        made = edit_text(before, train, edits, dev=dev)
        advance(1, 1)
    stored = {**made.extra, "source": source, "reading": asdict(reading), "design": matrix}
    saved = made.model.save(target, overwrite=force, extra=stored)
    after = load_text_model(str(saved), several=True)
    texts = [] if held is None else list(held.texts)
    diff = diff_models(before, after, texts, None if held is None else held.ids, None if held is None else held.labels)
    facts = {
        "saved": str(saved),
        "edits": made.edits.to_json(),
        "gap": float(made.model.dual_gap_ if before.model.several else made.model.estimator_.dual_gap_),
        "seconds": {"all": made.seconds, "fit": made.fit_seconds},
        "scores": None if held is None else _scores(before, after, held),
    }
    if as_json:
        echo_json({**facts, "diff": diff.to_dict()})
        return
    from laconic.cli.tables.diff_tables import diff_tables, edit_line

    show(*diff_tables(diff), edit_line(diff, facts), f"Saved to {target}. Its words: laconic inspect {target}")


def _held_out(test: str, reading: Reading, data_dir: str | None) -> Any:
    splits = known_splits(test, data_dir)
    return read_labelled(test, find_columns(test, Reading(), reading)) if splits is None else splits.test


def _scores(before: Any, after: Any, held: Any) -> dict[str, Any]:
    from laconic.cli.tables.label_tables import evaluated_labels
    from laconic.evaluate import evaluate

    metric = "micro_f1" if before.model.several else "accuracy"
    found: dict[str, Any] = {"metric": metric}
    for name, scorer in (("before", before), ("after", after)):
        if scorer.model.several:
            found[name] = evaluated_labels(scorer, held).metrics[metric]
        else:
            found[name] = evaluate(scorer, list(held.texts), list(held.labels or ())).metrics[metric]
    return found

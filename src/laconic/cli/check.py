"""``laconic check``: does a saved model still fit the texts that come in now?"""

from typing import TYPE_CHECKING

import click

from laconic.cli.shared.options import Decorator, column_options, data_option, json_option
from laconic.cli.shared.output import echo_json, show
from laconic.cli.shared.sources import Reading, known_splits, load_text_model, stored_reading

if TYPE_CHECKING:
    from laconic.data import Corpus
    from laconic.models.monitor import Check


def _limit(name: str, what: str, default: float) -> Decorator:
    return click.option(
        f"--max-{name}",
        name,
        type=click.FloatRange(0.0),
        metavar="SHARE",
        default=default,
        show_default=True,
        help=what,
    )


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="NEW_DATA")
@_limit("drift", "How much of what the model hears may have changed.", 0.2)
@_limit("unknown", "By which share words of the model may have become fewer in a text.", 0.25)
@_limit("empty", "By how much the share of texts without a word of the model may have grown.", 0.05)
@_limit("shares", "By how much the shares of classes may have changed in total.", 0.1)
@_limit("calibration", "How far probabilities may be from the truth on average.", 0.05)
@column_options()
@data_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    model: str,
    source: str,
    text_cols: tuple[str, ...],
    label_col: str | None,
    id_col: str | None,
    data_dir: str | None,
    as_json: bool,
    **limits: float,
) -> None:
    """Say whether a saved model still fits new texts: exit code 0 if it does, 1 if not.

    Compared with the training texts are the frequencies of the words of the model and how many of them a text has; of
    texts with labels also the labels themselves, accuracy, calibration, and what thresholds were chosen for. A limit
    counts as passed only where chance does not explain it. Of a known data set the test documents are taken.

    \b
    Examples:
      laconic check reviews.laconic last-week.jsonl
      laconic check reviews.laconic last-week.jsonl --max-drift 0.1 --json
    """
    from laconic.models.monitor import check

    scorer = load_text_model(model)
    reading = Reading(text_cols, label_col, id_col)
    found = check(scorer, _read(source, reading, stored_reading(scorer.info), data_dir), limits)
    if as_json:
        echo_json(found.to_dict())
    else:
        _show(found, model)
    ctx.exit(0 if found.ok else 1)


def _read(source: str, reading: Reading, stored: Reading, data_dir: str | None) -> "Corpus":
    """Read texts with their labels where the source has any; columns that were not named are those of the model."""
    from laconic import data
    from laconic.data.files.peek import columns_of

    splits = known_splits(source, data_dir)
    if splits is not None:
        return splits.test
    texts, label, identifier = list(reading.text_cols), reading.label_col, reading.id_col
    if source != "-" and not texts and label is None:
        columns = columns_of(source)
        texts = [one for one in stored.text_cols if one in columns]
        label = stored.label_col if stored.label_col in columns else None
    return data.read(
        source, text_col=texts or None, label_col=label, id_col=identifier, labelled=True if label else None
    )


def _show(found: "Check", model: str) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("")
    table.add_column("what")
    for heading in ("now", "before", "limit"):
        table.add_column(heading, justify="right")
    for one in found.findings:
        numbers = ["-" if value is None else f"{value:.3f}" for value in (one.value, one.before, one.limit)]
        table.add_row("✓" if one.ok else "✗", Text(one.name), *numbers, style=None if one.ok else "bold red")
    parts = [f"{found.documents:,} documents", table, "\n".join(one.says for one in found.findings)]
    if found.words:
        words = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        words.add_column("changed most for the model")
        words.add_column("documents before", justify="right")
        words.add_column("now", justify="right")
        for word in found.words:
            words.add_row(Text(word.word), f"{word.before:.2%}", f"{word.now:.2%}")
        parts.append(words)
    failed = [one.name for one in found.findings if not one.ok]
    verdict = (
        "The model fits these texts." if not failed else f"The model no longer fits these texts: {', '.join(failed)}."
    )
    show(*parts, f"{'✓' if not failed else '✗'} {verdict}")

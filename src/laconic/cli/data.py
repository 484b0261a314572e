"""``laconic data``: what data sets there are, whether they are whole, and what is in a file."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from laconic.cli.shared.options import column_options, data_option, json_option
from laconic.cli.shared.output import echo_json, show
from laconic.cli.shared.sources import Reading, known_splits


@click.group()
def command() -> None:
    """List, check and describe data.

    \b
    Examples:
      laconic data list
      laconic data check movie 20ng/science --data ~/corpora
      laconic data describe reviews.csv
    """


@command.command("list")
@data_option
@json_option
def list_sets(data_dir: str | None, as_json: bool) -> None:
    """List the data sets that laconic knows by name.

    A known name stands for the FILE of fit, predict, evaluate and data describe. Nothing is ever downloaded: the files
    must lie in the data folder. Below the table stands where the official releases come from.

    \b
    Example:
      laconic data list --data ~/corpora
    """
    from laconic import data

    base = data_dir or os.environ.get("LACONIC_DATA") or None
    rows = []
    for one in data.known():
        folder = Path(base or "") / "text" / one.folder
        here = base is not None and all((folder / file).is_file() for file in one.files)
        rows.append((one, here))
    if as_json:
        echo_json([{**asdict(one), "here": here} for one, here in rows])
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, right in (("name", 0), ("train", 1), ("dev", 1), ("test", 1), ("here", 0), ("documents", 0)):
        table.add_column(heading, justify="right" if right else "left", no_wrap=heading != "documents")
    for one, here in rows:
        table.add_row(one.name, *(f"{size:,}" for size in one.sizes), "yes" if here else "-", one.description)
    releases: dict[str, list[str]] = {}
    for one, _ in rows:
        releases.setdefault(one.source, []).append(one.name)
    sources = Table(box=None, pad_edge=False, header_style="bold")
    sources.add_column("names", ratio=1)
    sources.add_column("official release", ratio=3)
    for source, names in releases.items():
        sources.add_row(", ".join(names), source)
    show(table, sources, *(["No data folder: set LACONIC_DATA or pass --data."] if base is None else []))


@command.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@data_option
@json_option
@click.pass_context
def check(ctx: click.Context, names: tuple[str, ...], data_dir: str | None, as_json: bool) -> None:
    """Check that known data sets are whole, to the character.

    Without a NAME all sets that are there are checked. The exit code is 1 if a split differs from the one that
    published numbers refer to, if a set that was named is missing, or if nothing was checked.

    \b
    Example:
      laconic data check movie 20ng/science
    """
    from laconic import data

    base = data_dir or os.environ.get("LACONIC_DATA")
    if not base:
        raise FileNotFoundError("set LACONIC_DATA or pass --data: the folder that holds text/ is not known")
    if not Path(base).is_dir():
        raise FileNotFoundError(f"the data folder {base} does not exist; set LACONIC_DATA or pass --data")
    found: dict[str, Any] = {}
    bad = False
    for name in names or [one.name for one in data.known()]:
        splits = data.check(name, data_dir)
        if not names and not any(split.found for split in splits):
            continue
        found[name] = [asdict(split) for split in splits]
        bad |= any(not split.hash_ok and (bool(names) or split.found) for split in splits)
        if not as_json:
            click.echo(f"{name:<20} " + "   ".join(f"{split.split} {split.verdict}" for split in splits))
    if as_json:
        echo_json(found)
    if not any(split["found"] for splits in found.values() for split in splits):
        raise FileNotFoundError(
            f"nothing was checked: none of the files is in {Path(base) / 'text'} (see: laconic data list)"
        )
    if bad:
        ctx.exit(1)


@command.command()
@click.argument("source")
@column_options()
@data_option
@json_option
def describe(
    source: str,
    text_cols: tuple[str, ...],
    label_col: str | None,
    id_col: str | None,
    data_dir: str | None,
    as_json: bool,
) -> None:
    """Say what is in a file, a folder or a known data set: documents, classes, characters, empty documents.

    Where several columns of a file could be the label, they are listed: name one by --label-col.

    \b
    Examples:
      laconic data describe reviews.csv
      laconic data describe 20ng/science
    """
    from laconic import data
    from laconic.data.files.peek import possible_labels

    reading = Reading(text_cols, label_col, id_col)
    splits = known_splits(source, data_dir)
    if splits is None:
        corpus = data.read(source, text_col=list(text_cols) or None, label_col=reading.label_col, id_col=reading.id_col)
        unclear = [] if corpus.labels is not None or source == "-" else possible_labels(source, text_cols, id_col)
        facts = [{**corpus.describe(), **({"possible_labels": unclear} if len(unclear) > 1 else {})}]
    else:
        facts = [corpus.describe() for _, corpus in splits]
    if as_json:
        echo_json(facts)
        return
    from rich.table import Table

    tables = []
    for one in facts:
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column(style="bold")
        table.add_column(overflow="fold")
        for row in _rows(one):
            table.add_row(*row)
        tables.append(table)
    show(*tables)


def _rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    documents = f"{facts['documents']:,}"
    if facts["empty_documents"]:
        documents += f" ({facts['empty_documents']:,} empty)"
    classes = "no labels"
    if facts["labelled"]:
        counts = ", ".join(f"{label} {count:,}" for label, count in facts["classes"].items())
        classes = f"{len(facts['classes'])}: {counts}"
    elif "possible_labels" in facts:
        columns = ", ".join(map(repr, facts["possible_labels"]))
        classes = f"unclear which column is the label: {columns}; pass --label-col"
    rows = [
        ("name", facts["name"] or "standard input"),
        ("documents", documents),
        ("classes", classes),
        ("characters", f"{facts['characters']:,}"),
    ]
    if facts["given_sentences"] is not None:
        rows.append(("sentences", f"{facts['given_sentences']:,} given"))
    if facts["given_trees"]:
        rows.append(("trees", "given"))
    return [*rows, ("fingerprint", facts["fingerprint"])]

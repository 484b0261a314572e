"""``laconic data``: the built-in datasets, whether they are complete, and what is in a file."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from laconic import data
from laconic.cli.shared import options as opt
from laconic.cli.shared.output import answer, echo_json, facts_table, table
from laconic.data.files.readers import possible_labels
from laconic.workflows.sources import Reading, known_splits


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
@opt.data_option
@opt.json_option
def list_sets(data_dir: str | None, as_json: bool) -> None:
    """List the built-in datasets.

    The name of a dataset can be given instead of FILE to fit, predict, evaluate and data describe. Nothing is ever
    downloaded: the files must be in the data folder. The official releases are named below the table.

    \b
    Example:
      laconic data list --data ~/corpora
    """
    base = data_dir or os.environ.get("LACONIC_DATA") or None
    folder = None if base is None else Path(base) / "text"
    rows = [
        (known, folder is not None and all((folder / known.folder / file).is_file() for file in known.files))
        for known in data.known()
    ]
    listed = table("name", ">train", ">dev", ">test", "here", "documents")
    releases: dict[str, list[str]] = {}
    for known, here in rows:
        listed.add_row(known.name, *(f"{size:,}" for size in known.sizes), "yes" if here else "-", known.description)
        releases.setdefault(known.source, []).append(known.name)
    for column in listed.columns[:-1]:
        column.no_wrap = True
    sources = table("names", "official release")
    sources.columns[0].ratio, sources.columns[1].ratio = 1, 3
    for source, names in releases.items():
        sources.add_row(", ".join(names), source)
    hint = ["No data folder: set LACONIC_DATA or pass --data."] if base is None else []
    answer(as_json, [{**asdict(known), "here": here} for known, here in rows], listed, sources, *hint)


@command.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@opt.data_option
@opt.json_option
@click.pass_context
def check(ctx: click.Context, names: tuple[str, ...], data_dir: str | None, as_json: bool) -> None:
    """Check that built-in datasets are complete, to the character.

    Without a NAME all datasets in the data folder are checked. The exit code is 1 if a split differs from the one that
    published numbers refer to, if a dataset that was named is missing, or if nothing was checked.

    \b
    Example:
      laconic data check movie 20ng/science
    """
    base = data_dir or os.environ.get("LACONIC_DATA")
    if not base:
        raise FileNotFoundError("set LACONIC_DATA or pass --data: the folder that holds text/ is not known")
    if not Path(base).is_dir():
        raise FileNotFoundError(f"the data folder {base} does not exist; set LACONIC_DATA or pass --data")
    found: dict[str, Any] = {}
    bad = False
    for name in names or [known.name for known in data.known()]:
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
@click.argument("source", metavar="FILE")
@opt.reading_options()
@opt.json_option
def describe(source: str, reading: Reading, as_json: bool) -> None:
    """Describe a file, a folder or a built-in dataset: documents, classes, characters, empty documents.

    If several columns of a file could be the label, they are listed: name one by --label-col.

    \b
    Examples:
      laconic data describe reviews.csv
      laconic data describe 20ng/science
    """
    splits = known_splits(source, reading.data_dir)
    corpora = [data.read(source, **reading.arguments())] if splits is None else [corpus for _, corpus in splits]
    facts = [corpus.describe() for corpus in corpora]
    if corpora[0].labels is None and source != "-":
        unclear = possible_labels(source, reading.text_cols, reading.id_col, reading.form)
        facts[0] |= {"possible_labels": unclear} if len(unclear) > 1 else {}
    answer(as_json, facts, *(facts_table(_rows(own)) for own in facts))


def _rows(facts: dict[str, Any]) -> dict[str, str]:
    documents, empty = f"{facts['documents']:,}", facts["empty_documents"]
    classes = "no labels"
    if facts["labelled"]:
        counts = ", ".join(f"{label} {count:,}" for label, count in facts["classes"].items())
        classes = f"{len(facts['classes'])}: {counts}"
    elif "possible_labels" in facts:
        columns = ", ".join(map(repr, facts["possible_labels"]))
        classes = f"unclear which column is the label: {columns}; pass --label-col"
    rows = {
        "name": facts["name"] or "standard input",
        "documents": documents + (f" ({empty:,} empty)" if empty else ""),
        "classes": classes,
        "characters": f"{facts['characters']:,}",
    }
    if facts["given_sentences"] is not None:
        rows["sentences"] = f"{facts['given_sentences']:,} given"
    if facts["given_trees"]:
        rows["trees"] = "given"
    return {**rows, "fingerprint": facts["fingerprint"]}

"""``laconic predict``: label texts as they come, in constant memory, with numpy and the standard library alone."""

import csv
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from laconic.cli.shared.options import column_options, data_option
from laconic.cli.shared.sources import Reading, known_splits, load_text_model
from laconic.core.atomic import replacing

if TYPE_CHECKING:
    from laconic.data import Document

Write = Callable[[str, Any, tuple[float, ...] | None], None]


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="[FILE]", default="-")
@click.option("--out", metavar="FILE", default="-", help="Where to write; - is standard output.")
@click.option("--force", is_flag=True, help="Replace the file that --out names.")
@column_options(label=False)
@click.option("--lines", is_flag=True, help="FILE is plain text, one document a line (as in .txt files).")
@click.option("--proba", is_flag=True, help="Give the probability of every class.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv", "labels"]),
    help="JSON lines, a csv table, or labels alone. Default: by the suffix of --out (.csv, .txt: labels), else jsonl.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format jsonl.")
@data_option
def command(
    model: str,
    source: str,
    out: str,
    force: bool,
    text_cols: tuple[str, ...],
    id_col: str | None,
    lines: bool,
    proba: bool,
    form: str | None,
    as_json: bool,
    data_dir: str | None,
) -> None:
    """Label texts with a saved model, one line per text.

    FILE is read and labelled text by text, so it may be larger than memory; without it, or with -, JSON lines are read
    from standard input. Each line of the output holds the id (or the number) of a text, its label and its probability.
    A text that reaches none of the thresholds of a model in which every class has one gets no label (null, or nothing).
    Of a model that gives several labels a line holds the list of them (in csv and labels joined by |). Of a known data
    set the test documents are taken.

    \b
    Examples:
      laconic predict reviews.laconic new.csv --out labels.jsonl
      zcat huge.jsonl.gz | laconic predict reviews.laconic > labels.jsonl
      echo "what a film" | laconic predict reviews.laconic --lines --format labels
    """
    reading = Reading(text_cols, None, id_col)
    if out != "-":
        check_file(out, source, force)
    if as_json and form not in (None, "jsonl"):
        raise click.UsageError(f"--json asks for JSON lines and --format for {form}; pass one of them.")
    scorer = load_text_model(model, several=True)
    if proba and not scorer.model.probabilistic:
        raise ValueError(f"the model {model} gives no probabilities: it was not fitted with a logistic loss")
    documents = _lines(source) if lines else _documents(source, reading, data_dir)
    with output_file(out) as stream:
        form = "jsonl" if as_json else form or _format_of(out)
        make = _several_writer if scorer.model.several else _writer
        write = make(form, stream, scorer.model.classes, proba)
        done = 0
        ids: list[str] = []
        for label, shares in scorer.iter_predict(_texts(documents, ids)):
            write(ids.pop(), label, shares)
            done += 1
            if source == "-":
                stream.flush()  # a pipe flows: an answer does not wait for the next questions
        if not done:
            raise ValueError(
                f"{'standard input' if source == '-' else source} has no documents; at least one is needed"
            )
    if out != "-":
        click.echo(f"{done:,} documents labelled: {out}", err=True)


def check_file(out: str, source: str, force: bool, option: str = "--out") -> None:
    """Refuse a file to write that cannot be written, is the one that is read, or is there already.

    Raises
    ------
    OSError
        Naming the file, before any work is done.
    """
    target = Path(out)
    if target.is_dir():
        raise IsADirectoryError(f"{option} {out} is a folder; name a file")
    if not target.resolve().parent.is_dir():
        raise FileNotFoundError(f"cannot write {out}: the folder {target.parent} does not exist; make it first")
    if target.exists() and not target.is_file():  # a device or a pipe must not be replaced by a file
        rest = "leave out --out to write to standard output" if option == "--out" else "name another file"
        raise FileExistsError(f"{option} {out} is not an ordinary file; {rest}")
    if source != "-" and target.exists() and Path(source).exists() and target.samefile(source):
        raise FileExistsError(f"--out {out} is the file that is read; choose another one")
    if target.exists() and not force:
        raise FileExistsError(f"{out} exists already; choose another file with {option}, or replace it with --force")


def _format_of(out: str) -> str:
    return {".csv": "csv", ".txt": "labels"}.get(Path(out).suffix.lower(), "jsonl")


def _documents(source: str, reading: Reading, data_dir: str | None) -> Iterator["Document"]:
    from laconic import data

    splits = known_splits(source, data_dir)
    if splits is not None:
        return iter(splits.test)
    return data.stream(source, text_col=list(reading.text_cols) or None, id_col=reading.id_col, labelled=False)


def _lines(source: str) -> Iterator["Document"]:
    from laconic import data
    from laconic.data.files.lines import read_lines

    numbered = read_lines(None if source == "-" else Path(source))
    return (data.Document(str(number), line.rstrip("\r\n")) for number, line in numbered)


def _texts(documents: Iterator["Document"], ids: list[str]) -> Iterator[str]:
    """Yield the texts; the id of the one under way waits in ``ids``."""
    for document in documents:
        ids.append(document.id)
        yield document.text


def _writer(form: str, stream: TextIO, classes: tuple[Any, ...], proba: bool) -> Write:
    """Return a function that writes one line for id, label and probabilities."""
    place = {label: number for number, label in enumerate(classes)}

    def own(label: Any, shares: tuple[float, ...] | None) -> float | None:
        return None if shares is None or label is None else shares[place[label]]

    def as_json(identifier: str, label: Any, shares: tuple[float, ...] | None) -> None:
        record = {"id": identifier, "label": label, "probability": own(label, shares)}
        if proba and shares is not None:
            record["probabilities"] = dict(zip(map(str, classes), shares, strict=True))
        stream.write(json.dumps(record, ensure_ascii=False) + "\n")

    if form == "jsonl":
        return as_json
    if form == "labels":
        return lambda identifier, label, shares: print("" if label is None else label, file=stream)
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(["id", "label", "probability", *(f"p({one})" for one in classes if proba)])

    def as_csv(identifier: str, label: Any, shares: tuple[float, ...] | None) -> None:
        rows.writerow([identifier, label, own(label, shares), *(shares if proba and shares is not None else ())])

    return as_csv


def _several_writer(form: str, stream: TextIO, classes: tuple[Any, ...], proba: bool) -> Write:
    """Return a function that writes one line for id, labels and probabilities of a text with several labels."""
    place = {label: number for number, label in enumerate(classes)}

    def as_json(identifier: str, labels: Any, shares: Any) -> None:
        shown = classes if proba else labels
        record: dict[str, Any] = {"id": identifier, "labels": list(labels)}
        record["probabilities"] = {str(label): shares[place[label]] for label in shown}
        stream.write(json.dumps(record, ensure_ascii=False) + "\n")

    if form == "jsonl":
        return as_json
    if form == "labels":
        return lambda identifier, labels, shares: print("|".join(map(str, labels)), file=stream)
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(["id", "labels", *(f"p({one})" for one in classes if proba)])

    def as_csv(identifier: str, labels: Any, shares: Any) -> None:
        rows.writerow([identifier, "|".join(map(str, labels)), *(shares if proba else ())])

    return as_csv


@contextmanager
def output_file(out: str) -> Iterator[TextIO]:
    """Open standard output, or a temporary file that takes its place only when everything is written."""
    if out == "-":
        yield sys.stdout
        return
    with replacing(out, errors="backslashreplace") as stream:
        yield stream

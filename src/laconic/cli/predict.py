"""``laconic predict``: label texts as they come, in constant memory, with numpy and the standard library alone."""

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.files import check_file, output_file
from laconic.workflows.sources import Reading, file_of, known_splits, load_text_model

if TYPE_CHECKING:
    from laconic.data import Document

Write = Callable[[str, Any, Any], None]


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="[FILE]", default="-")
@opt.text("--out", "FILE", "File to write; - is standard output.", default="-")
@opt.force_file
@opt.reading_options(label=False)
@opt.flag("--lines", "FILE is plain text, one document per line (as in .txt files).")
@opt.flag("--proba", "Print the probability of every class.")
@opt.choice(
    "--format",
    "form",
    ["jsonl", "csv", "labels"],
    "JSON lines, a csv table, or labels alone. Default: by the suffix of --out (.csv, .txt: labels), else jsonl.",
)
@opt.flag("--json", "as_json", "The same as --format jsonl.")
def command(
    model: str,
    source: str,
    out: str,
    force: bool,
    reading: Reading,
    lines: bool,
    proba: bool,
    form: str | None,
    as_json: bool,
) -> None:
    """Classify texts with a saved model, one line per document.

    FILE is read and classified document by document, so it may be larger than memory; without it, or with -, JSON lines
    are read from standard input. Each line of the output holds the id (or the number) of a document, its label and its
    probability. If every class of the model has a threshold, a document that reaches none gets no label (null, or
    nothing). For a multi-label model, each line holds the list of labels (in csv and labels joined by |). For a
    built-in dataset, the test split is used.

    \b
    Examples:
      laconic predict reviews.laconic new.csv --out labels.jsonl
      zcat huge.jsonl.gz | laconic predict reviews.laconic > labels.jsonl
      echo "what a film" | laconic predict reviews.laconic --lines --format labels
    """
    if out != "-":
        check_file(out, source, force)
    if as_json and form not in (None, "jsonl"):
        raise click.UsageError(f"--json asks for JSON lines and --format for {form}; pass one of them.")
    scorer = load_text_model(model, several=True)
    if proba and not scorer.model.probabilistic:
        raise ValueError(f"the model {model} gives no probabilities: it was not fitted with a logistic loss")
    documents = _lines(source) if lines else _documents(source, reading)
    form = "jsonl" if as_json else form or {".csv": "csv", ".txt": "labels"}.get(Path(out).suffix.lower(), "jsonl")
    with output_file(out) as stream:
        done = _predict(
            scorer, documents, _writer(form, stream, scorer.model, proba), stream if source == "-" else None
        )
        if not done:
            name = "standard input" if source == "-" else source
            raise ValueError(f"{name} has no documents; at least one is needed")
    if out != "-":
        click.echo(f"{done:,} documents classified: {out}", err=True)


def _predict(scorer: Any, documents: Iterator["Document"], write: Write, pipe: TextIO | None) -> int:
    """Write a line per document, at once where standard input is a pipe; return how many."""
    done = 0
    ids: list[str] = []
    for label, shares in scorer.iter_predict(_texts(documents, ids)):
        write(ids.pop(), label, shares)
        done += 1
        if pipe is not None:
            pipe.flush()
    return done


def _documents(source: str, reading: Reading) -> Iterator["Document"]:
    from laconic import data

    splits = known_splits(source, reading.data_dir)
    return data.stream(source, **reading.arguments(), labelled=False) if splits is None else iter(splits.test)


def _lines(source: str) -> Iterator["Document"]:
    from laconic import data
    from laconic.data.files.lines import read_lines

    return (data.Document(str(number), line.rstrip("\r\n")) for number, line in read_lines(file_of(source)))


def _texts(documents: Iterator["Document"], ids: list[str]) -> Iterator[str]:
    """Yield the texts; the id of the one under way waits in ``ids``."""
    for document in documents:
        ids.append(document.id)
        yield document.text


def _writer(form: str, stream: TextIO, model: Any, proba: bool) -> Write:
    """Return a function that writes one line for id, label (or labels) and probabilities."""
    if form == "jsonl":
        record = _labels_record if model.several else _record
        place = {label: number for number, label in enumerate(model.classes)}

        def write_json(identifier: str, label: Any, shares: Any) -> None:
            line = {"id": identifier, **record(label, shares, place, proba)}
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")

        return write_json
    if form == "labels":
        return lambda identifier, label, shares: print(_joined(label), file=stream)
    return _csv_writer(stream, model, proba)


def _record(label: Any, shares: Any, place: dict[Any, int], proba: bool) -> dict[str, Any]:
    record = {"label": label, "probability": _own(label, shares, place)}
    if proba and shares is not None:
        record["probabilities"] = dict(zip(map(str, place), shares, strict=True))
    return record


def _labels_record(labels: Any, shares: Any, place: dict[Any, int], proba: bool) -> dict[str, Any]:
    shown = place if proba else labels
    return {"labels": list(labels), "probabilities": {str(label): shares[place[label]] for label in shown}}


def _csv_writer(stream: TextIO, model: Any, proba: bool) -> Write:
    place = {label: number for number, label in enumerate(model.classes)}
    rows = csv.writer(stream, lineterminator="\n")
    headings = ["labels"] if model.several else ["label", "probability"]
    rows.writerow(["id", *headings, *(f"p({label})" for label in model.classes if proba)])

    def write_csv(identifier: str, label: Any, shares: Any) -> None:
        own = [] if model.several else [_own(label, shares, place)]
        rows.writerow([identifier, _joined(label), *own, *(shares if proba and shares is not None else ())])

    return write_csv


def _own(label: Any, shares: Any, place: dict[Any, int]) -> float | None:
    """Return the probability of the label."""
    return None if shares is None or label is None else shares[place[label]]


def _joined(label: Any) -> Any:
    """Return a label, or labels, as text; nothing for a document without."""
    if isinstance(label, (tuple, list)):
        return "|".join(map(str, label))
    return "" if label is None else label

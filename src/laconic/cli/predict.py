"""``laconic predict``: label texts as they come, in constant memory, with numpy and the standard library alone."""

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.files import check_file, output_file
from laconic.data.document import Document
from laconic.workflows.sources import Reading, file_of, load_text_model, read_unlabelled

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
    documents = _documents(source, reading, lines)
    form = "jsonl" if as_json else form or {".csv": "csv", ".txt": "labels"}.get(Path(out).suffix.lower(), "jsonl")
    with output_file(out) as stream:
        write = _writer(form, stream, scorer.model, proba)
        done = 0
        ids: list[str] = []
        for label, shares in scorer.iter_predict(_texts(documents, ids)):
            write(ids.pop(), label, shares)
            done += 1
            if source == "-":
                stream.flush()  # a pipe flows: an answer does not wait for the next questions
        if not done:
            name = "standard input" if source == "-" else source
            raise ValueError(f"{name} has no documents; at least one is needed")
    if out != "-":
        click.echo(f"{done:,} documents classified: {out}", err=True)


def _documents(source: str, reading: Reading, lines: bool) -> Iterator[Document]:
    """Return the documents of a source as they come, or the lines of a plain text."""
    if not lines:
        return iter(read_unlabelled(source, reading, "test"))
    from laconic.data.files.lines import read_lines

    return (Document(str(number), line.rstrip("\r\n")) for number, line in read_lines(file_of(source)))


def _texts(documents: Iterator[Document], ids: list[str]) -> Iterator[str]:
    """Yield the texts; the id of the one under way waits in ``ids``."""
    for document in documents:
        ids.append(document.id)
        yield document.text


def _writer(form: str, stream: TextIO, model: Any, proba: bool) -> Write:
    """Return a function that writes one line for id, label (or labels) and probabilities."""
    place = {label: number for number, label in enumerate(model.classes)}
    rows = csv.writer(stream, lineterminator="\n")
    if form == "csv":
        headings = ["id", "labels"] if model.several else ["id", "label", "probability"]
        rows.writerow([*headings, *(f"p({label})" for label in place if proba)])

    def write(identifier: str, label: Any, shares: Any) -> None:
        text = "|".join(map(str, label)) if model.several else label
        own = None if model.several or shares is None or label is None else shares[place[label]]
        if form == "labels":
            print("" if text is None else text, file=stream)
        elif form == "csv":
            every = shares if proba and shares is not None else ()
            rows.writerow([identifier, text, *([] if model.several else [own]), *every])
        else:
            answer: dict[str, Any] = {"labels": list(label)} if model.several else {"label": label, "probability": own}
            if shares is not None and (model.several or proba):
                shown = place if proba else label
                answer["probabilities"] = {str(name): shares[place[name]] for name in shown}
            stream.write(json.dumps({"id": identifier, **answer}, ensure_ascii=False) + "\n")

    return write

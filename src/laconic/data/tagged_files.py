"""Tagged sentences from files and back: column files and JSON lines, tags brought into one scheme."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from laconic.data.conll import TAG, read_conll
from laconic.data.lines import STANDARD_INPUT, read_lines
from laconic.data.sentences import Sentences
from laconic.data.tags import broken_tag, convert_tags, guess_scheme

AS_IS = "as-is"


def read_sentences(path: str | os.PathLike | None, columns: Sequence[str] | None = None) -> Sentences:
    """Read a column file (CoNLL, CoNLL-U) or, by its name, JSON lines with one sentence each.

    Parameters
    ----------
    path : path or None
        None is standard input, read as columns.
    columns : sequence of str, optional
        Names of the columns of a column file. JSON lines have names of their own: a line is a dict of columns such as
        ``{"word": […], "tag": […]}``, a list of dicts, or a list of words.
    """
    if path is not None and {".jsonl", ".ndjson"} & set(Path(path).suffixes):
        return _read_json_lines(Path(path))
    return read_conll(path, columns)


def read_tagged(
    path: str | os.PathLike | None,
    columns: Sequence[str] | None = None,
    tag: str | None = None,
    scheme: str | None = None,
    strict: bool = False,
) -> tuple[Sentences, list[list[str]], str]:
    """Read sentences and their tags.

    Parameters
    ----------
    path : path or None
    columns : sequence of str, optional
    tag : str, optional
        Column of the tags; default: ``tag`` if there is one, else the last column.
    scheme : {"as-is", "iob1", "iob2", "bioes"}, optional
        To bring tags of spans into; tags that break their scheme are repaired on the way. Default: iob1 becomes iob2,
        other tags stay as they are.
    strict : bool, default=False
        Refuse tags that break their scheme.

    Returns
    -------
    sentences : Sentences
        Without the column of tags.
    tags : list of list of str
    scheme : str
        What the tags are in now.
    """
    read = read_sentences(path, columns)
    name = _tag_column(read, tag, columns)
    tags = read.split(name)
    found = guess_scheme(tags)
    if strict and found is not None:
        _refuse_broken(tags, found, read.source)
    if scheme is None:
        scheme = "iob2" if found == "iob1" else AS_IS
    if scheme != AS_IS:
        if found is None:
            raise ValueError(
                f"The tags of {read.source} mark no spans, such as {tags[0][0]!r}; they cannot be written as {scheme}."
            )
        tags = [convert_tags(one, scheme) for one in tags]
    rest = {column: values for column, values in read.columns.items() if column != name}
    return Sentences(rest, read.lengths, read.source), tags, scheme


def read_untagged(path: str | os.PathLike | None, columns: Sequence[str] | None, info: Mapping[str, Any]) -> Sentences:
    """Read sentences to tag, with the columns that a model was made from; a column of tags beside them may be missing.

    Parameters
    ----------
    path : path or None
    columns : sequence of str, optional
        Default: those of the model.
    info : mapping
        ``model.json`` of the tagger.
    """
    if columns is not None:
        return read_sentences(path, columns)
    read = read_sentences(path)
    names = (info.get("extra") or {}).get("columns")
    if names is None or set(names) <= set(read.columns):
        return read
    values = list(read.columns.values())
    if len(values) < len(names):
        raise ValueError(
            f"{read.source} has {len(values)} columns; the model was made from {len(names)}: {', '.join(names)}."
        )
    # Columns without names: the first ones are those of the model, in their order.
    named = [*names, *(f"column{i + 1}" for i in range(len(names), len(values)))]
    return Sentences(dict(zip(named, values, strict=True)), read.lengths, read.source)


def read_like_training(
    path: str | os.PathLike | None, columns: Sequence[str] | None, tag: str | None, info: Mapping[str, Any]
) -> tuple[Sentences, list[list[str]]]:
    """Read tagged sentences as the training file of a model was read.

    Parameters
    ----------
    path : path or None
    columns : sequence of str, optional
    tag : str, optional
    info : mapping
        ``model.json`` of the tagger.
    """
    stored = info.get("extra") or {}
    names = columns if columns is not None else stored.get("all_columns")
    sentences, tags, _ = read_tagged(path, names, tag or stored.get("tag"), stored.get("scheme"))
    return sentences, tags


def write_conll(stream: TextIO, sentences: Sentences, tags: Sequence[Sequence[str]]) -> None:
    """Write sentences as columns, with the tags as the last one, a blank line after each sentence."""
    columns = [sentences.split(name) for name in sentences.columns]
    for number, given in enumerate(tags):
        cells = [column[number] for column in columns]
        for row in zip(*cells, given, strict=True):
            stream.write(" ".join(map(str, row)) + "\n")
        stream.write("\n")


def _tag_column(read: Sentences, tag: str | None, columns: Sequence[str] | None) -> str:
    if tag is None:
        tag = TAG if TAG in read.columns else list(read.columns)[-1]
    if tag not in read.columns:
        raise ValueError(f"{read.source} has no column {tag!r}; it has {', '.join(read.columns)}.")
    if len(read.columns) < 2:
        raise ValueError(f"{read.source} has one column; tagged sentences need words and tags.")
    return tag


def _refuse_broken(tags: Sequence[Sequence[str]], scheme: str, source: str) -> None:
    for number, one in enumerate(tags):
        place = broken_tag(one, scheme)
        if place is not None:
            raise ValueError(
                f"{source}: tag {one[place]!r} of token {place + 1} in sentence {number + 1} breaks the scheme "
                f"{scheme}; correct it, or let it be repaired by leaving out strict."
            )


def _read_json_lines(path: Path) -> Sentences:
    found = []
    name = STANDARD_INPUT if path is None else str(path)
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            found.append(json.loads(line))
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: not JSON ({error}).") from error
    if not found:
        raise ValueError(f"{name} has no sentences.")
    try:
        read = Sentences.of(found)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {error}") from error
    return Sentences(read.columns, read.lengths, name)

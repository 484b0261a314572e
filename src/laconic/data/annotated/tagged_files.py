"""Tagged sentences from files and back: column files and JSON lines, tags brought into one scheme."""

import json
import os
import warnings
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from laconic.data.annotated.conll import TAG, read_conll
from laconic.data.annotated.sentences import Sentences, flat_tags
from laconic.data.annotated.tags import SCHEMES, broken_tag, convert_tags, guess_scheme, stray_tag
from laconic.data.files.lines import STANDARD_INPUT, read_lines

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
    if path is not None and is_json_lines(path):
        return _read_json_lines(Path(path))
    read = read_conll(path, columns)
    if path is None and next(iter(read.columns.values()))[0].startswith(('{"', '[{"', '["')):
        raise ValueError(
            f"{STANDARD_INPUT} is read as columns, but this looks like JSON lines: write it to a file whose name ends "
            "in .jsonl, and pass that."
        )
    return read


def is_json_lines(path: str | os.PathLike) -> bool:
    """Say whether a file is one of JSON lines, by its name."""
    return bool({".jsonl", ".ndjson"} & set(Path(path).suffixes))


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
    flat_tags(tags, read)
    found = guess_scheme(tags)
    if found is None:
        _point_at_stray(tags, read, strict or scheme in SCHEMES)
    if strict and found is not None:
        _refuse_broken(tags, found, read)
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


def read_untagged(
    path: str | os.PathLike | None, columns: Sequence[str] | None, names: Sequence[str] | None, used: Collection[str]
) -> Sentences:
    """Read sentences to tag, with the columns that a model was made from; tags and columns not used may lack.

    Parameters
    ----------
    path : path or None
    columns : sequence of str, optional
        Default: those of the model.
    names : sequence of str, optional
        Columns that the model was made from.
    used : collection of str
        Those that its templates look at.
    """
    if columns is not None:
        return read_sentences(path, columns)
    read = read_sentences(path)
    if names is None or set(names) <= set(read.columns):
        return read
    if path is not None and is_json_lines(path):
        lacking = [name for name in names if name in used and name not in read.columns]
        if lacking:
            raise ValueError(f"{read.source} has no column {lacking[0]!r}; it has {', '.join(read.columns)}.")
        return read
    values = list(read.columns.values())
    # Columns without names: the first ones are those of the model, in their order.
    needed = needed_columns(names, used)
    if len(values) < needed:
        raise ValueError(
            f"{read.source} has {len(values)} column{'s' * (len(values) > 1)}; the model needs the first {needed} of "
            f"those it was made from: {', '.join(names)}."
        )
    named = [*names[: len(values)], *(f"column{i + 1}" for i in range(len(names), len(values)))]
    return Sentences(dict(zip(named, values, strict=True)), read.lengths, read.source)


def needed_columns(names: Sequence[str], used: Collection[str]) -> int:
    """Return how many of the first columns hold all that are used; at least one.

    Examples
    --------
    >>> needed_columns(["word", "pos", "chunk"], {"pos"})
    2
    """
    return max((place + 1 for place, name in enumerate(names) if name in used), default=1)


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
    return sentences, like_training(tags, stored.get("tags_in"))


def like_training(tags: list[list[str]], scheme: str | None) -> list[list[str]]:
    """Return tags of spans in the scheme of the training tags; others, and those in it already, as they are.

    Examples
    --------
    >>> like_training([["I-NP", "O"]], "iob2"), like_training([["NN"]], "iob2")
    ([['B-NP', 'O']], [['NN']])
    """
    if scheme is None or guess_scheme(tags) in (None, scheme):
        return tags
    return [convert_tags(one, scheme) for one in tags]


def write_conll(stream: TextIO, sentences: Sentences, tags: Sequence[Sequence[str]]) -> None:
    """Write sentences as columns, with the tags as the last one, a blank line after each sentence.

    Raises
    ------
    ValueError
        Before anything is written, if a cell is empty or holds white space: it could not be read back.
    """
    columns = [sentences.split(name) for name in sentences.columns]
    for name, column in zip(sentences.columns, columns, strict=True):
        for number, cells in enumerate(column):
            for place, cell in enumerate(cells):
                if len(str(cell).split()) != 1 or str(cell).split()[0] != str(cell):
                    raise ValueError(
                        f"{sentences.source}: {name} {cell!r} of token {place + 1} in sentence {number + 1} is empty "
                        "or holds white space and cannot be written as a column; use JSON lines (.jsonl)."
                    )
    for number, given in enumerate(tags):
        cells = [column[number] for column in columns]
        for row in zip(*cells, given, strict=True):
            stream.write(" ".join(map(str, row)) + "\n")
        stream.write("\n")


def write_json_lines(stream: TextIO, sentences: Sentences, tags: Sequence[Sequence[str]]) -> None:
    """Write sentences as JSON lines, dicts of columns with the tags as ``tag``, or ``predicted`` if that is taken."""
    name = "predicted" if TAG in sentences.columns else TAG
    for sentence, given in zip(sentences, tags, strict=True):
        stream.write(json.dumps({**sentence, name: list(given)}, ensure_ascii=False) + "\n")


def _tag_column(read: Sentences, tag: str | None, columns: Sequence[str] | None) -> str:
    if tag is None:
        tag = TAG if TAG in read.columns else list(read.columns)[-1]
    if tag not in read.columns:
        raise ValueError(f"{read.source} has no column {tag!r}; it has {', '.join(read.columns)}.")
    if len(read.columns) < 2:
        raise ValueError(f"{read.source} has one column; tagged sentences need words and tags.")
    return tag


def _refuse_broken(tags: Sequence[Sequence[str]], scheme: str, read: Sentences) -> None:
    for number, one in enumerate(tags):
        place = broken_tag(one, scheme)
        if place is not None:
            raise ValueError(
                f"{read.where(number, place)}: tag {one[place]!r} breaks the scheme {scheme}; correct it, or let it "
                "be repaired by leaving out strict."
            )


def _point_at_stray(tags: Sequence[Sequence[str]], read: Sentences, refuse: bool) -> None:
    found = stray_tag(tags)
    if found is None:
        return
    number, place = found
    told = (
        f"{read.where(number, place)}: tag {tags[number][place]!r} is no tag of spans, while others are (B-…, I-…, O)"
    )
    if refuse:
        raise ValueError(f"{told}; correct it.")
    warnings.warn(f"{told}; all tags are taken as they are.", stacklevel=3)


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

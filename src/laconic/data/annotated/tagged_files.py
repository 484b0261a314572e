"""Tagged sentences from files and back: column files and JSON lines, tags brought into one scheme.

=======  ===============================================================================================
IOB2     ``B-X`` begins a span, ``I-X`` continues it
IOB1     ``I-X`` in a span; ``B-X`` only where a span follows another one of the same type directly
BIOES    like IOB2, but the last token of a span has ``E-X``, and a span of one token ``S-X``
=======  ===============================================================================================
"""

import json
import os
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from laconic.core.files import parse_json
from laconic.data.annotated.sentences import DOCUMENT, TAG, Sentences, column_text, columns_of, flat_tags, read_conll
from laconic.data.files.lines import read_lines

SCHEMES = ("iob1", "iob2", "bioes")
AS_IS = "as-is"
LINES = 1000  # looked at for columns
SURE, MOST = 3, 0.8  # so many lines with equally many fields, and such a share of them, are columns whatever they hold


class Span(NamedTuple):
    """Tokens ``start`` to ``end`` (not included) of a type."""

    kind: str
    start: int
    end: int


def spans(tags: Sequence[str]) -> list[Span]:
    """Return the spans of tags in any scheme; a tag that breaks its scheme begins a span, as in the CoNLL script."""
    result: list[Span] = []
    start = -1
    before, kind_before = "O", ""
    for i, tag in enumerate(tags):
        mark, _, kind = tag.partition("-")
        inside = before != "O" and (before in "ES" or mark in ("B", "S", "O") or kind != kind_before)
        if start >= 0 and (inside or mark == "O"):
            result.append(Span(kind_before, start, i))
            start = -1
        if mark != "O" and start < 0:
            start = i
        before, kind_before = mark, kind
    if start >= 0:
        result.append(Span(kind_before, start, len(tags)))
    return result


def write_spans(given: Iterable[Span], length: int, scheme: str = "iob2") -> list[str]:
    """Return the tags of spans that do not overlap."""
    _check_scheme(scheme)
    tags = ["O"] * length
    last: Span | None = None
    for span in given:
        inside = [f"I-{span.kind}"] * (span.end - span.start)
        touches = last is not None and last.end == span.start and last.kind == span.kind
        if scheme != "iob1" or touches:
            inside[0] = f"B-{span.kind}"
        if scheme == "bioes":
            inside[-1] = f"{'S' if len(inside) == 1 else 'E'}-{span.kind}"
        tags[span.start : span.end] = inside
        last = span
    return tags


def convert_tags(tags: Sequence[str], scheme: str) -> list[str]:
    """Return a sentence's tags in another scheme; tags that break theirs are repaired by the rules of `spans`."""
    return write_spans(spans(tags), len(tags), scheme)


def broken_tag(tags: Sequence[str], scheme: str = "iob2") -> int | None:
    """Return the place of the first tag that breaks a scheme, or None."""
    _check_scheme(scheme)
    meant = convert_tags(tags, scheme)
    return next((i for i, (tag, right) in enumerate(zip(tags, meant, strict=True)) if tag != right), None)


def guess_scheme(sentences: Iterable[Sequence[str]]) -> str | None:
    """Return the scheme that tags are in, or None if they mark no spans (such as parts of speech)."""
    mark_of: dict[str, str] = {}  # different tags are few
    first_inside = False
    for tags in sentences:
        before = "O"
        for tag in tags:
            if tag not in mark_of:
                mark, dash, _ = tag.partition("-")
                if tag != "O" and (not dash or mark not in ("B", "I", "E", "S")):
                    return None
                mark_of[tag] = mark
            mark = mark_of[tag]
            if mark == "I" and before == "O":
                first_inside = True
            before = mark
    marks = set(mark_of.values())
    if marks & {"E", "S"}:
        return "bioes"
    if "B" in marks and not first_inside:
        return "iob2"
    return "iob1" if "I" in marks else "iob2" if "B" in marks or "O" in marks else None


def stray_tag(sentences: Iterable[Sequence[str]]) -> tuple[int, int] | None:
    """Return sentence and place of the first tag that is none of spans, where most tags are; None if there is none."""
    first: tuple[int, int] | None = None
    marked = strays = 0
    for number, tags in enumerate(sentences):
        for place, tag in enumerate(tags):
            if tag[:2] in ("B-", "I-", "E-", "S-"):
                marked += 1
            elif tag != "O":
                strays += 1
                first = first or (number, place)
    return first if strays < marked else None


def _check_scheme(scheme: str) -> None:
    if scheme not in SCHEMES:
        raise ValueError(f"There is no tag scheme {scheme!r}; there are {', '.join(SCHEMES)}.")


def read_sentences(path: str | os.PathLike | None, columns: Sequence[str] | None = None) -> Sentences:
    """Return the sentences of a column file, whose names are `columns`, or, by its name, of JSON lines."""
    if path is not None and is_json_lines(path):
        return _read_json_lines(Path(path))
    if path is not None:
        return read_conll(path, columns)
    text, name = column_text(path)
    _refuse_json_lines(text, name)
    return columns_of(text, name, columns)


def is_json_lines(path: str | os.PathLike) -> bool:
    """Return whether a file is one of JSON lines, by its name."""
    return bool({".jsonl", ".ndjson"} & set(Path(path).suffixes))


def read_tagged(
    path: str | os.PathLike | None,
    columns: Sequence[str] | None = None,
    tag: str | None = None,
    scheme: str | None = None,
    strict: bool = False,
) -> tuple[Sentences, list[list[str]], str]:
    """Return sentences without their column of tags (``tag``, or the last), the tags, and the scheme these are in now.

    Tags of spans are brought into the `scheme` and repaired on the way; without one iob1 becomes iob2, and other tags
    stay as they are. `strict` refuses tags that break their scheme.
    """
    read = read_sentences(path, columns)
    name = _tag_column(read, tag)
    tags = read.split(name)
    flat_tags(tags, read)
    given = guess_scheme(tags)
    if given is None:
        _point_at_stray(tags, read, strict or scheme in SCHEMES)
    elif strict:
        _refuse_broken(tags, given, read)
    scheme = scheme or ("iob2" if given == "iob1" else AS_IS)
    if scheme != AS_IS:
        if given is None:
            raise ValueError(
                f"The tags of {read.source} mark no spans, such as {tags[0][0]!r}; they cannot be written as {scheme}."
            )
        tags = [convert_tags(own, scheme) for own in tags]
    rest = {column: values for column, values in read.columns.items() if column != name}
    return Sentences(rest, read.lengths, read.source), tags, scheme


def read_untagged(
    path: str | os.PathLike | None,
    columns: Sequence[str] | None,
    names: Sequence[str] | None,
    used: Collection[str],
    labels: Collection[str] = (),
    cut: Callable[[str], list[list[str]]] | None = None,
) -> Sentences:
    """Return sentences to tag; without `columns` they get a model's `names`, of which those `used` must be there."""
    # A text that is not in columns is ``cut`` into the words of sentences, if the model looks at nothing else.
    if columns is not None or (path is not None and (is_json_lines(path) or ".conllu" in Path(path).suffixes)):
        read = read_sentences(path, columns)
    else:
        text, name = column_text(path)
        _refuse_json_lines(text, name)
        if cut is not None and not _in_columns(text, names or (), labels):
            return _cut_text(text, name, used, cut)
        read = columns_of(text, name)
    if columns is not None or names is None or set(names) <= set(read.columns):
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


def _in_columns(text: str, names: Sequence[str], labels: Collection[str]) -> bool:
    """Say whether a text is in columns: most lines have equally many fields, as many as a model's, or tags, or many."""
    lines = [fields for line in text.split("\n", LINES)[:LINES] if (fields := line.split()) and fields[0] != DOCUMENT]
    if not lines:
        return True
    [(width, often)] = Counter(map(len, lines)).most_common(1)
    if often < MOST * len(lines):
        return False
    return width in (1, len(names)) or often >= SURE or any(fields[-1] in labels for fields in lines)


def _cut_text(text: str, name: str, used: Collection[str], cut: Callable[[str], list[list[str]]]) -> Sentences:
    others = sorted(set(used) - {"word"})
    if others:
        raise ValueError(
            f"{name} is not in columns, one token per line with equally many fields, and as plain text it lacks what "
            f"the model looks at beside words: {', '.join(others)}."
        )
    warnings.warn(f"{name} is not in columns: it is read as plain text, cut into sentences and words", stacklevel=3)
    return Sentences.of([{"word": words} for words in cut(text)])


def _refuse_json_lines(text: str, name: str) -> None:
    if text.lstrip().startswith(('{"', '[{"', '["')):
        raise ValueError(
            f"{name} is read as columns, but this looks like JSON lines: write it to a file whose name ends in .jsonl, "
            "and pass that."
        )


def needed_columns(names: Sequence[str], used: Collection[str]) -> int:
    """Return how many of the first columns hold all that are used; at least one."""
    return max((place + 1 for place, name in enumerate(names) if name in used), default=1)


def read_like_training(
    path: str | os.PathLike | None, columns: Sequence[str] | None, tag: str | None, info: Mapping[str, Any]
) -> tuple[Sentences, list[list[str]]]:
    """Return tagged sentences, read as the training file of the tagger whose ``model.json`` is `info`."""
    stored = info.get("extra") or {}
    names = columns if columns is not None else stored.get("all_columns")
    sentences, tags, _ = read_tagged(path, names, tag or stored.get("tag"), stored.get("scheme"))
    return sentences, like_training(tags, stored.get("tags_in"))


def like_training(tags: list[list[str]], scheme: str | None) -> list[list[str]]:
    """Return tags of spans in the scheme of the training tags; others, and those in it already, as they are."""
    if scheme is None or guess_scheme(tags) in (None, scheme):
        return tags
    return [convert_tags(own, scheme) for own in tags]


def write_conll(stream: TextIO, sentences: Sentences, tags: Sequence[Sequence[str]]) -> None:
    """Write sentences as columns, the tags last; first refuse cells that are empty or hold white space."""
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


def _tag_column(read: Sentences, tag: str | None) -> str:
    if tag is None:
        tag = TAG if TAG in read.columns else list(read.columns)[-1]
    if tag not in read.columns:
        raise ValueError(f"{read.source} has no column {tag!r}; it has {', '.join(read.columns)}.")
    if len(read.columns) < 2:
        raise ValueError(f"{read.source} has one column; tagged sentences need words and tags.")
    return tag


def _refuse_broken(tags: Sequence[Sequence[str]], scheme: str, read: Sentences) -> None:
    for number, own in enumerate(tags):
        place = broken_tag(own, scheme)
        if place is not None:
            raise ValueError(
                f"{read.where(number, place)}: tag {own[place]!r} breaks the scheme {scheme}; correct it, or let it "
                "be repaired by leaving out strict."
            )


def _point_at_stray(tags: Sequence[Sequence[str]], read: Sentences, refuse: bool) -> None:
    if (stray := stray_tag(tags)) is None:
        return
    number, place = stray
    told = (
        f"{read.where(number, place)}: tag {tags[number][place]!r} is no tag of spans, while others are (B-…, I-…, O)"
    )
    if refuse:
        raise ValueError(f"{told}; correct it.")
    warnings.warn(f"{told}; all tags are taken as they are.", stacklevel=3)


def _read_json_lines(path: Path) -> Sentences:
    given = []
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            given.append(parse_json(line))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: not JSON ({error}).") from error
    if not given:
        raise ValueError(f"{path} has no sentences.")
    try:
        read = Sentences.of(given)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error
    return Sentences(read.columns, read.lengths, str(path))

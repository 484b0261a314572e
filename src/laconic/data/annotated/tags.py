"""Tags of spans: IOB1, IOB2 and BIOES, read, converted, checked and turned into spans.

=======  ===============================================================================================
IOB2     ``B-X`` begins a span, ``I-X`` continues it
IOB1     ``I-X`` in a span; ``B-X`` only where a span follows another one of the same type directly
BIOES    like IOB2, but the last token of a span has ``E-X``, and a span of one token ``S-X``
=======  ===============================================================================================
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

SCHEMES = ("iob1", "iob2", "bioes")


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

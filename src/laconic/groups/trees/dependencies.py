"""Dependency trees in CoNLL-U: every word with all that hangs on it, directly or not, is a constituent.

The words below a word need not stand side by side; of two such sets one holds the other or they share nothing, so the
sets of a sentence are nested. Multi-word tokens (``3-4``) and empty nodes (``3.1``) are left out: the words that they
stand for have lines of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from laconic.data.files.lines import read_lines
from laconic.groups.trees.bracketed import Parsed

COLUMNS = 10
_RANGE = re.compile(r"\d+[-.]\d+")


def read_conllu(path: Path) -> Iterator[Parsed]:
    """Yield the sentences of a file, also of a compressed one.

    Raises
    ------
    ValueError
        If a line does not have 10 columns, words are not numbered 1, 2, …, or heads are no tree; with file and line.
    """
    rows: list[tuple[str, str, int]] = []  # word, relation, head
    first = 0
    for number, line in read_lines(path):
        text = line.rstrip("\r\n")
        if not text.strip():
            if rows:
                yield _parsed(rows, path, first)
                rows = []
            continue
        if text.startswith("#"):
            continue
        columns = text.split("\t")
        if len(columns) != COLUMNS:
            raise ValueError(
                f"{path}, line {number}: CoNLL-U has {COLUMNS} columns with tabs between them, here are {len(columns)}."
            )
        if _RANGE.fullmatch(columns[0]):
            continue
        first = first if rows else number
        if columns[0] != str(len(rows) + 1):
            raise ValueError(f"{path}, line {number}: the word has the number {columns[0]!r}, not {len(rows) + 1}.")
        if not columns[6].isdecimal():
            raise ValueError(
                f"{path}, line {number}: the head is {columns[6]!r}; it must be the number of a word, or 0."
            )
        rows.append((columns[1], columns[7], int(columns[6])))
    if rows:
        yield _parsed(rows, path, first)


def _parsed(rows: list[tuple[str, str, int]], path: Path, first: int) -> Parsed:
    below: list[list[int]] = [[] for _ in rows]
    for i in range(len(rows)):
        node, steps = i + 1, 0
        while node != 0:
            if node > len(rows):
                raise ValueError(
                    f"{path}, line {first + i}: the head of a word is {node}, but the sentence has {len(rows)} words."
                )
            if steps > len(rows):
                raise ValueError(f"{path}, sentence at line {first}: heads go round in a circle; it is no tree.")
            below[node - 1].append(i)
            node, steps = rows[node - 1][2], steps + 1
    return Parsed([row[0] for row in rows], [(row[1], below[i]) for i, row in enumerate(rows)])

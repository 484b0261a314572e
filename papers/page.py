"""The page of a reproduction: aligned tables, our value beside the paper's, and files that are replaced as a whole.

A run writes ``<paper>.csv``, its figures, and its section of ``reproduction.md``, which holds the sections of all
papers that were run into the same folder.
"""

import csv
import io
import json
import math
import os
import platform
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from papers.cells import Measured

PAGE = "reproduction.md"
HEAD = """# The papers' experiments

Made by `python -m papers`; every section says by which command and commit. Accuracies and sizes are in %, sizes are
the share of the training vocabulary with a nonzero weight, Δ is our value minus the paper's. λ's, budgets, cells and
groups are chosen on dev, ties go to fewer words; of our block dev makes a shortlist, the settings within one standard
error of the best, and five-fold cross-validation over train and dev (of vote by debates) takes one of these. Test
documents decide about no model. That rule itself, and what our block searches, were settled with test accuracies of
the 20 Newsgroups tasks, of vote and of kitchen in view: they are a comparison with the papers, not an estimate for new
texts.
"""
FIELDS = (
    "task",
    "block",
    "method",
    "groups",
    "variant",
    "dev",
    "cv",
    "test",
    "paper",
    "difference",
    "size",
    "paper_size",
)
MORE_FIELDS = ("words", "vocabulary", "settings", "ties", "tie_low", "tie_high", "gap", "params", "missing")


@dataclass
class Page:
    """Paragraphs, tables and figures of one paper."""

    paper: str
    title: str
    parts: list[str] = field(default_factory=list)
    figures: dict[str, str] = field(default_factory=dict)

    def say(self, *texts: str) -> None:
        """Add paragraphs."""
        self.parts += [text for text in texts if text]

    def head(self, text: str) -> None:
        """Add a heading."""
        self.parts.append(f"### {text}")

    def table(self, header: Sequence[str], rows: Iterable[Sequence[str]], names: int = 1) -> None:
        """Add a table; the first columns are names, the others numbers."""
        self.parts.append("\n".join(aligned([tuple(header), *map(tuple, rows)], names)))

    def notes(self, texts: Iterable[str]) -> None:
        """Add a list."""
        self.parts.append("\n".join(f"- {text}" for text in texts))

    def figure(self, name: str, svg: str, alt: str) -> None:
        """Add a figure."""
        file = f"{self.paper}_{name}.svg"
        self.figures[file] = svg
        self.parts.append(f"![{alt}]({file})")

    def markdown(self) -> str:
        """Return the section."""
        return "\n\n".join([f"## {self.title}", *self.parts]) + "\n"


def aligned(lines: Sequence[tuple[str, ...]], names: int = 1) -> list[str]:
    """Return rows of cells, the header first, as lines of a Markdown table whose columns are of one width.

    Examples
    --------
    >>> aligned([("data", "test"), ("science", "96.1")])
    ['| data    | test |', '|---------|-----:|', '| science | 96.1 |']
    """
    widths = [max(3, *map(len, column)) for column in zip(*lines, strict=True)]

    def row(line: tuple[str, ...]) -> str:
        cells = [
            cell.ljust(w) if i < names else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        ]
        return "| " + " | ".join(cells) + " |"

    rule = "|" + "|".join("-" * (w + 1) + ("-" if i < names else ":") for i, w in enumerate(widths)) + "|"
    return [row(lines[0]), rule, *map(row, lines[1:])]


def number(value: float | None, digits: int = 1, sign: str = "") -> str:
    """Return a number as text, "–" if there is none.

    Examples
    --------
    >>> number(96.14), number(float("nan")), number(-0.34, sign="+"), number(-0.04, sign="+")
    ('96.1', '–', '-0.3', '0.0')
    """
    if value is None or math.isnan(value):
        return "–"
    text = f"{value:{sign}.{digits}f}"
    return text.lstrip("+-") if float(text) == 0 else text


def beside(one: Measured | None, paper: float | None) -> str:
    """Return accuracy and difference to the paper, as ``96.1 (+0.7)``; "n/a" if it cannot be measured here."""
    if one is None or one.missing:
        return _absent(one)
    return number(one.test) if paper is None else f"{number(one.test)} ({number(one.test - paper, sign='+')})"


def sizes(one: Measured | None, paper: float | None) -> str:
    """Return size and the paper's, as ``1.3 / 2``."""
    if one is None or one.missing:
        return _absent(one)
    digits = 1 if one.size >= 0.95 else 2
    return f"{number(one.size, digits)} / {'–' if paper is None else f'{paper:g}'}"


def both(one: Measured | None) -> str:
    """Return accuracy and size, as ``96.1 (1.3)``."""
    if one is None or one.missing:
        return _absent(one)
    return f"{number(one.test)} ({number(one.size, 1 if one.size >= 0.95 else 2)})"


def missing_notes(page: Page, found: Iterable[Measured]) -> None:
    """Say what could not be measured here, and why."""
    reasons: dict[str, list[str]] = {}
    for one in found:
        if one.missing:
            reasons.setdefault(one.missing, []).append(one.cell.title)
    if reasons:
        page.head("Not available here (n/a)")
        page.notes(f"{reason} ({len(titles)} cells, e.g. {titles[0]})" for reason, titles in reasons.items())


def table_rows(measured: Iterable[tuple[Measured, float | None, float | None]]) -> list[dict[str, Any]]:
    """Return the rows of the CSV file: all that was measured, with the paper's accuracy and size. No times in it."""
    rows = []
    for one, paper, paper_size in measured:
        cell = one.cell
        rows.append(
            {
                "task": cell.task,
                "block": cell.block,
                "method": cell.method,
                "groups": cell.groups,
                "variant": cell.variant,
                "dev": _rounded(one.dev),
                "cv": _rounded(one.cv),
                "test": _rounded(one.test),
                "paper": paper,
                "difference": None if paper is None or one.missing else _rounded(one.test - paper),
                "size": _rounded(one.size),
                "paper_size": paper_size,
                "words": one.words,
                "vocabulary": one.vocabulary,
                "settings": one.settings,
                "ties": one.ties,
                "tie_low": _rounded(one.low),
                "tie_high": _rounded(one.high),
                "gap": one.gap if one.gap is None else float(f"{one.gap:.1e}"),
                "params": json.dumps(one.params, sort_keys=True) if one.params else "",
                "missing": one.missing,
            }
        )
    return rows


def write_all(page: Page, rows: list[dict[str, Any]], folder: Path) -> None:
    """Write the CSV file, the figures and the section of the page; each file at once or not at all."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=[*FIELDS, *MORE_FIELDS], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    replace_file(folder / f"{page.paper}.csv", text.getvalue())
    for name, svg in page.figures.items():
        replace_file(folder / name, svg)
    place = folder / PAGE
    before = place.read_text("utf-8") if place.is_file() else ""
    replace_file(place, joined(before, page))


def joined(before: str, page: Page) -> str:
    """Return the page with the section of a paper put in, in place of an older one."""
    marked = re.compile(r"<!-- (\w+) -->\n(.*?)<!-- end -->\n", re.DOTALL)
    sections: dict[str, str] = dict(marked.findall(before))
    sections[page.paper] = page.markdown()
    return HEAD + "".join(f"\n<!-- {name} -->\n{sections[name]}<!-- end -->\n" for name in sorted(sections))


def replace_file(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def made_by(command: str, commits: Iterable[str], seconds: float, jobs: int) -> str:
    """Return the sentence that says how a section was made."""
    different = sorted(set(filter(None, commits))) or ["unknown"]
    return (
        f"Made by `{command}` at commit {', '.join(different)}, Python {platform.python_version()}. The processor "
        f"times of all cells add up to {duration(seconds)}, which is {duration(seconds / jobs)} on {jobs} "
        f"process{'es' * (jobs > 1)}."
    )


def duration(seconds: float) -> str:
    """Return a time for people.

    Examples
    --------
    >>> duration(12.3), duration(400.0), duration(8000.0)
    ('12 s', '7 min', '2 h 13 min')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def _absent(one: Measured | None) -> str:
    """What was not asked for, and what was but cannot be measured here."""
    return "–" if one is None else "n/a"


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)

"""Tables, numbers beside the paper's, sections that replace each other."""

import csv

import pytest

from papers.cells import Cell, Measured
from papers.page import (
    Page,
    aligned,
    beside,
    both,
    duration,
    joined,
    missing_notes,
    sizes,
    table_rows,
    write_all,
)

CELL = Cell("science", "lasso", "ours")
ONE = Measured(
    CELL, dev=95.0, test=91.84, words=189, vocabulary=25_787, params={"l1": 1.0}, gap=1.23e-7, low=91.0, high=92.0
)
MISSING = Measured(Cell("science", "group", "ours", "lda"), missing="no groups")


def test_numbers_beside_the_papers():
    assert beside(ONE, 91.6) == "91.8 (+0.2)"
    assert beside(ONE, None) == "91.8"
    assert beside(MISSING, 91.6) == sizes(MISSING, 1) == both(MISSING) == "n/a"
    assert beside(None, 91.6) == sizes(None, 1) == both(None) == "–"
    assert sizes(ONE, 1) == "0.73 / 1"
    assert both(ONE) == "91.8 (0.73)"


def test_tables_are_aligned():
    lines = aligned([("data", "λ"), ("science", "1"), ("a", "10")])
    assert len({len(line) for line in lines}) == 1
    assert lines[1] == "|---------|----:|"


def test_a_section_replaces_its_older_self(tmp_path):
    first, second = Page("a", "First"), Page("b", "Second")
    text = joined(joined("", second), first)
    assert text.index("## First") < text.index("## Second")
    first.say("more")
    again = joined(text, first)
    assert again.count("## First") == 1
    assert "more" in again
    assert joined(again, first) == again


def test_files(tmp_path):
    page = Page("a", "First")
    page.figure("sizes", "<svg/>", "a figure")
    rows = table_rows([(ONE, 91.6, 1.0), (MISSING, None, None)])
    write_all(page, rows, tmp_path)
    assert (tmp_path / "a_sizes.svg").read_text("utf-8") == "<svg/>"
    assert "![a figure](a_sizes.svg)" in (tmp_path / "reproduction.md").read_text("utf-8")
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        stored = list(csv.DictReader(file))
    assert stored[0]["difference"] == "0.24"
    assert "seconds" not in stored[0]
    assert stored[1]["missing"] == "no groups"
    assert {path.name for path in tmp_path.iterdir()} == {"a.csv", "a_sizes.svg", "reproduction.md"}


def test_what_is_missing_is_said_once():
    page = Page("a", "First")
    missing_notes(page, [ONE, MISSING, MISSING])
    assert page.parts[-1] == "- no groups (2 cells, e.g. science ours group lda)"


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (99.0, "99 s"), (100.0, "2 min"), (7300.0, "2 h 2 min")])
def test_durations(seconds, text):
    assert duration(seconds) == text

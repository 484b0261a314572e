"""Slopes, tables and figures."""

import pytest

from benchmarks.scaling import SERIES, slope
from benchmarks.tables import aligned


def test_slope_of_a_power_law():
    sizes = [1.0, 2.0, 4.0, 8.0]
    assert slope(sizes, [3.0 * size**1.5 for size in sizes]) == pytest.approx(1.5)


def test_each_series_grows_in_one_quantity():
    assert [series.grows for series in SERIES] == ["documents", "words", "sentences"]


def test_tables_show_a_dash_for_what_a_row_lacks():
    assert aligned([{"a": "x", "b": 1.23456}, {"a": "yy"}]) == "a      b\nx   1.23\nyy     -"


def test_the_same_numbers_give_the_same_figure(tmp_path):
    pytest.importorskip("matplotlib")
    from benchmarks import figures

    panels = {"documents": {"laconic": [(1.0, 2.0), (2.0, 3.0)], "liblinear": [(1.0, 1.0), (2.0, 5.0)]}}
    for name in ("one.svg", "two.svg"):
        figures.curves("Cost", panels, ("size", "seconds"), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert "liblinear" in (tmp_path / "one.svg").read_text()

import pytest

from benchmarks.scaling import SERIES, slope


def test_slope_of_a_power_law():
    sizes = [1.0, 2.0, 4.0, 8.0]
    assert slope(sizes, [3.0 * size**1.5 for size in sizes]) == pytest.approx(1.5)


def test_each_series_grows_in_one_quantity():
    assert [series.grows for series in SERIES] == ["documents", "words", "sentences"]

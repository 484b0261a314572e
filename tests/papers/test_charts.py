"""Charts are well-formed, hold every point, and do not change."""

from xml.etree import ElementTree

import pytest

from papers.charts import _ticks, panels

DATA = {
    f"panel {i} & more": {f"series {k}": [(0.01 * 10**k, 80.0 + i), (50.0, 90.0)] for k in range(11)} for i in range(5)
}


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("log_x", [False, True])
def test_every_point_is_drawn_inside_its_figure(lines, log_x):
    svg = panels(DATA, ("x < y", "y"), lines, log_x)
    root = ElementTree.fromstring(svg)
    name = "{http://www.w3.org/2000/svg}"
    circles = root.findall(f"{name}circle")
    assert len(circles) == 5 * 10 * 2 + 10  # and the legend; the eleventh series has squares
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert all(0 <= float(one.attrib["cx"]) <= width and 0 <= float(one.attrib["cy"]) <= height for one in circles)
    assert len(root.findall(f"{name}polyline")) == (55 if lines else 0)
    assert panels(DATA, ("x < y", "y"), lines, log_x) == svg


def test_a_single_point_and_none():
    for points in ([(1.0, 2.0)], []):
        ElementTree.fromstring(panels({"one": {"a": points}}, ("x", "y")))


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (86.2, 97.9), (-3.0, 1200.0), (0.001, 0.0017)])
def test_ticks_are_few_and_inside(low, high):
    ticks = _ticks(low, high)
    assert 2 <= len(ticks) <= 6
    assert low <= min(ticks) <= max(ticks) <= high

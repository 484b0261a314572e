import pytest


def test_the_same_numbers_give_the_same_figure(tmp_path):
    pytest.importorskip("matplotlib")
    from benchmarks import figures

    panels = {"documents": {"laconic": [(1.0, 2.0), (2.0, 3.0)], "liblinear": [(1.0, 1.0), (2.0, 5.0)]}}
    for name in ("one.svg", "two.svg"):
        figures.curves("Cost", panels, ("size", "seconds"), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert "liblinear" in (tmp_path / "one.svg").read_text()

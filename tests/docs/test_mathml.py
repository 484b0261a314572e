"""Formulas of the site, written as MathML when it is built."""

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="Sphinx is not installed (the extra docs)")
nodes = pytest.importorskip("docutils.nodes")
PLACE = Path(__file__).parents[2] / "docs" / "_ext" / "mathml.py"


@pytest.fixture(scope="module")
def mathml():
    spec = importlib.util.spec_from_file_location("mathml", PLACE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Page:
    """As much of a translator as a renderer needs."""

    def __init__(self):
        self.body = []


def written(render, node):
    page = Page()
    with pytest.raises(nodes.SkipNode):
        render(page, node)
    return "".join(page.body)


def test_a_formula_in_a_line(mathml):
    html = written(mathml._inline, nodes.math("", r"\lambda_1"))
    assert html.startswith("<math")
    assert "<mi>λ</mi>" in html
    assert 'display="block"' not in html


def test_a_long_formula_in_a_line_has_a_box_that_scrolls(mathml):
    assert written(mathml._inline, nodes.math("", "+".join("a" * 30))).startswith('<span class="long-formula"><math')


def test_a_formula_of_its_own(mathml):
    html = written(mathml._block, nodes.math_block("", r"\min_w P(w)"))
    assert html.startswith('<div class="formula"><math')
    assert 'display="block"' in html


@pytest.mark.parametrize("norm", [r"\|w\|_2", r"\lVert w\rVert_2"])
def test_bars_of_a_norm_do_not_stretch(mathml, norm):
    html = mathml._written(nodes.math("", norm), block=False)
    assert html.count("‖") == html.count('stretchy="false">‖') == 2


def test_a_formula_that_cannot_be_read_is_a_warning(mathml, monkeypatch):
    said = []
    monkeypatch.setattr(mathml.logger, "warning", lambda text, *rest, **_: said.append(text % rest))
    assert mathml._written(nodes.math("", r"\nonsense{w}"), block=False) == ""
    assert r"\nonsense{w}" in said[0]

"""Which templates are coarser, and the groups made of that."""

from xml.etree import ElementTree

import numpy as np

from laconic.structured.templates.language import parse_template, parse_templates
from laconic.structured.templates.ordering import (
    column_tree,
    comes_before,
    disjoint_families,
    hasse_edges,
    hasse_svg,
    is_coarser_column,
)


def test_coarser_columns_can_be_read_off_finer_ones():
    assert is_coarser_column("pos", "word")
    assert is_coarser_column("suffix1", "suffix3")
    assert not is_coarser_column("word", "pos")


def test_a_template_comes_before_those_that_hold_all_its_cells():
    assert comes_before(parse_template("pos[0]"), parse_template("pos[0] & word[1]"))
    assert not comes_before(parse_template("pos[0]"), parse_template("pos[1]"))


def test_a_tree_of_columns():
    groups = column_tree(parse_templates(["pos[0]", "word[0]", "pos[0..1]"]))
    assert [group.tolist() for group in groups] == [[0], [1], [2], [0, 2]]


def test_groups_of_a_family_share_nothing():
    assert disjoint_families([np.array([0, 1]), np.array([1]), np.array([2])]) == [[0, 2], [1]]


def test_edges_skip_no_template():
    templates = parse_templates(["pos[0]", "word[0]", "pos[0..1]", "word[0] & pos[1]"])
    assert hasse_edges(templates) == [(0, 1), (0, 2), (1, 3), (2, 3)]


def test_the_diagram_has_all_templates_and_edges():
    templates = parse_templates(["pos[0]", "word[0]", "pos[0..1]", "word[0] & pos[1]", "case[0]"])
    root = ElementTree.fromstring(hasse_svg(templates, {"word[0]"}))
    texts = {one.text for one in root.iter("{http://www.w3.org/2000/svg}text")}
    assert texts == {str(one) for one in templates}
    assert len(list(root.iter("{http://www.w3.org/2000/svg}line"))) == len(hasse_edges(templates))
    assert sum(one.get("fill") == "#cde8d5" for one in root.iter("{http://www.w3.org/2000/svg}rect")) == 1

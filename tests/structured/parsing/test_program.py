"""Arc templates as a program."""

import pytest

from laconic.structured.parsing.model import combination_names
from laconic.structured.parsing.named_sets import resolve_arcs
from laconic.structured.parsing.program import compile_arcs, sums_of
from laconic.structured.parsing.templates import parse_arc_template, parse_arc_templates


def test_the_gap_leaves_room_for_the_root():
    assert compile_arcs(resolve_arcs("arcs")).gap == 3


def test_sums_add_what_a_template_does_not_tell_apart():
    maps = sums_of(parse_arc_templates(["head.pos", "head.pos & direction"]))
    assert [one.tolist() for one in maps] == [[[1.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]


def test_weights_of_a_row_are_named():
    assert combination_names(parse_arc_template("head.pos & direction")) == ["left", "right"]


def test_too_many_values_for_a_key():
    program = compile_arcs(resolve_arcs(["head.word[-1..1] & mod.word[-1..1]"]))
    with pytest.raises(ValueError, match="leave out one of its cells"):
        program.radices({"word": 10_000_000})

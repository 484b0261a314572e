"""The language of arc templates, and the set of 684."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.structured.parsing.model import combination_names
from laconic.structured.parsing.named_sets import arc_sets, resolve_arcs
from laconic.structured.parsing.templates import compile_arcs, parse_arc_template, parse_arc_templates, sums_of
from laconic.structured.templates.ordering import comes_before

cells = st.tuples(st.sampled_from(["head", "mod"]), st.sampled_from(["word", "pos", "shape"]), st.integers(-3, 3))


@given(st.sets(cells, min_size=1, max_size=5), st.booleans(), st.booleans())
def test_what_is_written_is_read(found, direction, distance):
    parts = [f"{side}.{column}[{offset:+d}]" for side, column, offset in found]
    text = " & ".join([*parts, *["direction"] * direction, *["distance"] * distance])
    one = parse_arc_template(text)
    assert parse_arc_template(str(one)) == one
    assert {(cell.side, cell.column, cell.offset) for cell in one.base} == found
    assert (one.direction, one.distance) == (direction, distance)


def test_arcs_has_684_templates_of_171_conjunctions():
    templates = resolve_arcs("arcs")
    assert len(templates) == 684
    assert len({str(one) for one in templates}) == 684
    program = compile_arcs(templates)
    assert len(program.bases) == 171
    assert set(program.columns) == {"word", "lemma", "pos", "xpos", "feats", "shape", "suffix3"}
    assert set(arc_sets()) == {"arcs", "small"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("head.word mod.pos", "expected a cell such as head.word"),
        ("word[0]", "expected a cell such as head.word"),
        ("head.pos[1..0]", "ends before it begins"),
        ("head.pos & head.pos[0]", "names head.pos twice"),
        ("between.pos[1]", "leave out the offset"),
        ("between.pos & between.word", "looks between head and modifier twice"),
        ("direction & distance", "looks at no token"),
        ("head.pos &", "found 'the end'"),
    ],
)
def test_bad_templates_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_arc_template(text)


def test_unknown_sets_are_refused():
    with pytest.raises(ValueError, match="There is no set of templates 'arc'; there are small, arcs"):
        resolve_arcs("arc")
    with pytest.raises(TypeError, match="A template is a string"):
        resolve_arcs([3])
    with pytest.raises(ValueError, match="There are no templates"):
        resolve_arcs([])


def test_coarse_templates_come_before_fine_ones():
    def before(a, b):
        return comes_before(parse_arc_template(a), parse_arc_template(b))

    assert before("head.pos", "head.word & mod.pos")
    assert before("head.pos", "head.pos & direction")
    assert before("head.pos & direction", "head.pos & direction & distance")
    assert not before("head.pos", "mod.pos")
    assert not before("head.pos & direction", "head.pos & distance")
    assert not before("head.pos[1]", "head.pos")


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
        program.radices({"word": range(9_999_999)})

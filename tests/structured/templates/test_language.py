"""The template language: read, checked, printed back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.structured.templates.language import Cell, Template, compile_program, parse_template, parse_templates

columns = st.sampled_from(["word", "pos", "suffix3", "shape(lemma)", "real(length)", "my-col"])
cells = st.builds(Cell, columns, st.integers(-9, 9))
templates = st.sets(cells, min_size=1, max_size=6).map(lambda found: Template(tuple(sorted(found))))


@given(templates)
def test_printing_and_reading_are_inverse(template):
    assert parse_template(str(template)) == template


def test_order_and_spaces_do_not_matter():
    assert parse_template("pos[ 0 ]&word[-1]") == parse_template("word[-1] & pos[+0]")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word", "expected a cell"),
        ("word[0] &", "at character 10, found 'the end'"),
        ("word[0] pos[0]", "expected & or the end at character 9"),
        ("word[2..1]", "ends before it begins"),
        ("word[0] & word[0]", "names word\\[0\\] twice"),
        ("word[5000]", "at most 1000"),
        ("[0]", "expected a cell"),
    ],
)
def test_what_cannot_be_read(text, message):
    with pytest.raises(ValueError, match=message):
        parse_template(text)


def test_templates_that_are_shifts_of_one_share_a_pattern():
    program = compile_program(parse_templates(["pos[-2..-1]", "pos[0..1]", "word[0]"]))
    assert (len(program.patterns), program.shifts, program.gap) == (2, (-2, 0, 0), 2)

"""The template language: read, checked, printed back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.structured.tagging.named_sets import resolve_templates, template_sets
from laconic.structured.templates.language import Cell, Template, parse_template, parse_templates, reach

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


def test_named_sets_have_the_sizes_of_the_paper():
    assert len(resolve_templates("chunking")) == 96
    assert len(resolve_templates("ner")) == 452
    assert len(resolve_templates("crfsuite")) == 19


@pytest.mark.parametrize("name", template_sets())
def test_named_sets_are_written_in_the_language(name):
    found = resolve_templates(name)
    assert parse_templates([str(one) for one in found]) == found


def test_runs_touch_the_window():
    assert reach(resolve_templates("chunking")) == 9
    assert {str(one) for one in resolve_templates("chunking")} >= {"pos[-9..-5]", "pos[5..9]", "word[-5..-3]"}


def test_unknown_sets_and_empty_lists():
    with pytest.raises(ValueError, match="There is no set of templates 'chunky'; there are minimal"):
        resolve_templates("chunky")
    with pytest.raises(ValueError, match="no templates"):
        resolve_templates([])

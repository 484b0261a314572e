"""Sets of templates by name."""

import pytest

from laconic.structured.tagging.named_sets import resolve_templates, runs, template_sets
from laconic.structured.templates.language import parse_templates, reach


def test_runs_are_all_that_have_a_cell_in_the_window():
    around = ["shape[-1]", "shape[0]", "shape[1]", "shape[-2..-1]", "shape[-1..0]", "shape[0..1]", "shape[1..2]"]
    assert runs("shape", 2, 1) == around


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

"""Templates as a program."""

from laconic.structured.tagging.program import compile_program
from laconic.structured.templates.language import parse_templates


def test_templates_that_are_shifts_of_one_share_a_pattern():
    program = compile_program(parse_templates(["pos[-2..-1]", "pos[0..1]", "word[0]"]))
    assert (len(program.patterns), program.shifts, program.gap) == (2, (-2, 0, 0), 2)

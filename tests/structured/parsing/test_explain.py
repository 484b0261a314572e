"""Kinds of arc templates."""

from laconic.structured.parsing.explain import template_kinds
from laconic.structured.parsing.templates import parse_arc_template


def test_kinds_of_a_template():
    kinds = template_kinds(parse_arc_template("head.word & mod.pos & direction"))
    assert kinds == ["looks at head and modifier", "one word or lemma", "with direction"]

"""The diagram of templates."""

from xml.etree import ElementTree

from laconic.structured.templates.hasse import hasse_svg
from laconic.structured.templates.language import parse_templates
from laconic.structured.templates.ordering import hasse_edges


def test_the_diagram_has_all_templates_and_edges():
    templates = parse_templates(["pos[0]", "word[0]", "pos[0..1]", "word[0] & pos[1]", "case[0]"])
    root = ElementTree.fromstring(hasse_svg(templates, {"word[0]"}))
    texts = {one.text for one in root.iter("{http://www.w3.org/2000/svg}text")}
    assert texts == {str(one) for one in templates}
    assert len(list(root.iter("{http://www.w3.org/2000/svg}line"))) == len(hasse_edges(templates))
    assert sum(one.get("fill") == "#cde8d5" for one in root.iter("{http://www.w3.org/2000/svg}rect")) == 1

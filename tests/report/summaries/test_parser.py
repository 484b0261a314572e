import numpy as np

from laconic.report import html, summarize, summarize_parser
from laconic.structured import DependencyParser
from laconic.structured.parsing.scores import score_trees
from tests.structured.trees import planted_trees


def test_a_parser_with_its_worst_trees(open_page):
    parser = DependencyParser(templates="small", passes=2).fit(*planted_trees(40))
    sentences, trees = planted_trees(20, seed=1)
    trees = [list(tree) for tree in trees]
    trees[3][0] = (len(trees[3]), "dep")  # one mistake for sure
    summary = summarize_parser(parser, (sentences, trees), sentences=4)
    scores = score_trees(sentences, np.array([head for tree in trees for head, _ in tree]), parser.parse(sentences)[0])
    assert summary.scores[0]["uas"] == scores.all.uas < 1.0
    assert summary.sentences[0].true_heads != summary.sentences[0].predicted_heads
    assert summarize(parser, (sentences, trees)).scores == summary.scores
    with open_page(html(summary)) as page:
        assert page.locator("svg.tree").count() == 4
        assert page.locator("svg.tree >> nth=0").locator(".arc.bad").count() >= 1
        assert page.locator("#features option").first.inner_text() == "an arc"
        assert "las" in page.locator("#errors").inner_text()

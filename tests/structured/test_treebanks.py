"""The treebanks of the EMNLP 2011 paper and their stand-ins, as far as they can be read and learned in seconds."""

import io
import lzma
import os
from pathlib import Path

import pytest

from laconic.data.annotated.treebank import read_treebank, write_treebank
from laconic.structured.parsing.fit import fit_arcs
from laconic.structured.parsing.named_sets import resolve_arcs
from laconic.structured.parsing.score_numba import CompiledParser
from laconic.structured.scores import score_trees
from laconic.structured.settings import ParserSettings
from papers.emnlp2011_parsing import TREEBANKS

BASE = Path(os.environ.get("LACONIC_DATA", "nowhere"), "structured")
pytestmark = pytest.mark.skipif(not BASE.is_dir(), reason="needs the treebanks: set LACONIC_DATA")


@pytest.mark.parametrize("name", TREEBANKS)
def test_files_come_back_byte_for_byte(name):
    (path,) = (BASE / TREEBANKS[name]).glob("test.conll*.xz")
    trees = read_treebank(path)
    out = io.StringIO()
    write_treebank(out, trees, trees.trees.tolist(), trees.relations)
    with lzma.open(path, "rt", encoding="utf-8", newline="") as file:
        assert out.getvalue().rstrip("\n") == file.read().replace("\r\n", "\n").rstrip("\n")


def test_a_few_danish_sentences_and_templates_are_a_good_start():
    folder = BASE / "conllx_danish_ddt"
    train, test = read_treebank(folder / "train.conll.xz").take(range(600)), read_treebank(folder / "test.conll.xz")
    templates = [
        *resolve_arcs("small"),
        *resolve_arcs(["head.xpos & mod.xpos & between.xpos & direction", "head.xpos[0..1] & mod.xpos[-1..0]"]),
        *resolve_arcs(["head.xpos[-1..0] & mod.xpos[0..1] & direction", "head.xpos & mod.xpos & direction & distance"]),
    ]
    model = fit_arcs(train.sentences, train.trees, ParserSettings(templates, passes=3)).model
    found = score_trees(test.sentences, test.trees, CompiledParser(model).heads(test.sentences))
    assert found.words.tokens == 5010
    assert found.words.uas > 0.78

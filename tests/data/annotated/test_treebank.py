"""Treebanks: read, checked, and written back."""

import io

import numpy as np
import pytest

from laconic.data.annotated.treebank import read_treebank, write_treebank

ROWS = """\
# sent_id = 1
1-2\tAl\t_\t_\t_\t_\t_\t_\t_\t_
1\tA\ta\tADP\t_\t_\t3\tcase\t_\t_
2\tel\tel\tDET\t_\t_\t3\tdet\t_\tSpaceAfter=No
3\triver\triver\tNOUN\t_\t_\t0\troot\t_\t_
3.1\t(is)\t_\t_\t_\t_\t_\t_\t0:dep\t_

1\t#\t#\tSYM\t_\t_\t0\troot\t_\t_
2\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_

"""


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def row(number, head, word="x", columns=10):
    return "\t".join([str(number), word, "_", "N", "_", "_", str(head), "r", "_", "_"][:columns])


def test_tokens_are_words_and_nothing_else(tmp_path):
    trees = read_treebank(written(tmp_path / "a.conllu", ROWS))
    assert trees.sentences.columns["word"] == ["A", "el", "river", "#", "."]
    assert trees.sentences.lengths.tolist() == [3, 2]
    assert trees.heads.tolist() == [3, 3, 0, 0, 1]
    assert trees.relations == ["case", "det", "root", "root", "punct"]


def test_what_is_read_is_written_back(tmp_path):
    trees = read_treebank(written(tmp_path / "a.conllu", ROWS))
    out = io.StringIO()
    write_treebank(out, trees, trees.heads.tolist(), trees.relations)
    assert out.getvalue() == ROWS


def test_other_heads_relations_and_tags_leave_the_rest_alone(tmp_path):
    trees = read_treebank(written(tmp_path / "a.conllu", ROWS), parsed=False)
    assert trees.heads is None
    with pytest.raises(ValueError, match="without its trees"):
        _ = trees.trees
    out = io.StringIO()
    write_treebank(out, trees, [2, 0, 2, 0, 1], ["a", "b", "c", "d", "e"], ["T"] * 5)
    lines = out.getvalue().splitlines()
    assert lines[2] == "1\tA\ta\tT\t_\t_\t2\ta\t_\t_"
    assert lines[1] == ROWS.splitlines()[1]
    assert lines[5] == ROWS.splitlines()[5]


def test_some_sentences(tmp_path):
    trees = read_treebank(written(tmp_path / "a.conllu", ROWS)).take([1])
    assert trees.sentences.columns["word"] == ["#", "."]
    assert trees.heads.tolist() == [0, 1]
    out = io.StringIO()
    write_treebank(out, trees, trees.heads.tolist(), trees.relations)
    assert out.getvalue() == "\n".join(ROWS.splitlines()[-3:]).strip() + "\n\n"


def test_three_columns_become_ten(tmp_path):
    trees = read_treebank(written(tmp_path / "a.conll", "We\tPRP\t2\nsang\tVBD\t0\n\nStop\tVB\t0\n"))
    assert trees.sentences.columns["pos"] == ["PRP", "VBD", "VB"]
    out = io.StringIO()
    write_treebank(out, trees, trees.heads.tolist(), trees.relations)
    assert out.getvalue().splitlines()[3] == "1\tStop\t_\tVB\t_\t_\t0\t_\t_\t_"


def test_several_roots_are_a_tree(tmp_path):
    trees = read_treebank(written(tmp_path / "a.conll", f"{row(1, 0)}\n{row(2, 0)}\n"))
    np.testing.assert_array_equal(trees.heads, [0, 0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no tokens"),
        ("# only a comment\n\n", "no tokens"),
        ("one two three\n", "line 1: a treebank has 10 columns"),
        (f"{row(1, 0)}\n{row(2, 1, columns=8)}\n", "line 2: 8 columns, but line 1 has 10"),
        (f"{row(1, 0)}\n{row(3, 1)}\n", "line 2: the word has the number '3', not 2"),
        (f"{row(1, 0)}\n{row(2, '_')}\n", "line 2: the head is '_'"),
        (f"{row(1, 0)}\n{row(2, '9' * 30)}\n", "line 2: the head is '9{30}'; it must be the number of a word"),
        (f"{row(1, 0)}\n{row('9' * 5000, 0)}\n", "line 2: the word has the number '9{57}...', not 2"),
        (f"{row(1, 0)}\r{row(2, 1)}\r", "line 1: lines end in a carriage return alone"),
        (
            f"{row(1, 0)}\n{row(2, 7)}\n",
            "line 2, token 2 of sentence 1: the word is under word 7, but the sentence has 2",
        ),
        (f"{row(1, 0)}\n{row(2, 2)}\n", "its own head"),
        (f"{row(1, 2)}\n{row(2, 1)}\n", "no word of the sentence has the head 0"),
        (f"{row(1, 0)}\n{row(2, 3)}\n{row(3, 2)}\n", "line 2, token 2 of sentence 1: heads go round in a circle"),
    ],
)
def test_bad_files_are_refused_with_their_line(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        read_treebank(written(tmp_path / "bad.conll", text))


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"There is no file"):
        read_treebank(tmp_path / "none.conll")
    with pytest.raises(ValueError, match="is a folder"):
        read_treebank(tmp_path)

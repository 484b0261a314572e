"""Column files and JSON lines of sentences."""

import io
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.data.annotated import sentences as module
from laconic.data.annotated.sentences import Sentences, read_conll
from laconic.data.annotated.tagged_files import (
    read_sentences,
    read_tagged,
    read_untagged,
    write_conll,
    write_json_lines,
)

THREE = "The DT B-NP\nlamp NN I-NP\n\n\n-DOCSTART- -X- O\nIt PRP B-NP\n"


def written(tmp_path, text, name="a.conll"):
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


def test_columns_blank_lines_and_documents(tmp_path):
    read = read_conll(written(tmp_path, THREE))
    assert read.columns == {"word": ["The", "lamp", "It"], "pos": ["DT", "NN", "PRP"], "tag": ["B-NP", "I-NP", "B-NP"]}
    assert read.lengths.tolist() == [2, 1]


def test_document_markers_inside_a_sentence(tmp_path):
    read = read_conll(written(tmp_path, "-DOCSTART- -DOCSTART- O\nDe Art O\nlamp N O\n"))
    assert read.lengths.tolist() == [2]


def test_names_of_columns(tmp_path):
    assert list(read_conll(written(tmp_path, "a\nb\n")).columns) == ["word"]
    assert list(read_conll(written(tmp_path, "a X\n")).columns) == ["word", "tag"]
    assert list(read_conll(written(tmp_path, "a P C X\n")).columns) == ["word", "pos", "column3", "tag"]
    assert list(read_conll(written(tmp_path, "a X\n"), ["form", "ner"]).columns) == ["form", "ner"]


def test_conllu(tmp_path):
    line = "\t".join(["{}", "a b", "x", "NOUN", "_", "_", "0", "root", "_", "_"])
    text = "# text = …\n" + "\n".join(line.format(i) for i in ("1-2", "1", "2", "2.1")) + "\n\n"
    read = read_conll(written(tmp_path, text, "a.conllu"))
    assert read.columns["word"] == ["a b", "a b"]
    assert read.columns["pos"] == ["NOUN", "NOUN"]


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("a b c\n\nx y\n", None, "line 3: 2 columns, but line 1 has 3"),
        ("\n\n", None, "no tokens"),
        ("a b\n", ["word"], "has 2 columns, but 1 names"),
        ("a b\n", ["word", "word"], "same name"),
        ("a b\nc d\re f\n", None, "line 2: lines end in a carriage return alone"),
    ],
)
def test_files_that_are_refused(tmp_path, text, columns, message):
    with pytest.raises(ValueError, match=message):
        read_conll(written(tmp_path, text), columns)


def test_a_line_of_conllu_that_is_no_token_and_no_comment_is_refused(tmp_path):
    line = "\t".join(["1", "a", "x", "NOUN", "_", "_", "0", "root", "_", "_"])
    with pytest.raises(ValueError, match="line 3: 1 columns, but line 1 has 10"):
        read_conll(written(tmp_path, f"{line}\n# a\tcomment\nb\n", "a.conllu"))


def test_files_that_are_not_there(tmp_path):
    os.mkfifo(tmp_path / "pipe.conll")
    with pytest.raises(ValueError, match="is a pipe"):
        read_conll(tmp_path / "pipe.conll")
    with pytest.raises(FileNotFoundError, match="no file"):
        read_conll(tmp_path / "none")
    with pytest.raises(ValueError, match="is a folder"):
        read_conll(tmp_path)


def test_json_lines(tmp_path):
    lines = [{"word": ["a", "b"], "tag": ["X", "Y"]}, [{"word": "c", "tag": "X"}]]
    file = written(tmp_path, "\n".join(map(json.dumps, lines)), "a.jsonl")
    assert read_sentences(file).columns == {"word": ["a", "b", "c"], "tag": ["X", "Y", "X"]}
    with pytest.raises(ValueError, match="line 1: not JSON"):
        read_sentences(written(tmp_path, "{", "b.jsonl"))
    with pytest.raises(ValueError, match="Sentence 1 has the column 'form'"):
        read_sentences(written(tmp_path, '{"word": ["a"]}\n{"form": ["a"]}', "c.jsonl"))


def test_iob1_becomes_iob2(tmp_path):
    sentences, tags, scheme = read_tagged(written(tmp_path, "a I-X\nb B-X\nc O\n"))
    assert (tags, scheme) == ([["B-X", "B-X", "O"]], "iob2")
    assert list(sentences.columns) == ["word"]


def test_broken_tags_are_repaired_or_refused(tmp_path):
    file = written(tmp_path, "a B-X\nb I-Y\nc O\n")
    assert read_tagged(file, scheme="iob2")[1] == [["B-X", "B-Y", "O"]]
    with pytest.raises(ValueError, match="line 2, token 2 of sentence 1: tag 'I-Y' breaks the scheme iob2"):
        read_tagged(file, strict=True)


def test_tags_without_spans(tmp_path):
    file = written(tmp_path, "a NN\n")
    assert read_tagged(file)[1:] == ([["NN"]], "as-is")
    with pytest.raises(ValueError, match="mark no spans"):
        read_tagged(file, scheme="bioes")


def test_a_tag_column_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="has no column 'ner'"):
        read_tagged(written(tmp_path, "a NN\n"), tag="ner")
    with pytest.raises(ValueError, match="one column"):
        read_tagged(written(tmp_path, "a\n"))


def test_writing_and_reading_back(tmp_path):
    names = ["word", "pos"]
    read = read_untagged(written(tmp_path, "The DT\nlamp NN\n\nIt PRP\n"), None, names, names)
    assert list(read.columns) == ["word", "pos"]
    stream = io.StringIO()
    write_conll(stream, read, [["A", "B"], ["C"]])
    assert stream.getvalue() == "The DT A\nlamp NN B\n\nIt PRP C\n\n"
    with pytest.raises(ValueError, match="1 column; the model needs the first 2 of"):
        read_untagged(written(tmp_path, "The\n"), None, names, names)
    assert list(read_untagged(written(tmp_path, "The\n"), None, names, ["word"]).columns) == ["word"]


@pytest.mark.parametrize("word", ["New York", "", " a", "a\u00a0b"])
def test_words_that_cannot_be_columns(tmp_path, word):
    sentences = Sentences.of([["a"], ["b", word]])
    stream = io.StringIO()
    with pytest.raises(ValueError, match="of token 2 in sentence 2 is empty or holds white space"):
        write_conll(stream, sentences, [["O"], ["O", "O"]])
    assert not stream.getvalue()
    file = tmp_path / "back.jsonl"
    with open(file, "w", encoding="utf-8") as opened:
        write_json_lines(opened, sentences, [["O"], ["O", "B-X"]])
    back, tags, _ = read_tagged(file)
    assert back[1] == {"word": ["b", word]}
    assert tags == [["O"], ["O", "B-X"]]


def test_a_stray_tag_among_spans_is_named(tmp_path):
    file = written(tmp_path, "a B-X\nb I-X\nc O\n\nd NPX\n")
    with pytest.warns(UserWarning, match="line 5, token 1 of sentence 2: tag 'NPX'"):
        assert read_tagged(file)[2] == "as-is"
    for options in ({"strict": True}, {"scheme": "bioes"}):
        with pytest.raises(ValueError, match="line 5, token 1 of sentence 2: tag 'NPX'"):
            read_tagged(file, **options)


def test_a_tag_that_is_none_is_refused(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text('{"word": ["a", "b"], "tag": ["O", null]}\n')
    with pytest.raises(ValueError, match="must be a string that is not empty, not None"):
        read_tagged(file)


pieces = st.sampled_from(["a", "é", "東", "-DOCSTART-", "-", " ", "  ", "\t", "\n", "\n\n", "\v", "\x1c", "\r", "\x00"])


@given(st.lists(pieces, max_size=40))
def test_splitting_the_whole_text_is_splitting_its_lines(parts):
    text = "".join(parts)
    flat, sizes = module._split_plain(text)
    slow, slow_sizes = module._split_lines(text, None, numbered=False, commented=False)
    assert flat == slow
    assert sizes.tolist() == slow_sizes.tolist()


def test_white_space_beyond_ascii_separates_columns(tmp_path):
    file = tmp_path / "a.conll"
    file.write_text("We\u3000PRP\nsang\xa0VBD\n", encoding="utf-8")
    assert read_conll(file).columns == {"word": ["We", "sang"], "tag": ["PRP", "VBD"]}
    every = {chr(i) for i in range(0x110000) if chr(i).isspace()}
    assert every == {chr(i) for i in module.SPACES} | {one for one in every if module._ODD_SPACE.match(one)}

"""Tagged sentences from files: which kind a file is."""

import io

import pytest

from laconic.data.annotated.tagged_files import like_training, needed_columns, read_sentences


def test_json_lines_on_standard_input_are_not_taken_for_columns(monkeypatch):
    line = b'{"word":["The","lamp"]}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line), encoding="utf-8"))
    with pytest.raises(ValueError, match="looks like JSON lines"):
        read_sentences(None)


def test_columns_that_are_needed():
    assert needed_columns(["word", "pos", "chunk"], {"pos"}) == 2
    assert needed_columns(["word"], set()) == 1


def test_tags_become_like_those_of_the_training():
    assert like_training([["I-NP", "O"]], "iob2") == [["B-NP", "O"]]
    assert like_training([["NN"]], "iob2") == [["NN"]]


def test_a_name_that_occurs_twice_in_a_sentence_is_refused(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"word": ["a"]}\n{"word": ["a"], "word": ["b"]}\n')
    with pytest.raises(ValueError, match=r"line 2: not JSON \(the name 'word' occurs twice"):
        read_sentences(tmp_path / "a.jsonl")

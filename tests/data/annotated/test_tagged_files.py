"""Tagged sentences from files: which kind a file is.

Tags and spans, against seqeval.
"""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.data.annotated.tagged_files import (
    SCHEMES,
    Span,
    broken_tag,
    convert_tags,
    guess_scheme,
    like_training,
    needed_columns,
    read_sentences,
    spans,
    stray_tag,
    write_spans,
)

marks = st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"])
all_marks = st.sampled_from(["O", *(f"{mark}-{kind}" for mark in "BIES" for kind in "XY")])


@given(st.lists(all_marks, max_size=12))
def test_spans_are_those_of_seqeval(tags):
    seqeval = pytest.importorskip("seqeval.metrics.sequence_labeling")
    assert [tuple(span) for span in spans(tags)] == [(kind, a, b + 1) for kind, a, b in seqeval.get_entities(tags)]


@given(st.lists(marks, max_size=12), st.sampled_from(SCHEMES))
def test_converting_keeps_the_spans(tags, scheme):
    made = convert_tags(tags, scheme)
    assert broken_tag(made, scheme) is None
    if scheme != "iob1":  # in IOB1, I-X may continue what is another span in IOB2
        assert spans(made) == spans(tags)
    assert convert_tags(convert_tags(tags, "bioes"), "iob2") == convert_tags(tags, "iob2")


def test_touching_spans_in_all_schemes():
    found = [Span("X", 0, 1), Span("X", 1, 3), Span("Y", 3, 4)]
    assert write_spans(found, 5, "iob1") == ["I-X", "B-X", "I-X", "I-Y", "O"]
    assert write_spans(found, 5, "iob2") == ["B-X", "B-X", "I-X", "B-Y", "O"]
    assert write_spans(found, 5, "bioes") == ["S-X", "B-X", "E-X", "S-Y", "O"]
    for scheme in SCHEMES:
        assert spans(write_spans(found, 5, scheme)) == found


def test_what_breaks_a_scheme():
    assert broken_tag(["B-X", "I-Y"]) == 1
    assert broken_tag(["B-X", "I-X"], "bioes") == 1
    with pytest.raises(ValueError, match="no tag scheme 'bilou'"):
        broken_tag([], "bilou")


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        (["B-X", "I-X"], "iob2"),
        (["O", "I-X"], "iob1"),
        (["I-X", "B-X"], "iob1"),
        (["S-X"], "bioes"),
        (["O"], "iob2"),
        (["NN", "VB"], None),
        (["B-X", "NN"], None),
        ([], None),
    ],
)
def test_guessing(tags, scheme):
    assert guess_scheme([tags]) == scheme


@pytest.mark.parametrize(
    ("tags", "place"), [([["B-NP", "I-NP"], ["O", "NPX"]], (1, 1)), ([["NN", "VB"]], None), ([["O", "B-X"]], None)]
)
def test_a_stray_tag(tags, place):
    assert stray_tag(tags) == place


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

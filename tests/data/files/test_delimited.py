"""Separators, quotes between tabs, and headers of files of fields, through `read`.

Encodings of files of texts: detected, named, refused.
"""

import csv
import gzip
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.data import read
from laconic.data.files.delimited import SAMPLED, FileFormat

CAFES = "text,label\n" + "fine and good,x\nun café, s'il vous plaît,y\n".replace(", s", " s") * 3


@pytest.mark.parametrize("name", ["a.csv", "a.txt"])
def test_windows_1252_is_detected_with_a_warning(tmp_path, name):
    path = write(tmp_path / name, CAFES, "cp1252")
    with pytest.warns(UserWarning, match=r"is not UTF-8 and is read as Windows-1252; if letters are wrong, pass enc"):
        assert "un café s'il vous plaît" in read(path, labelled=False).texts[-1]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_marks_are_believed(tmp_path, encoding, recwarn):
    path = write(tmp_path / "a.csv", CAFES, encoding)
    assert read(path).texts == read(write(tmp_path / "b.csv", CAFES, "utf-8")).texts
    packed = tmp_path / "c.csv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read(packed).labels == ("x", "y") * 3
    assert not recwarn


@pytest.mark.parametrize(
    "raw",
    [
        "text,label\nдобрый день,x\n".encode("cp1251"),  # too many odd bytes for a Western text
        "text,label\ncafé,x\n".encode() + b"caf\xe9 and much more of it,x\n",  # UTF-8, and one bad byte
        b"text,label\nthis is a bad byte \x81 here,x\n",
    ],
)
def test_what_is_neither_is_refused_with_its_line(tmp_path, raw):
    path = tmp_path / "a.csv"
    path.write_bytes(raw)
    with pytest.raises(ValueError, match=r"a\.csv, line [23]: not valid UTF-8"):
        read(path)


def test_an_encoding_that_is_named_wins(tmp_path):
    path = write(tmp_path / "a.csv", "text,label\nдобрый день,x\n", "cp1251")
    assert read(path, encoding="windows-1251").texts == ("добрый день",)
    with pytest.raises(ValueError, match=r"b\.csv, after line 0: not valid utf-16"):
        read(write(tmp_path / "b.csv", "text,label\nä,x\n", "latin-1"), encoding="utf-16")
    for kind in ("pos", "neg"):
        (tmp_path / "folder" / kind).mkdir(parents=True)
        write(tmp_path / "folder" / kind / "1.txt", "café", "latin-1")
    assert read(tmp_path / "folder", encoding="latin-1").texts == ("café", "café")


@pytest.mark.parametrize("given", [{"encoding": "klingon"}, {"encoding": "base64"}, {"sep": ""}, {"sep": '"'}])
def test_what_is_no_format(given):
    with pytest.raises(ValueError, match=r"^(sep|encoding)='"):
        FileFormat(**given)


def write(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators_are_detected(tmp_path, name, separator):
    rows = [("text", "label"), ("so, good; they|say\n", "pos"), ("bad", "neg"), ('"so" what', "neg")]
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=separator).writerows(rows)
    corpus = read(write(tmp_path / name, buffer.getvalue()))
    assert corpus.texts == tuple(text for text, _ in rows[1:])
    assert corpus.labels == ("pos", "neg", "neg")


def test_a_separator_that_is_named_wins(tmp_path):
    path = write(tmp_path / "a.csv", "text;x,label\na;b,c\nd;e,f\n")
    assert read(path, text_col="text;x").texts == ("a;b", "d;e")
    assert read(path, sep=";").texts == ("a", "d")
    assert read(write(tmp_path / "a.txt", "text\tlabel\na\tb\n"), sep="tab").labels == ("b",)
    with pytest.raises(ValueError, match="sep='::' must be one character"):
        read(path, sep="::")


def test_one_column_with_commas_is_not_taken_apart(tmp_path):
    path = write(tmp_path / "a.csv", "text\none; two\nthree\nfour\n")
    assert read(path).texts == ("one; two", "three", "four")


def test_quotes_between_tabs_are_literal(tmp_path):
    path = write(tmp_path / "a.tsv", 'text\tlabel\n"Great" he said\tpos\n"never closed\tneg\n5" disk\tpos\n')
    assert read(path).texts == ('"Great" he said', '"never closed', '5" disk')
    path = write(tmp_path / "b.tsv", "text\tlabel\n" + "a\tx\n" * SAMPLED + '"open\ty\n')
    assert read(path).texts[-1] == '"open'


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text("ab\"',;| ", min_size=1, max_size=8), min_size=2, max_size=8))
def test_fields_without_tabs_written_as_they_are(tmp_path_factory, texts):
    """Only where every quote looks like one of csv, twice in a field, may it be taken for one."""
    path = tmp_path_factory.mktemp("t") / "a.tsv"
    corpus = read(write(path, "text\tlabel\n" + "".join(f"{text}\tx\n" for text in texts)))
    assert len(corpus) == len(texts)
    if not any('""' in text for text in texts):
        assert corpus.texts == tuple(texts)


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("0,1467,so sad\n4,1468,so glad\n0,1469,not again\n", False),  # numbers above numbers
        ("ham,ham,a b c\nspam,ham,d e f\nham,spam,g h i\n", False),  # a name twice
        (",0,1\n0,a b,1\n1,c d,0\n2,e f,1\n", True),  # pandas without names of columns
        ("q1,q2\na b,x\nc d,x\ne f,y\ng h,y\n", True),
        ("2019,2020\na b,x\nc d,x\ne f,y\n", True),
    ],
)
@pytest.mark.filterwarnings("ignore:.*no header row")
def test_what_is_a_header(tmp_path, text, header):
    assert len(read(write(tmp_path / "a.csv", text), labelled=False)) == text.count("\n") - header


def test_a_header_repeated_in_the_middle_makes_no_document_of_the_first(tmp_path):
    path = write(tmp_path / "a.csv", "q,a\nb c,x\nd e,y\nq,a\nf g,x\n")
    with pytest.warns(UserWarning, match="no header row"):
        assert len(read(path, text_col=None, labelled=False)) == 5
    assert len(read(path, text_col="q")) == 4

"""Encodings of files of texts: detected, named, refused."""

import gzip

import pytest

from laconic.data import read
from laconic.data.files.file_format import FileFormat


def write(path, text, encoding):
    path.write_bytes(text.encode(encoding))
    return path


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

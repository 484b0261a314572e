"""The doors: which source goes where, streams in constant memory, missing things."""

import gzip
import io
import json
import lzma
import random
import subprocess
import sys
import tracemalloc
from functools import partial
from pathlib import Path

import pytest
import zstandard

from laconic.data import Corpus, Document, read, stream
from laconic.data.files.readers import columns_of, peek
from laconic.data.files.table import Columns

COMPRESS = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstandard.ZstdCompressor().compress}
CONTENT = {
    ".jsonl": b'{"text": "a b", "label": "x"}\n{"text": "c", "label": "y"}\n',
    ".ndjson": b'{"text": "a b", "label": "x"}\n{"text": "c", "label": "y"}\n',
    ".json": b'[{"text": "a b", "label": "x"}, {"text": "c", "label": "y"}]',
    ".csv": b"text,label\na b,x\nc,y\n",
    ".tsv": b"text\tlabel\na b\tx\nc\ty\n",
}


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize("suffix", CONTENT)
def test_every_format_and_compression(tmp_path, suffix, compression):
    path = tmp_path / f"part.one{suffix}{compression}"
    path.write_bytes(COMPRESS[compression](CONTENT[suffix]))
    expected = [Document("1", "a b", "x"), Document("2", "c", "y")]
    assert list(read(path)) == expected
    assert list(stream(str(path), labelled=True)) == expected
    assert [document.label for document in stream(path, labelled=False)] == [None, None]


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".txt"])
@pytest.mark.parametrize("compression", [".gz", ".xz"])
def test_truncated_files_are_never_shorter_corpora(tmp_path, suffix, compression):
    lines = {
        ".jsonl": [json.dumps({"text": f"t{i}", "label": i % 2}) for i in range(5000)],
        ".csv": ["text,label", *(f"t{i},{i % 2}" for i in range(5000))],
        ".txt": [f"t{i}" for i in range(5000)],
    }[suffix]
    path = tmp_path / f"r{suffix}{compression}"
    path.write_bytes(COMPRESS[compression]("\n".join(lines).encode())[:-30])
    with pytest.raises(ValueError, match=f"r{suffix}{compression} is truncated or damaged"):
        read(path)


def test_missing_file():
    for door in (read, stream):
        with pytest.raises(FileNotFoundError, match=r"no file or folder 'no/such\.jsonl'"):
            door("no/such.jsonl")


@pytest.mark.parametrize("name", ["a.docx", "a", "a.gz", "a.docx.gz", "a.parquet.gz"])
def test_unknown_suffix(tmp_path, name):
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(ValueError, match=r"cannot tell the format of .* from its suffix; allowed are \.jsonl.*\.csv"):
        read(tmp_path / name)


@pytest.mark.parametrize("source", [3, None, b"bytes", {"text": "a"}])
def test_unknown_source(source):
    with pytest.raises(TypeError, match="cannot read documents from a"):
        read(source)


def test_corpus_as_source():
    corpus = Corpus.from_lists(["a"], ["x"], name="n")
    assert read(corpus) == corpus
    assert read(corpus, name="m").name == "m"
    assert read(corpus, labelled=False).labels is None
    assert list(stream(corpus)) == list(corpus)
    with pytest.raises(ValueError, match="the corpus 'n' has no labels"):
        read(read(corpus, labelled=False), labelled=True)


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CONTENT[".jsonl"])))
    assert [document.text for document in stream("-")] == ["a b", "c"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"text": "a"}\n{"text')))
    with pytest.raises(ValueError, match="standard input, line 2: malformed JSON"):
        read("-")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(ValueError, match="standard input has no documents"):
        stream("-")


def test_stream_checks_columns_at_once(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("text,label\na,x\n")
    with pytest.raises(ValueError, match="has no column 'nope'"):
        stream(path, text_col="nope")


def test_stream_asks_for_labels_line_by_line(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text('{"text": "a", "label": 1}\n{"id": "k", "text": "b", "label": null}\n')
    documents = stream(path, labelled=True)
    assert next(documents).label == 1
    with pytest.raises(ValueError, match=r"r\.jsonl, line 2: document '2' has no label"):
        next(documents)


def test_labels_missing_in_a_file_say_where(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text('{"text": "a", "label": 1}\n\n{"text": "b", "label": NaN}\n{"text": "c"}\n')
    with pytest.raises(
        ValueError, match=r"2 of 3 documents have no label.*ids '3', '4'; the first is at .*r\.jsonl, line 3"
    ):
        read(path)


@pytest.mark.parametrize("name", ["r.jsonl", "r.csv", "r.txt", "r.jsonl.gz", "r.csv.xz", "r.txt.zst"])
def test_constant_memory(tmp_path, name):
    rng = random.Random(0)
    rows = [f"{rng.getrandbits(1600):x}" for _ in range(20_000)]
    kind, *compression = name.split(".")[1:]
    lines = {
        "jsonl": [json.dumps({"text": row, "label": "x"}) for row in rows],
        "csv": ["text,label", *(f"{row},x" for row in rows)],
        "txt": rows,
    }[kind]
    compress = (
        partial(lzma.compress, preset=0) if compression == ["xz"] else COMPRESS["".join("." + c for c in compression)]
    )
    path = tmp_path / name
    path.write_bytes(compress("\n".join(lines).encode()))
    del rows, lines
    tracemalloc.start()
    count = sum(1 for _ in stream(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 2e6  # the text itself is 8 MB


def test_nothing_heavy_is_imported(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_bytes(CONTENT[".jsonl"])
    heavy = ("scipy", "sklearn", "numba", "pandas", "polars", "pyarrow", "zstandard")
    code = (
        "import sys, laconic.data as d; c = d.read(sys.argv[1]); assert len(c) == 2; "
        f"print([m for m in {heavy!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_path_name(tmp_path):
    path = tmp_path / "reviews.csv"
    path.write_bytes(CONTENT[".csv"])
    assert read(Path(path)).name == "reviews.csv"
    assert read(path, name="mine").name == "mine"


def test_columns_come_with_a_guess(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,body,label\n1,some words,x\n2,other words,y\n", encoding="utf-8")
    assert peek(path) == (("id", "body", "label"), Columns("body", "label", "id"))


def test_an_unclear_label_stays_open(tmp_path):
    path = tmp_path / "a.csv"
    rows = [f"text number {i} is here,{'ab'[i % 2]},{'cd'[i % 2]}" for i in range(8)]
    path.write_text("text,one,two\n" + "\n".join(rows), encoding="utf-8")
    assert peek(path) == (("text", "one", "two"), Columns("text", None, None))
    assert peek(path, ["text"])[1] == Columns("text", None, None)
    assert peek(path, ["text"], "two")[1] == Columns("text", "two", None)
    assert peek(path, ["text", "one"])[1] == Columns("text", "two", None)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file or folder"):
        peek(tmp_path / "none.csv")


NO_HEADER = "I love it,happy\nIt is dull,sad\nSo warm,happy\nNot again,sad\nWhat a day,happy\n"


def test_a_first_row_that_is_a_document_is_no_header(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(NO_HEADER, encoding="utf-8")
    with pytest.warns(UserWarning, match=r"a\.csv seems to have no header row"):
        assert peek(path)[1] == Columns("column 1", "column 2", None)
    with pytest.warns(UserWarning, match="no header row"):
        assert columns_of(path) == ("column 1", "column 2")
    assert peek(path, ["I love it"], "happy")[1] == Columns("I love it", "happy", None)  # what is named is believed
    assert peek(path, ["column 1"])[1] == Columns("column 1", "column 2", None)
    path.write_text("story,mood\n" + NO_HEADER, encoding="utf-8")
    assert peek(path)[1] == Columns("story", "mood", None)
    path.write_text("text,happy\n" + NO_HEADER, encoding="utf-8")
    assert peek(path)[1] == Columns("text", "happy", None)  # a usual name: a header

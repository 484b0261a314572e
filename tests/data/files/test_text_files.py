"""JSON lines, JSON arrays, csv, tsv, lines and folders, through `read`."""

import csv
import io
import json
import os
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.data import Document, read, stream
from laconic.data.files import lines, text_files

any_text = st.text(st.characters(codec="utf-8"), max_size=30)


def write(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


# JSON lines


def test_jsonl(tmp_path):
    path = write(
        tmp_path / "r.jsonl",
        '\ufeff{"id": 7, "text": "a", "label": "x", "sentences": ["a"], "tree": "(1 a)"}\n\n'
        '{"id": "k", "text": "", "label": "y", "sentences": [], "tree": "(0 )"}\r\n',
    )
    corpus = read(path)
    assert list(corpus) == [Document("7", "a", "x", ("a",), "(1 a)"), Document("k", "", "y", (), "(0 )")]
    assert corpus.name == "r.jsonl"
    assert corpus.describe()["empty_documents"] == 1


def test_jsonl_without_ids_counts_lines(tmp_path):
    path = write(tmp_path / "r.jsonl", '{"text": "a"}\n\n{"text": "b"}\n')
    assert read(path).ids == ("1", "3")


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("[0, 1]", (0, 1)),
        ("[true, false]", (True, False)),
        ("[1.0, 2.0]", (1, 2)),
        ('["a", 1]', ("a", "1")),
        ('[["a", "b"], ["b"]]', (("a", "b"), ("b",))),
    ],
)
def test_jsonl_label_types(tmp_path, labels, expected):
    rows = [json.dumps({"text": "t", "label": label}) for label in json.loads(labels)]
    got = read(write(tmp_path / "r.jsonl", "\n".join(rows))).labels
    assert got == expected
    assert [type(label) for label in got] == [type(label) for label in expected]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "b", ', r"r\.jsonl, line 3: malformed JSON \(.*\): '\{\"text\": \"b\",'"),
        ("not json", r"line 3: malformed JSON .*'not json'"),
        ('{"text": "b', r"line 3: malformed JSON \([A-Za-z ]+(?<! at) at column \d+\)"),
        ('["b"]', r"line 3: expected a JSON object .*got a list"),
        ("[" * 100_000, "line 3: JSON that cannot be read"),
        ('{"text": ' + "1" * 5000 + "}", "line 3: JSON that cannot be read"),
        ('{"text": null}', r"line 3: the text \(column 'text'\) is None"),
        ('{"text": 12}', r"line 3: the text \(column 'text'\) is 12 of type int, not a string"),
        ('{"other": "x"}', r"line 3: the text \(column 'text'\) is None"),
        ('{"text": "b", "label": 0.5}', "line 3: the label 0.5 is a fraction"),
    ],
)
def test_jsonl_bad_line(tmp_path, line, message):
    path = write(tmp_path / "r.jsonl", '{"text": "a", "label": "x"}\n\n' + line + "\n")
    with pytest.raises(ValueError, match=message):
        read(path)


def test_jsonl_number_as_text_in_the_first_line(tmp_path):
    with pytest.raises(ValueError, match=r"line 1: the text \(column 'text'\) is 5"):
        read(write(tmp_path / "r.jsonl", '{"text": 5, "label": "a"}\n'))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(any_text, st.sampled_from([0, 1])), min_size=1, max_size=8))
def test_jsonl_round_trip(tmp_path_factory, rows):
    text = "".join(json.dumps({"text": t, "label": y}, ensure_ascii=False) + "\n" for t, y in rows)
    corpus = read(write(tmp_path_factory.mktemp("j") / "r.jsonl", text))
    assert corpus.texts == tuple(t for t, _ in rows)
    assert corpus.labels == tuple(y for _, y in rows)


# JSON arrays


def test_json_array(tmp_path):
    path = write(tmp_path / "r.json", '\n[\n{"text": "a", "label": 1},\n{"text": "b", "label": 2}]\n')
    assert (read(path).texts, read(path).labels) == (("a", "b"), (1, 2))
    assert read(write(tmp_path / "s.json", '["a", "b"]')).texts == ("a", "b")


def test_json_lines_in_a_json_file(tmp_path):
    assert read(write(tmp_path / "r.json", '\n{"text": "a"}\n{"text": "b"}\n')).ids == ("2", "3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"text": "a"},\n{"text": ]', r"r\.json, line 2: malformed JSON"),
        ("[1]", "item 1 is of type int; items must be all strings or all dicts"),
        ("[]", "has no documents"),
        ("\n \n", "has no documents"),
    ],
)
def test_bad_json_array(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        read(write(tmp_path / "r.json", text))


# csv and tsv


def test_csv(tmp_path):
    path = write(tmp_path / "r.csv", '\ufefftext, label \r\n"two\nlines, ""quoted""",1\r\n\r\nplain,01\r\n')
    corpus = read(path)
    assert corpus.texts == ('two\nlines, "quoted"', "plain")
    assert corpus.labels == ("1", "01")
    assert corpus.ids == ("1", "2")


def test_tsv(tmp_path):
    corpus = read(write(tmp_path / "r.TSV", "review\tclass\nso, good\tpos\nbad\tneg\n"))
    assert (corpus.texts, corpus.labels) == (("so, good", "bad"), ("pos", "neg"))


def test_csv_written_with_a_nameless_index(tmp_path):
    assert read(write(tmp_path / "r.csv", ",text,label\n0,a b,x\n1,c,y\n")).texts == ("a b", "c")


def test_csv_long_field(tmp_path):
    assert len(read(write(tmp_path / "r.csv", f"text,label\n{'word ' * 60_000},x\n")).texts[0]) == 300_000


def test_csv_wrong_column_lists_the_columns(tmp_path):
    path = write(tmp_path / "r.csv", "words,kind\na,b\n")
    for option in ("text_col", "label_col", "id_col"):
        with pytest.raises(ValueError, match=r"r\.csv has no column 'nope'; its columns are 'words', 'kind'"):
            read(path, **{option: "nope"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; a header row"),
        ("text,label\n", "has no documents"),
        ("text,text\na,b\n", "has the column 'text' twice"),
        ('text,label\n"a\nb",x\nc\n', "line 4: 1 fields, but the first row has 2"),
        ("text,label\na,x,y\n", "line 2: 3 fields, but the first row has 2"),
        ('text,label\na,x\n"never closed,y\n', "line 3: malformed csv"),
        ('text,label\n"a"b,x\n', "line 2: malformed csv"),
        (
            "text,label\na,x\nb,\nc,\n",
            r"2 of 3 documents have no label.*ids '2', '3'; the first is at .*r\.csv, line 3",
        ),
    ],
)
def test_bad_csv(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        read(write(tmp_path / "r.csv", text))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(any_text, st.text(string.ascii_letters, min_size=1, max_size=3)), min_size=1, max_size=8),
    st.sampled_from([("csv", ","), ("tsv", "\t")]),
)
def test_csv_round_trip(tmp_path_factory, rows, form):
    suffix, delimiter = form
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([("text", "label"), *rows])
    corpus = read(write(tmp_path_factory.mktemp("c") / f"r.{suffix}", buffer.getvalue()))
    assert corpus.texts == tuple(t for t, _ in rows)
    assert corpus.labels == tuple(y for _, y in rows)


# one document per line


def test_lines(tmp_path):
    corpus = read(write(tmp_path / "r.txt", "first one\r\n\nthird"))
    assert (corpus.texts, corpus.ids, corpus.labels) == (("first one", "", "third"), ("1", "2", "3"), None)
    with pytest.raises(ValueError, match=r"r\.txt has no labels, only text"):
        read(tmp_path / "r.txt", labelled=True)
    with pytest.raises(ValueError, match="has no documents"):
        read(write(tmp_path / "empty.txt", ""))


# folders


def test_folder(tmp_path):
    for name, text in {"pos/2.txt": "b\n", "pos/1": "a", "neg/x.txt": "\ufeffc", "pos/.hidden": "no"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write(tmp_path / name, text)
    (tmp_path / ".git").mkdir()
    write(tmp_path / "README", "ignored")
    assert list(stream(tmp_path)) == [
        Document("neg/x.txt", "c", "neg"),
        Document("pos/1", "a", "pos"),
        Document("pos/2.txt", "b\n", "pos"),
    ]
    assert read(tmp_path, labelled=False).labels is None
    assert read(str(tmp_path)).name == tmp_path.name


def test_bad_folders(tmp_path):
    write(tmp_path / "a.txt", "text")
    with pytest.raises(ValueError, match="has no sub-folders; one sub-folder per class"):
        read(tmp_path)
    (tmp_path / "pos").mkdir()
    with pytest.raises(ValueError, match="has no documents"):
        read(tmp_path)
    write(tmp_path / "pos" / "1.txt", "one\ntwo\ncafé", "latin-1")
    with pytest.raises(ValueError, match=r"1\.txt, line 3: not valid UTF-8"):
        read(tmp_path)
    (tmp_path / "pos" / "deeper").mkdir()
    with pytest.raises(ValueError, match="holds the folder 'deeper'"):
        read(tmp_path)


# Labels with blanks, files without a header, old line ends, csv as standard input


def test_csv_labels_lose_their_blanks(tmp_path):
    path = write(tmp_path / "a.csv", "text,label\na b,pos \nc d, pos\ne,neg\n")
    assert read(path).class_counts() == {"neg": 1, "pos": 2}
    assert [document.label for document in stream(path)] == ["pos", "pos", "neg"]


def test_read_warns_of_labels_that_differ_only_in_case(tmp_path):
    path = write(tmp_path / "a.csv", "text,label\na,pos\nb,Pos\n")
    with pytest.warns(UserWarning, match=r"^a\.csv: labels differ only in case: 'Pos' and 'pos'") as caught:
        read(path)
    assert caught[0].filename == __file__


NO_HEADER = "neg,a dull film\npos,a fine film\nneg,so very long\npos,warm and kind\nneg,not again\n"


@pytest.mark.parametrize("labelled", [None, True, False])
def test_csv_without_a_header(tmp_path, labelled):
    path = write(tmp_path / "a.csv", NO_HEADER)
    with pytest.warns(UserWarning, match=r"a\.csv seems to have no header row.*called 'column 1', 'column 2'"):
        corpus = read(path, labelled=labelled)
    assert (corpus.texts[0], corpus.ids) == ("a dull film", tuple("12345"))
    assert corpus.labels == (None if labelled is False else ("neg", "pos", "neg", "pos", "neg"))
    streamed = stream(path, text_col="column 2", label_col="column 1", labelled=True)
    assert list(streamed) == list(read(path, header=False))


def test_csv_whose_only_text_comes_again(tmp_path):
    path = write(tmp_path / "a.csv", "good film\nbad film\ngood film\n")
    with pytest.warns(UserWarning, match="no header row"):
        assert read(path).texts == ("good film", "bad film", "good film")


def test_columns_that_are_named_or_known_by_name_are_believed(tmp_path):
    path = write(tmp_path / "a.csv", NO_HEADER)
    assert len(read(path, text_col="a dull film", label_col="neg")) == 4
    path = write(tmp_path / "b.csv", NO_HEADER.replace("neg,a dull film", "neg,text", 1))
    assert read(path).class_counts() == {"neg": 2, "pos": 2}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "text,label\ra,x\rb,y\r"),
        ("a.txt", "one\rtwo\r"),
        ("a.jsonl", '{"text": "a"}\r{"text": "b"}\r'),
    ],
)
def test_line_ends_of_old_macs(tmp_path, name, content):
    with pytest.raises(ValueError, match=rf"{name}.*: lines end in a carriage return alone.*tr '\\r' '\\n'$"):
        read(write(tmp_path / name, content))


def test_csv_as_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"text,label\na,x\n")))
    with pytest.raises(
        ValueError, match=r"^standard input, line 1: malformed JSON.*; standard input is read as JSON lines$"
    ):
        read("-")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.jsonl",
            '{"text": "a"}\n{"text": "b", "label": 1, "label": 2}\n',
            r"line 2: .*the name 'label' occurs twice",
        ),
        ("a.json", '[{"text": "a", "text": "b"}]', r"a\.json: .*the name 'text' occurs twice"),
        ("a.jsonl", '{"text": ' * 100_000, r"line 1: .*brackets are nested too deep"),
        ("a.json", "[" * 100_000, r"a\.json: .*brackets are nested too deep"),
        (
            "a.csv",
            ",".join(f"c{i}" for i in range(100_001)) + "\n",
            r"a\.csv has 100001 columns; at most 100000 are read",
        ),
    ],
)
def test_what_would_be_silent_or_without_an_end_is_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message) as error:
        read(tmp_path / name)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.txt", "a.parquet", "a.jsonl.gz"])
def test_pipes_are_refused(tmp_path, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(ValueError, match=f"{name} is a pipe; a regular file is needed"):
        read(tmp_path / name)


def test_a_folder_of_documents_takes_regular_files_of_a_limited_length(tmp_path, monkeypatch):
    (tmp_path / "pos").mkdir()
    (tmp_path / "pos" / "1.txt").write_text("a" * 2_000_000)
    assert len(read(tmp_path).texts[0]) == 2_000_000
    monkeypatch.setattr(text_files, "LONGEST_LINE", 1 << 20)
    with pytest.raises(ValueError, match=r"1\.txt holds more than 1 MiB"):
        read(tmp_path)
    os.mkfifo(tmp_path / "pos" / "0.txt")
    with pytest.raises(ValueError, match=r"0\.txt is a pipe"):
        read(tmp_path)


def test_a_json_array_on_one_line_may_be_longer_than_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "LONGEST_LINE", 1000)
    (tmp_path / "a.json").write_text(" \n" * 70_000 + json.dumps(["a" * 900] * 3))
    assert len(read(tmp_path / "a.json")) == 3

"""Lists, frames, datasets and parquet.

Excel workbooks are read as csv files with the same cells are.
"""

import csv
import sys
import zipfile

import numpy as np
import pandas as pd
import polars as pl
import pytest

from laconic.data import Document, read, stream
from laconic.data.files import items

ROWS = [
    {"id": "u", "text": "a b", "label": "x", "sentences": ["a", "b"], "tree": "(1 a)"},
    {"id": "v", "text": "c", "label": "y", "sentences": ["c"], "tree": "(0 c)"},
]
DOCUMENTS = [Document("u", "a b", "x", ("a", "b"), "(1 a)"), Document("v", "c", "y", ("c",), "(0 c)")]


class FakeDataset:
    """The part of a Hugging Face dataset that is used."""

    def __init__(self, rows, column_names):
        self.rows, self.column_names = rows, column_names

    def __iter__(self):
        return iter(self.rows)


@pytest.fixture
def parquet(tmp_path):
    pl.DataFrame(ROWS).write_parquet(tmp_path / "r.parquet")
    return tmp_path / "r.parquet"


@pytest.mark.parametrize(
    "source",
    [
        ROWS,
        tuple(ROWS),
        (row for row in ROWS),
        pd.DataFrame(ROWS),
        pd.DataFrame(ROWS, index=[5, 5]),
        pd.DataFrame(ROWS).astype({"label": "category"}),
        pl.DataFrame(ROWS),
        FakeDataset(ROWS, list(ROWS[0])),
        FakeDataset(ROWS, None),
    ],
    ids=["list", "tuple", "generator", "pandas", "pandas-index", "pandas-category", "polars", "dataset", "no-columns"],
)
def test_same_documents(source):
    assert list(read(source)) == DOCUMENTS


def test_parquet(parquet):
    assert list(read(parquet)) == DOCUMENTS
    assert list(stream(parquet)) == DOCUMENTS
    assert read(parquet).name == "r.parquet"


def test_damaged_parquet(parquet):
    parquet.write_bytes(parquet.read_bytes()[:-20])
    with pytest.raises(ValueError, match=r"r\.parquet is not a parquet file, or truncated or damaged"):
        read(parquet)


def test_parquet_without_pyarrow(parquet, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match=r"needs the package pyarrow: pip install pyarrow"):
        read(parquet)


@pytest.mark.parametrize(
    "strings",
    [["a", "b"], np.array(["a", "b"]), pd.Series(["a", "b"]), iter(["a", "b"])],
    ids=lambda strings: type(strings).__name__,
)
def test_strings(strings):
    assert list(read(strings)) == [Document("1", "a"), Document("2", "b")]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frame_gaps(frame):
    rows = {"text": ["a", "b", "c"], "label": [1, None, None]}
    with pytest.raises(ValueError, match=r"2 of 3 documents have no label.*ids '2', '3'; .* the frame, row 2"):
        read(frame(rows))
    with pytest.raises(ValueError, match=r"the frame, row 2: the text \(column 'text'\) is None"):
        read(frame({"text": ["a", None]}))
    whole = read(frame({"text": ["a", "b"], "label": [1.0, 2.0]}))
    assert whole.labels == (1, 2)


def test_pandas_columns_that_are_numbers_or_twice():
    assert read(pd.DataFrame([["some text", "x"]]), text_col="0", label_col="1").labels == ("x",)
    with pytest.raises(ValueError, match="the frame has the column 'a' twice"):
        read(pd.DataFrame([["u", "v"]], columns=["a", "a"]))


def test_dataset_with_splits():
    with pytest.raises(ValueError, match=r"has the splits 'train', 'test'; pass one of them, e.g. dataset\['train'\]"):
        read(FakeDataset([], {"train": ["text"], "test": ["text"]}))


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([], "the list has no documents"),
        ([3], "item 1 is of type int"),
        (["a", {"text": "b"}], "item 2 is of type dict; items must be all strings or all dicts"),
        ([{"text": "a"}, None], "item 2 is of type NoneType"),
        (pd.DataFrame({"text": []}), "the frame has no documents"),
    ],
)
def test_bad_items(items, message):
    with pytest.raises(ValueError, match=message):
        read(items)


def test_two_columns_of_one_name_in_a_parquet_file_are_refused(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = [pyarrow.array(["a"]), pyarrow.array(["b"]), pyarrow.array(["c"])]
    table = pyarrow.Table.from_arrays(columns, names=["text", "label", "text"])
    parquet.write_table(table, tmp_path / "r.parquet")
    with pytest.raises(ValueError, match=r"r\.parquet has the column 'text' twice; columns must differ"):
        read(tmp_path / "r.parquet")


CELLS = [
    ("id", "text", "label"),
    ("a", 'Warm; "and" funny,\nwith two lines.', 5.0),
    ("b", "=4+1", 2),
    (None, None, None),
    ("c", "Dull. Überlang", 2),
]


@pytest.fixture(name="book")
def make_book(tmp_path):
    """Return a workbook with the rows, after which a second sheet comes."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in CELLS:
        book.active.append(row)
    book.active["B3"].data_type = "s"
    book.create_sheet("notes").append(["nothing", "of", "interest"])
    book.save(tmp_path / "reviews.xlsx")
    return tmp_path / "reviews.xlsx"


def test_the_first_sheet_gives_what_a_csv_with_its_cells_does(book, tmp_path):
    with (tmp_path / "reviews.csv").open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([("" if cell is None else cell for cell in row) for row in CELLS if any(row)])
    with pytest.warns(UserWarning, match=r"has 2 sheets; the first, 'Sheet', is read"):
        read_book = read(book)
    expected = read(tmp_path / "reviews.csv")
    assert read_book.texts == expected.texts
    assert read_book.ids == expected.ids
    assert read_book.labels == ("5", "2", "2")  # of which a csv keeps the 5.0 of Python
    with pytest.warns(UserWarning, match="2 sheets"):
        assert [document.text for document in stream(book)] == list(expected.texts)


@pytest.mark.filterwarnings("ignore:.*has 2 sheets")
def test_rows_are_named_where_a_label_is_missing_and_a_header_may_be_denied(book):
    openpyxl = pytest.importorskip("openpyxl")
    changed = openpyxl.load_workbook(book)
    changed.active.append(("d", "no label", None))
    changed.save(book)
    with pytest.raises(ValueError, match=r"the first is at .*reviews\.xlsx, row 6"):
        read(book, labelled=True)
    assert len(read(book, header=False, text_col="column 2")) == 5


@pytest.mark.filterwarnings("ignore:.*has 2 sheets")
def test_damaged_workbooks_are_refused(book, monkeypatch):
    whole = book.read_bytes()
    with zipfile.ZipFile(book) as parts:
        inside = {name: parts.read(name) for name in parts.namelist()}
    with zipfile.ZipFile(book, "w") as parts:
        for name, content in inside.items():
            parts.writestr(name, content[:-30] if "sheet1" in name else content)
    with pytest.raises(ValueError, match="not an Excel workbook"):
        read(book)
    for content in (whole[:-40], whole[40:90], b""):
        book.write_bytes(content)
        with pytest.raises(ValueError, match=r"reviews\.xlsx is not an Excel workbook \(\.xlsx\), or damaged"):
            read(book)
    book.write_bytes(whole)
    monkeypatch.setattr(items, "LARGEST_WHOLE", 1000)
    with pytest.raises(ValueError, match="unpacked; save it as a csv file"):
        read(book)


def test_without_openpyxl_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    (tmp_path / "r.xlsx").write_bytes(b"")
    with pytest.raises(ImportError, match=r"pip install openpyxl"):
        read(tmp_path / "r.xlsx")

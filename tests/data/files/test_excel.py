"""Excel workbooks are read as csv files with the same cells are."""

import csv
import sys
import zipfile

import pytest

from laconic.data import read, stream
from laconic.data.files import excel

ROWS = [
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
    for row in ROWS:
        book.active.append(row)
    book.active["B3"].data_type = "s"
    book.create_sheet("notes").append(["nothing", "of", "interest"])
    book.save(tmp_path / "reviews.xlsx")
    return tmp_path / "reviews.xlsx"


def test_the_first_sheet_gives_what_a_csv_with_its_cells_does(book, tmp_path):
    with (tmp_path / "reviews.csv").open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([("" if cell is None else cell for cell in row) for row in ROWS if any(row)])
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
    monkeypatch.setattr(excel, "LARGEST_WHOLE", 1000)
    with pytest.raises(ValueError, match="unpacked; save it as a csv file"):
        read(book)


def test_without_openpyxl_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    (tmp_path / "r.xlsx").write_bytes(b"")
    with pytest.raises(ImportError, match=r"pip install openpyxl"):
        read(tmp_path / "r.xlsx")

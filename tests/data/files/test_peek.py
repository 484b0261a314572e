import pytest

from laconic.data.files.columns import Columns
from laconic.data.files.peek import columns_of, peek


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

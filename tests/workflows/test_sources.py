import pytest

from laconic.workflows.sources import Reading, find_columns, known_splits, stem


def test_a_file_wins_over_a_known_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LACONIC_DATA", str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError, match="official release"):
        known_splits("movie", None)
    (tmp_path / "movie").mkdir()
    assert known_splits("movie", None) is None
    assert known_splits("-", None) is None


@pytest.mark.parametrize(
    ("source", "name"), [("a/b.c.gz", "b"), ("mails/", "mails"), ("20ng/science", "science"), ("-", "stdin")]
)
def test_stem(source, name):
    assert stem(source) == name


def test_what_is_given_stays(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("text,title,label,kind\na text,b,x,y\n", encoding="utf-8")
    assert find_columns(str(path), Reading()) == Reading(("text",), "label")
    assert find_columns(str(path), Reading(("title",), "kind", "text")) == Reading(("title",), "kind", "text")
    assert find_columns("-", Reading()) == Reading()
    assert find_columns(str(tmp_path), Reading(("text",))) == Reading(("text",))


def test_without_a_person_an_unclear_text_is_an_error(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("one,two,label\n1,2,x\n", encoding="utf-8")
    # both columns hold strings of the same length
    with pytest.raises(ValueError, match=r"which column of .* is the text; its columns are 'one', 'two', 'label'"):
        find_columns(str(path), Reading())

"""The page of the EMNLP 2011 paper from a small planted task, and the rows it is made of."""

import json

import pytest
from tests.cli.test_tag import column_file

from laconic.reproduce import emnlp2011, emnlp2011_numbers
from laconic.structured.named_sets import resolve_templates
from laconic.structured.settings import Settings


@pytest.mark.parametrize("data", emnlp2011_numbers.PUBLISHED)
def test_every_row_can_be_run_and_every_number_of_the_paper_has_a_row(data):
    rows = {**emnlp2011_numbers.PUBLISHED[data], **emnlp2011_numbers.OURS[data]}
    for settings in rows.values():
        options = dict(settings)
        assert resolve_templates(options.pop("templates"))
        Settings(**options)
    assert set(emnlp2011_numbers.PAPER[data]) <= set(emnlp2011_numbers.PUBLISHED[data])


@pytest.fixture
def small(tmp_path, monkeypatch):
    import lzma

    folder = tmp_path / "structured" / "conll2000"
    folder.mkdir(parents=True)
    for split, n in (("train", 60), ("test", 20)):
        text = column_file(tmp_path / split, n).read_bytes()
        (folder / f"{split}.conll.xz").write_bytes(lzma.compress(text))
    rows = {
        "MIRA": {"loss": "mira", "passes": 2, "templates": "minimal"},
        "B = 30": {"loss": "mira", "passes": 2, "budget": 2, "every": 20, "templates": "minimal"},
    }
    monkeypatch.setattr(emnlp2011, "PUBLISHED", {"conll2000": rows})
    monkeypatch.setattr(emnlp2011, "OURS", {"conll2000": {}})
    emnlp2011._splits.cache_clear()
    return tmp_path


def test_the_page_and_the_journal(small, monkeypatch):
    result = emnlp2011.run(small, small / "out", quick=True, jobs=1)
    assert [one.row for one in result.answers] == ["MIRA", "B = 30"]
    assert result.answers[1].templates == 2
    assert "93.10" in result.markdown()
    assert (small / "out" / "emnlp2011_memory.svg").read_text().startswith("<svg")
    assert "Table 1" in (small / "out" / "reproduction.md").read_text()
    journal = (small / "out" / "emnlp2011.jsonl").read_text().splitlines()
    assert len(journal) == 2
    assert json.loads(journal[0])["row"] == "MIRA"
    again = emnlp2011.run(small, small / "out", quick=True, jobs=1)
    assert again.answers == result.answers
    assert (small / "out" / "emnlp2011.jsonl").read_text().splitlines() == journal


def test_missing_data(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match="is missing"):
        emnlp2011.run(tmp_path, tmp_path / "out", quick=True, jobs=1)
    monkeypatch.delenv("LACONIC_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match="set LACONIC_DATA"):
        emnlp2011.run(None, tmp_path / "out", quick=True, jobs=1)

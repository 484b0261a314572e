"""The page of the EMNLP 2011 paper from a small planted task, the rows it is made of, and choices on dev alone."""

import json
import lzma

import pytest

from laconic.structured.settings import TaggerSettings
from laconic.structured.tagging.named_sets import resolve_templates
from papers import emnlp2011, emnlp2011_numbers
from papers.emnlp2011_fits import DEV, Fits, Job, splits
from papers.emnlp2011_numbers import Row
from tests.cli.test_tag import column_file


@pytest.mark.parametrize("data", emnlp2011_numbers.ROWS)
def test_every_row_can_be_run_and_every_number_of_the_paper_has_a_row(data):
    rows = emnlp2011_numbers.ROWS[data]
    for row in rows.values():
        for options in row.options():
            if "peer" in options:
                assert len(resolve_templates(options["templates"])) == 35
                continue
            assert resolve_templates(options.pop("templates"))
            assert options.pop("scheme", "iob2") in ("iob2", "bioes")
            TaggerSettings(**options)
    assert set(emnlp2011_numbers.PAPER[data]) <= set(rows)


@pytest.fixture
def small(tmp_path, monkeypatch):
    folder = tmp_path / "structured" / "conll2000"
    folder.mkdir(parents=True)
    for split, n in (("train", 60), ("test", 20)):
        text = column_file(tmp_path / split, n).read_bytes()
        (folder / f"{split}.conll.xz").write_bytes(lzma.compress(text))
    rows = {
        "MIRA": Row({"loss": "mira", "passes": 2, "templates": "minimal"}, [{"cap": None}, {"cap": 0.01}]),
        "B = 30": Row({"loss": "mira", "passes": 2, "budget": 2, "every": 20, "templates": "minimal"}),
    }
    monkeypatch.setattr(emnlp2011, "ROWS", {"conll2000": rows})
    splits.cache_clear()
    return tmp_path


def test_the_page_and_the_journal(small):
    result = emnlp2011.run(small, small / "out", quick=True, jobs=1)
    assert [line.name for line in result.lines] == ["MIRA", "B = 30"]
    assert result.lines[1].answers[0].templates == 2
    assert "93.10" in result.markdown()
    assert (small / "out" / "emnlp2011_memory.svg").read_text().startswith("<svg")
    page = (small / "out" / "reproduction.md").read_text()
    assert "Table 1" in page
    assert page.count("| cap ") == 2
    assert page.count("| yes ") == 1
    journal = (small / "out" / "emnlp2011.jsonl").read_text().splitlines()
    assert [json.loads(line)["split"] for line in journal] == ["dev", "dev", "test", "test"]
    again = emnlp2011.run(small, small / "out", quick=True, jobs=1)
    assert again.to_json() == result.to_json()
    assert (small / "out" / "emnlp2011.jsonl").read_text().splitlines() == journal
    (small / "out" / "emnlp2011.jsonl").write_text("\n".join(journal[1:]))  # a setting on dev is missing
    so_far = emnlp2011.run(small, small / "out", quick=True, jobs=1, so_far=True)
    assert [line.name for line in so_far.lines] == ["B = 30"]
    assert so_far.lines[0].answers == result.lines[1].answers


def test_the_choice_is_that_of_the_highest_dev_score_and_never_opens_test(small):
    (small / "structured" / "conll2000" / "test.conll.xz").unlink()
    fits = Fits(small / "structured", small / "journal.jsonl")
    good, bad = {"templates": ["word[0]", "word[-1]"]}, {"templates": ["word[3]"]}
    row = Row({"passes": 2}, [bad, good], orders=2)
    assert fits.choose("conll2000", row) == {"passes": 2, **good}
    scores = fits.dev_scores("conll2000", row)
    assert scores[1] > scores[0]
    assert len((small / "journal.jsonl").read_text().splitlines()) == 4


def test_every_tenth_sentence_is_held_out(small):
    folder = small / "structured" / "conll2000"
    (train, tags), (dev, dev_tags) = splits(folder, DEV, "iob2")
    (whole, _), _ = splits(folder, "test", "iob2")
    assert (len(train), len(dev)) == (54, 6) == (len(tags), len(dev_tags))
    assert dev[0] == whole[9]
    assert train[9] == whole[10]
    _, (other, _) = splits(folder, DEV, "iob2", 3)
    assert other[1] == whole[13]


def test_other_settings_are_other_jobs():
    one = {"templates": "minimal", "passes": 2}
    assert Job.of("a", DEV, one, 0) == Job.of("a", DEV, dict(reversed(one.items())), 0)
    assert Job.of("a", DEV, one, 0) != Job.of("a", DEV, {**one, "passes": 3}, 0)


def test_missing_data(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match="is missing"):
        emnlp2011.run(tmp_path, tmp_path / "out", quick=True, jobs=1)
    monkeypatch.delenv("LACONIC_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match="set LACONIC_DATA"):
        emnlp2011.run(None, tmp_path / "out", quick=True, jobs=1)


def test_crfsuite_is_measured_like_ours(small):
    pytest.importorskip("pycrfsuite")
    settings = {
        "peer": "crfsuite",
        "templates": ["word[0]", "word[-1..0]"],
        "algorithm": "lbfgs",
        "params": {"c1": 0.0, "c2": 0.1, "max_iterations": 30},
    }
    fits = Fits(small / "structured", small / "journal.jsonl")
    answer = fits.answers([Job.of("conll2000", DEV, settings, 0)])[0]
    assert answer.f1 > 80
    assert answer.templates == 2
    assert answer.weights > 10
    assert Fits(small / "structured", small / "journal.jsonl").known == {answer.job: answer}


def test_parsing_fills_figure_3_and_table_3(tmp_path, monkeypatch):
    import lzma

    from papers import emnlp2011_parsing
    from tests.structured.trees import as_conllu, planted_trees

    folder = tmp_path / "structured" / "conllx_danish_ddt"
    folder.mkdir(parents=True)
    for split, n in (("train", 40), ("test", 20)):
        (folder / f"{split}.conllu.xz").write_bytes(lzma.compress(as_conllu(*planted_trees(n)).encode()))
    short = {"passes": 1, "relations": False, "selection_passes": 1, "every": 20}
    lasso = {**short, "selection": "lasso", "refit": "frozen"}
    series = {
        emnlp2011_parsing.ALL: ({"passes": 1, "relations": False}, ()),
        "group lasso": (short, (10, 200)),
        "coarse to fine": ({**short, "selection": "coarse-to-fine"}, (10, 200)),
        "information gain": ({**short, "selection": "information-gain"}, (10, 200)),
        "lasso": (lasso, (100, 1000)),
    }
    monkeypatch.setattr(emnlp2011_parsing, "SERIES", series)
    monkeypatch.setattr(emnlp2011_parsing, "BUDGETS", (10, 200))
    emnlp2011_parsing._splits.cache_clear()
    result = emnlp2011.run(tmp_path, tmp_path / "out", quick=True, jobs=1, part="parsing")
    names = ["group lasso", "coarse to fine", "information gain"]
    budgets = [f"{name}, B = {budget}" for name in names for budget in (10, 200)]
    assert [one.row for one in result.parsing] == [emnlp2011_parsing.ALL, *budgets, "lasso, 100", "lasso, 1,000"]
    by_row = {one.row: one for one in result.parsing}
    assert [by_row[f"{name}, B = 10"].templates for name in names] == [10, 10, 10]
    assert all(10 < by_row[f"{name}, B = 200"].templates <= 200 for name in names)
    assert by_row["lasso, 100"].weights < by_row["lasso, 1,000"].weights < result.parsing[0].weights
    assert result.parsing[0].test > 90.0
    text = result.markdown()
    assert "Figure 3" in text
    assert "Table 3" in text
    assert "p = " in text
    assert (tmp_path / "out" / "emnlp2011_parsing.svg").read_text().startswith("<svg")
    journal = (tmp_path / "out" / "emnlp2011_parsing.jsonl").read_text()
    again = emnlp2011.run(tmp_path, tmp_path / "out", quick=True, jobs=1, part="parsing")
    assert again.parsing == result.parsing
    assert (tmp_path / "out" / "emnlp2011_parsing.jsonl").read_text() == journal


def test_every_row_of_parsing_can_be_run():
    from laconic.structured.settings import ParserSettings
    from papers.emnlp2011_parsing import METHODS, SERIES

    assert len(SERIES) == len(METHODS) + 2
    for settings, _ in SERIES.values():
        assert ParserSettings(**settings).budget is None

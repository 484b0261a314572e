"""Whole reproductions on planted documents: every column of every paper; twice, and killed and resumed, the same."""

import csv
import lzma
import re
from itertools import pairwise

import pytest

from papers import acl2014, icml2014, parsed_trees, wnut2018, wnut2018_numbers
from papers import cells as journal
from papers.cells import Cell, Measured
from papers.page import Page
from papers.paper import Found
from tests.structured.trees import planted_trees

PAPERS = {"wnut2018": wnut2018, "icml2014": icml2014, "acl2014": acl2014}
TASKS = {"wnut2018": ("religion", "movie"), "icml2014": ("computer", "vote"), "acl2014": ("science", "vote")}


@pytest.fixture(params=PAPERS)
def paper(request, planted_sets):
    return request.param


def rerun(paper, out, data):
    return PAPERS[paper].run(str(data), out, quick=True, tasks=TASKS[paper])


def without_times(text):
    return re.sub(r"Made by .*|\| [^|]*\d \(\d+\)[^\n]*|.*Seconds of one process[^\n]*", "", text)


def test_twice_and_resumed(paper, tmp_path, monkeypatch):
    whole = rerun(paper, tmp_path / "whole", tmp_path)
    assert rerun(paper, tmp_path / "again", tmp_path).rows == whole.rows
    left = [12]

    def killed(*arguments):
        if left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= 1
        return measured(*arguments)

    measured = journal._measured
    monkeypatch.setattr(journal, "_measured", killed)
    with pytest.raises(KeyboardInterrupt):
        rerun(paper, tmp_path / "killed", tmp_path)
    monkeypatch.setattr(journal, "_measured", measured)
    assert len(list((tmp_path / "killed" / "journal").iterdir())) <= 12
    known = PAPERS[paper].run(str(tmp_path), tmp_path / "killed", quick=True, tasks=TASKS[paper], so_far=True)
    assert 0 < len(known.rows) <= 12
    assert f"So far {len(known.rows)} of {len(whole.rows)} numbers" in known.markdown()
    assert all(row in whole.rows for row in known.rows)
    resumed = rerun(paper, tmp_path / "killed", tmp_path)
    assert resumed.rows == whole.rows
    csvs = [(tmp_path / run / f"{paper}.csv").read_bytes() for run in ("whole", "again", "killed")]
    assert len(set(csvs)) == 1
    assert without_times(resumed.markdown()) == without_times(whole.markdown())


def test_the_page_has_every_column(paper, tmp_path):
    result = rerun(paper, tmp_path, tmp_path)
    text = (tmp_path / "reproduction.md").read_text("utf-8")
    assert result.markdown() in text
    module = PAPERS[paper]
    columns = wnut2018.COLUMNS if paper == "wnut2018" else module.COLUMNS
    header = next(line for line in text.splitlines() if line.startswith("| data") and "elastic" in line)
    assert all(column.name in header for column in columns)
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert all(len({len(line) for line in table if line.startswith("|")}) == 1 for table in tables)
    with (tmp_path / f"{paper}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(result.rows)
    assert {row["block"] for row in rows} == {"published", "ours", "today"}
    assert any(row["missing"] for row in rows) == ("n/a" in text)
    for row in rows:
        if row["paper"] and not row["missing"]:
            assert float(row["difference"]) == pytest.approx(float(row["test"]) - float(row["paper"]), abs=1e-3)


def test_papers_numbers_go_to_the_right_cells():
    number = wnut2018.papers_numbers
    assert number(Cell("computer", "group", "ours", "vectors")) == (91.1, 18)
    assert number(Cell("computer", "gomp", "published", "vectors")) == (90.2, 4.9)
    assert number(Cell("computer", "gomp", "ours", "vectors", "no singletons")) == (None, None)
    assert number(Cell("computer stripped", "lasso", "ours")) == (None, None)
    assert number(Cell("dvd", "fasttext", "today")) == (75.7, None)
    assert icml2014.papers_numbers(Cell("music", "group", "ours", "sentences")) == (80.0, 14)
    assert icml2014.papers_numbers(Cell("music", "group", "ours", "sentences", "no lasso")) == (None, None)
    assert acl2014.papers_numbers(Cell("sst", "group", "ours", "constituents:neutral")) == (81.55, 87)
    assert acl2014.papers_numbers(Cell("computer", "features", "published", "brown", "ridge")) == (96.65, None)
    assert acl2014.papers_numbers(Cell("vote", "majority", "published")) == (58.37, None)


def test_full_runs_hold_all_data_sets_columns_and_resplits():
    cells = wnut2018.all_cells(wnut2018.TASKS, quick=False)
    for task in (*wnut2018_numbers.ACCURACY, "vote segments"):
        published = {(cell.method, cell.groups) for cell in cells if cell.task == task and cell.block == "published"}
        assert published == {(column.method, column.groups) for column in wnut2018.COLUMNS}
    assert {cell.task for cell in cells if "#" in cell.task} == {
        f"{task} #{k}" for task in ("movie", "books", "dvd", "electronics", "kitchen") for k in range(1, 6)
    }
    assert len({cell.file for cell in cells}) == len(cells)
    assert len(icml2014.TASKS) == 10
    cells = acl2014.all_cells(acl2014.TASKS, "full", {"vote": "constituents:vote.conllu"})
    parse = {(cell.task, cell.groups) for cell in cells if cell.groups.startswith("constituents")}
    assert parse == {("sst", "constituents:neutral"), ("vote", "constituents:vote.conllu")}
    assert acl2014.papers_numbers(Cell("vote", "group", "ours", "constituents:vote.conllu")) == (73.72, 2)


def test_texts_without_trees_are_parsed(planted_sets, tmp_path):
    place = tmp_path / parsed_trees.TREEBANK
    place.parent.mkdir(parents=True)
    sentences, trees = planted_trees(40)
    words = zip(
        sentences.columns["word"], sentences.columns["pos"], [h for tree in trees for h, _ in tree], strict=True
    )
    rows = ["\t".join(map(str, one)) for one in words]
    ends = sentences.ends.tolist()
    blocks = ["\n".join(rows[start:end]) for start, end in pairwise(ends)]
    place.write_bytes(lzma.compress(("\n\n".join(blocks) + "\n\n").encode()))
    result = acl2014.run(str(tmp_path), tmp_path / "out", quick=True, tasks=("vote",))
    found = [row for row in result.rows if row["groups"] == "constituents:parsed"]
    assert {(row["task"], row["block"]) for row in found} == {
        (task, block) for task in ("vote", "vote segments") for block in ("published", "ours")
    }
    assert not any(row["missing"] for row in found)
    assert {row["paper"] for row in found} == {73.72}
    trees = (tmp_path / "out" / "trees" / "quick_vote.conllu").stat()
    assert acl2014.run(str(tmp_path), tmp_path / "out", quick=True, tasks=("vote",)).rows == result.rows
    assert (tmp_path / "out" / "trees" / "quick_vote.conllu").stat().st_mtime_ns == trees.st_mtime_ns


def test_what_parse_trees_gain_is_said_of_what_was_measured_so_far():
    truth = (0, 1, 1)

    def one(method, groups, predictions):
        cell = Cell("sst", method, "ours", groups, levels="papers")
        right = sum(a == b for a, b in zip(truth, predictions, strict=True))
        return cell, Measured(cell, test=100 * right / 3, truth=truth, predictions=predictions)

    parse, lasso = one("group", acl2014.PARSE.groups, (0, 1, 1)), one("lasso", "", (0, 0, 1))
    for found, said in ((dict([parse]), ""), (dict([parse, lasso]), "parse 100.0 against lasso 66.7 (+33.3, sign p")):
        page = Page("acl2014", "")
        acl2014._parse(page, Found(found))
        assert said in page.markdown()
        assert "ridge" not in page.markdown()

import json

import pytest

from laconic.models import TextClassifier


@pytest.fixture
def unnamed(run, rows, tmp_path):
    """A file whose label could be one of two columns, and two models that know which: m of all words and n of one."""
    path = tmp_path / "mails.csv"
    lines = [f"{'xy'[i % 3 == 0]},{row['text']},{row['label']}" for i, row in enumerate(rows)]
    path.write_text("one,story,mood\n" + "\n".join(lines), encoding="utf-8")
    for name, words in (("m", ()), ("n", ("--words", 1))):
        options = ["--label-col", "mood", "--method", "lasso", *words, "--no-report", "--quiet"]
        assert run("fit", path, *options, "--out", name).code == 0
    return path


def test_compare_reads_the_columns_of_the_models(run, unnamed):
    named = run("compare", "m", "n", unnamed, "--label-col", "mood")
    assert named.code == 0
    assert run("compare", "m", "n", unnamed) == named
    assert run("compare", "m", "n", unnamed, "--label-col", "one").code == 1  # what is named wins


def test_models_without_columns_of_their_own_read_those_of_the_others(run, unnamed):
    texts = ["broken bench", "kind thanks"] * 3
    TextClassifier().fit(texts, ["repair", "praise"] * 3).save("python")
    assert run("compare", "python", "m", unnamed).code == 0
    TextClassifier().fit(texts, ["repair", "praise"] * 3).save("other")
    result = run("compare", "python", "other", unnamed)
    assert result.code == 1
    assert "cannot tell which column" in result.err


def test_report_reads_the_columns_of_the_models(run, unnamed, tmp_path):
    pages = []
    for options in ([], ["--label-col", "mood"]):
        assert run("report", "m", "n", "--corpus", unnamed, "-o", "page.html", *options).code == 0
        pages.append((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert pages[0] == pages[1]
    assert run("report", "m", "--corpus", unnamed, "-o", "page.html").code == 0


def test_diff_reads_the_columns_of_the_models_where_the_file_has_them(run, unnamed, tmp_path):
    named = run("diff", "m", "n", unnamed, "--label-col", "mood", "--json")
    assert run("diff", "m", "n", unnamed, "--json") == named
    changed = json.loads(named.out)["documents"]["changed"]
    assert {one["truth"] for one in changed} <= {"praise", "repair"}
    assert changed
    bare = tmp_path / "bare.csv"
    bare.write_text("\n".join(line.split(",")[1] for line in unnamed.read_text().splitlines()), encoding="utf-8")
    unlabelled = json.loads(run("diff", "m", "n", bare, "--json").out)["documents"]
    assert unlabelled["seen"] == 60
    assert {one["truth"] for one in unlabelled["changed"]} == {None}

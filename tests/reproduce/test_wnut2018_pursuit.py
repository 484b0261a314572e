"""OMP and group OMP of the W-NUT 2018 paper on the real data: what is chosen, how large it is, how well it does."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from laconic.data.loading import load
from laconic.reproduce import wnut2018_pursuit as pursuit
from laconic.reproduce.wnut2018 import paper_bag

pytestmark = pytest.mark.skipif(
    "LACONIC_DATA" not in os.environ, reason="set LACONIC_DATA to the folder of the data sets to run this"
)


@pytest.fixture(scope="module")
def omp(tmp_path_factory):
    """OMP alone, on religion and up to 300 words: a folder without vectors, and fewer settings."""
    place = tmp_path_factory.mktemp("data")
    (place / "text").mkdir()
    (place / "text" / "20ng").symlink_to(Path(os.environ["LACONIC_DATA"], "text", "20ng"))
    with pytest.MonkeyPatch.context() as patch:
        grid = [{"l2": l2, "budget": budget} for l2 in (0.1, 1.0) for budget in (100, 200, 300, 400)]
        patch.setattr(pursuit, "GRID", grid)
        result = pursuit.run(place, place / "out", tol=1e-6, tasks=("religion",))
    return place / "out", result


def test_each_rule_gives_a_row(omp):
    _, result = omp
    assert [(row.method, row.rule) for row in result.rows] == [("omp", "best"), ("omp", "one_se"), ("omp", "2 %")]
    best, near, small = result.rows
    assert near.words <= best.words
    assert near.dev >= best.dev - 100 * np.sqrt(0.03 / 216)
    assert small.words <= 0.02 * 18_822
    assert small.dev <= best.dev
    assert all(row.size == pytest.approx(100 * row.words / 18_822) for row in result.rows)


def test_accuracy_is_the_papers(omp):
    assert all(row.test >= row.paper_test - 1.0 for row in omp[1].rows)


def test_it_is_written_and_says_what_was_left_out(omp):
    folder, result = omp
    text = (folder / "wnut2018_pursuit.md").read_text("utf-8")
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == 2 + 3
    assert len({len(line) for line in table}) == 1
    assert "gomp with GloVe was left out" in text
    stored = json.loads((folder / "wnut2018_pursuit.json").read_text("utf-8"))
    assert [row["test"] for row in stored["rows"]] == [row.test for row in result.rows]


def test_the_authors_groups_fit_the_vocabulary():
    vocabulary = paper_bag().fit(load("20ng/religion").train.texts).vocabulary
    groups = pursuit.authors_groups(Path(os.environ["LACONIC_DATA"], pursuit.AUTHORS), vocabulary)
    assert (len(groups), len(groups.indices)) == (639, 23_054)

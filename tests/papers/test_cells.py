"""The journal of cells: what is there is not measured again, and a run that is killed goes on."""

import json
from dataclasses import replace

import pytest

from papers import cells as module
from papers.cells import Cell, Measured, by_task, read, run_cells, write

CELLS = [Cell("science", method, "ours") for method in ("lasso", "ridge", "omp")]


def measure(cell, data_dir, folder):
    """Something that depends on the cell alone."""
    if cell.method == "group":
        return Measured(cell, missing="no groups here")
    value = float(len(cell.method))
    return Measured(cell, dev=value, test=value / 3, words=2, vocabulary=7, params={"l1": 0.1}, truth=(0, 1))


def test_a_cell_is_read_as_it_was_written(tmp_path):
    one = replace(measure(CELLS[0], None, tmp_path), details={"curve": [[1.0, 2.0]]}, gap=1e-7, seconds=2.0)
    write(tmp_path / "a.json", one)
    assert repr(read(tmp_path / "a.json", CELLS[0])) == repr(one)  # by their texts: NaN is not equal to itself
    assert read(tmp_path / "b.json", CELLS[0]) is None
    assert one.size == pytest.approx(100 * 2 / 7)


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_cell_is_measured_once(tmp_path, jobs):
    seen = []
    found = run_cells([*CELLS, CELLS[0]], measure, None, tmp_path, jobs, lambda *call: seen.append(call[:2]))
    assert list(found) == CELLS
    assert [one.test for one in found.values()] == [5 / 3, 5 / 3, 1.0]
    assert seen[0] == (0, 3)
    assert seen[-1] == (3, 3)

    def never(*_):
        raise RuntimeError("measured again")

    again = run_cells(CELLS, never, None, tmp_path)
    assert repr(again) == repr(found)


def test_a_run_that_was_killed_goes_on(tmp_path):
    def killed(cell, data_dir, folder):
        if cell.method == "ridge":
            raise KeyboardInterrupt
        return measure(cell, data_dir, folder)

    with pytest.raises(KeyboardInterrupt):
        run_cells(CELLS, killed, None, tmp_path)
    asked = []

    def watched(cell, data_dir, folder):
        asked.append(cell.method)
        return measure(cell, data_dir, folder)

    found = run_cells(CELLS, watched, None, tmp_path)
    assert asked == ["ridge", "omp"]
    whole = run_cells(CELLS, measure, None, tmp_path / "whole")
    assert [repr(replace(one, seconds=0.0)) for one in found.values()] == [
        repr(replace(one, seconds=0.0)) for one in whole.values()
    ]
    assert not list((tmp_path / "journal").glob(".*"))


def test_what_is_missing_is_asked_for_again(tmp_path):
    cell = Cell("science", "group", "ours", "lda")
    assert run_cells([cell], measure, None, tmp_path)[cell].missing == "no groups here"
    assert not list((tmp_path / "journal").iterdir())


def test_other_settings_and_other_code_are_other_cells(monkeypatch):
    one = Cell("science", "group", "published", "lda")
    names = {one.file, replace(one, rho=10.0).file, replace(one, size="quick").file, replace(one, weights="ones").file}
    assert len(names) == 4
    monkeypatch.setattr(module, "_sources", lambda: "other code")
    assert one.file not in names


def test_cells_of_one_task_follow_each_other():
    mixed = [Cell(task, method, "ours") for method in ("lasso", "omp") for task in ("b", "a")]
    assert [cell.task for cell in by_task(mixed)] == ["b", "b", "a", "a"]


def test_files_are_plain_json(tmp_path):
    run_cells(CELLS[:1], measure, None, tmp_path)
    [path] = (tmp_path / "journal").iterdir()
    stored = json.loads(path.read_text("utf-8"))
    assert stored["cell"]["method"] == "lasso"
    assert stored["low"] is None

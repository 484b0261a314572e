"""Workers, timing and results on a tiny planted corpus, ours only."""

import json

import numpy as np
import pytest

from benchmarks import datasets, objectives, race, solvers
from benchmarks.datasets.planted import make
from benchmarks.objectives._objective import bound, value
from benchmarks.process import FailedError, Process, TooSlowError
from benchmarks.results import Results
from benchmarks.team import Team


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    before = datasets.CACHE
    datasets.CACHE = tmp_path_factory.mktemp("cache")
    made = make("tiny", 200, 800)
    datasets.keep(made)
    yield datasets.get("tiny")
    datasets.CACHE = before


def test_data_survive_the_cache_in_both_layouts(data):
    for layout in ("csr", "csc"):
        X, y = datasets.read(datasets.file("tiny", False, layout))
        assert X.format == layout
        assert (X != data.X).nnz == 0
        np.testing.assert_array_equal(y, data.y)


def test_planted_labels_are_partly_wrong():
    right = make("x", 400, 800, 2)
    assert set(right.y) == {0, 1}
    assert right.X.shape[0] == 400
    assert set(make("x", 400, 800, 4).y) == {0, 1, 2, 3}


def test_a_worker_answers_commands(data):
    objective = objectives.get("lasso")
    task = objective.task(objective.lambda_max(data.X, data.y) / 5, 2)
    with Process(solvers.OURS) as process:
        path = datasets.file("tiny", False, "csc")
        assert process.ask(60, do="load", path=str(path))["seconds"] < 10
        assert process.ask(60, do="refuses", n_classes=2) == {"reason": None}
        seconds, W, b = process.fit(task, {"tol": 1e-8}, 60, at_least=0.05)
        reached = value(task, data.X, data.y, W.toarray(), b)
        assert 0 < seconds < 60
        assert (reached - bound(task, data.X, data.y, W.toarray())) / reached < 1e-7
        assert process.ask(60, do="memory")["peak_mb"] > 10
        assert "numpy" in process.ask(60, do="versions")["versions"]
        with pytest.raises(FailedError, match="tolerance"):
            process.fit(task, {"tolerance": 1e-8}, 60)
        with pytest.raises(TooSlowError, match="more than"):
            process.fit(task, {"tol": 1e-8}, 1.0, at_least=30.0)


def test_a_worker_that_dies_says_why():
    with Process("laconic_newton") as process:
        process._process.kill()
        with pytest.raises(FailedError, match="ended with code"):
            process.ask(60, do="memory")


def test_a_point_of_a_race(data, tmp_path, monkeypatch):
    monkeypatch.setattr(race, "COLD_RUNS", 1)
    monkeypatch.setattr(race, "COLD_DIVISOR", 5)
    objective = objectives.get("lasso")
    with Team(objective, data, [solvers.OURS]) as team:
        rows = race.point(team, 5, runs=3)
        results = Results(objective, tmp_path)
        results.describe(data, team)
    assert [row["target"] for row in rows] == [1e-4, 1e-8]
    for row in rows:
        ours = row["solvers"]["laconic"]
        assert row["gap"] < 1e-8
        assert ours["reached"] <= row["target"]
        assert ours["worst_round"] <= row["target"]
        assert len(ours["rounds"]) == 3
        assert row["ratio"] is None
    assert rows[0]["cold"]["laconic"]["peak_mb"] > 10
    pytest.importorskip("matplotlib")
    results.add("tiny", 5, rows)
    results.write()
    stored = json.loads((tmp_path / "lasso.json").read_text())
    assert len(stored["rows"]) == 2
    assert (tmp_path / "lasso.svg").read_text().startswith("<?xml")
    assert "max/5" in results.tables()


def fake(seconds, **more):
    return {"seconds": seconds[0], "rounds": seconds, "interval": [1, 2], "settings": {}, **more}


def test_ratios_are_paired_by_round():
    timed = {
        solvers.OURS: fake([1.0, 2.0, 4.0]),
        "liblinear": fake([2.0, 4.0, 8.0]),
        "sklearn_saga": {"seconds": 0.1, "interval": None},
        "celer_prox_newton": {"reason": "not reached", "reached": 1e-3},
    }
    # A single run of the climb never makes a best peer where others were timed in rounds.
    assert race.by_speed(timed) == ["liblinear", "sklearn_saga"]
    assert race.compare(timed) == {"best_peer": "liblinear", "ratio": 0.5, "ratio_interval": [0.5, 0.5]}


def test_geometric_means(tmp_path):
    results = Results(objectives.get("lasso"), tmp_path)
    for divisor, ratio in ((5, 0.5), (20, 2.0), (100, None)):
        results.add("tiny", divisor, [{"data": "tiny", "divisor": divisor, "target": 1e-4, "ratio": ratio}])
    assert results.ratios()[-1] == {
        "target": "1e-04",
        "data": "all",
        "points": 2,
        "geometric mean": "1.00",
        "largest": "2.00",
    }
    results.add("tiny", 20, [{"data": "tiny", "divisor": 20, "target": 1e-4, "ratio": 0.5}])
    assert [row["ratio"] for row in results.rows] == [0.5, 0.5, None]


class FakeTeam:
    versions: dict = {"laconic": {"laconic": "1"}}  # noqa: RUF012
    largest = 1.0


@pytest.mark.parametrize(("change", "kept"), [({}, 1), ({"source": "other"}, 0), ({"machine": {}}, 0)])
def test_rows_of_other_code_or_machines_are_not_mixed_in(data, tmp_path, change, kept):
    objective = objectives.get("lasso")
    first = Results(objective, tmp_path)
    first.describe(data, FakeTeam())
    first.add("tiny", 5, [{"data": "tiny", "divisor": 5, "target": 1e-4, "ratio": 1.0}])
    (tmp_path / "lasso.json").write_text(json.dumps({**first.content, **change}))
    again = Results(objective, tmp_path)
    again.describe(data, FakeTeam())
    assert len(again.rows) == kept


def test_every_solver_has_a_column_of_its_own(tmp_path):
    results = Results(objectives.get("lasso_no_intercept"), tmp_path)
    names = [solvers.get(name).NAME for name in (solvers.OURS, *solvers.PEERS)]
    entries = {name: fake([0.001 * i] * 3) for i, name in enumerate(names, 101)}
    row = {"data": "tiny", "divisor": 5, "words": 3, "target": 1e-4, "gap": 0.0, "solvers": entries}
    results.add("tiny", 5, [{**row, "best_peer": "liblinear", "ratio": 1.0, "ratio_interval": [1.0, 1.0]}])
    after = results.tables().split("Seconds of every solver")[1]
    line = next(line for line in after.splitlines() if line.startswith("tiny"))
    assert line.split()[3:] == [f"{entry['seconds']:.3g}" for entry in entries.values()]

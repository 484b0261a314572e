"""A path of 100 fits from λ_max to λ_max/100 against adelie and glmnet, and against one fit at its smallest λ.

Fits are a lasso, or a group lasso over disjoint groups of ten neighbouring words (against adelie only).

All solve the same λs. Targets are the worst relative suboptimality over the path, 1e-4 and 1e-6; the optimum at each λ
is the lowest value anybody reached there. ``path / fit`` is our path's time over that of one fit of ours from zero at
the smallest λ: to the same suboptimality, and with the same tolerance, i.e. the same certified gap. (A single fit ends
with a Newton step that overshoots its tolerance by far; points of a path between two others just meet it.)
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from benchmarks import datasets, figures, machine, objectives, solvers
from benchmarks.climb import Climb, Climber, suboptimality
from benchmarks.measure import summary
from benchmarks.objectives._objective import Objective, bound, value
from benchmarks.race import say
from benchmarks.tables import aligned
from benchmarks.task import Task
from benchmarks.team import Judge, Team

POINTS = 100
SMALLEST = 1e-2
TARGETS = (1e-4, 1e-6)


class Runners(NamedTuple):
    """Solver files of one race: our path, our single fit, the peers' paths."""

    path: str
    one: str
    peers: tuple[str, ...]


LASSO = Runners(solvers.OUR_PATH, solvers.OURS, solvers.PATH_PEERS)
GROUPS = Runners(solvers.OUR_GROUP_PATH, solvers.OUR_GROUPS, solvers.GROUP_PATH_PEERS)
STEMS = {"lasso": "path", "softmax_lasso": "path_softmax", "group_lasso": "group_path"}


def run(out: Path, data: Sequence[str], runs: int, kind: str = "lasso") -> str:
    """Race on the named data sets with one kind of objective, write JSON and SVG, return the table."""
    objective = objectives.get(kind)
    softmax, stem = objective.many_classes, STEMS[kind]
    names = data or (["news20"] if softmax else datasets.defaults(False))
    title = "Path of 100 group lasso fits" if objective.group_size else "Path of 100 lasso fits"
    content: dict = {"title": title, "machine": machine.describe(), "versions": {}, "rows": []}
    for name in names:
        rows, versions = race(objective, datasets.get(name, softmax), runs)
        content["rows"] += rows
        content["versions"].update(versions)
        (out / f"{stem}.json").write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        _draw(content, out / f"{stem}.svg")
    absent = sorted(
        {f"{n}: {e['reason']}" for row in content["rows"] for n, e in row["solvers"].items() if "reason" in e}
    )
    table = aligned([line for row in content["rows"] for line in _lines(row)])
    return "\n".join([content["title"] + "; ratio = our seconds / the peer's", "", table, "", *absent])


def race(objective: Objective, data: datasets.Data, runs: int) -> tuple[list[dict], dict]:
    """Race on one data set; return a row per target, and the versions of the solvers."""
    largest = objective.lambda_max(data.X, data.y)
    lambdas = [float(lam) for lam in largest * np.geomspace(1.0, SMALLEST, POINTS)]
    our = GROUPS if objective.group_size else LASSO
    names = [our.path, *solvers.solving(objective.name, our.peers)]
    also = {name: {"lambdas": lambdas} for name in names}
    with Team(objective, data, [*names, our.one], also) as team:
        last = team.task(1.0 / SMALLEST)
        every = judge_path(data, [objective.task(lam, data.n_classes) for lam in lambdas])
        climbers = {name: team.climber(name, last, every) for name in names if name in team.names}
        climb = Climb(list(climbers.values()), TARGETS)
        climb.run(lambda text: say(f"path {data.name}: {text}"))
        climbers[our.one] = team.climber(our.one, last)
        rows = []
        for target in TARGETS:
            say(f"path {data.name}: timing at {target:g}")
            _climb_alone(climbers[our.one], target, float(climb.optimum[-1]))
            entries = _timed(team, our, last, climbers, climb, target, runs)
            entries.update({name: {"reason": reason} for name, reason in team.absent.items()})
            rows.append(
                {
                    "data": data.name,
                    "target": target,
                    "words": climbers[our.path].rungs[-1].words,
                    "gap": climb.gap,
                    "solvers": {solvers.get(name).NAME: entry for name, entry in entries.items()},
                }
            )
        return rows, team.versions


def judge_path(data: datasets.Data, tasks: list[Task]) -> Judge:
    """Return what gives values and bounds at all points of a path, and the words of the last."""

    def judge(W: sparse.csc_array, b: NDArray[np.float64]) -> tuple:
        k = W.shape[1] // len(tasks)
        if k * len(tasks) != W.shape[1]:
            raise ValueError(f"a path of {len(tasks)} points gave {W.shape[1]} columns of weights")
        values, bounds = [], []
        for i, task in enumerate(tasks):
            here = W[:, i * k : (i + 1) * k].toarray()
            values.append(value(task, data.X, data.y, here, b[i * k : (i + 1) * k]))
            bounds.append(bound(task, data.X, data.y, here))
        return np.array(values), np.array(bounds), int(here.any(axis=1).sum())

    return judge


def _climb_alone(climber: Climber, target: float, optimum: float) -> None:
    while climber.ended is None and climber.reached(target, optimum) is None:
        climber.step(600.0)


def _timed(
    team: Team, our: Runners, task: Task, climbers: dict[str, Climber], climb: Climb, target: float, runs: int
) -> dict[str, dict]:
    best = {name: climb.optimum if name != our.one else float(climb.optimum[-1]) for name in climbers}
    reached = {name: climber.reached(target, best[name]) for name, climber in climbers.items()}
    seconds: dict[str, list[float]] = {name: [] for name, rung in reached.items() if rung}
    same: list[float] = []
    for _ in range(runs):
        for name, found in seconds.items():
            found.append(team.process(name).time(task, reached[name].settings, 0.05))
        if reached[our.path]:
            tolerance = {"tol": reached[our.path].settings["tol"]}
            same.append(team.process(our.one).time(task, tolerance, 0.05))
    entries: dict[str, dict] = {}
    for name, rung in reached.items():
        if rung is None:
            entries[name] = {"reason": climbers[name].ended}
            continue
        median, low, high = summary(seconds[name])
        settings = {key: item for key, item in rung.settings.items() if key != "lambdas"}
        entries[name] = {
            "seconds": median,
            "interval": [low, high],
            "settings": settings,
            "reached": suboptimality(rung, best[name]),
        }
        if name != our.path and our.path in seconds:
            ours = seconds[our.path]
            pairs = summary([our / other for our, other in zip(ours, seconds[name], strict=True)])
            entries[name].update(ratio=pairs[0], ratio_interval=list(pairs[1:]))
    if same and our.one in seconds:
        pairs = summary([path / fit for path, fit in zip(seconds[our.path], same, strict=True)])
        entries[our.one].update(same_tolerance=pairs[0], same_tolerance_interval=list(pairs[1:]))
    return entries


def _lines(row: dict) -> list[dict]:
    lines = []
    for name, entry in row["solvers"].items():
        line = {"data": row["data"], "worst": f"{row['target']:.0e}", "words": row["words"]}
        line["solver"] = "laconic, one fit" if name == "laconic" else name
        if "seconds" in entry:
            line["seconds"] = f"{entry['seconds']:.3g}"
            line["interval"] = "{:.3g}-{:.3g}".format(*entry["interval"])
            line["reached"] = f"{entry['reached']:.0e}"
            if "ratio" in entry:
                line["path / fit" if name == "laconic" else "ratio"] = f"{entry['ratio']:.2f}"
                line["ratio interval"] = "{:.2f}-{:.2f}".format(*entry["ratio_interval"])
            if "same_tolerance" in entry:
                line["at equal gap"] = f"{entry['same_tolerance']:.2f}"
        else:
            line["seconds"] = entry["reason"]
        line["gap of optimum"] = f"{row['gap']:.0e}"
        lines.append(line)
    return lines


def _draw(content: dict, path: Path) -> None:
    panels: dict[str, figures.Series] = {}
    for row in content["rows"]:
        for name, entry in row["solvers"].items():
            if "seconds" in entry:
                panels.setdefault(row["data"], {}).setdefault(name, []).append((row["target"], entry["seconds"]))
    figures.curves(content["title"], panels, ("worst suboptimality", "seconds"), path)

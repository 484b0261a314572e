"""Cost of a lasso fit against documents, vocabulary and non-zeros, on planted corpora; liblinear on the same.

In each series one quantity doubles again and again while the others stay as they are: more documents; more words in the
language (documents keep their length); longer documents (more non-zeros per document). Ours stops at a relative gap of
1e-6, liblinear at the loosest tolerance within 1e-6 of the optimum. The slope is that of log(seconds) against log(size)
by least squares: 1 is linear. liblinear's tolerances move in half decades, so its slope over small corpora is rough.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import datasets, figures, machine, objectives, solvers
from benchmarks.climb import Climber
from benchmarks.datasets.planted import make
from benchmarks.measure import summary
from benchmarks.objectives._objective import Objective
from benchmarks.race import AT_LEAST, say
from benchmarks.tables import aligned
from benchmarks.team import Team

TOLERANCE = 1e-6
DIVISORS = (20, 100)
DOUBLINGS = 5
PEER = "liblinear"
PEER_LIMIT = 20.0  # seconds for one of its fits


@dataclass(frozen=True)
class Series:
    """One growing quantity: the corpus at the start, what doubles, and how the size of a corpus is read off."""

    name: str
    documents: int
    words: int
    sentences: int
    grows: str
    size: Callable[[datasets.Data], int]

    def corpus(self, doubling: int) -> datasets.Data:
        """Return the corpus after so many doublings, kept in the cache."""
        sizes = {"documents": self.documents, "words": self.words, "sentences": self.sentences}
        sizes[self.grows] *= 2**doubling
        name = "planted-" + "-".join(str(size) for size in sizes.values())
        if not datasets.file(name, False, "csr").exists():
            datasets.keep(make(name, sizes["documents"], sizes["words"], n_sentences=sizes["sentences"]))
        return datasets.get(name)


SERIES = (
    Series("documents", 2_000, 20_000, 10, "documents", lambda data: data.X.shape[0]),
    Series("vocabulary", 10_000, 5_000, 10, "words", lambda data: data.X.shape[1]),
    Series("non-zeros", 5_000, 20_000, 4, "sentences", lambda data: data.X.nnz),
)


def run(out: Path, runs: int, series: tuple[Series, ...] = SERIES, doublings: int = DOUBLINGS) -> str:
    """Measure all series, write JSON and SVG, return the tables."""
    objective = objectives.get("lasso")
    content: dict = {"title": "Cost of a lasso fit", "machine": machine.describe(), "rows": []}
    for one in series:
        for doubling in range(doublings + 1):
            data = one.corpus(doubling)
            say(f"scaling {one.name}: {data.X.shape[0]} documents, {data.X.shape[1]} words, {data.X.nnz} non-zeros")
            content["rows"] += [
                {"series": one.name, "size": one.size(data), **row} for row in _rows(objective, data, runs)
            ]
        content["slopes"] = _slopes(content["rows"])
        (out / "scaling.json").write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        figures.curves(content["title"], _panels(content["rows"]), ("size", "seconds of a fit"), out / "scaling.svg")
    return "\n\n".join([content["title"], aligned([_line(row) for row in content["rows"]]), aligned(content["slopes"])])


def slope(sizes: list[float], seconds: list[float]) -> float:
    """Return the slope of log(seconds) against log(size) by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _rows(objective: Objective, data: datasets.Data, runs: int) -> list[dict]:
    rows = []
    with Team(objective, data, [solvers.OURS, PEER]) as team:
        for divisor in DIVISORS:
            task = team.task(divisor)
            ours = team.climber(solvers.OURS, task)
            ours.rungs.append(ours.run({"tol": TOLERANCE}, 600.0))
            settings = {solvers.OURS: {"tol": TOLERANCE}}
            if PEER in team.names:
                settings.update(_loosest(team.climber(PEER, task), ours.rungs[0].value))
            seconds: dict[str, list[float]] = {name: [] for name in settings}
            for _ in range(runs):
                for name, found in seconds.items():
                    found.append(team.process(name).time(task, settings[name], AT_LEAST))
            rows.append(
                {
                    "divisor": divisor,
                    "documents": data.X.shape[0],
                    "vocabulary": data.X.shape[1],
                    "nonzeros": int(data.X.nnz),
                    "words": ours.rungs[0].words,
                    "seconds": {solvers.get(name).NAME: summary(found) for name, found in seconds.items()},
                }
            )
    return rows


def _loosest(climber: Climber, optimum: float) -> dict[str, dict]:
    """Settings of the peer that reach our value but for the tolerance, or none."""
    while climber.ended is None:
        rung = climber.reached(TOLERANCE, optimum)
        if rung:
            return {PEER: rung.settings}
        climber.step(PEER_LIMIT)
    return {}


def _groups(rows: list[dict]) -> dict[tuple[str, float, str], list[tuple[float, float]]]:
    found: dict[tuple[str, float, str], list[tuple[float, float]]] = {}
    for row in rows:
        for name, (median, _, _) in row["seconds"].items():
            found.setdefault((row["series"], row["divisor"], name), []).append((row["size"], median))
    return found


def _slopes(rows: list[dict]) -> list[dict]:
    return [
        {
            "series": series,
            "λ": f"max/{divisor:g}",
            "solver": name,
            "slope": round(slope(*zip(*points, strict=True)), 2),
        }
        for (series, divisor, name), points in _groups(rows).items()
        if len(points) > 1
    ]


def _panels(rows: list[dict]) -> dict[str, figures.Series]:
    panels: dict[str, figures.Series] = {}
    # A row of panels for each λ.
    for (series, divisor, name), points in sorted(_groups(rows).items(), key=lambda item: item[0][1]):
        panels.setdefault(f"{series}, λ_max/{divisor:g}", {})[name] = points
    return panels


def _line(row: dict) -> dict:
    line = {"series": row["series"], "λ": f"max/{row['divisor']:g}"}
    line.update({key: row[key] for key in ("documents", "vocabulary", "nonzeros", "words")})
    for name, (median, low, high) in row["seconds"].items():
        line[f"{name} s"] = f"{median:.3g}"
        line[f"{name} interval"] = f"{low:.3g}-{high:.3g}"
    return line

"""The results of a race: kept as JSON after every point, printed as tables, drawn as SVG."""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import machine
from benchmarks.datasets import Data
from benchmarks.objectives._objective import Objective
from benchmarks.tables import aligned

if TYPE_CHECKING:
    from benchmarks.team import Team

DOUBTFUL = 1e-8  # a relative gap of the optimum above this is pointed out


class Results:
    """Rows of one objective. Rows of an earlier run of the same code, versions and machine stay."""

    def __init__(self, objective: Objective, out: Path) -> None:
        self.objective = objective
        self.path = out / f"{objective.name}.json"
        self.content: dict = {
            "objective": objective.name,
            "title": objective.title,
            "machine": machine.describe(),
            "source": machine.source(),
            "versions": {},
            "data": {},
            "rows": [],
        }
        self._earlier = json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else None

    @property
    def rows(self) -> list[dict]:
        """All rows, by data set, λ and target."""
        return self.content["rows"]

    def describe(self, data: Data, team: "Team") -> None:
        """Note the size of a data set and the versions of the solvers."""
        earlier = self._earlier or {}
        known = earlier.get("versions", {})
        same = all(known.get(name, versions) == versions for name, versions in team.versions.items())
        if same and all(earlier.get(key) == self.content[key] for key in ("machine", "source")):
            self.content.update({key: earlier[key] for key in ("versions", "data", "rows")})
        self._earlier = None
        self.content["versions"].update(team.versions)
        self.content["data"][data.name] = {
            "documents": data.X.shape[0],
            "words": data.X.shape[1],
            "nonzeros": int(data.X.nnz),
            "classes": data.n_classes,
            "lambda_max": team.largest,
        }

    def add(self, data: str, divisor: float, rows: list[dict]) -> None:
        """Add the rows of one point in place of earlier ones."""
        kept = [row for row in self.rows if (row["data"], row["divisor"]) != (data, divisor)]
        self.content["rows"] = sorted(kept + rows, key=lambda r: (r["data"], r["divisor"], -r["target"]))

    def write(self) -> None:
        """Write JSON and SVG."""
        from benchmarks import figures

        self.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.content, indent=1, ensure_ascii=False)
        self.path.write_text(text + "\n", encoding="utf-8")
        figures.race(self.content, self.path.with_suffix(".svg"))

    def tables(self) -> str:
        """Return the tables a person reads."""
        parts = [
            self.objective.title + "; ratio = our seconds / best peer's",
            aligned([_main(row) for row in self.rows]),
            "Seconds of every solver (~: one run of the climb, outside the rounds; *: some round missed the target)",
            aligned([_everyone(row) for row in self.rows]),
        ]
        cold = [line for row in self.rows if "cold" in row for line in _cold(row)]
        if cold:
            parts += ["Cold: a new process up to the end of its first fit, without reading the data", aligned(cold)]
        parts += ["Ratios", aligned(self.ratios())]
        reasons = sorted({(n, e["reason"]) for row in self.rows for n, e in row["solvers"].items() if "reason" in e})
        absent = [f"{n}: {reason}" for n, reason in reasons if not reason.startswith(("> ", "not reached"))]
        return "\n\n".join(parts + ([*absent] if absent else []))

    def ratios(self) -> list[dict]:
        """Return geometric mean and largest ratio per target, for each data set and for all."""
        lines = []
        for target in sorted({row["target"] for row in self.rows}, reverse=True):
            for data in (*sorted({row["data"] for row in self.rows}), None):
                found = [
                    row["ratio"]
                    for row in self.rows
                    if row["target"] == target and row["ratio"] is not None and data in (None, row["data"])
                ]
                if found:
                    mean = math.exp(sum(map(math.log, found)) / len(found))
                    lines.append(
                        {
                            "target": f"{target:.0e}",
                            "data": data or "all",
                            "points": len(found),
                            "geometric mean": f"{mean:.2f}",
                            "largest": f"{max(found):.2f}",
                        }
                    )
        return lines


def _point(row: dict) -> dict:
    return {"data": row["data"], "λ": f"max/{row['divisor']:g}", "target": f"{row['target']:.0e}"}


def _main(row: dict) -> dict:
    ours = row["solvers"]["laconic"]
    peer = row["solvers"].get(row["best_peer"] or "", {})
    return {
        **_point(row),
        "words": row["words"],
        "ours s": _seconds(ours, row["target"]),
        "interval": _interval(ours.get("interval")),
        "best peer": row["best_peer"] or "none",
        "peer s": _seconds(peer, row["target"]) if peer else "-",
        "peer interval": _interval(peer.get("interval")),
        "ratio": "-" if row["ratio"] is None else f"{row['ratio']:.2f}",
        "ratio interval": _interval(row["ratio_interval"]),
        "gap of optimum": f"{row['gap']:.0e}" + (" (not proven)" if row["gap"] > DOUBTFUL else ""),
    }


def _everyone(row: dict) -> dict:
    # Solvers that cannot be run at all are named below the tables.
    shown = {n: e for n, e in row["solvers"].items() if "seconds" in e or "reached" in e}
    return {
        **_point(row),
        **{name.replace("sklearn ", "sk-"): _seconds(entry, row["target"]) for name, entry in shown.items()},
    }


def _cold(row: dict) -> list[dict]:
    return [
        {
            "data": row["data"],
            "λ": f"max/{row['divisor']:g}",
            "solver": name,
            "cold s": f"{entry['seconds']:.2f}",
            "peak MB": f"{entry['peak_mb']:.0f}",
        }
        for name, entry in row["cold"].items()
    ]


def _seconds(entry: dict, target: float) -> str:
    if "seconds" not in entry:
        short = entry["reason"] if entry["reason"].startswith(">") else "-"
        return short if entry.get("reached") is None else f"{short} ({entry['reached']:.0e})"
    missed = entry.get("worst_round", 0.0) > target
    return f"{'' if entry['interval'] else '~'}{entry['seconds']:.3g}{'*' if missed else ''}"


def _interval(pair: list[float] | None) -> str:
    return "-" if pair is None else f"{pair[0]:.3g}-{pair[1]:.3g}"

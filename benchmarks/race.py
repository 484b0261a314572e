"""A race of solvers on one objective, at equal suboptimality against an independent optimum.

For every data set and λ = λ_max / (5, 20, 100, 1000):

1. every solver climbs its ladder of tolerances; for each target (relative suboptimality 1e-4, 1e-8) the loosest
   tolerance that reaches it is used;
2. ours and the peers within four times the fastest peer are timed in alternating rounds, batched where a fit takes less
   than 50 ms; slower ones keep the time of their climb;
3. a ratio is the median over rounds of our seconds / the best peer's seconds in the same round: below 1 is faster;
4. at λ_max/100 and 1e-4 ours and the three best peers are also timed cold, in new processes, with their peak memory.

Intervals are from the second smallest to the second largest round.
"""

import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import datasets, objectives, solvers
from benchmarks.climb import Climb, Climber, suboptimality
from benchmarks.measure import summary
from benchmarks.objectives._objective import value
from benchmarks.process import FailedError, TooSlowError
from benchmarks.results import Results
from benchmarks.task import Task
from benchmarks.team import Team

DIVISORS = (5, 20, 100, 1000)
TARGETS = (1e-4, 1e-8)
NEAR = 4.0  # peers slower than this many times the fastest peer are not timed in rounds
AT_LEAST = 0.05  # seconds that a batch of fits lasts
COLD_TARGET, COLD_DIVISOR, COLD_PEERS, COLD_RUNS = 1e-4, 100, 3, 3


@dataclass(frozen=True)
class Options:
    """What to race: data sets and solvers (all that fit without), λ_max / these, rounds, where the results go."""

    out: Path
    data: Sequence[str] = ()
    peers: Sequence[str] = ()
    divisors: Sequence[float] = DIVISORS
    runs: int = 7


def run(name: str, options: Options) -> Results:
    """Race on one objective; results are written after every point."""
    objective = objectives.get(name)
    results = Results(objective, options.out)
    peers = [p for p in solvers.solving(name) if not options.peers or p in options.peers]
    for data_name in options.data or datasets.defaults(objective.many_classes):
        say(f"{name}: reading {data_name}")
        data = datasets.get(data_name, objective.many_classes)
        with Team(objective, data, [solvers.OURS, *peers]) as team:
            results.describe(data, team)
            for divisor in options.divisors:
                results.add(data_name, divisor, point(team, divisor, options.runs))
                results.write()
    return results


def point(team: Team, divisor: float, runs: int) -> list[dict]:
    """Race at one λ; return a row per target."""
    if solvers.OURS not in team.names:
        raise FailedError(f"laconic itself could not be run: {team.absent[solvers.OURS]}")
    task = team.task(divisor)
    where = f"{team.objective.name} {team.data.name} λ_max/{divisor:g}"
    climbers = {name: team.climber(name, task) for name in team.names}
    climb = Climb(list(climbers.values()), TARGETS)
    climb.run(lambda text: say(f"{where}: {text}"))
    words = min(climb.runs, key=lambda rung: rung.value).words
    rows = []
    for target in TARGETS:
        say(f"{where}: timing at {target:g}")
        timed = rounds(team, task, climbers, climb, target, runs)
        row = {
            "data": team.data.name,
            "divisor": divisor,
            "l1": task.l1,
            "l2": task.l2,
            "words": words,
            "target": target,
            "optimum": float(climb.optimum),
            "gap": climb.gap,
            **compare(timed),
            "solvers": {
                **{solvers.get(name).NAME: entry for name, entry in timed.items()},
                **{solvers.get(name).NAME: {"reason": reason} for name, reason in team.absent.items()},
            },
        }
        if target == COLD_TARGET and divisor == COLD_DIVISOR:
            row["cold"] = cold(team, task, timed)
        rows.append(row)
    return rows


def rounds(
    team: Team, task: Task, climbers: dict[str, Climber], climb: Climb, target: float, runs: int
) -> dict[str, dict]:
    """Time the solvers that are near the best in alternating rounds; return an entry per solver."""
    reached = {name: climber.reached(target, climb.optimum) for name, climber in climbers.items()}
    peers = [rung.seconds for name, rung in reached.items() if rung and name != solvers.OURS]
    fastest = min(peers, default=0.0)
    near = [n for n, rung in reached.items() if rung and (n == solvers.OURS or rung.seconds <= NEAR * fastest)]
    seconds: dict[str, list[float]] = {name: [] for name in near}
    ends: dict[str, list[float]] = {name: [] for name in near}
    for _ in range(runs):
        for name in near:
            took, W, b = team.process(name).fit(task, reached[name].settings, at_least=AT_LEAST)
            seconds[name].append(took)
            # liblinear draws other random numbers in every fit of a process: it may miss what it reached before.
            ends[name].append((value(task, team.data.X, team.data.y, W.toarray(), b) - climb.optimum) / climb.optimum)
    entries: dict[str, dict] = {}
    for name, rung in reached.items():
        if rung is None:
            found = [suboptimality(run, climb.optimum) for run in climbers[name].rungs]
            entries[name] = {"reason": climbers[name].ended, "reached": min(found, default=None)}
        elif name in seconds:
            median, low, high = summary(seconds[name])
            entries[name] = {
                "seconds": median,
                "interval": [low, high],
                "rounds": seconds[name],
                "settings": rung.settings,
                "reached": suboptimality(rung, climb.optimum),
                "worst_round": float(max(ends[name])),
            }
        else:
            entries[name] = {
                "seconds": rung.seconds,
                "interval": None,
                "settings": rung.settings,
                "reached": suboptimality(rung, climb.optimum),
            }
    return entries


def compare(timed: dict[str, dict]) -> dict:
    """Return the best peer and our ratio to it, round by round."""
    peers = by_speed(timed)
    ours = timed[solvers.OURS]
    if "rounds" not in ours or not peers:
        return {"best_peer": solvers.get(peers[0]).NAME if peers else None, "ratio": None, "ratio_interval": None}
    pairs = zip(ours["rounds"], timed[peers[0]]["rounds"], strict=True)
    median, low, high = summary([our / peer for our, peer in pairs])
    return {"best_peer": solvers.get(peers[0]).NAME, "ratio": median, "ratio_interval": [low, high]}


def by_speed(timed: dict[str, dict]) -> list[str]:
    """Return the peers that reached the target, fastest first; those timed in rounds before the others."""
    peers = [name for name, entry in timed.items() if name != solvers.OURS and "seconds" in entry]
    return sorted(peers, key=lambda name: ("rounds" not in timed[name], timed[name]["seconds"]))


def cold(team: Team, task: Task, timed: dict[str, dict]) -> dict[str, dict]:
    """Time ours and the best peers in new processes, in turn."""
    names = [n for n in (solvers.OURS, *by_speed(timed)[:COLD_PEERS]) if "seconds" in timed[n]]
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for _ in range(COLD_RUNS):
        for name in names:
            say(f"{team.objective.name} {team.data.name}: a new process for {solvers.get(name).NAME}")
            try:
                runs[name].append(team.cold(name, task, timed[name]["settings"]))
            except (FailedError, TooSlowError):
                continue
    return {
        solvers.get(name).NAME: {
            "seconds": statistics.median(seconds for seconds, _ in pairs),
            "peak_mb": statistics.median(memory for _, memory in pairs),
        }
        for name, pairs in runs.items()
        if pairs
    }


def say(text: str) -> None:
    """Tell on standard error how far the race is."""
    print(text, file=sys.stderr, flush=True)

"""The papers' grid (λ_g, λ₁) for every family of groups: the gap of every point, and what sharing work saves.

Religion with the authors' own groups (LDA, LSI, graph of words, word vectors, sentences; √size weights), science and
movie with sentence groups, counts, λ₂ = 0. Every point of {10⁻², …, 10²}² is solved cold to a relative gap of 1e-6 by
``GroupLassoClassifier``; then all at once by ``fit_grid``, on one thread and on two. One run each.
"""

import json
import lzma
import os
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks import datasets, machine
from benchmarks.datasets import _sentences
from benchmarks.race import say
from benchmarks.tables import aligned

LEVELS = (0.01, 0.1, 1.0, 10.0, 100.0)
TOLERANCE = 1e-6


def run(out: Path, names: Sequence[str] = ()) -> str:
    """Solve all grids, write JSON, return the tables."""
    content: dict = {"title": "The papers' grid", "machine": machine.describe(), "families": {}}
    for name in names or (*datasets.FAMILIES, "movie"):
        content["families"][name] = grid(name)
        (out / "group_grid.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    lines = [{"family": name, **_line(found)} for name, found in content["families"].items()]
    return f"{__doc__.splitlines()[0]}\n\n{aligned(lines)}"


def grid(name: str) -> dict:
    """Solve one family's grid cold and at once."""
    from laconic import GroupLassoClassifier

    X, y, groups = _data(name)
    points = [{"group": group, "l1": l1} for group in LEVELS for l1 in LEVELS]
    cold = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for group, l1 in ((100.0, 100.0), (0.01, 1.0), (0.1, 0.1)):  # so that compiled kernels are in memory
            GroupLassoClassifier(groups, group, l1, tol=1e-1).fit(X, y)
        for point in points:
            started = time.perf_counter()
            model = GroupLassoClassifier(groups, **point, tol=TOLERANCE).fit(X, y)
            cold.append(
                {
                    **point,
                    "seconds": time.perf_counter() - started,
                    "gap": model.dual_gap_,
                    "words": int(np.count_nonzero(model.coef_)),
                    "selected": len(model.selected_groups_),
                }
            )
            say(
                f"group_grid {name} λ_g={point['group']:g} λ₁={point['l1']:g}: {cold[-1]['seconds']:.2f} s, "
                f"gap {cold[-1]['gap']:.1e}, {cold[-1]['words']} words"
            )
        shared = {}
        for threads in (1, 2):
            started = time.perf_counter()
            models = GroupLassoClassifier(groups, tol=TOLERANCE, n_jobs=threads).fit_grid(X, y, points)
            shared[threads] = time.perf_counter() - started
    return {
        "groups": len(groups),
        "cold": cold,
        "shared_seconds": shared,
        "shared_gap": max(model.dual_gap_ for model in models),
        "ratio": {threads: seconds / sum(point["seconds"] for point in cold) for threads, seconds in shared.items()},
    }


def _data(name: str):
    from laconic import Groups

    whose, _, family = name.partition("-")
    data = _sentences.get(whose)
    if not family:
        return data.X, data.y, Groups(data.indptr, data.indices, data.weights, data.X.shape[1])
    lists = [sorted(set(group)) for group in authors_groups(family) if group]
    return data.X, data.y, Groups.from_lists(lists, data.X.shape[1])


def authors_groups(family: str) -> list[list[int]]:
    """Return the groups of the authors' files as column numbers: columns are sorted words, ids go by occurrence."""
    words = _lines("vocab_recovered", prefix="")
    column = {identifier: j for j, identifier in enumerate(np.argsort(np.array(words)) + 1)}
    if family != "SENTENCES":
        return [[column[int(one)] for one in line.split()] for line in _lines(f"_unique_words_{family}")]
    tokens = [int(one) for one in _lines("_unique_words_M_CORPUS")]
    ranges = [[int(one) for one in line.split()] for line in _lines("_unique_words_SENTENCES")]
    return [[column[token] for token in tokens[first - 1 : last]] for first, last in ranges if first]


def _lines(name: str, prefix: str = "alt.atheismsoc.religion.christian") -> list[str]:
    folder = Path(os.environ["LACONIC_DATA"]) / "text" / "omp_religion"
    with lzma.open(folder / f"{prefix}{name}.txt.xz", "rt", encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def _line(found: dict) -> dict:
    seconds = [point["seconds"] for point in found["cold"]]
    slowest = max(found["cold"], key=lambda point: point["seconds"])
    return {
        "groups": found["groups"],
        "worst gap": f"{max(point['gap'] for point in found['cold']):.1e}",
        "cold s": f"{sum(seconds):.1f}",
        "median s": f"{np.median(seconds):.2f}",
        "slowest s": f"{slowest['seconds']:.2f}",
        "at λ_g, λ₁": f"{slowest['group']:g}, {slowest['l1']:g}",
        "shared s": f"{found['shared_seconds'][1]:.1f}",
        "shared / cold": f"{found['ratio'][1]:.2f}",
        "two threads": f"{found['ratio'][2]:.2f}",
        "shared gap": f"{found['shared_gap']:.1e}",
    }

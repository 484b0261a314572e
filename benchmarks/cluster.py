"""Fits on partitions: what a round trip costs, an iteration on two workers, a pass against partitions, and a peer.

*Round trip*: a pass over two workers that look at one empty block each and return one number; median of five rounds of
50. *Iteration*: a lasso to a gap of 1e-9 in memory, on four partitions read by one process, and on two workers, in
turns; of IMDB (λ₁ = 5), and of four planted blocks (262,144 documents, λ₁ = 524). Iterations are Newton steps on the
loss; processor seconds are those of all processes together. *Pass*: one look at all cells (correlations of a dual
point) of 1 to 16 planted blocks of 65,536 documents, in one process; the slope is that of log(processor seconds)
against log(blocks). *Peer*: dask-glm's consensus ADMM on the lasso over the 1,000 most frequent words of IMDB without
an intercept, dense as it needs them, on two workers, against ours on the same cells.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from benchmarks import environments, machine
from benchmarks.race import say
from benchmarks.scaling import slope
from benchmarks.tables import aligned

DOCUMENTS, WORDS, LENGTH, TELLING = 1 << 16, 100_000, 100, 200
BLOCKS = (1, 2, 4, 8, 16)
L1 = 5.0
DENSE = 1000


def run(out: Path, runs: int) -> str:
    """Measure everything, write JSON, return the tables."""
    content: dict = {"title": "Fits on partitions", "machine": machine.describe()}
    with tempfile.TemporaryDirectory() as folder:
        say("cluster: a round trip")
        content["round trip"] = _round_trip(Path(folder) / "trip")
        say("cluster: an iteration on IMDB, and on planted blocks")
        content["iteration"] = _iterations(Path(folder), "IMDB", *_imdb(), L1, runs)
        content["iteration"] += _iterations(Path(folder), "planted", *_planted(), 2e-3 * 4 * DOCUMENTS, runs)
        say("cluster: a pass against blocks")
        content["pass"] = _passes(Path(folder) / "planted", runs)
        say("cluster: dask-glm")
        content["peer"] = _peer(Path(folder))
    steps = content["pass"]
    content["slope"] = slope([one["blocks"] for one in steps], [one["processor s"] for one in steps])
    (out / "cluster.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return "\n\n".join(
        [
            __doc__.splitlines()[0],
            f"round trip, ms: {content['round trip']}",
            aligned(content["iteration"]),
            aligned(steps),
            f"slope of a pass against blocks: {content['slope']:.2f}",
            aligned(content["peer"]),
        ]
    )


def planted_block(seed: int, documents: int = DOCUMENTS, length: int = LENGTH):
    """Return columns of binary cells and labels: words by Zipf's law, of which 200 decide the class."""
    from laconic.core.problem import Columns
    from laconic.kernels.linear.columns import accumulate

    truth = np.random.default_rng(0)
    share = 1.0 / (np.arange(WORDS) + 30.0)
    share *= length / share.sum()
    telling = np.sort(truth.choice(np.arange(20, 2000), TELLING, replace=False))
    weights = truth.normal(size=TELLING)
    rng = np.random.default_rng(seed + 1)
    counts = rng.poisson(documents * share)
    keys = np.repeat(np.arange(WORDS, dtype=np.int64) * documents, counts)
    keys += rng.integers(0, documents, len(keys))
    keys.sort()
    keys = keys[np.diff(keys, prepend=-1) > 0]
    word = keys // documents
    ends = np.concatenate([[0], np.cumsum(np.bincount(word, minlength=WORDS))]).astype(np.int32)
    rows = (keys - word * documents).astype(np.uint16)
    columns = Columns(np.empty(0), rows, ends[:-1], ends[1:])
    margin = np.zeros(documents)
    accumulate(*columns.take(telling), weights, margin)
    margin += rng.logistic(size=documents) - np.median(margin)
    return columns, (margin > 0.0).astype(np.int32)


def write_planted(place: Path, blocks: int) -> list:
    """Write planted blocks, and return their partitions."""
    from laconic.partitions.block import Block, Partition

    made = []
    for i in range(blocks):
        folder = place / f"{i:05d}-0000"
        if not folder.is_dir():
            columns, labels = planted_block(i)
            Block(columns, labels, np.arange(len(labels)).astype(np.str_)).write(folder)
        made.append(Partition((str(folder),)))
    return made


def _round_trip(folder: Path) -> list[float]:
    """Return the medians of some rounds, in milliseconds."""
    from laconic.core.losses import Logistic
    from laconic.partitions import partition_matrices

    with _cluster() as client:
        corpus = partition_matrices([(np.zeros((1, 1)), [i]) for i in range(2)], folder, client)
        problem, nothing = corpus.problem(Logistic()), np.zeros(0, dtype=np.intp)

        def once() -> float:
            started = time.perf_counter()
            problem.count_empty(nothing)
            return 1e3 * (time.perf_counter() - started)

        once()
        return [round(float(np.median([once() for _ in range(50)])), 2) for _ in range(5)]


def _cluster():
    from laconic.partitions.runners import local_client

    return local_client(workers=2)


def _imdb():
    from laconic import data
    from laconic.text import BagOfWords

    train = data.load("imdb").train
    return BagOfWords(cells="binary").fit(train.texts).X.tocsc(), np.array(train.labels)


def _planted(blocks: int = 4):
    parts = []
    for i in range(blocks):
        columns, labels = planted_block(i)
        ends = np.concatenate([[0], columns.stop])
        cells = np.ones(len(columns.indices)), columns.indices.astype(np.int32), ends
        parts.append((sp.csc_array(cells, shape=(DOCUMENTS, WORDS)), labels))
    return sp.vstack([X for X, _ in parts], format="csc"), np.concatenate([labels for _, labels in parts])


def _iterations(folder: Path, name: str, X, y, l1: float, runs: int) -> list[dict]:
    from laconic import ElasticNetClassifier
    from laconic.partitions import fit_partitions, partition_matrices

    order = np.array_split(np.random.default_rng(0).permutation(len(y)), 4)
    parts = [(X[rows], y[rows]) for rows in order]
    estimator = ElasticNetClassifier(l1=l1, l2=0.0, tol=1e-9)
    with _cluster() as client:
        alone = partition_matrices(parts, folder / f"{name}-alone")
        together = partition_matrices(parts, folder / f"{name}-together", client)
        ways = {
            "in memory": lambda: estimator.fit(X, y),
            "partitions, one process": lambda: fit_partitions(estimator, alone),
            "partitions, two workers": lambda: fit_partitions(estimator, together),
        }
        models = {way: fit() for way, fit in ways.items()}
        times: dict = {way: [] for way in ways}
        spent: dict = {way: [] for way in ways}
        for _ in range(max(runs, 3)):
            for way, fit in ways.items():
                started, before = time.perf_counter(), _processor_seconds(client)
                models[way] = fit()
                times[way].append(time.perf_counter() - started)
                spent[way].append(_processor_seconds(client) - before)
    first = float(np.median(times["in memory"]))
    rows = []
    for way, model in models.items():
        seconds, steps = float(np.median(times[way])), model.n_iter_
        rows.append(
            {
                "data": name,
                "fit": way,
                "seconds": round(seconds, 3),
                "processor s": round(float(np.median(spent[way])), 3),
                "times memory": round(seconds / first, 2),
                "iterations": steps,
                "s/iteration": round(seconds / steps, 4),
                "iteration, times memory": round(seconds / steps / (first / models["in memory"].n_iter_), 2),
                "objective": f"{model.solution_.objective:.6f}",
                "gap": f"{model.dual_gap_:.0e}",
            }
        )
    return rows


def _processor_seconds(client) -> float:
    """Return what this process and all workers have used of their processors."""
    return time.process_time() + sum(client.run(time.process_time).values())


def _passes(folder: Path, runs: int) -> list[dict]:
    """Time one look at all cells of more and more planted blocks."""
    from laconic.core.losses import Logistic
    from laconic.partitions.passes import Candidate, Terms, Weights
    from laconic.partitions.problem import PartitionedProblem
    from laconic.partitions.runners import LocalRunner

    partitions = write_planted(folder, max(BLOCKS))
    start = Candidate(Weights(np.zeros(0, dtype=np.intp), np.zeros((0, 1)), np.zeros(1)), None)
    rows = []
    for blocks in BLOCKS:
        problem = PartitionedProblem(LocalRunner(partitions[:blocks]), Terms(Logistic(), True, (1.0, 1.0)), WORDS)
        problem.dual_point(start)
        times, spent = [], []
        for _ in range(max(runs, 3)):
            started, before = time.perf_counter(), time.process_time()
            problem.dual_point(start)
            times.append(time.perf_counter() - started)
            spent.append(time.process_time() - before)
        cells = sum(int(block.columns.stop[-1]) for part in partitions[:blocks] for block in part.blocks())
        rows.append(
            {"blocks": blocks, "cells": cells, "seconds": round(min(times), 4), "processor s": round(min(spent), 4)}
        )
    return rows


def _peer(folder: Path) -> list[dict]:
    """Race dask-glm's ADMM in an environment of its own."""
    from laconic import ElasticNetClassifier
    from laconic.partitions import fit_partitions, partition_matrices

    X, y = _imdb()
    frequent = np.sort(np.argsort(-np.diff(X.indptr), kind="stable")[:DENSE])
    # In random order: its chunks must not hold one class each, as the first and the second half of these texts would.
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[:, frequent][order], y[order]
    signs = (y == np.unique(y)[1]).astype(np.float64)
    np.savez(folder / "peer.npz", X=X.toarray(), y=signs)
    rows = []
    with _cluster() as client:
        corpus = partition_matrices([(X[::2], y[::2]), (X[1::2], y[1::2])], folder / "peer", client)
        estimator = ElasticNetClassifier(l1=L1, l2=0.0, fit_intercept=False, tol=1e-9)
        fit_partitions(estimator, corpus)
        started = time.perf_counter()
        model = fit_partitions(estimator, corpus)
        seconds = time.perf_counter() - started
    best = model.solution_.objective
    rows.append({"solver": "laconic", "seconds": round(seconds, 2), "objective": f"{best:.4f}", "above ours": "0"})
    try:
        python = environments.python("requirements-daskglm.txt")
    except environments.NotInstalledError as error:
        return [*rows, {"solver": "dask-glm ADMM", "error": str(error)}]
    for rho, rounds in ((1.0, 10), (10.0, 10), (100.0, 10), (10.0, 40)):
        script = Path(__file__).with_name("dask_glm_worker.py")
        found = subprocess.run(
            [python, str(script), str(folder / "peer.npz"), str(L1), str(rounds), str(rho)],
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )
        if found.returncode:
            rows.append(
                {
                    "solver": f"dask-glm ADMM, ρ = {rho:g}, {rounds} rounds",
                    "error": found.stderr.strip().splitlines()[-1:],
                }
            )
            continue
        answer = json.loads(found.stdout.strip().splitlines()[-1])
        above = (answer["objective"] - best) / best
        rows.append(
            {
                "solver": f"dask-glm ADMM, ρ = {rho:g}, {rounds} rounds",
                "seconds": round(answer["seconds"], 2),
                "objective": f"{answer['objective']:.4f}",
                "above ours": f"{above:.1e}",
            }
        )
    return rows

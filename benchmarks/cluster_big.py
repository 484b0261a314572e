"""A lasso on planted blocks that are larger than memory: times, and the peak memory of every worker.

``python -m benchmarks.cluster_big 2e9 FOLDER`` writes 4 GB of blocks (200 million cells: 0.4 GB); blocks that are there
are used again. Two workers of at most 2 GB each; λ₁ is 0.002 times the number of documents; to a relative gap of 1e-6.
"""

import json
import math
import resource
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.cluster import DOCUMENTS, LENGTH, WORDS, planted_block
from benchmarks.race import say

KEPT = 0.976  # of the words drawn for a document: some are drawn twice


def big(cells: float, folder: str, workers: int = 2, memory: int = 2 * 10**9) -> dict:
    """Fit a lasso on planted blocks of so many cells on local workers, and return times and peak memory of each."""
    from laconic import ElasticNetClassifier
    from laconic.core.losses import Logistic
    from laconic.partitions.corpus import PartitionedCorpus
    from laconic.partitions.fitting import fit_partitions
    from laconic.partitions.passes import Candidate, Terms, Weights
    from laconic.partitions.problem import PartitionedProblem
    from laconic.partitions.runners import DaskRunner, local_client

    blocks = math.ceil(cells / (KEPT * DOCUMENTS * LENGTH))
    with local_client(workers, memory) as client:
        started = time.perf_counter()
        made = client.gather(client.map(write_one, [(folder, i) for i in range(blocks)], pure=False))
        facts: dict = {"blocks": blocks, "documents": blocks * DOCUMENTS, "cells": sum(n for _, _, n in made)}
        facts["write s"] = round(time.perf_counter() - started, 1)
        partitions = tuple(one for one, _, _ in made)
        positive = sum(count for _, count, _ in made)
        counts, runner = (facts["documents"] - positive, positive), DaskRunner(client, partitions)
        corpus = PartitionedCorpus(partitions, None, (0, 1), counts, WORDS, runner, folder)
        started = time.perf_counter()
        corpus.problem(Logistic()).largest_levels()
        facts["first look s"] = round(time.perf_counter() - started, 1)
        facts["s of one pass, by blocks"] = {}
        for share in (8, 4, 2, 1):
            some = DaskRunner(client, partitions[: len(partitions) // share])
            problem = PartitionedProblem(some, Terms(Logistic(), True, (1.0, 1.0)), WORDS)
            started = time.perf_counter()
            problem.dual_point(Candidate(Weights(np.zeros(0, dtype=np.intp), np.zeros((0, 1)), np.zeros(1)), None))
            facts["s of one pass, by blocks"][len(some.partitions)] = round(time.perf_counter() - started, 2)
        times: list = []
        started = time.perf_counter()

        def watch(progress) -> None:
            gap = (progress.objective - progress.dual_objective) / progress.objective
            times.append(round(time.perf_counter() - started, 1))
            words = np.count_nonzero(progress.weights)
            say(f"round {progress.iteration}: {times[-1]} s, gap {gap:.1e}, {words} words")

        estimator = ElasticNetClassifier(l1=2e-3 * facts["documents"], l2=0.0, tol=1e-6)
        model = fit_partitions(estimator, corpus, watch=watch)
        facts |= {
            "rounds": len(times) - 1,
            "seconds after each round": times,
            "gap": float(model.dual_gap_),
            "words": int(np.count_nonzero(model.coef_)),
            "peak MB of each worker": sorted(client.run(peak).values()),
        }
    return facts | {"peak MB of the driver": peak()}


def write_one(item: tuple[str, int]) -> tuple:
    """Write one planted block where it is missing; return its partition, its positive labels and its cells."""
    from laconic.partitions.block import Block, Partition

    place, i = item
    folder = Path(place) / f"{i:05d}-0000"
    if not folder.is_dir():
        columns, labels = planted_block(i)
        Block(columns, labels, np.zeros(1, dtype=np.str_)).write(folder)
    block = Block.open(folder)
    return Partition((str(folder),)), int(block.labels.sum()), int(block.columns.stop[-1])


def peak() -> int:
    """Return the largest resident memory of this process so far, in MB."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0)


if __name__ == "__main__":
    print(json.dumps(big(float(sys.argv[1]), sys.argv[2]), indent=1))

"""Where passes run: one after the other in this process, or on the workers of a Dask cluster.

Both runners answer one question, the sum of a pass over all partitions. Locally the blocks are memory maps, so a
corpus larger than memory is read from disk block by block. On a cluster every worker takes some partitions and sends
back one sum; partitions have no state, so what a dead worker was asked is simply asked again elsewhere.
"""

import asyncio
import logging
import pickle
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from operator import getitem
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from laconic.partitions.block import Block, MissingBlock, Partition
from laconic.partitions.passes import Documents, Sums, Terms, summed

Pass = Callable[[Documents, Any], Sums]
Report = Callable[[int, int], None]
Job = Callable[..., Any]
Items = Sequence[Any]
Shuffled = tuple[list[Any], list[Any]]

FRESH = 5  # seconds for which workers are taken to be those that were last seen
PATIENCE = 120  # seconds for the first worker to come, where there is none
LOOPBACK = "127.0.0.1"


class Runner(Protocol):
    """What a partitioned problem may ask."""

    def total(self, visit: Pass, terms: Terms, message: Any) -> Sums:
        """Return the sum of a pass over all partitions."""

    def each(self, function: Job, items: Items, shared: Any, report: Report | None = None) -> list[Any]:
        """Return ``function(item, shared)`` for all items, in their order."""

    def shuffle(self, cut: Job, merge: Job, items: Items, shared: Any, report: Report | None = None) -> Shuffled:
        """Return the facts of ``cut(item, shared)`` for all items and ``merge(parts, facts, shared)`` per shard."""


class LocalRunner(Runner):
    """Passes in this process, block after block."""

    def __init__(self, partitions: Sequence[Partition] = ()) -> None:
        self.partitions = list(partitions)

    def total(self, visit: Pass, terms: Terms, message: Any) -> Sums:
        return _visited(self.partitions, visit, terms, message)

    def each(self, function: Job, items: Items, shared: Any, report: Report | None = None) -> list[Any]:
        done = []
        for item in items:
            done.append(function(item, shared))
            if report is not None:
                report(len(done), len(items))
        return done

    def shuffle(self, cut: Job, merge: Job, items: Items, shared: Any, report: Report | None = None) -> Shuffled:
        """Merge what lies across items, shard by shard; meanwhile the shards are on disk."""
        with tempfile.TemporaryDirectory(prefix="laconic-") as folder:

            def spill(number: int, _: None) -> Any:
                facts, shards = cut(items[number], shared)
                for s, shard in enumerate(shards):
                    Path(folder, f"{s}-{number}").write_bytes(pickle.dumps(shard))
                return facts, len(shards)

            done = self.each(spill, range(len(items)), None, report)
            facts = [fact for fact, _ in done]

            def collected(s: int) -> Any:
                parts = [pickle.loads(Path(folder, f"{s}-{number}").read_bytes()) for number in range(len(items))]
                return merge(parts, facts, shared)

            return facts, [collected(s) for s in range(done[0][1])]


class DaskRunner(Runner):
    """Passes on the workers of a cluster; ``maker.make(partition)`` writes blocks anew where workers share no disk."""

    def __init__(self, client: Any, partitions: Sequence[Partition] = (), maker: Any = None) -> None:
        self.client, self.partitions = client, list(partitions)
        self.maker = maker
        self._held: dict[str, list[list[Partition]]] = {}
        self._since, self._cut = -np.inf, self.partitions

    def total(self, visit: Pass, terms: Terms, message: Any) -> Sums:
        """Return the sum of a pass over all partitions, added up in their order."""
        # Asking workers directly takes a fifth of a task's time; what one cannot answer becomes a task that any may
        # take.
        hands = self._hands()
        answers = self.client.run(_answer, hands, visit, terms, message, workers=list(hands), on_error="return")

        def answer(worker: str) -> Sums:
            sums = answers.get(worker, OSError())
            if isinstance(sums, (MissingBlock, OSError)):
                self._since = -np.inf  # whoever comes for it is to be seen next time
                return self._as_tasks(worker, hands[worker], visit, terms, message)
            if isinstance(sums, Exception):
                raise sums
            return sums

        return summed(map(answer, hands))

    def _as_tasks(self, worker: str, parts: Sequence[list[Partition]], *asked: Any) -> Sums:
        """Return the sum over the partitions of one worker, from whichever can give it."""
        there = {"workers": [worker], "allow_other_workers": True, "pure": False}
        futures = [self.client.submit(_visited, part, *asked, self.maker, **there) for part in parts]
        return summed(future.result() for future in futures)

    def each(self, function: Job, items: Items, shared: Any, report: Report | None = None) -> list[Any]:
        workers = self._threads()
        # Sent once to every worker, however many items there are.
        common = self.client.scatter([shared], broadcast=True, hash=False)[0]
        submit = partial(self.client.submit, function, allow_other_workers=True, pure=False)
        futures = [submit(item, common, workers=[workers[i % len(workers)]]) for i, item in enumerate(items)]
        return _results(futures, report)

    def shuffle(self, cut: Job, merge: Job, items: Items, shared: Any, report: Report | None = None) -> Shuffled:
        """Merge what lies across items; shards travel from worker to worker, only what is merged comes here."""
        submit = partial(self.client.submit, pure=False)
        common = self.client.scatter([shared], broadcast=True, hash=False)[0]
        cuts = [submit(cut, item, common) for item in items]
        facts = _results([submit(getitem, pair, 0) for pair in cuts], report)
        shards = [submit(getitem, pair, 1) for pair in cuts]
        n_shards = submit(len, shards[0]).result()
        merged = [submit(merge, [submit(getitem, own, s) for own in shards], facts, common) for s in range(n_shards)]
        return facts, [future.result() for future in merged]

    def _hands(self) -> dict[str, list[list[Partition]]]:
        """Return which worker takes which partitions, one list per thread; looked up anew every few seconds."""
        now = time.monotonic()
        if now - self._since > FRESH or self._cut is not self.partitions:
            threads = self._threads()
            lists = [self.partitions[i :: len(threads)] for i in range(len(threads))]
            self._held = {}
            for worker, part in zip(threads, lists, strict=True):
                if part:
                    self._held.setdefault(worker, []).append(part)
            self._since, self._cut = now, self.partitions
        return self._held

    def _threads(self) -> list[str]:
        """Return the address of its worker for every thread."""
        threads = [worker for worker, n in sorted(self.client.nthreads().items()) for _ in range(n)]
        if threads:
            return threads
        # All of them may have died at once, and be on their way back.
        self.client.wait_for_workers(1, timeout=PATIENCE)
        return self._threads()


def _results(futures: Sequence[Any], report: Report | None) -> list[Any]:
    """Return what futures come to, in their order, and tell of each as it ends."""
    from distributed import as_completed

    for done, future in enumerate(as_completed(futures), 1):
        future.result()
        if report is not None:
            report(done, len(futures))
    return [future.result() for future in futures]


def _visited(partitions: Sequence[Partition], visit: Pass, terms: Terms, message: Any, maker: Any = None) -> Sums:
    """Return the sum of a pass over some partitions; run on a worker."""

    def blocks() -> Iterator[Block]:
        for partition in partitions:
            if maker is not None and partition.missing():
                maker.make(partition)
            yield from partition.blocks()

    return summed(visit(Documents(block, terms), message) for block in blocks())


async def _answer(
    hands: dict[str, list[list[Partition]]], visit: Pass, terms: Terms, message: Any, dask_worker: Any
) -> Sums:
    """Return the sum of a pass over the partitions of the worker that this runs on, by the threads of its tasks."""
    loop, threads = asyncio.get_running_loop(), dask_worker.executors["default"]
    parts = hands[dask_worker.address]
    asked = [loop.run_in_executor(threads, _visited, part, visit, terms, message) for part in parts]
    return summed([await answer for answer in asked])


@contextmanager
def local_client(workers: int, memory: int | None = None) -> Iterator[Any]:
    """Start worker processes, one thread and ``memory`` bytes (or their share) each, and yield a client of them."""
    # They listen on the loopback interface only, and speak TLS with a certificate made for the run and kept in memory:
    # other users of the machine are refused as well, for who reaches a scheduler of Dask can run code on it.
    try:
        from distributed import Client, LocalCluster
        from distributed.security import Security

        security = Security.temporary()  # needs the package cryptography
    except ImportError as error:
        raise ImportError("A cluster of processes needs Dask: pip install dask distributed cryptography") from error

    anywhere = f"{LOOPBACK}:0"
    local = LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host=LOOPBACK,
        protocol="tls",
        security=security,
        dashboard_address=anywhere,
        worker_dashboard_address=anywhere,
        memory_limit=memory or "auto",
        # What goes wrong on a worker is raised here, once; its own log would say it before, with a traceback.
        silence_logs=logging.CRITICAL,
    )
    with local, Client(local, security=security) as client:
        yield client

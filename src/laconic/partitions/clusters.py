"""`local_client`: processes of this machine as a cluster that nothing outside of it can reach."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LOOPBACK = "127.0.0.1"


@contextmanager
def local_client(workers: int, memory: int | None = None) -> Iterator[Any]:
    """Start worker processes, one thread each, and yield a `distributed.Client` of them.

    Dask restarts a worker at ``memory`` bytes, by default its share of the machine's.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise ImportError("A cluster of processes needs Dask: pip install laconic[dask]") from error

    anywhere = f"{LOOPBACK}:0"
    local = LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host=LOOPBACK,
        dashboard_address=anywhere,
        worker_dashboard_address=anywhere,
        memory_limit=memory or "auto",
        # What goes wrong on a worker is raised here, once; its own log would say it before, with a traceback.
        silence_logs=logging.CRITICAL,
    )
    with local, Client(local) as client:
        yield client

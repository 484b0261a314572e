"""`local_client`: processes of this machine as a cluster that nobody else can reach.

They listen on the loopback interface only, and speak TLS with a certificate made for the run and kept in memory, so
that other users of the same machine are refused as well: who reaches a scheduler of Dask can run code on it.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LOOPBACK = "127.0.0.1"


@contextmanager
def local_client(workers: int, memory: int | None = None) -> Iterator[Any]:
    """Start worker processes, one thread and ``memory`` bytes (or their share) each, and yield a client of them."""
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

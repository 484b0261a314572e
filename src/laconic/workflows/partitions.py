"""A fit on partitions: texts stay on disk in blocks, here or on the workers of a cluster."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laconic.core.extras import need
from laconic.workflows.sources import Reading, find_columns, read_labelled
from laconic.workflows.watch import Watch

if TYPE_CHECKING:
    from laconic.models.search.fit_text import FittedText
    from laconic.models.search.recipe import Recipe


@dataclass(frozen=True)
class Resources:
    """Where a fit on partitions runs: workers here or the address of a cluster, bytes of memory, folder of blocks."""

    workers: int | None = None
    cluster: str | None = None
    memory: int | None = None
    blocks: str | None = None


HERE = Resources()


def fit_in_partitions(
    source: str,
    recipe: "Recipe",
    reading: Reading,
    others: Mapping[str, str | None],
    resources: Resources,
    watch: Watch,
) -> tuple["FittedText", Reading]:
    """Fit on partitions, and return what was made and the columns it was read from."""
    from laconic.models.search.partitioned import fit_partitioned
    from laconic.partitions.corpus import files_of

    files = files_of(source)
    reading = find_columns(files[0], reading, watch=watch)
    columns = f"text: {', '.join(reading.text_cols)}; label: {reading.label_col}"
    watch.say(f"{source}: {len(files):,} files; {columns}")
    corpora = {split: read_labelled(file, reading) for split, file in others.items() if file is not None}
    with _folder(resources.blocks) as folder, _client(resources) as client:
        made = fit_partitioned(
            source,
            folder,
            recipe=recipe,
            **reading.columns(),
            **corpora,
            client=client,
            memory=resources.memory,
            show=lambda stage, done, total, note: watch.advance(done, total or None, note or stage),
        )
    return made, reading


@contextmanager
def _folder(blocks: str | None) -> Iterator[str]:
    """Yield the folder of the blocks; one that nobody named is removed in the end."""
    if blocks is not None:
        yield blocks
        return
    made = tempfile.mkdtemp(prefix="laconic-blocks-")
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def _client(resources: Resources) -> Iterator[Any]:
    """Yield a client of the cluster that was asked for, None for this process alone."""
    if resources.workers is not None:
        from laconic.partitions.runners import local_client

        with local_client(resources.workers, resources.memory) as client:
            yield client
    elif resources.cluster is not None:
        with need("distributed", "--cluster", " dask cryptography").Client(resources.cluster) as client:
            yield client
    else:
        yield None

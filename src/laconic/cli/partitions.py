"""``laconic fit`` on partitions: where it runs, and what a person sees meanwhile."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from laconic.cli.shared.output import progress_bar
from laconic.cli.shared.sources import Reading, find_columns, read_labelled

if TYPE_CHECKING:
    from laconic.models.search.fit_text import FittedText
    from laconic.models.search.recipe import Recipe

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
LEAST = 200_000_000  # bytes: Python, numba and one small block


class Memory(click.ParamType):
    """``2GB`` or ``500M``: a number of bytes."""

    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return bytes."""
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", str(value).strip().lower())
        size = int(float(found[1]) * UNITS[found[2]]) if found else 0
        if size < LEAST:
            self.fail(f"{value!r} is not a size of memory from 200MB on, such as 2GB.", param, ctx)
        return size


MEMORY = Memory()


@dataclass(frozen=True)
class Where:
    """Where a fit on partitions runs, as the options say."""

    workers: int | None
    cluster: str | None
    memory: int | None
    blocks: str | None

    def __post_init__(self) -> None:
        if self.workers and self.cluster:
            raise click.UsageError("--workers starts processes here and --cluster uses those elsewhere: give one.")
        if self.cluster and not self.blocks:
            raise click.UsageError("--cluster needs --blocks, a folder that workers write to and, best, share.")


def is_pattern(source: str) -> bool:
    """Say whether a source is a pattern of files, such as ``parts/*.jsonl``.

    Examples
    --------
    >>> is_pattern("parts/*.jsonl"), is_pattern("reviews.csv")
    (True, False)
    """
    return any(sign in source for sign in "*?[") and not Path(source).exists()


def pattern_stem(source: str) -> str:
    """Return a name for what is made of a pattern: that of the folder it is in.

    Examples
    --------
    >>> pattern_stem("letters/*.jsonl.zst"), pattern_stem("*.csv")
    ('letters', 'model')
    """
    parts = [part for part in Path(source).parts[:-1] if not is_pattern(part) and part not in (".", "/")]
    return parts[-1] if parts else "model"


def fit_in_partitions(
    source: str, dev: str | None, test: str | None, recipe: "Recipe", reading: Reading, where: Where, quiet: bool
) -> tuple["FittedText", Reading]:
    """Fit on partitions, and return what was made and the columns it was read from."""
    from laconic.models.search.partitioned import fit_partitioned
    from laconic.partitions.corpus import files_of

    if source == "-":
        raise click.UsageError("Standard input cannot be read twice, as a fit on partitions must; give files.")
    files = files_of(source)
    reading = find_columns(files[0], reading)
    if not quiet:
        columns = f"text: {', '.join(reading.text_cols)}; label: {reading.label_col}"
        click.echo(f"{source}: {len(files):,} files; {columns}", err=True)
    others = {split: read_labelled(file, reading) for split, file in (("dev", dev), ("test", test)) if file is not None}
    with _folder(where.blocks) as folder, _client(where) as client, progress_bar("fit", quiet) as advance:
        made = fit_partitioned(
            source,
            folder,
            recipe=recipe,
            text_cols=reading.text_cols,
            label_col=reading.label_col,
            id_col=reading.id_col,
            client=client,
            memory=where.memory,
            show=lambda stage, done, total, note: advance(done, total or None, note or stage),
            **others,
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
def _client(where: Where) -> Iterator[Any]:
    """Yield a client of the cluster that was asked for, None for this process alone."""
    if where.workers is None and where.cluster is None:
        yield None
        return
    if where.workers is not None:
        from laconic.partitions.clusters import local_client

        with local_client(where.workers, where.memory) as client:
            yield client
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise ImportError("--cluster needs Dask: pip install laconic[dask]") from error

    with Client(where.cluster) as client:
        yield client

"""`Partition`: the name of some blocks on disk, small enough to be sent with every message."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from laconic.partitions.block import Block


class MissingBlock(Exception):
    """A block is not on the disk that this process sees."""


@dataclass(frozen=True)
class Partition:
    """Blocks that are visited together: their folders, and the file that they were made from, if any."""

    folders: tuple[str, ...]
    source: str = ""

    def blocks(self) -> Iterator[Block]:
        """Open one block after the other."""
        for folder in self.folders:
            if not Path(folder).is_dir():
                raise MissingBlock(
                    f"There is no block {folder} on this machine. Workers must see the folder of the blocks, or the "
                    "files that they were made from."
                )
            yield Block.open(folder)

    def missing(self) -> bool:
        """Say whether any block is not there."""
        return not all(Path(folder).is_dir() for folder in self.folders)

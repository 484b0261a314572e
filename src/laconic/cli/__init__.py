"""The command ``laconic``; commands are imported when they are called, so that ``laconic --help`` is quick."""

import gc
from collections.abc import Sequence

# Imports and tables of words make hundreds of thousands of objects that stay: to look through them after every 700 for
# some that can go takes a tenth of the time of a short command.
_OBJECTS = 100_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (``sys.argv`` by default) and return its exit code; see `laconic.cli.app`."""
    gc.set_threshold(_OBJECTS)
    try:
        from laconic.cli.app import run

        return run(arguments)
    except KeyboardInterrupt:  # before or after the part that handles it
        return 130

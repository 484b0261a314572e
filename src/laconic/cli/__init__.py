"""The command ``laconic``; commands are imported when they are called, so that ``laconic --help`` is quick."""

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 1 a problem in data or model, 2 a usage mistake.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows ``laconic`` on the command line; ``sys.argv[1:]`` if not given.

    Examples
    --------
    >>> main(["data", "list", "--no-such-option"])
    2
    """
    try:
        from laconic.cli.app import run

        return run(arguments)
    except KeyboardInterrupt:  # before or after the part that handles it
        return 130

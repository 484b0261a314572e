"""The fixtures of the command line, for jobs that are compared with it."""

from tests.cli.conftest import letters, model, rows, run

__all__ = ["letters", "model", "rows", "run"]

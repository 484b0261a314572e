"""What a workflow tells its caller on the way: progress, remarks, a question, and wishes that contradict each other."""

from collections.abc import Sequence


class Contradiction(ValueError):
    """Wishes that cannot go together, whatever the data: a mistake of usage."""


class Watch:
    """Hears how a workflow goes on; this one stays silent and answers no question."""

    def advance(self, done: int, total: int | None, note: str = "") -> None:
        """Hear how much of the long work is done; ``total`` is None while it is not known."""

    def say(self, text: str) -> None:
        """Hear a remark, such as what was read."""

    def ask(self, question: str, answers: Sequence[str]) -> str | None:
        """Return one of the answers, or None if nobody is there to choose."""
        return None


SILENT = Watch()

"""What a case can come to: it holds, it is refused with a sentence, it stops early and says so, or it is a finding."""

from typing import Literal, NamedTuple

Word = Literal["held", "refused", "unfinished", "finding"]
WORDS: tuple[Word, ...] = ("held", "refused", "unfinished", "finding")
SENTENCE = 15  # characters that a refusal has at least


class Verdict(NamedTuple):
    """The outcome of one case, and what there is to say about it."""

    word: Word
    why: str = ""


HELD = Verdict("held")


def refused(error: Exception) -> Verdict:
    """Return the verdict on an error that a caller may get: one with a sentence is a refusal."""
    message = str(error).strip()
    if len(message) < SENTENCE:
        return Verdict("finding", f"{type(error).__name__} without a sentence: {message!r}")
    return Verdict("refused", message)


def raised(error: BaseException) -> Verdict:
    """Return the verdict on an error that nobody foresaw, with the line of laconic where it came up."""
    place, step = "", error.__traceback__
    while step is not None:
        name = step.tb_frame.f_code.co_filename
        if "laconic" in name or not place:
            place = f"{name.rsplit('/laconic/', 1)[-1].rsplit('/tools/', 1)[-1]}:{step.tb_lineno}"
        step = step.tb_next
    return Verdict("finding", f"{type(error).__name__} at {place}: {str(error)[:200]}")

"""Bars of block characters, and words cut to a length."""

BAR = 8
LONGEST_WORD = 24


def bar(share: float, longest: int = BAR) -> str:
    """Return a bar of up to ``longest`` characters, in eighths of a character."""
    eighths = max(1, round(share * longest * 8))
    return "█" * (eighths // 8) + ("", *"▏▎▍▌▋▊▉")[eighths % 8]


def shortened(word: str) -> str:
    """Return a word of at most `LONGEST_WORD` characters, with an ellipsis where it was cut."""
    return word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + "…"

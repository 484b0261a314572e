"""A `Stability` on the terminal."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from laconic.cli.shared.output import spaced, table
from laconic.evaluate.resampling.stability_selection import Stability

BAR = 20
GROUPS = 10


def stability_view(found: Stability, words: Sequence[str], sides: tuple[str, str] | None, top: int) -> RenderableType:
    """Return up to ``top`` words with frequencies and areas, and words that go together.

    ``words`` are those of the model itself, ``sides`` what a word of negative and one of positive weight is for; None
    with more than two classes.
    """
    model, stable = set(words), set(found.stable)
    lines = (
        f"{len(stable):,} stable words, selected by at least {found.threshold:.0%} of {found.n_models} models; at most "
        f"{found.errors:.2g} of them expected by chance (only the {found.selected:.0f} largest weights of each model "
        f"count, of {found.n_features:,} words).\n"
        f"{len(model & stable):,} of the model's {len(model):,} words are stable."
    )
    listed = table("word", ">models", "", "area", "evidence for", "in the model")
    for word in found.words[:top]:
        style = None if word.frequency >= found.threshold else "dim"
        here = "yes" if word.word in model else "-"
        minus, plus = sides or (f"not {word.label}", str(word.label))
        side = plus if word.sign == "+" else minus
        bar = "█" * round(word.frequency * BAR)
        listed.add_row(word.word, f"{word.frequency:.0%}", bar, f"{word.area:.2f}", side, here, style=style)
    parts: list[RenderableType] = [lines, listed]
    if len(found.words) > top:
        parts[-1:] = [Group(listed, Text(f"{len(found.words) - top:,} more words are in some models", style="dim"))]
    if found.together:
        pairs = ((" · ".join(pair.words), f"{pair.frequency:.0%}") for pair in found.together[:GROUPS])
        parts.append(table("words that stand in for one another", ">models with any of them", rows=pairs))
    if found.groups:
        groups = ((name, f"{share:.0%}") for name, share in found.groups[:GROUPS])
        parts.append(table("group", ">models", rows=groups))
    return spaced(*parts)

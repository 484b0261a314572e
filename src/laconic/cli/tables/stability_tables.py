"""A `Stability` on the terminal."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laconic.evaluate.resampling.stability_selection import Stability

BAR = 20
GROUPS = 10


def stability_view(found: Stability, words: Sequence[str], sides: tuple[str, str], top: int) -> RenderableType:
    """Return the words with their frequencies and areas, and words that go together.

    Parameters
    ----------
    found : Stability
    words : sequence of str
        Those of the model itself.
    sides : (str, str)
        What a word of negative and one of positive weight speaks for.
    top : int
        How many words to show.
    """
    model, stable = set(words), set(found.stable)
    lines = [
        f"{len(stable):,} stable words, selected by at least {found.threshold:.0%} of {found.n_models} models; at most "
        f"{found.errors:.2g} of them expected by chance (of each model the {found.selected:.0f} strongest of "
        f"{found.n_features:,} words count).",
        f"Of the {len(model):,} words of the model {len(model & stable):,} are stable.",
    ]
    table = _table("word", "models", "", "area", "speaks for", "in the model")
    for one in found.words[:top]:
        style = None if one.frequency >= found.threshold else "dim"
        here = "yes" if one.word in model else "-"
        bar = "█" * round(one.frequency * BAR)
        side = {"-": sides[0], "+": sides[1]}.get(one.sign, "")
        table.add_row(Text(one.word), f"{one.frequency:.0%}", bar, f"{one.area:.2f}", Text(side), here, style=style)
    parts: list[RenderableType] = [Text("\n".join(lines)), Text(), table]
    if len(found.words) > top:
        parts.append(Text(f"{len(found.words) - top:,} more words are in some of the models", style="dim"))
    if found.together:
        together = _table("words that stand in for one another", "models with any of them")
        for pair in found.together[:GROUPS]:
            together.add_row(Text(" · ".join(pair.words)), f"{pair.frequency:.0%}")
        parts += [Text(), together]
    if found.groups:
        groups = _table("group", "models")
        for name, share in found.groups[:GROUPS]:
            groups.add_row(Text(name), f"{share:.0%}")
        parts += [Text(), groups]
    return Group(*parts)


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, justify="right" if heading.startswith("models") else "left", overflow="fold")
    return table

"""A `Stability` on the terminal."""

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laconic.evaluate.resampling import Stability

BAR = 20
GROUPS = 10


def stability_view(found: Stability, scorer: Any, top: int) -> RenderableType:
    """Return the stable words with their frequencies, those of the model that are not, and words that go together."""
    weights, stable = scorer.words, set(found.stable)
    kept = [word for word in weights if word in stable]
    lines = [
        f"{len(stable):,} stable words, selected by at least {found.threshold:.0%} of {found.n_models} models; at most "
        f"{found.errors:.2g} of them expected by chance (of each model the {found.selected:.0f} strongest of "
        f"{found.n_features:,} words count).",
        f"Of the {len(weights):,} words of the model {len(kept):,} are stable.",
    ]
    table = _table("word", "models", "", "speaks for", "in the model")
    for one in found.words[:top]:
        style = None if one.frequency >= found.threshold else "dim"
        here = "yes" if one.word in weights else "-"
        bar = "█" * round(one.frequency * BAR)
        table.add_row(Text(one.word), f"{one.frequency:.0%}", bar, _class(one.sign, scorer), here, style=style)
    parts: list[RenderableType] = [Text("\n".join(lines)), Text(), table]
    if len(found.words) > top:
        parts.append(Text(f"{len(found.words) - top:,} more words were selected by some model", style="dim"))
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


def _class(sign: str, scorer: Any) -> Text:
    """Name the class for which the word speaks; of more than two classes a word may speak for several."""
    names = scorer.model.classes
    return Text({"+": str(names[1]), "-": str(names[0])}.get(sign, ""))


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, justify="right" if heading.startswith("models") else "left", overflow="fold")
    return table

"""A `ModelDiff` on the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laconic.models.edit.diff import LabelChange, ModelDiff, WordChange

TOP = 10
GROUP_LISTS = (("ban_groups", "banned groups"), ("keep_groups", "kept groups"))
TITLES = {"came": "Words that came", "went": "Words that went", "turned": "Words that changed their sign"}


def diff_tables(diff: ModelDiff, top: int = TOP) -> list[RenderableType]:
    """Return what to show of a diff: tables of words, groups and documents, each with at most ``top`` rows."""
    parts: list[RenderableType] = [_sizes(diff)]
    for kind, title in TITLES.items():
        if found := diff.of_kind(kind):
            parts.append(_words(title, found, top))
    for title, names in (("Groups that came", diff.groups_came), ("Groups that went", diff.groups_went)):
        if names:
            parts.append(_named(title, names, top))
    if diff.n_documents:
        parts.append(_documents(diff, top))
    return parts


def edit_line(diff: ModelDiff, facts: Mapping[str, Any]) -> str:
    """Return the numbers of an edit in one line."""
    parts = [f"words {diff.sizes[0]:,} → {diff.sizes[1]:,}"]
    if (scores := facts["scores"]) is not None:
        name = scores["metric"].replace("_", " ").replace("f1", "F1")
        parts.append(f"test {name} {scores['before']:.4f} → {scores['after']:.4f}")
    if facts["gap"] < float("inf"):
        parts.append(f"gap {facts['gap']:.0e}")
    seconds = facts["seconds"]
    parts.append(f"{seconds['all']:.1f} s, of which the fit {seconds['fit']:.2f} s")
    return ", ".join(parts)


def edits_line(edits: Mapping[str, Any] | None) -> list[str]:
    """Return what a model was told, in one line; nothing for a model without edits."""
    if not edits:
        return []
    lists = [f"{what} {_some(edits[name])}" for name, what in (("ban", "banned"), ("keep", "kept")) if edits.get(name)]
    lists += [f"{what} {_some(edits[name])}" for name, what in GROUP_LISTS if edits.get(name)]
    if signs := edits.get("signs"):
        lists.append(f"signs {_some([f'{word}={sign}' for word, sign in signs.items()])}")
    if factors := edits.get("factors"):
        lists.append(f"factors {_some([f'{word}={factor:g}' for word, factor in factors.items()])}")
    return [f"Edits: {'; '.join(lists)}"]


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - TOP:,} more" if len(names) > TOP else ""
    return ", ".join(names[:TOP]) + more


def _sizes(diff: ModelDiff) -> str:
    counts = [f"{len(diff.of_kind(kind)):,} {kind}" for kind in ("came", "went", "turned", "moved")]
    return f"{diff.sizes[0]:,} words before, {diff.sizes[1]:,} after; weights: {', '.join(counts)}"


def _words(title: str, found: Sequence[WordChange], top: int) -> RenderableType:
    table = _table()
    table.add_column("word", overflow="fold")
    table.add_column("for")
    for heading in ("before", "after"):
        table.add_column(heading, justify="right")
    for one in found[:top]:
        cells = ["" if weight == 0.0 else f"{weight:+.3f}" for weight in (one.before, one.after)]
        table.add_row(one.word, str(one.label), *cells)
    return _titled(f"{title} ({min(top, len(found)):,} of {len(found):,})", table)


def _named(title: str, names: Sequence[str], top: int) -> RenderableType:
    return _titled(f"{title} ({min(top, len(names)):,} of {len(names):,})", Text("\n".join(names[:top])))


def _documents(diff: ModelDiff, top: int) -> RenderableType:
    changed = diff.documents
    if not changed:
        return f"All {diff.n_documents:,} documents keep their label."
    won = sum(one.after == one.truth for one in changed)
    lost = sum(one.before == one.truth for one in changed)
    known = any(one.truth is not None for one in changed)
    title = f"Documents whose label changed ({min(top, len(changed)):,} of {len(changed):,} in {diff.n_documents:,}"
    title += f"; {won:,} now right, {lost:,} now wrong)" if known else ")"
    table = _table()
    for heading in ["document", "before", "after", *["truth"] * known]:
        table.add_column(heading, overflow="fold")
    for one in changed[:top]:
        table.add_row(*_row(one, known))
    return _titled(title, table)


def _row(one: LabelChange, known: bool) -> list[str]:
    return [one.id, _label(one.before), _label(one.after), *([_label(one.truth)] if known else [])]


def _label(label: Any) -> str:
    return "|".join(map(str, label)) if isinstance(label, tuple) else str(label)


def _titled(title: str, table: RenderableType) -> RenderableType:
    return Group(Text(title, style="bold"), table)


def _table() -> Table:
    return Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))

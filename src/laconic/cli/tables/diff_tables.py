"""A `ModelDiff` and edits on the terminal."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from laconic.cli.shared.output import table
from laconic.models.edit.diff import ModelDiff, WordChange

if TYPE_CHECKING:
    from laconic.workflows.edit import EditResult

TOP = 10
KINDS = {"came": "added", "went": "removed", "turned": "changed sign", "moved": "changed value"}
LISTS = {"ban": "banned", "keep": "kept", "ban_groups": "banned groups", "keep_groups": "kept groups"}


def diff_tables(diff: ModelDiff, top: int = TOP) -> list[RenderableType]:
    """Return what to show of a diff: tables of words, groups and documents, each with at most ``top`` rows."""
    counts = ", ".join(f"{len(diff.of_kind(kind)):,} {name}" for kind, name in KINDS.items())
    parts: list[RenderableType] = [f"{diff.sizes[0]:,} words before, {diff.sizes[1]:,} after; weights: {counts}"]
    shown = {kind: diff.of_kind(kind) for kind in ("came", "went", "turned")}
    parts += [_words(f"Words {KINDS[kind]}", changes, top) for kind, changes in shown.items() if changes]
    for title, names in (("Groups added", diff.groups_came), ("Groups removed", diff.groups_went)):
        if names:
            parts.append(_titled(f"{title} ({_some_of(names, top)})", "\n".join(names[:top])))
    return [*parts, _documents(diff, top)] if diff.n_documents else parts


def edit_line(edited: "EditResult") -> str:
    """Return the numbers of an edit in one line."""
    before, after = edited.diff.sizes
    parts = [f"words {before:,} → {after:,}"]
    if (scores := edited.scores) is not None:
        name = scores["metric"].replace("_", " ").replace("f1", "F1")
        parts.append(f"test {name} {scores['before']:.4f} → {scores['after']:.4f}")
    if edited.gap < float("inf"):
        parts.append(f"gap {edited.gap:.0e}")
    parts.append(f"{edited.seconds['all']:.1f} s, of which the fit {edited.seconds['fit']:.2f} s")
    return ", ".join(parts)


def edits_line(edits: Mapping[str, Any] | None) -> list[str]:
    """Return the edits of a model in one line; nothing for a model without any."""
    if not edits:
        return []
    lists = [f"{what} {_some(edits[name])}" for name, what in LISTS.items() if edits.get(name)]
    if signs := edits.get("signs"):
        lists.append(f"signs {_some([f'{word}={sign}' for word, sign in signs.items()])}")
    if factors := edits.get("factors"):
        lists.append(f"factors {_some([f'{word}={factor:g}' for word, factor in factors.items()])}")
    return [f"Edits: {'; '.join(lists)}"]


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - TOP:,} more" if len(names) > TOP else ""
    return ", ".join(names[:TOP]) + more


def _some_of(rows: Sequence[Any], top: int) -> str:
    return f"{min(top, len(rows)):,} of {len(rows):,}"


def _words(title: str, changes: Sequence[WordChange], top: int) -> RenderableType:
    made = table("word", "for", ">before", ">after")
    for change in changes[:top]:
        weights = ["" if weight == 0.0 else f"{weight:+.3f}" for weight in (change.before, change.after)]
        made.add_row(change.word, str(change.label), *weights)
    return _titled(f"{title} ({_some_of(changes, top)})", made)


def _documents(diff: ModelDiff, top: int) -> RenderableType:
    changed = diff.documents
    if not changed:
        return f"All {diff.n_documents:,} documents keep their label."
    won = sum(document.after == document.truth for document in changed)
    lost = sum(document.before == document.truth for document in changed)
    known = any(document.truth is not None for document in changed)
    right = f"; {won:,} now correct, {lost:,} now wrong" if known else ""
    made = table("document", "before", "after", *["true class"] * known)
    for document in changed[:top]:
        labels = (document.before, document.after, *[document.truth] * known)
        made.add_row(document.id, *("|".join(map(str, own)) if isinstance(own, tuple) else str(own) for own in labels))
    title = f"Documents whose label changed ({_some_of(changed, top)} in {diff.n_documents:,}{right})"
    return _titled(title, made)


def _titled(title: str, part: RenderableType) -> RenderableType:
    return Group(Text(title, style="bold"), part)

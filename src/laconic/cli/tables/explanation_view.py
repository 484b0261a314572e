"""An explanation on the terminal: a bar per class, a bar per sentence, the words in colour."""

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laconic.core.summaries.explanation import Explanation, Label, SentencePart
from laconic.core.summaries.summary import pull

FOR, AGAINST = "blue", "yellow"
CLASS_BAR, HALF = 24, 5
MOST_WORDS = 12


def explain_view(why: Explanation, parts: Sequence[SentencePart], label: Label) -> RenderableType:
    """Return the probabilities, the sentences with their bars, and the words that count for a label.

    Parameters
    ----------
    why : Explanation
    parts : sequence of SentencePart
        Its sentences, with their influence on the label.
    label : str, int or bool
        Whose reasons to show.
    """
    shown = replace(why, label=label)
    pulls = {word.word: value for word in why.words if (value := pull(shown, word))}
    views: list[RenderableType] = [_classes(why), Text()]
    if not pulls:
        return Group(*views, Text("It has no word that the model weighs for this class: the intercept decides."))
    views += [_sentences(shown, parts, pulls), Text(), _words(pulls, label)]
    note = Text.assemble(
        ("words", f"{FOR} underline"), f" for {label}   ", ("words", f"{AGAINST} underline"), " against it"
    )
    return Group(*views, Text(), note)


def _classes(why: Explanation) -> Table:
    table = _grid()
    for number, label in enumerate(why.classes):
        won = label == why.label
        share = None if why.probabilities is None else why.probabilities[number]
        bar = Text("" if share is None else "█" * round(share * CLASS_BAR), style=FOR if won else "dim")
        number_shown = ("predicted" if won else "") if share is None else f"{100 * share:.1f} %"
        table.add_row(Text(str(label)), bar, number_shown, style="bold" if won else None)
    return table


def _sentences(why: Explanation, parts: Sequence[SentencePart], pulls: dict[str, float]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    values = [_value(part) for part in parts]
    widest = max([abs(value) for value in values] + [0.5])
    top = max(values, default=0.0)
    for part, value in zip(parts, values, strict=True):
        telling = value > 0.05 and value == top and len(parts) > 1
        table.add_row(
            _balance(value / widest), f"{value:+.2f}", _marked(why, part, pulls), style="bold" if telling else None
        )
    return table


def _value(part: SentencePart) -> float:
    return sum(part.weights) if part.log_odds is None else part.log_odds


def _balance(share: float) -> Text:
    """Return a bar of a fixed width that grows to the left below zero and to the right above it."""
    cells = min(round(abs(share) * HALF), HALF)
    left, right = (cells, 0) if share < 0 else (0, cells)
    return Text.assemble(
        " " * (HALF - left), ("█" * left, AGAINST), ("│", "dim"), ("█" * right, FOR), " " * (HALF - right)
    )


def _marked(why: Explanation, part: SentencePart, pulls: dict[str, float]) -> Text:
    text = Text((why.text or "")[part.start : part.end])
    for word in why.words:
        for start, end in word.spans if word.word in pulls else ():
            if part.start <= start and end <= part.end:
                colour = FOR if pulls[word.word] > 0 else AGAINST
                text.stylize(f"{colour} underline", start - part.start, end - part.start)
    return text


def _words(pulls: dict[str, float], label: Label) -> Table:
    table = _grid()
    strongest = max(map(abs, pulls.values()))
    order = sorted(pulls, key=lambda word: (-abs(pulls[word]), word))
    for word in order[:MOST_WORDS]:
        table.add_row(Text(word), _balance(pulls[word] / strongest), f"{pulls[word]:+.3f}")
    if len(order) > MOST_WORDS:
        table.add_row(Text(f"{len(order) - MOST_WORDS} more", style="dim"), "", "")
    return table


def _grid() -> Table:
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(overflow="fold")
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    return table

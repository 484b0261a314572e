"""An explanation on the terminal: bars for classes, sentences and words, and the words in colour."""

from collections.abc import Mapping, Sequence
from itertools import islice

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from laconic.cli.shared.output import bar, shortened, spaced, table
from laconic.core.summaries.explanation import Contribution, Explanation, Label, SentencePart
from laconic.core.summaries.summary import Example

FOR, AGAINST = "blue", "yellow"
CLASS_BAR, HALF = 24, 5
MOST_WORDS = 12
NO_WORD = "It has no word that the model weighs for this class: the intercept decides."
LEAST = 5e-4  # a smaller effect would be shown as 0.000


def explain_view(why: Explanation, parts: Mapping[Label, Sequence[SentencePart]]) -> RenderableType:
    """Return the probabilities, and for some labels the sentences with their influence and the words that count."""
    nothing = [] if why.given else ["No label reaches its threshold."]
    return spaced(_classes(why), *nothing, *(_view(why, own, label) for label, own in parts.items()))


def _view(why: Explanation, parts: Sequence[SentencePart], label: Label) -> RenderableType:
    pulls, heading = _pulls(why, label), [Text(str(label), style="bold")] * why.several
    if not pulls:
        return spaced(*heading, NO_WORD)
    note = Text.assemble(
        ("words", f"{FOR} underline"), f" for {label}   ", ("words", f"{AGAINST} underline"), " against it"
    )
    return spaced(*heading, _sentences(why, parts, pulls), _words(pulls), note)


def example_view(example: Example, influence: bool = False) -> RenderableType:
    """Return a document with the reasons for its label: sentences with what their words do for it, and words.

    With ``influence`` it also says how much each sentence adds to the logarithm of the label's probability.
    """
    why = example.explanation
    verdict = f"{why.label}" + ("" if why.probability is None else f", probability {why.probability:.2f}")
    truth = "" if example.label is None else f" (true label: {example.label})"
    pulls = _pulls(why)
    sentences = _example_sentences(example, pulls, influence and bool(example.influences))
    return spaced(verdict + truth, sentences, _example_words(why, pulls) if pulls else NO_WORD)


def _pulls(why: Explanation, label: Label | None = None) -> dict[str, float]:
    return {word.word: value for word, value in why.effects(label) if abs(value) >= LEAST}


def _classes(why: Explanation) -> Table:
    made = table("class", "", ">", header=False)
    for number in why.likeliest():
        label = why.classes[number]
        won = label in why.given
        share = None if why.probabilities is None else why.probabilities[number]
        filled = Text("" if share is None else "█" * round(share * CLASS_BAR), style=FOR if won else "dim")
        shown = ("predicted" if won else "") if share is None else f"{100 * share:.1f}%"
        made.add_row(str(label), filled, shown, style="bold" if won else None)
    if hidden := len(why.classes) - len(why.likeliest()):
        made.add_row(Text(f"{hidden} more", style="dim"), "", "")
    return made


def _sentences(why: Explanation, parts: Sequence[SentencePart], pulls: Mapping[str, float]) -> Table:
    made = table("", ">", "sentence", header=False)
    values = [sum(part.weights) if part.log_odds is None else part.log_odds for part in parts]
    widest = max([abs(value) for value in values] + [0.5])
    top = max(values, default=0.0)
    for part, value in zip(parts, values, strict=True):
        text = _marked(why.text or "", part.start, part.end, why.words, pulls, (FOR, AGAINST))
        telling = value > 0.05 and value == top and len(parts) > 1
        made.add_row(_balance(value / widest), f"{value:+.2f}", text, style="bold" if telling else None)
    return made


def _balance(share: float) -> Text:
    """Return a bar of a fixed width that grows to the left below zero and to the right above it."""
    filled = min(round(abs(share) * HALF), HALF)
    left, right = (filled, 0) if share < 0 else (0, filled)
    return Text.assemble(
        " " * (HALF - left), ("█" * left, AGAINST), ("│", "dim"), ("█" * right, FOR), " " * (HALF - right)
    )


def _words(pulls: Mapping[str, float]) -> Table:
    made = table("word", "", ">", header=False)
    strongest = max(map(abs, pulls.values()))
    for word, value in islice(pulls.items(), MOST_WORDS):
        made.add_row(word, _balance(value / strongest), f"{value:+.3f}")
    if len(pulls) > MOST_WORDS:
        made.add_row(Text(f"{len(pulls) - MOST_WORDS} more", style="dim"), "", "")
    return made


def _example_sentences(example: Example, pulls: Mapping[str, float], influence: bool) -> Table:
    made = table("", ">pull", *[">log P"] * influence, "sentence", header=influence)
    made.header_style = "dim"
    for i, (start, end, total) in enumerate(example.sentences):
        numbers = [f"{total:+.2f}", *([f"{example.influences[i]:+.2f}"] if influence else [])]
        text = _marked(example.text, start, end, example.explanation.words, pulls, ("green", "red"))
        telling = i == example.telling
        made.add_row("→" if telling else "", *numbers, text, style="bold" if telling else None)
    return made


def _example_words(why: Explanation, pulls: Mapping[str, float]) -> Table:
    made = table("word", f">for {why.label}", "")
    strongest = max(map(abs, pulls.values()))
    for word, value in pulls.items():
        style = "green" if value > 0 else "red"
        made.add_row(shortened(word), f"{value:+.3f}", Text(bar(abs(value) / strongest), style=style))
    return made


def _marked(
    text: str, start: int, end: int, words: Sequence[Contribution], pulls: Mapping[str, float], colours: tuple[str, str]
) -> Text:
    """Return a sentence with the words that count for the label in the colours of for and against."""
    marked = Text(text[start:end])
    for word in words:
        for first, last in word.spans if word.word in pulls else ():
            if start <= first and last <= end:
                marked.stylize(f"{colours[pulls[word.word] <= 0]} underline", first - start, last - start)
    return marked

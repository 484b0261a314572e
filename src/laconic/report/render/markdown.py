"""`markdown`: a `Summary` as a Markdown document: how the model was chosen, its words, its scores, its reasons."""

import math
from collections.abc import Iterable, Sequence

from laconic.core.summaries.comparison import Comparison
from laconic.core.summaries.summary import Example, Scores, Selection, Summary

MOST_WORDS = 25


def markdown(summary: Summary) -> str:
    """Return the summary as Markdown.

    Examples
    --------
    >>> from laconic.core.summaries.summary import WordWeight
    >>> words = (WordWeight("lamp", (1.5,)), WordWeight("thanks", (-1.0,)))
    >>> print(markdown(Summary("Letters", ("praise", "repair"), ("repair",), words, (0.1,), 400, 1e-7)))
    # Letters
    <BLANKLINE>
    2 of 400 words (0.50%) for 2 classes; relative duality gap 1.0e-07.
    <BLANKLINE>
    ## Words
    <BLANKLINE>
    | praise | weight | repair | weight |
    |:---|---:|:---|---:|
    | thanks | +1.000 | lamp | +1.500 |
    <BLANKLINE>
    """
    parts = [f"# {_safe(summary.title or 'Model')}", _size(summary)]
    if summary.comparison is not None:
        parts += ["## Comparison", _comparison(summary.comparison), _safe(summary.comparison.reason)]
        parts += [f"**{_safe(doubt)}**" for doubt in summary.comparison.doubts] + _frontier(summary.comparison)
    parts += ["## Words", *_words(summary)]
    if summary.selection is not None:
        parts += ["## Groups", *_selection(summary.selection)]
    if summary.scores is not None:
        parts += [f"## Scores on {_safe(summary.scores.corpus or 'the documents')}", *_scores(summary.scores)]
    for example in summary.examples:
        parts += [f"## Why: {_safe(example.id)}", *_example(example)]
    return "\n\n".join(parts) + "\n"


def _size(summary: Summary) -> str:
    certificate = (
        f"relative duality gap {max(summary.gap, 0.0):.1e}" if math.isfinite(summary.gap) else "no certificate"
    )
    return (
        f"{len(summary.words):,} of {summary.vocabulary_size:,} words ({summary.share:.2%}) for "
        f"{len(summary.classes)} classes; {certificate}."
    )


def _comparison(comparison: Comparison) -> str:
    tested = any(contender.test is not None for contender in comparison.contenders)
    timed = any(contender.seconds is not None for contender in comparison.contenders)
    grouped = any(contender.group for contender in comparison.contenders)
    columns = ["", "method", *["λ_g"] * grouped, "λ₁", "λ₂", f"{comparison.metric} ({comparison.scored_on})"]
    columns += ["test"] * tested + ["words", "gap"] + ["seconds"] * timed
    rows = []
    for contender in (*comparison.contenders, *comparison.frontier[:1]):
        row = ["**kept**" if contender.chosen else "", contender.method, *[f"{contender.group:.4g}"] * grouped]
        row += [f"{contender.l1:.4g}", f"{contender.l2:.4g}"]
        row += [f"{contender.score:.3f} ± {contender.error:.3f}"]
        row += ["" if contender.test is None else f"{contender.test:.3f}"] * tested
        row += [f"{contender.words:,}", f"{max(contender.gap, 0.0):.1e}" if math.isfinite(contender.gap) else "none"]
        row += ["" if contender.seconds is None else f"{contender.seconds:.1f}"] * timed
        rows.append(row)
    return _table(columns, rows, left=2)


def _frontier(comparison: Comparison) -> list[str]:
    """Return score against words and what others gain over the kept model; nothing for models of before."""
    if not comparison.frontier:
        return []
    headings, rows = comparison.by_size
    marks = ("**kept**" if point.chosen else "" for point in comparison.frontier)
    cells = [[mark, *row] for mark, row in zip(marks, rows, strict=True)]
    return ["The best sparse model of each size:", _table(["", *headings], cells, left=2)]


def _words(summary: Summary) -> list[str]:
    lists = [summary.words_for(label) for label in summary.classes]
    columns = [name for label in summary.classes for name in (str(label), "weight")]
    rows = []
    for i in range(min(MOST_WORDS, max(map(len, lists), default=0))):
        cells = [(words[i][0], f"{words[i][1]:+.3f}") if i < len(words) else ("", "") for words in lists]
        rows.append([cell for pair in cells for cell in pair])
    header = "| " + " | ".join(map(_safe, columns)) + " |"
    parts = ["\n".join([header, "|" + ":---|---:|" * len(lists), *map(_row, rows)])]
    if more := [
        f"{len(words) - MOST_WORDS} of {label}"
        for words, label in zip(lists, summary.classes, strict=True)
        if len(words) > MOST_WORDS
    ]:
        parts.append(f"Not shown: {_safe(', '.join(more))}.")
    return parts


def _selection(selection: Selection) -> list[str]:
    every = selection.selected + selection.removed
    source = f" ({_safe(selection.source)})" if selection.source else ""
    rows = [(group.name, f"{group.norm:.3f}", ", ".join(group.words)) for group in selection.groups]
    return [
        f"{selection.selected:,} of {every:,} groups{source} are in the model. The strongest, with their words:",
        _table(["group", "norm", "words"], rows),
    ]


def _scores(scores: Scores) -> list[str]:
    labels = [str(row.label) for row in scores.classes]
    metrics = ", ".join(f"{name} {value:.3f}" for name, value in scores.metrics.items())
    undefined = [_safe(f"No {name}: {reason}") for name, reason in scores.undefined.items()]
    per_class = [
        [str(row.label), f"{row.precision:.3f}", f"{row.recall:.3f}", f"{row.f1:.3f}", f"{row.documents:,}"]
        for row in scores.classes
    ]
    confusion = [[label, *(f"{n:,}" for n in row)] for label, row in zip(labels, scores.confusion, strict=True)]
    return [
        f"{scores.documents:,} documents: {_safe(metrics)}.",
        *undefined,
        _table(["class", "precision", "recall", "F1", "documents"], per_class),
        _table(["true \\ predicted", *labels], confusion),
    ]


def _example(example: Example) -> list[str]:
    why = example.explanation
    sure = "" if why.probability is None else f" (probability {why.probability:.3f})"
    truth = "" if example.label is None else f"; true label: {_safe(str(example.label))}"
    lines = []
    for i, (start, end, pull) in enumerate(example.sentences):
        sentence = _safe(" ".join(example.text[start:end].split()))
        lines.append(f"- {pull:+.2f}  " + (f"**{sentence}**" if i == example.telling else sentence))
    words = ", ".join(_safe(word.word) for word in why.words[:MOST_WORDS])
    return [
        f"Predicted: {_safe(str(why.label))}{sure}{truth}.",
        "\n".join(lines) or "The document has no sentences.",
        f"Its words in the model, strongest first: {words}." if words else "No word of it is in the model.",
    ]


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    rule = "|" + ":---|" * left + "---:|" * (len(columns) - left)
    return "\n".join([_row(columns), rule, *map(_row, rows)])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell if cell == "**kept**" else _safe(cell) for cell in cells) + " |"


def _safe(text: str) -> str:
    """Escape what Markdown would take as markup; line breaks become spaces."""
    escaped = "".join(f"\\{sign}" if sign in "\\`*_|<>[]#" else sign for sign in text)
    return escaped.replace("\n", " ")

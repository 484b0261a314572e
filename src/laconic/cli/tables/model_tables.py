"""A `Summary` on the terminal: aligned tables and small bars, in colour where there is any."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laconic.cli.tables.confusion import ConfusionMatrix
from laconic.core.calibration import Calibration
from laconic.core.summaries.comparison import Comparison, Contender
from laconic.core.summaries.reliability import Reliability
from laconic.core.summaries.summary import Example, Scores, Selection, Summary, pull
from laconic.evaluate.inference.intervals import Interval
from laconic.evaluate.inference.model_comparison import Versus
from laconic.evaluate.metrics.scores import higher_is_better

BAR = 8
LONGEST_WORD = 24
PENALTIES = (("group", "λ_g"), ("l1", "λ₁"), ("l2", "λ₂"))
CURVE = 32  # length of the longest bar of a curve
CLASS_COLOURS = ("green", "magenta", "cyan", "yellow", "blue", "red")


def comparison_table(comparison: Comparison) -> RenderableType:
    """Return the table of score against words, one row per method, the kept one marked, and the reason below it."""
    contenders = comparison.contenders
    tested = any(one.test is not None for one in contenders)
    timed = any(one.seconds is not None for one in contenders)
    table = _table()
    table.add_column("")
    table.add_column("method")
    grouped = any(one.group for one in contenders)
    for heading in [*["λ_g"] * grouped, "λ₁", "λ₂", f"{comparison.metric}, {comparison.scored_on}"]:
        table.add_column(heading, justify="right")
    for heading in ["test"] * tested + ["words", "gap"] + ["seconds"] * timed:
        table.add_column(heading, justify="right")
    for one in contenders:
        row = ["→" if one.chosen else "", one.method, *[_penalty(one.group)] * grouped]
        row += [_penalty(one.l1), _penalty(one.l2)]
        row.append(f"{one.score:.3f} ± {one.error:.3f}")
        row += ["-" if one.test is None else f"{one.test:.3f}"] * tested
        row += [f"{one.words:,}", _gap(one)]
        row += ["-" if one.seconds is None else f"{one.seconds:.1f}"] * timed
        table.add_row(*row, style="bold green" if one.chosen else None)
    return Group(table, Text(), Text(f"→ {comparison.reason}"))


def versus_table(rows: Sequence[Versus], sizes: Mapping[str, int]) -> RenderableType:
    """Return models beside each other: scores with intervals, and the paired tests against the first."""
    table = _table()
    table.add_column("model", overflow="fold")
    for heading in ("words", "accuracy", "macro F1", "difference", "won : lost", "sign p", "McNemar p", "Holm p"):
        table.add_column(heading, justify="right")
    for row in rows:
        cells = [f"{sizes[row.name]:,}", _interval(row.accuracy), _interval(row.macro_f1)]
        if row.difference is None:
            cells += [""] * 5
        else:
            cells += [_interval(row.difference, "+"), f"{row.wins} : {row.losses}"]
            cells += [f"{p:.3g}" for p in (row.sign, row.mcnemar, row.holm) if p is not None]
        table.add_row(Text(row.name), *cells)
    note = "Intervals: 95 %, bootstrap. Differences and tests are against the first model."
    return Group(table, Text(), Text(note, style="dim"))


def curves(comparison: Comparison) -> list[RenderableType]:
    """Return for each pursuit a chart of score against words, the size it enters the comparison with marked."""
    sign = 1.0 if higher_is_better(comparison.metric) else -1.0
    goodness = [sign * point.score for one in comparison.contenders for point in one.curve]
    low, high = min(goodness, default=0.0), max(goodness, default=0.0)
    charts: list[RenderableType] = []
    for one in comparison.contenders:
        if not one.curve:
            continue
        table = _table()
        table.add_column("")
        table.add_column("words", justify="right")
        table.add_column(f"{comparison.metric}, {comparison.scored_on}", justify="right")
        table.add_column("", no_wrap=True)
        for point in one.curve:
            share = (sign * point.score - low) / (high - low) if high > low else 1.0
            row = ["→" if point.chosen else "", f"{point.words:,.0f}", f"{point.score:.3f} ± {point.error:.3f}"]
            table.add_row(*row, Text(_bar(share, CURVE)), style="bold green" if point.chosen else None)
        charts.append(Group(Text(f"{one.method}, λ₂ = {_penalty(one.l2)}: score against words"), table))
    return charts


def header(summary: Summary) -> RenderableType:
    """Return the facts about a model: size, classes, certificate, how it was made."""
    made = summary.made
    grams = made.get("ngrams", [1, 1])
    features = f"{made.get('analyzer', 'word')}s" if made.get("analyzer") == "word" else str(made.get("analyzer"))
    if list(grams) != [1, 1]:
        features += f", {grams[0]}- to {grams[1]}-grams"
    method = str(made.get("method", ""))
    penalty = [f"{sign} = {_penalty(made[name])}" for name, sign in PENALTIES if made.get(name)]
    penalty += [f"budget = {made['budget']:,}"] if "budget" in made else []
    trained = f"{made['documents']:,} documents" + (f" of {made['trained_on']}" if "trained_on" in made else "")
    gap = f"{max(summary.gap, 0.0):.1e} (relative duality gap)" if math.isfinite(summary.gap) else "no certificate"
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    share = f"{100 * summary.share:.2f} % of the {summary.vocabulary_size:,} words of the training texts"
    table.add_row("words", f"{len(summary.words):,}, {share}")
    table.add_row("classes", ", ".join(map(str, summary.classes)))
    table.add_row("method", ", ".join([method, *penalty]))
    table.add_row("gap", gap)
    table.add_row("features", f"{features}, {made.get('cells', '')} cells")
    table.add_row("trained on", trained)
    if summary.selection is not None:
        table.add_row("groups", _selected(summary.selection))
    if summary.calibration:
        table.add_row("calibration", calibration_line(summary.calibration))
        for one in summary.calibration.get("thresholds", ()):
            table.add_row("threshold", threshold_line(one))
    return table


def calibration_lines(calibration: Calibration | None) -> list[str]:
    """Return what was calibrated and which thresholds were chosen, as text; nothing for a model as it is."""
    if calibration is None:
        return []
    lines = [f"Calibration: {calibration_line({'kind': calibration.kind, **calibration.made})}"]
    lines += [f"Threshold of {threshold_line(one)}" for one in calibration.made.get("thresholds", ())]
    return ["\n".join(lines)]


def calibration_line(facts: Mapping[str, Any]) -> str:
    """Return one line on how probabilities were calibrated and what it did to their error."""
    where = f"{facts['documents']:,} documents, {facts['on']}"
    if "after" not in facts:
        return f"none; thresholds chosen on {where}"
    before = f"{facts['before']['error']:.3f} → " if "before" in facts else ""
    prior = ", prior " + ", ".join(f"{label} {share:g}" for label, share in facts["prior"]) if "prior" in facts else ""
    return f"{facts['kind']} on {where}; calibration error {before}{facts['after']['error']:.3f}{prior}"


def threshold_line(one: Mapping[str, Any]) -> str:
    """Return one line on a threshold: what it is for and what it reached where it was chosen."""
    return (
        f"{one['label']}: {one['value']:.3f} for {one['goal']}; there precision {one['precision']:.3f} "
        f"[{one['low']:.3f}, {one['high']:.3f}], recall {one['recall']:.3f}"
    )


def group_list(selection: Selection, summary: Summary) -> RenderableType:
    """Return the selected groups, strongest first: norm, name, and the words by the class they speak for."""
    table = _table()
    table.add_column("norm", justify="right", no_wrap=True)
    table.add_column("group", ratio=2, overflow="fold")
    table.add_column("words, by the class they speak for", ratio=3, overflow="fold")
    colours = {label: CLASS_COLOURS[i % len(CLASS_COLOURS)] for i, label in enumerate(summary.classes)}
    weights = {one.word: one.weights for one in summary.words}
    for one in selection.groups:
        words = Text()
        for label in summary.classes:
            own = [word for word in one.words if _speaks_for(summary, weights[word]) == label]
            if own:
                words.append(" · " if words else "")
                words.append(f"{label}: ", style="dim").append(", ".join(map(_short, own)), style=colours[label])
        table.add_row(f"{one.norm:.3f}", Text(one.name), words)
    parts: list[RenderableType] = [table]
    if (more := (selection.different or 0) - len(selection.groups)) > 0:
        parts.append(Text(f"{more:,} more", style="dim"))
    return Group(*parts)


def _selected(selection: Selection) -> str:
    every = selection.selected + selection.removed
    different = selection.different
    distinct = "" if different in (None, selection.selected) else f" ({different:,} different)"
    source = f"; {selection.source}" if selection.source else ""
    return f"{selection.selected:,} of {every:,} selected{distinct}, {selection.removed:,} removed{source}"


def _speaks_for(summary: Summary, weights: tuple[float, ...]) -> Any:
    """Return the class that a word speaks for most."""
    if len(summary.outputs) == 1:
        return summary.classes[weights[0] > 0]
    return summary.outputs[max(range(len(weights)), key=lambda k: weights[k])]


def word_lists(summary: Summary, labels: Sequence[Any] | None = None, most: int | None = 20) -> RenderableType:
    """Return one list of words per class, strongest first, side by side where there is room."""
    strongest = max((one.strength for one in summary.words), default=1.0)
    lists = []
    for label in summary.classes if labels is None else labels:
        words = summary.words_for(label)
        shown = words[:most]
        table = _table()
        table.add_column(Text(str(label)), no_wrap=True, min_width=10)
        table.add_column("weight", justify="right", no_wrap=True)
        table.add_column("", no_wrap=True, min_width=BAR)
        for word, weight in shown:
            style = "green" if weight > 0 else "red"
            table.add_row(Text(_short(word)), f"{weight:+.3f}", Text(_bar(abs(weight) / strongest), style=style))
        if len(words) > len(shown):
            table.add_row(Text(f"{len(words) - len(shown):,} more", style="dim"), "", "")
        elif not words:
            table.add_row(Text("no words", style="dim"), "", "")
        lists.append(table)
    return Columns(lists, padding=(1, 4), expand=False)


def scores_tables(scores: Scores) -> RenderableType:
    """Return the metrics, the scores per class and the confusion matrix."""
    metrics = _table()
    metrics.add_column("metric")
    metrics.add_column("value", justify="right")
    for name, value in scores.metrics.items():
        metrics.add_row(name, f"{value:.3f}")
    for name in scores.undefined:
        metrics.add_row(name, "-")
    reliable = scores.reliability
    if reliable is not None:
        metrics.add_row("brier score", f"{reliable.brier:.3f}")
        metrics.add_row("calibration error", f"{reliable.error:.3f}")
    classes = _table()
    classes.add_column("class", overflow="fold")
    for heading in ("precision", "recall", "F1", "documents"):
        classes.add_column(heading, justify="right", no_wrap=True)
    for one in scores.classes:
        numbers = (f"{one.precision:.3f}", f"{one.recall:.3f}", f"{one.f1:.3f}", f"{one.documents:,}")
        classes.add_row(Text(str(one.label)), *numbers)
    name = f" of {scores.corpus}" if scores.corpus else ""
    parts: list[RenderableType] = [Text(f"{scores.documents:,} documents{name}"), Text(), metrics]
    if scores.undefined:
        parts += [Text(), *(Text(f"- {name}: {reason}") for name, reason in scores.undefined.items())]
    parts += [Text(), classes, Text(), ConfusionMatrix(scores)]
    if scores.unlabelled:
        share = scores.unlabelled / scores.documents
        parts += [Text(), Text(f"{scores.unlabelled:,} documents ({share:.1%}) reached no threshold and got no label.")]
    if reliable is not None:
        parts += [Text(), _reliability_table(reliable, [one.label for one in scores.classes])]
    return Group(*parts)


def _reliability_table(found: Reliability, labels: Sequence[Any]) -> RenderableType:
    """Return what probabilities say beside what is true, in bins of equal numbers of documents."""
    what = f"p({labels[1]})" if len(labels) == 2 else "p(most likely class)"
    table = _table()
    table.add_column(Text(what), justify="right")
    for heading in ("true", "documents"):
        table.add_column(heading, justify="right")
    table.add_column("", no_wrap=True)
    for one in found.bins:
        cells = [f"{one.probability:.3f}", f"{one.share:.3f}", f"{one.documents:,}"]
        table.add_row(*cells, Text(_bar(one.share, 2 * BAR)))
    return table


def example_view(example: Example, influence: bool = False) -> RenderableType:
    """Return a document with the reasons for its label: its sentences with their pull, and the words that count.

    With ``influence`` it also says how much each sentence adds to the logarithm of the label's probability.
    """
    why = example.explanation
    verdict = f"{why.label}" + ("" if why.probability is None else f", probability {why.probability:.2f}")
    truth = "" if example.label is None else f" (true label: {example.label})"
    influence = influence and bool(example.influences)
    sentences = Table(box=None, pad_edge=False, show_header=influence, header_style="dim")
    sentences.add_column("", no_wrap=True)
    for heading in ["pull", *["log P"] * influence]:
        sentences.add_column(heading, justify="right", no_wrap=True)
    sentences.add_column("sentence", overflow="fold")
    for i, (start, end, total) in enumerate(example.sentences):
        telling = i == example.telling
        numbers = [f"{total:+.2f}", *([f"{example.influences[i]:+.2f}"] if influence else [])]
        text = _marked(example, start, end)
        sentences.add_row("→" if telling else "", *numbers, text, style="bold" if telling else None)
    words = _table()
    words.add_column("word")
    words.add_column(Text(f"for {why.label}"), justify="right")
    words.add_column("")
    pulls = [(word.word, value) for word in why.words if (value := pull(why, word))]
    strongest = max((abs(value) for _, value in pulls), default=0.0) or 1.0
    for word, value in pulls:
        style = "green" if value > 0 else "red"
        words.add_row(Text(_short(word)), f"{value:+.3f}", Text(_bar(abs(value) / strongest), style=style))
    parts: list[RenderableType] = [Text(f"{verdict}{truth}"), Text(), sentences]
    parts += (
        [Text(), words]
        if pulls
        else [Text(), Text("It has no word that the model weighs for this class: the intercept decides.")]
    )
    return Group(*parts)


def _table() -> Table:
    return Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))


def _penalty(value: float) -> str:
    return "-" if value == 0 else f"{value:.3g}"


def _gap(one: Contender) -> str:
    return f"{max(one.gap, 0.0):.0e}" if math.isfinite(one.gap) else "-"


def _interval(one: Interval, sign: str = "") -> str:
    return f"{one.value:{sign}.3f} [{one.low:{sign}.3f}, {one.high:{sign}.3f}]"


def _short(word: str) -> str:
    return word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + "…"


def _bar(share: float, longest: int = BAR) -> str:
    """Return a bar of up to so many characters, in eighths of a character."""
    eighths = max(1, round(share * longest * 8))
    return "█" * (eighths // 8) + ("", *"▏▎▍▌▋▊▉")[eighths % 8]


def _marked(example: Example, start: int, end: int) -> Text:
    """Return a sentence with the words that count for the label in colour."""
    text = Text(example.text[start:end])
    for word in example.explanation.words:
        value = pull(example.explanation, word)
        for first, last in word.spans if value else ():
            if start <= first and last <= end:
                text.stylize("green underline" if value > 0 else "red underline", first - start, last - start)
    return text

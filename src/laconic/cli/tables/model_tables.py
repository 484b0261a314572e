"""A `Summary` on the terminal: aligned tables and small bars, in colour where there is any."""

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laconic.cli.shared.output import BAR, bar, facts_table, shortened, spaced, table
from laconic.cli.tables.confusion import ConfusionMatrix
from laconic.core.calibration import Calibration
from laconic.core.summaries.comparison import Comparison
from laconic.core.summaries.summary import Reliability, Scores, Selection, Summary
from laconic.evaluate.inference import Interval, Versus

if TYPE_CHECKING:
    from laconic.evaluate.metrics.evaluation import LabelEvaluation
    from laconic.models.search.fit_text import FittedLabels

PENALTIES = (("group", "λ_g"), ("l1", "λ₁"), ("l2", "λ₂"))
KEPT = "bold green"
METHOD = 15  # characters of a method and of what is always answered
LABELS = 12  # that are listed after a fit
CLASS_COLOURS = ("green", "magenta", "cyan", "yellow", "blue", "red")


def comparison_table(comparison: Comparison) -> RenderableType:
    """Return the table of score against words, one row per method, the kept one marked, and the reason below it."""
    contenders = comparison.contenders
    tested = any(row.test is not None for row in contenders)
    timed = any(row.seconds is not None for row in contenders)
    grouped = any(row.group for row in contenders)
    score = f">{comparison.metric}, {comparison.scored_on}"
    penalties = [*[">λ_g"] * grouped, ">λ₁", ">λ₂"]
    made = table("", "method", *penalties, score, *[">test"] * tested, ">words", ">gap", *[">seconds"] * timed)
    for row in (*comparison.contenders, *comparison.frontier[:1]):
        cells = ["→" if row.chosen else "", shortened(row.method, METHOD), *[_penalty(row.group)] * grouped]
        cells += [_penalty(row.l1), _penalty(row.l2), f"{row.score:.3f} ± {row.error:.3f}"]
        cells += ["-" if row.test is None else f"{row.test:.3f}"] * tested
        cells += [f"{row.words:,}", f"{max(row.gap, 0.0):.0e}" if math.isfinite(row.gap) else "-"]
        cells += ["-" if row.seconds is None else f"{row.seconds:.1f}"] * timed
        made.add_row(*cells, style=KEPT if row.chosen else None)
    return spaced(made, f"→ {comparison.reason}", *frontier_table(comparison))


def frontier_table(comparison: Comparison) -> list[RenderableType]:
    """Return score against words, the kept model marked, and what others gain over it; nothing for older models."""
    if not comparison.frontier:
        return []
    (name, *headings), rows = comparison.by_size
    made = table("", name, *(f">{heading}" for heading in headings))
    for point, (method, *cells) in zip(comparison.frontier, rows, strict=True):
        mark, style = ("→", KEPT) if point.chosen else ("", None)
        made.add_row(mark, shortened(method, METHOD), *cells, style=style)
    title = "Score against words: the best sparse model of each size, and its gain"
    scored = "Words are those of the models that were scored; fitted on all documents, the kept one has"
    differ = any(point.chosen and point.words != comparison.chosen.words for point in comparison.frontier)
    return [Group(title, made, *[Text(f"{scored} {comparison.chosen.words:,}.", style="dim")] * differ)]


def labels_table(made: "FittedLabels") -> RenderableType:
    """Return what was chosen for the most frequent labels of a multi-label model, the macro averages below, and why."""
    titles = ("label", ">documents", ">threshold", ">precision", ">recall", ">F1", ">words")
    test = {} if made.test is None else {row.label: row.f1 for row in made.test.per_label}
    listed = table(*titles, *[">F1, test"] * bool(test))
    rows = sorted(made.rows, key=lambda row: -row.documents)

    def add(name: str, *numbers: float | None, style: str | None = None) -> None:
        shown = (
            "" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.3f}" for value in numbers
        )
        listed.add_row(name, *islice(shown, len(listed.columns) - 1), style=style)

    for row in rows[:LABELS]:
        scores = row.threshold, row.precision, row.recall, row.f1
        add(str(row.label), row.documents, *scores, row.words, test.get(row.label))
    if len(rows) > LABELS:
        listed.add_row(f"… and {len(rows) - LABELS:,} more")
    shares = [row.documents / made.config["data"]["train"]["documents"] for row in rows]
    add("always (macro)", None, None, fmean(shares), 1.0, fmean(2.0 * share / (1.0 + share) for share in shares), 0)
    means = [fmean(getattr(row, name) for row in rows) for name in ("precision", "recall", "f1")]
    metrics = {} if made.test is None else made.test.metrics
    add("all (macro)", None, None, *means, made.model.n_words_, metrics.get("macro_f1"), style="bold")
    tested = ", ".join(f"{name} {value:.3f}" for name, value in metrics.items())
    return spaced(listed, *[f"Test: {tested}"] * bool(tested), f"→ {made.reason}")


def versus_table(rows: Sequence[Versus], sizes: Mapping[str, int]) -> RenderableType:
    """Return models beside each other: scores with intervals, and the paired tests against the first."""
    headings = ("words", "accuracy", "macro F1", "difference", "won : lost", "sign p", "McNemar p", "Holm p")
    made = table("model", *(f">{heading}" for heading in headings))
    for row in rows:
        cells = [f"{sizes[row.name]:,}", _interval(row.accuracy), _interval(row.macro_f1)]
        if row.difference is None:
            cells += [""] * 5
        else:
            cells += [_interval(row.difference, "+"), f"{row.wins} : {row.losses}"]
            cells += [f"{p:.3g}" for p in (row.sign, row.mcnemar, row.holm) if p is not None]
        made.add_row(row.name, *cells)
    return spaced(made, Text("Intervals: 95%, bootstrap. Differences and tests: against the first model.", style="dim"))


def header(summary: Summary) -> RenderableType:
    """Return the metadata of a model: size, classes, certificate, how it was made."""
    made = summary.made
    penalty = [f"{sign} = {_penalty(made[name])}" for name, sign in PENALTIES if made.get(name)]
    penalty += [f"budget = {made['budget']:,}"] if "budget" in made else []
    facts = {
        "words": f"{len(summary.words):,}, {100 * summary.share:.2f}% of the {summary.vocabulary_size:,} words of the "
        "training documents",
        "classes": ", ".join(map(str, summary.classes)),
        "method": ", ".join([str(made.get("method", "")), *penalty]),
        "gap": f"{max(summary.gap, 0.0):.1e} (relative duality gap)"
        if math.isfinite(summary.gap)
        else "no certificate",
        "features": _features(made),
        "trained on": f"{made['documents']:,} documents"
        + (f" of {made['trained_on']}" if "trained_on" in made else ""),
    }
    if summary.selection is not None:
        facts["groups"] = _selected(summary.selection)
    listed = facts_table(facts)
    if summary.calibration:
        listed.add_row("calibration", calibration_line(summary.calibration))
        for threshold in summary.calibration.get("thresholds", ()):
            listed.add_row("threshold", threshold_line(threshold))
    return listed


def _features(made: Mapping[str, Any]) -> str:
    grams = made.get("ngrams", [1, 1])
    kind = f"{made.get('analyzer', 'word')}s" if made.get("analyzer") == "word" else str(made.get("analyzer"))
    lengths = f", {grams[0]}- to {grams[1]}-grams" if list(grams) != [1, 1] else ""
    return f"{kind}{lengths}, {made.get('cells', '')} values"


def calibration_lines(calibration: Calibration | None) -> list[str]:
    """Return what was calibrated and which thresholds were chosen, as text; nothing for a model as it is."""
    if calibration is None or not calibration.made:
        return []
    lines = [f"Calibration: {calibration_line({'kind': calibration.kind, **calibration.made})}"]
    if calibration.several:  # the table of the labels shows them
        return lines
    lines += [f"Threshold of {threshold_line(threshold)}" for threshold in calibration.made.get("thresholds", ())]
    return ["\n".join(lines)]


def calibration_line(facts: Mapping[str, Any]) -> str:
    """Return one line on how probabilities were calibrated and what it did to their error."""
    where = f"{facts['documents']:,} documents, {facts['on']}"
    if "after" not in facts:
        return f"none; thresholds chosen on {where}"
    before = f"{facts['before']['error']:.3f} → " if "before" in facts else ""
    prior = ", prior " + ", ".join(f"{label} {share:g}" for label, share in facts["prior"]) if "prior" in facts else ""
    return f"{facts['kind']} on {where}; calibration error {before}{facts['after']['error']:.3f}{prior}"


def threshold_line(threshold: Mapping[str, Any]) -> str:
    """Return one line on a threshold: its goal, and precision and recall where it was chosen."""
    return (
        f"{threshold['label']}: {threshold['value']:.3f} for {threshold['goal']}; there precision "
        f"{threshold['precision']:.3f} [{threshold['low']:.3f}, {threshold['high']:.3f}], recall "
        f"{threshold['recall']:.3f}"
    )


def group_list(selection: Selection, summary: Summary) -> RenderableType:
    """Return the selected groups, strongest first: norm, name, and the words by the class they are evidence for."""
    made = table(">norm", "group", "words, by the class they are evidence for")
    made.columns[1].ratio, made.columns[2].ratio = 2, 3
    colours = {label: CLASS_COLOURS[i % len(CLASS_COLOURS)] for i, label in enumerate(summary.classes)}
    weights = {word.word: word.weights for word in summary.words}
    for group in selection.groups:
        words = Text()
        for label in summary.classes:
            own = [word for word in group.words if _evidence_for(summary, weights[word]) == label]
            if own:
                words.append(" · " if words else "")
                words.append(f"{label}: ", style="dim").append(", ".join(map(shortened, own)), style=colours[label])
        made.add_row(f"{group.norm:.3f}", group.name, words)
    more = (selection.different or 0) - len(selection.groups)
    return Group(made, *[Text(f"{more:,} more", style="dim")] * (more > 0))


def _selected(selection: Selection) -> str:
    every = selection.selected + selection.removed
    different = selection.different
    distinct = "" if different in (None, selection.selected) else f" ({different:,} different)"
    source = f"; {selection.source}" if selection.source else ""
    return f"{selection.selected:,} of {every:,} selected{distinct}, {selection.removed:,} removed{source}"


def _evidence_for(summary: Summary, weights: tuple[float, ...]) -> Any:
    """Return the class that a word is evidence for most."""
    if len(summary.outputs) == 1:
        return summary.classes[weights[0] > 0]
    return summary.outputs[max(range(len(weights)), key=lambda k: weights[k])]


def word_lists(summary: Summary, labels: Sequence[Any] | None = None, most: int | None = 20) -> RenderableType:
    """Return one list of words per class, those with the largest effect first, side by side where there is room."""
    documents = {word.word: max(word.documents, 1) for word in summary.words}
    strongest = max((word.strength * documents[word.word] for word in summary.words), default=1.0)
    lists = []
    for label in summary.classes if labels is None else labels:
        words = summary.words_for(label)
        made = table(Text(str(label)), ">weight", ">documents", "")
        made.columns[0].no_wrap, made.columns[0].min_width, made.columns[3].min_width = True, 10, BAR
        for word, weight in words[:most]:
            share = abs(weight) * documents[word] / strongest
            filled = Text(bar(share), style="green" if weight > 0 else "red")
            made.add_row(shortened(word), f"{weight:+.3f}", f"{documents[word]:,}", filled)
        rest = len(words) - len(words[:most])
        if rest or not words:
            made.add_row(Text(f"{rest:,} more" if words else "no words", style="dim"), "", "", "")
        lists.append(made)
    return Columns(lists, padding=(1, 4), expand=False)


def scores_tables(scores: Scores) -> RenderableType:
    """Return the metrics, the scores per class and the confusion matrix."""
    reliable = scores.reliability
    numbers = {} if reliable is None else {"brier score": reliable.brier, "calibration error": reliable.error}
    name = f" of {scores.corpus}" if scores.corpus else ""
    rows = [(row.label, row.precision, row.recall, row.f1, row.documents) for row in scores.classes]
    metrics = _metrics_table({**scores.metrics, **dict.fromkeys(scores.undefined), **numbers})
    parts: list[RenderableType] = [f"{scores.documents:,} documents{name}", metrics]
    if scores.undefined:
        parts.append("\n".join(f"- {metric}: {reason}" for metric, reason in scores.undefined.items()))
    parts += [_class_table("class", rows), ConfusionMatrix(scores)]
    if scores.unlabelled:
        part = scores.unlabelled / scores.documents
        parts.append(f"{scores.unlabelled:,} documents ({part:.1%}) reached no threshold and got no label.")
    if reliable is not None:
        parts.append(_reliability_table(reliable, [row.label for row in scores.classes]))
    return spaced(*parts)


def label_scores_tables(scores: "LabelEvaluation", name: str) -> RenderableType:
    """Return the metrics and the scores of each label of a multi-label model."""
    rows = [(row.label, row.precision, row.recall, row.f1, row.support) for row in scores.per_label]
    metrics = _metrics_table(scores.metrics)
    return spaced(f"{scores.n_documents:,} documents of {name}", metrics, _class_table("label", rows))


def _metrics_table(metrics: Mapping[str, float | None]) -> Table:
    rows = ((name, "-" if value is None else f"{value:.3f}") for name, value in metrics.items())
    return table("metric", ">value", rows=rows)


def _class_table(first: str, classes: Sequence[tuple[Any, float, float, float, int]]) -> Table:
    rows = ((str(label), *(f"{share:.3f}" for share in shares), f"{n:,}") for label, *shares, n in classes)
    return table(first, ">precision", ">recall", ">F1", ">documents", rows=rows)


def _reliability_table(reliable: Reliability, labels: Sequence[Any]) -> RenderableType:
    """Return predicted probabilities beside true shares, in bins of equal numbers of documents."""
    what = f"p({labels[1]})" if len(labels) == 2 else "p(most likely class)"
    made = table(f">{what}", ">true", ">documents", "")
    for group in reliable.bins:
        cells = [f"{group.probability:.3f}", f"{group.share:.3f}", f"{group.documents:,}"]
        made.add_row(*cells, bar(group.share, 2 * BAR))
    return made


def _penalty(value: float) -> str:
    return "-" if value == 0 else f"{value:.3g}"


def _interval(interval: Interval, sign: str = "") -> str:
    return f"{interval.value:{sign}.3f} [{interval.low:{sign}.3f}, {interval.high:{sign}.3f}]"

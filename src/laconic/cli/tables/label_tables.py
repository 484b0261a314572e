"""Texts with several labels on the command line: the fit, and tables of labels."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from laconic.cli.shared.output import echo_json, progress_bar, show
from laconic.evaluate.metrics.multilabel import LabelEvaluation


def fit_several(
    corpora: dict[str, Any],
    recipe: Any,
    target: Path,
    force: bool,
    extra: dict[str, Any],
    quiet: bool,
    js: bool,
    editable: bool,
    page: Path | None,
) -> None:
    """Fit a model to texts with several labels, save it and show what was chosen for each label."""
    from laconic.cli.tables.model_tables import calibration_lines
    from laconic.models.search.fit_text import fit_labels

    with progress_bar("fit", quiet) as advance:
        made = fit_labels(**corpora, recipe=recipe, progress=lambda done, total, label: advance(done, total, label))
    saved = made.model.save(target, overwrite=force, extra={**made.config, **extra})
    if editable:
        from laconic.models.edit.kept_design import design_folder, keep_design

        keep_design(design_folder(target), made.model, corpora["train"], overwrite=force)
    if page is not None:
        from laconic.cli.shared.sources import stem
        from laconic.models import load
        from laconic.report import summarize, write_page
        from laconic.report.render.page import MANY_GROUPS

        facts = {"title": stem(extra["source"]), "folder": saved, "groups": MANY_GROUPS}
        write_page(summarize(load(saved), corpora.get("test"), **facts), page)
    if js:
        found = {"saved": str(saved), "report": None if page is None else str(page), **made.to_dict()}
        echo_json({**found, "calibration": made.model.calibration_.to_json()})
        return
    table = _table("label", "documents", "score", "words", "setting")
    for row in made.rows:
        setting = ", ".join(f"{name} {value:.3g}" for name, value in row.setting.items() if value)
        score = f"{row.score:.3f} ± {row.error:.3f}"
        table.add_row(Text(str(row.label)), f"{row.documents:,}", score, f"{row.words:,}", Text(setting))
    calibration = made.model.calibration_ if made.model.calibration_.made else None
    parts: list[Any] = [table, *calibration_lines(calibration)]
    if made.test is not None:
        parts.append(scores_of_labels(made.test, str(corpora["test"].name)))
    words = f"{made.model.n_words_:,} words for {len(made.rows)} labels."
    show(
        *parts,
        *([] if page is None else [f"Report: {page}"]),
        f"{words} Saved to {target}. Its words: laconic inspect {target}",
    )


def evaluated_labels(scorer: Any, corpus: Any) -> LabelEvaluation:
    """Score a model of several labels on labelled texts."""
    from laconic.evaluate.metrics.multilabel import evaluate_labels

    return evaluate_labels(scorer.predict(corpus.texts), corpus.labels or (), list(scorer.model.classes))


def evaluate_several(scorer: Any, corpus: Any, js: bool) -> None:
    """Score a model of several labels and show it."""
    found = evaluated_labels(scorer, corpus)
    if js:
        echo_json(found.to_dict())
    else:
        show(scores_of_labels(found, corpus.name))


def scores_of_labels(found: LabelEvaluation, name: str) -> RenderableType:
    """Return the metrics and the scores of each label as tables."""
    metrics = _table("metric", "value")
    for metric, value in found.metrics.items():
        metrics.add_row(metric, f"{value:.3f}")
    labels = _table("label", "precision", "recall", "F1", "documents")
    for one in found.per_label:
        row = asdict(one)
        numbers = [f"{row[key]:.3f}" for key in ("precision", "recall", "f1")]
        labels.add_row(Text(str(one.label)), *numbers, f"{one.support:,}")
    return Group(Text(f"{found.n_documents:,} documents of {name}"), Text(), metrics, Text(), labels)


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column(first, overflow="fold")
    for heading in others:
        table.add_column(heading, justify="left" if heading == "setting" else "right")
    return table

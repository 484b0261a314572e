"""`edit`: a saved model fitted once more under edits or on newer documents, saved, and compared with the old one."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laconic.core.edits import Edits
from laconic.core.folder import check_target
from laconic.data import Corpus
from laconic.models.edit.diff import ModelDiff, diff_models
from laconic.workflows.evaluate import label_scores
from laconic.workflows.sources import (
    ANY,
    Reading,
    load_text_model,
    read_any,
    read_corpora,
    read_split,
    stored_reading,
)
from laconic.workflows.watch import SILENT, Contradiction, Watch


@dataclass(frozen=True)
class EditJob:
    """Which model to fit again, with which edits, on which documents, and where to save it."""

    model: str
    target: Path
    edits: Edits
    source: str | None = None
    test: str | None = None
    reading: Reading = ANY
    force: bool = False


@dataclass(frozen=True)
class EditResult:
    """What `edit` made: where it is saved, its edits, its gap, seconds, scores on test documents, what changed."""

    saved: Path
    edits: Edits
    gap: float
    seconds: dict[str, float]
    scores: dict[str, Any] | None
    diff: ModelDiff

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        rest = {"gap": self.gap, "seconds": self.seconds, "scores": self.scores, "diff": self.diff.to_dict()}
        return {"saved": str(self.saved), "edits": self.edits.to_json(), **rest}


def edit(job: EditJob, watch: Watch = SILENT) -> EditResult:
    """Fit a saved model again, save it, and return what changed."""
    from laconic.models.edit.refit import edit_text

    check_target(job.target, overwrite=job.force)
    before = load_text_model(job.model, several=True)
    corpora, stored = _read(job, before, watch)
    test = corpora.get("test")
    if job.test is not None:
        test = read_split(job.test, Reading(data_dir=job.reading.data_dir), Reading(**stored["reading"]))
    watch.advance(0, 1, "fitting again")
    made = edit_text(before, corpora["train"], job.edits, dev=corpora.get("dev"))
    watch.advance(1, 1)
    saved = made.model.save(job.target, overwrite=job.force, extra={**made.extra, **stored})
    after = made.model.to_scorer()
    labelled = ([], None, None) if test is None else (list(test.texts), test.ids, test.labels)
    return EditResult(
        saved=saved,
        edits=made.edits,
        gap=float(made.model.estimator_.dual_gap_),
        seconds={"all": made.seconds, "fit": made.fit_seconds},
        scores=None if test is None else _scores(before, after, test),
        diff=diff_models(before, after, *labelled),
    )


def _read(job: EditJob, before: Any, watch: Watch) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what to fit on, by its role, and what the new model will know about where it came from."""
    from laconic.models.edit.kept_design import design_folder, load_design

    extra, reading = before.info.get("extra") or {}, stored_reading(before.info)
    beside = Path(job.model).parent / extra["design"] if extra.get("design") else design_folder(job.model)
    if job.source is None and beside.is_dir():
        place = os.path.relpath(beside, job.target.parent)
        stored = {"source": extra.get("source"), "reading": reading.stored(), "design": place}
        return {"train": load_design(beside)}, stored
    source = job.source or extra.get("source")
    if source is None:
        raise Contradiction(f"{job.model} does not say from which texts it was made; give them as FILE.")
    corpora, reading = read_corpora(source, job.reading, reading, watch=watch)
    known = extra.get("data", {}).get("train", {}).get("fingerprint")
    if known not in (None, corpora["train"].fingerprint()):
        watch.say("laconic: note: the texts differ from those that the model was made from")
    return corpora, {"source": source, "reading": reading.stored(), "design": None}


def _scores(before: Any, after: Any, test: Corpus) -> dict[str, Any]:
    from laconic.evaluate import evaluate

    several, texts, labels = before.model.several, list(test.texts), list(test.labels or ())
    metric = "micro_f1" if several else "accuracy"
    made = [label_scores(one, test) if several else evaluate(one, texts, labels) for one in (before, after)]
    return {"metric": metric, "before": made[0].metrics[metric], "after": made[1].metrics[metric]}


def compare_saved(before: str, after: str, source: str | None, reading: Reading) -> ModelDiff:
    """Return what changed from one saved model to another, on documents too where a source is given."""
    first, second = (load_text_model(model, several=True) for model in (before, after))
    if source is None:
        return diff_models(first, second)
    corpus = read_any(source, reading, stored_reading(first.info), stored_reading(second.info), partly=True)
    return diff_models(first, second, list(corpus.texts), corpus.ids, corpus.labels)

"""`fit`: from files of labelled documents to a saved model and its report; one label, several, or partitions."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laconic import __version__
from laconic.core.folder import check_target
from laconic.core.interruption import Stop, interruptible
from laconic.data import Corpus
from laconic.data.first_look import label_shares, metric_by_shares, set_aside, suspicious
from laconic.models.search.recipe import Recipe
from laconic.report import summarize, write_page
from laconic.report.render.page import MANY_GROUPS, check_page, page_beside
from laconic.workflows.partitions import HERE, Resources, fit_in_partitions
from laconic.workflows.sources import ANY, Reading, is_pattern, read_corpora, stem
from laconic.workflows.watch import SILENT, Watch

if TYPE_CHECKING:
    from laconic.core.summaries.comparison import Comparison
    from laconic.core.summaries.summary import Summary


ENDING = "laconic: ending the search with the best so far; press Ctrl-C again to abort"
SAVING = "laconic: saving the model; press Ctrl-C again to abort"


@dataclass(frozen=True)
class FitJob:
    """What to fit and where to save it; ``like`` is a model whose configuration the recipe repeats."""

    source: str
    target: Path
    recipe: Recipe
    reading: Reading = ANY
    dev: str | None = None
    test: str | None = None
    resources: Resources = HERE
    like: str | None = None
    like_fingerprint: str | None = None
    force: bool = False
    editable: bool = False
    min_class: int | None = None
    report: bool = True
    time: float | None = None  # seconds for everything, from reading on
    free_metric: bool = False  # the metric is to follow from the shares of the labels

    @property
    def in_partitions(self) -> bool:
        """Whether the texts stay in partitions on disk."""
        return self.resources != HERE or is_pattern(self.source)


@dataclass(frozen=True)
class FitResult:
    """What `fit` made: the model with its comparison or its labels, where it is saved, and its page if wanted."""

    made: Any  # FittedText or FittedLabels
    saved: Path
    page: Path | None
    test_name: str = ""

    @property
    def comparison(self) -> "Comparison | None":
        """The comparison of methods; None where documents have several labels."""
        return getattr(self.made, "comparison", None)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        places = {"saved": str(self.saved), "report": None if self.page is None else str(self.page)}
        calibration = self.made.model.calibration_
        facts = {} if calibration is None else {"calibration": calibration.to_json()}
        return {**places, **self.made.to_dict(), **facts}


def fit(job: FitJob, watch: Watch = SILENT) -> FitResult:
    """Fit, save the model and, where wanted, its training matrix and its page."""
    page, stop = _checked_places(job), Stop(job.time)
    made, corpora, reading = _fitted(job, watch, stop)
    if job.editable and stop.late(1.0):
        job = replace(job, editable=False)
        made.config.setdefault("left_out", []).append("training matrix (--editable)")
    with interruptible(stop, lambda: watch.say(SAVING)):
        return _saved(job, made, corpora, reading, page, watch)


def _saved(
    job: FitJob, made: Any, corpora: Mapping[str, Corpus], reading: Reading, page: Path | None, watch: Watch
) -> FitResult:
    """Save what was fitted, and write its page if one is wanted."""
    if left_out := made.config.get("left_out"):
        watch.say(f"laconic: note: the search was stopped; left out: {'; '.join(left_out)}")
    extra = {**made.config, "source": job.source, "reading": reading.stored()}
    if (place := _free_place(job)) != job.target:
        warnings.warn(f"{job.target} has appeared during the fit; the model is saved to {place} instead.", stacklevel=2)
        job, page = replace(job, target=place), page and check_page(page_beside(place))
    saved = made.model.save(job.target, overwrite=job.force, extra=extra)
    if job.editable:
        _keep_design(job, made.model, corpora)
    result = FitResult(made, saved, page, getattr(corpora.get("test"), "name", ""))
    if page is not None:
        facts = {"title": stem(job.source), "comparison": result.comparison, "groups": MANY_GROUPS}
        write_page(summarize_fitted(made.model, saved, extra, corpora.get("test"), **facts), page)
    if result.comparison is not None and result.comparison.chosen.words == 0:
        answer = made.model.predict([""]).tolist()[0]
        warnings.warn(f"The model has no words: it always answers {answer!r}.", stacklevel=2)
    return result


def summarize_fitted(model: Any, folder: Path, extra: dict[str, Any], test: Corpus | None, **facts: Any) -> "Summary":
    """Return the summary of a model that was just saved, as if it were loaded from its folder."""
    scorer = model.to_scorer()
    scorer.info.update(extra=extra, laconic=__version__)
    return summarize(scorer, test, folder=folder, **facts)


def _checked_places(job: FitJob) -> Path | None:
    """Refuse places that cannot be written to before any work; return that of the page, if one is wanted."""
    page = check_page(page_beside(job.target)) if job.report else None
    check_target(job.target, overwrite=job.force)
    if job.editable:
        from laconic.models.edit.kept_design import design_folder

        check_target(design_folder(job.target), overwrite=job.force)
    return page


def _free_place(job: FitJob) -> Path:
    """Return where to save: beside what has appeared at the target since the fit began, lest its work be lost."""
    names = (f"{job.target.stem}-{number}{job.target.suffix}" for number in count(2))
    places = chain([job.target], map(job.target.with_name, names))
    return next(place for place in places if job.force or not place.exists())


def _fitted(job: FitJob, watch: Watch, stop: Stop) -> tuple[Any, dict[str, Corpus], Reading]:
    """Return what was fitted, to one label or to several, the corpora that are in memory, and their columns."""
    if job.in_partitions:
        others = {"dev": job.dev, "test": job.test}
        made, reading = fit_in_partitions(job.source, job.recipe, job.reading, others, job.resources, watch)
        return made, {}, reading
    corpora, reading = read_corpora(job.source, job.reading, dev=job.dev, test=job.test, watch=watch)
    watch.say(_what_was_read(corpora["train"], reading))
    for remark in (label_shares(corpora["train"]), *(f"note: {what}" for what in suspicious(corpora))):
        watch.say(f"  {remark}")
    least = job.min_class or (1 if job.dev or "dev" in corpora else job.recipe.folds)
    corpora = set_aside(corpora, least, watch.say)
    train = corpora["train"]
    if job.like_fingerprint not in (None, train.fingerprint()):
        watch.say(f"laconic: note: the texts differ from those that {job.like} was made from")
    from laconic.models.search.fit_text import fit_labels, fit_text, has_several

    recipe = job.recipe
    if job.free_metric and not has_several(train):
        metric, why = metric_by_shares(train.labels or ())
        recipe = replace(recipe, metric=metric)
        if why:
            watch.say(f"  {why}")
    watch.advance(0, None)
    arguments: dict[str, Any] = {**corpora, "recipe": recipe, "stop": stop}
    if has_several(train):
        with interruptible(stop, lambda: watch.say(ENDING)):
            return fit_labels(**arguments, progress=watch.advance), corpora, reading

    def progress(done: int, total: int, method: str, best: Mapping[str, Any] | None) -> None:
        so_far = best and f"; best {best['mean']:.3f} ({best['words']:,.0f} words)"
        watch.advance(done, total, method + (so_far or ""))

    with interruptible(stop, lambda: watch.say(ENDING)):
        return fit_text(**arguments, progress=progress), corpora, reading


def _what_was_read(train: Corpus, reading: Reading) -> str:
    columns = ""
    if reading.text_cols and reading.label_col:
        columns = f"; text: {', '.join(reading.text_cols)}; label: {', '.join(reading.labels)}"
    if reading.label_sep:
        columns += f" (labels separated by {reading.label_sep})"
    return f"{train.name or 'standard input'}: {len(train):,} documents, {len(train.classes)} classes{columns}"


def _keep_design(job: FitJob, model: Any, corpora: Mapping[str, Corpus]) -> None:
    """Keep the matrix of the documents that the final model was fitted on."""
    from laconic.models.edit.kept_design import design_folder, keep_design

    train, dev = corpora["train"], corpora.get("dev")
    if job.recipe.refit and dev is not None:
        texts, labels = [*train.texts, *dev.texts], [*(train.labels or ()), *(dev.labels or ())]
        train = Corpus.from_lists(texts, labels, name=train.name)
    keep_design(design_folder(job.target), model, train, overwrite=job.force)

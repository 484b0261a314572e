"""`report`: saved models, and labelled texts where wanted, become a page."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laconic.workflows.sources import ANY, Reading, load_text_model, read_split, stem, stored_reading
from laconic.workflows.watch import SILENT, Contradiction, Watch

if TYPE_CHECKING:
    from laconic.core.summaries.structured import StructuredSummary
    from laconic.core.summaries.summary import Summary


@dataclass(frozen=True)
class ReportJob:
    """Which models to show (the first is run by the page), on which texts, and how many of these to put into it."""

    models: tuple[str, ...]
    source: str | None = None
    target: str | None = None
    title: str | None = None
    documents: int = 0
    reading: Reading = ANY


def report(job: ReportJob, watch: Watch = SILENT) -> Path:
    """Write the page of saved models, and return where it is."""
    from laconic.core.folder import folder_kind
    from laconic.models.scoring.scorer import PARSER, TAGGER
    from laconic.report.render.page import check_page, page_beside, write_page

    target = check_page(job.target or page_beside(job.models[0]))
    kind = folder_kind(job.models[0])
    if kind in (TAGGER, PARSER) and len(job.models) > 1:
        raise Contradiction("several models can be compared only if they classify texts.")
    if kind == TAGGER:
        return write_page(_tagger_summary(job), target)
    return write_page(_parser_summary(job) if kind == PARSER else _text_summary(job, watch), target)


def _text_summary(job: ReportJob, watch: Watch) -> "Summary":
    from laconic.report.summaries.compare import report_summary

    model = job.models[0]
    scorer = load_text_model(model, several=True)
    if scorer.model.several and (job.documents or len(job.models) > 1):
        what = "--documents shows texts" if job.documents else "several models are compared"
        raise Contradiction(f"{what} only of models that give a text one label; {model} gives several.")
    others = [load_text_model(other) for other in job.models[1:]]
    corpus = None
    if job.source is not None:
        earlier = [stored_reading(loaded.info) for loaded in (scorer, *others)]
        corpus = read_split(job.source, job.reading, *earlier, watch=watch)
    title = job.title or stem(_trained_on(scorer.info) or model)
    return report_summary(job.models, corpus, title=title, documents=job.documents)


def _tagger_summary(job: ReportJob) -> "StructuredSummary":
    from laconic.data.annotated.tagged_files import read_like_training
    from laconic.models import load
    from laconic.report import summarize_tagger

    scorer = load(job.models[0])
    corpus = None if job.source is None else read_like_training(Path(job.source), None, None, scorer.info)
    return summarize_tagger(scorer, corpus, **_facts(job))


def _parser_summary(job: ReportJob) -> "StructuredSummary":
    from laconic.data.annotated.treebank import read_treebank
    from laconic.models import load
    from laconic.report import summarize_parser

    corpus = None
    if job.source is not None:
        treebank = read_treebank(Path(job.source))
        corpus = treebank.sentences, treebank.arcs
    return summarize_parser(load(job.models[0]), corpus, **_facts(job))


def _facts(job: ReportJob) -> dict[str, Any]:
    model = job.models[0]
    name = "" if job.source is None else Path(job.source).name
    return {"title": job.title or stem(model), "sentences": job.documents, "folder": model, "name": name}


def _trained_on(info: Mapping[str, Any]) -> str:
    """Return the name of the texts that ``laconic fit`` read."""
    return ((info.get("extra") or {}).get("data") or {}).get("train", {}).get("name") or ""

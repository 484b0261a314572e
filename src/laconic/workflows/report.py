"""`report`: saved models, and labelled texts where wanted, become a page."""

from dataclasses import dataclass
from pathlib import Path

from laconic.core.folder import folder_kind
from laconic.core.summaries.summary import StructuredSummary, Summary
from laconic.data.annotated.tagged_files import read_like_training
from laconic.data.annotated.treebank import read_treebank
from laconic.models import load
from laconic.models.scoring.scorer import PARSER, TAGGER
from laconic.report import summarize_parser, summarize_tagger, write_page
from laconic.report.render.page import check_page, page_beside
from laconic.report.summaries.text import report_summary
from laconic.workflows.sources import ANY, Reading, load_text_model, read_split, stem, stored_reading
from laconic.workflows.watch import SILENT, Contradiction, Watch


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
    target = check_page(job.target or page_beside(job.models[0]))
    kind = folder_kind(job.models[0])
    if kind not in (TAGGER, PARSER):
        return write_page(_text_summary(job, watch), target)
    if len(job.models) > 1:
        raise Contradiction("several models can be compared only if they classify texts.")
    return write_page(_structured_summary(job, kind), target)


def _text_summary(job: ReportJob, watch: Watch) -> Summary:
    model = job.models[0]
    scorer = load_text_model(model, several=True)
    if scorer.model.several and (job.documents or len(job.models) > 1):
        what = "--documents shows texts" if job.documents else "several models are compared"
        raise Contradiction(f"{what} only of models that give a text one label; {model} gives several.")
    earlier = [stored_reading(scorer.info), *(stored_reading(load_text_model(name).info) for name in job.models[1:])]
    corpus = None if job.source is None else read_split(job.source, job.reading, *earlier, watch=watch)
    trained_on = ((scorer.info.get("extra") or {}).get("data") or {}).get("train", {}).get("name")
    return report_summary(job.models, corpus, title=job.title or stem(trained_on or model), documents=job.documents)


def _structured_summary(job: ReportJob, kind: str) -> StructuredSummary:
    model, file = job.models[0], None if job.source is None else Path(job.source)
    name = "" if file is None else file.name
    scorer, title = load(model), job.title or stem(model)
    if kind == TAGGER:
        tagged = None if file is None else read_like_training(file, None, None, scorer.info)
        return summarize_tagger(scorer, tagged, name=name, title=title, sentences=job.documents, folder=model)
    treebank = None if file is None else read_treebank(file)
    parsed = None if treebank is None else (treebank.sentences, treebank.arcs)
    return summarize_parser(scorer, parsed, name=name, title=title, sentences=job.documents, folder=model)

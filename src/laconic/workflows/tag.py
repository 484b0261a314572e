"""Taggers: `fit_tagger` learns one from a file and saves it; the others tag, score and explain with a saved one."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from laconic.core.folder import check_target, save_folder
from laconic.data.annotated.sentences import Sentences
from laconic.data.annotated.tagged_files import (
    guess_scheme,
    like_training,
    needed_columns,
    read_like_training,
    read_tagged,
    read_untagged,
)
from laconic.structured.folder import made_with
from laconic.structured.scores import score_tags
from laconic.structured.settings import TaggerSettings
from laconic.structured.tagging.named_sets import resolve_templates
from laconic.structured.tagging.scorer import as_tags
from laconic.structured.templates.intern import source_of
from laconic.structured.templates.ordering import hasse_svg
from laconic.text.sentences import tokenized_sentences
from laconic.workflows.learned import Learned, LearnJob
from laconic.workflows.sources import file_of, load_tagger
from laconic.workflows.watch import SILENT, Watch

if TYPE_CHECKING:
    from laconic.structured.scores import TagScores
    from laconic.structured.tagging.explain import TokenExplanation


@dataclass(frozen=True)
class TagFormat:
    """How sentences and tags stand in a file: its columns, which of them is the tag, and the scheme to bring it to."""

    columns: tuple[str, ...] | None = None
    tag: str | None = None
    scheme: str | None = None
    strict: bool = False

    def read(self, source: str) -> tuple[Sentences, list[list[str]], str]:
        """Return the sentences of a file, their tags, and the scheme that these are in."""
        return read_tagged(file_of(source), self.columns, self.tag, self.scheme, self.strict)


def fit_tagger(job: LearnJob, format: TagFormat, watch: Watch = SILENT) -> Learned:
    """Learn a tagger from tagged sentences, save it, and score it on dev."""
    n_templates = len(resolve_templates(job.settings["templates"]))
    check_target(job.target, overwrite=job.force)
    sentences, tags, scheme = format.read(job.source)
    tags_in = guess_scheme(tags)
    held_out = None if job.dev is None else format.read(job.dev)
    watch.say(f"{job.source}: {len(sentences):,} sentences, {sentences.n_tokens:,} tokens, {n_templates} templates")
    # Only here: they compile. `SequenceTagger` saves the same, but takes a second to import, as scikit-learn does.
    from laconic.structured.tagging.fit import fit_chain
    from laconic.structured.tagging.score_numba import CompiledScorer

    watch.advance(0, None)
    settings, started = TaggerSettings(**job.settings), perf_counter()
    fitted = fit_chain(sentences, tags, settings, watch.advance)
    model, seconds = fitted.model, perf_counter() - started
    names = None if format.columns is None else list(format.columns)
    extra = {"columns": list(sentences.columns), "all_columns": names, "tag": format.tag}
    made = made_with(settings, fitted, {**extra, "scheme": scheme, "tags_in": tags_in})
    facts = {"kind": model.kind, **model.facts(), **made}
    save_folder(job.target, facts, model.parts(), timings={"fit": seconds}, overwrite=job.force)
    if held_out is None:
        return Learned(model, job.target, n_templates, None)
    truth, predicted = like_training(held_out[1], tags_in), CompiledScorer(model).best(held_out[0])
    scores = score_tags(truth, as_tags(held_out[0], predicted, model.labels))
    return Learned(model, job.target, n_templates, scores)


def tag_file(model: str, source: str, columns: Sequence[str] | None) -> tuple[Sentences, list[list[str]]]:
    """Return the sentences of a file, or of plain text, and the tags that a saved tagger gives them."""
    scorer = load_tagger(model)
    sentences = read_untagged(file_of(source), columns, *_columns(scorer), scorer.labels_, tokenized_sentences)
    return sentences, scorer.predict(sentences)


def evaluate_tagger(model: str, source: str, format: TagFormat) -> "tuple[TagScores, list[str]]":
    """Score a saved tagger on a file; return also the tags there that it does not know."""
    scorer = load_tagger(model)
    sentences, tags = read_like_training(file_of(source), format.columns, format.tag, scorer.info)
    unknown = sorted({tag for tags_of in tags for tag in tags_of} - set(scorer.labels_))
    return score_tags(tags, scorer.predict(sentences)), unknown


def explain_tags_of(scorer: Any, sentence: str) -> "list[TokenExplanation]":
    """Explain the tags of a sentence that is written as words, or as word/pos, with spaces between."""
    made_from, used = _columns(scorer)
    names = made_from or sorted(used)
    tokens = [token.rsplit("/", len(names) - 1) for token in sentence.split()]
    if any(len(token) != len(names) for token in tokens):  # the last columns may be left out if no template uses them
        names = names[: needed_columns(names, used)]
        tokens = [token.rsplit("/", len(names) - 1) for token in sentence.split()]
    short = next((token for token in tokens if len(token) != len(names)), None)
    if short is not None:
        raise ValueError(
            f"the model needs {'/'.join(names)} for each token; {'/'.join(short)!r} has {len(short)} of them"
        )
    return scorer.explain([dict(zip(names, token, strict=True)) for token in tokens])


def drawn_templates(scorer: Any) -> str:
    """Return the order of a tagger's templates, coarse to fine, as SVG; those that it kept are filled."""
    given = (scorer.info.get("settings") or {}).get("templates")
    kept = {str(template) for template in scorer.model.templates}
    return hasse_svg(resolve_templates(given) if given else scorer.model.templates, kept)


def _columns(scorer: Any) -> tuple[list[str] | None, set[str]]:
    """Return the columns that a tagger was made from, if known, and those that its templates look at."""
    names = (scorer.info.get("extra") or {}).get("columns")
    given = dict.fromkeys(names or ())
    return names, {source_of(column, given)[0] for one in scorer.model.templates for column in one.columns}

"""Parsers: `fit_parser` learns one from a treebank and saves it; the others parse, score and explain."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from laconic.core.folder import check_target
from laconic.data.annotated.sentences import Sentences
from laconic.data.annotated.treebank import Treebank, read_treebank
from laconic.structured.parsing.named_sets import resolve_arcs
from laconic.text.sentences import tokenized_sentences
from laconic.workflows.learned import Learned, LearnJob
from laconic.workflows.sources import Reading, file_of, load_parser, load_tagger, read_unlabelled
from laconic.workflows.watch import SILENT, Watch

if TYPE_CHECKING:
    from laconic.structured.parsing.explain import ArcExplanation
    from laconic.structured.scores import AttachmentScores


@dataclass(frozen=True)
class Parsed:
    """A treebank with the trees that a parser gave it, and the tags of a tagger where one went before it."""

    treebank: Treebank
    heads: list[int]
    relations: list[str]
    tags: list[str] | None


def fit_parser(job: LearnJob, watch: Watch = SILENT) -> Learned:
    """Learn a parser from trees, save it, and score it on dev."""
    n_templates = len(resolve_arcs(job.settings["templates"]))
    check_target(job.target, overwrite=job.force)
    train = read_treebank(file_of(job.source))
    dev = None if job.dev is None else read_treebank(file_of(job.dev))
    watch.say(f"{job.source}: {len(train.sentences):,} sentences, {train.n_tokens:,} tokens, {n_templates} templates")
    from laconic.structured.parsing.estimator import DependencyParser  # only here: it compiles

    watch.advance(0, None)
    parser = DependencyParser(**job.settings).fit(train.sentences, train.arcs, progress=watch.advance)
    parser.save(job.target, overwrite=job.force)
    scores = None if dev is None else parser.evaluate(dev.sentences, dev.arcs)
    return Learned(parser.model_, job.target, n_templates, scores)


def parse_file(model: str, source: str, tagger: str | None) -> Parsed:
    """Return the sentences of a file with the trees that a saved parser gives them."""
    parser = load_parser(model).to_estimator()
    treebank, tags = _tagged(read_treebank(file_of(source), parsed=False), tagger)
    heads, relations = parser.parse(treebank.sentences)
    return Parsed(treebank, heads.tolist(), ["_"] * len(heads) if relations is None else relations, tags)


def parse_texts_of(
    model: str, tagger: str, source: str, reading: Reading, language: str = "en", watch: Watch = SILENT
) -> Iterator[str]:
    """Yield for each text of a source the trees of its sentences as CoNLL-U."""
    parser, tags = load_parser(model).to_estimator(), load_tagger(tagger)
    documents = list(read_unlabelled(source, reading))
    trees = parse_texts((document.text for document in documents), parser, tags, language)
    for done, rows in enumerate(trees, 1):
        yield rows
        watch.advance(done, len(documents))


def parse_texts(texts: Iterable[str], parser: Any, tagger: Any, language: str = "en") -> Iterator[str]:
    """Yield for each text the trees of its sentences, tagged by their words alone, as lines of CoNLL-U."""
    # They are what `ConstituentGroups` takes: every word with all that hangs on it is a constituent.
    for text in texts:
        words = tokenized_sentences(text, language)
        sentences = Sentences.of([{"word": own} for own in words] or [{"word": []}])
        tags = [tag for own in tagger.predict(sentences) for tag in own]
        heads, relations = parser.parse(sentences.with_column("pos", tags))
        rest = zip(tags, heads.tolist(), relations or ["dep"] * len(heads), strict=True)
        lines: list[str] = []
        for own in words:
            for number, (word, (tag, head, relation)) in enumerate(zip(own, rest, strict=False), 1):
                lines.append("\t".join([str(number), word, "_", tag, "_", "_", str(head), relation, "_", "_"]))
            lines.append("")
        yield "".join(f"{line}\n" for line in lines)


def evaluate_parser(model: str, source: str, tagger: str | None) -> "AttachmentScores":
    """Score a saved parser on a treebank."""
    parser = load_parser(model).to_estimator()
    treebank, _ = _tagged(read_treebank(file_of(source)), tagger)
    return parser.evaluate(treebank.sentences, treebank.arcs)


def explain_arcs_of(scorer: Any, sentence: str) -> "list[ArcExplanation]":
    """Explain the tree of a sentence that is written as word/tag or word/tag/fine tag, with spaces between."""
    tokens = sentence.split()
    both = all(token.count("/") >= 2 for token in tokens)
    rows = [token.rsplit("/", 2 if both else 1) for token in tokens]
    bare = next((token[0] for token in rows if len(token) < 2 or not all(token)), None)
    if bare is not None:
        raise ValueError(f"{bare!r} has no tag; write every word with its tag, as in The/DT lamp/NN")
    blank = {"lemma": "_", "feats": "_"}
    return scorer.explain([{"word": row[0], "pos": row[1], "xpos": row[-1], **blank} for row in rows])


def _tagged(treebank: Treebank, tagger: str | None) -> tuple[Treebank, list[str] | None]:
    """Return a treebank with the tags of a tagger, if one is given, and these tags."""
    if tagger is None:
        return treebank, None
    tags = [tag for tags_of in load_tagger(tagger).predict(treebank.sentences) for tag in tags_of]
    return replace(treebank, sentences=treebank.sentences.with_column("pos", tags)), tags

"""``laconic parse``: dependency trees for tagged sentences."""

from pathlib import Path
from typing import Any

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.files import check_file, model_place, output_file
from laconic.cli.shared.job_options import settings_options
from laconic.cli.shared.output import answer, program, terminal
from laconic.cli.tables import structured_tables as tables
from laconic.data.annotated.treebank import write_treebank
from laconic.structured.parsing.explain import arc_template_rows, kinds_of, strongest_arcs
from laconic.structured.settings import ParserSettings
from laconic.workflows import parse as workflow
from laconic.workflows.learned import LearnJob
from laconic.workflows.sources import Reading, load_parser

TEMPLATES = (
    "Template set (arcs, small) or a template such as 'head.word & mod.pos & direction'; repeat to combine several."
)
tagger_option = opt.text(
    "--tagger", "MODEL", "Tagger (laconic tag fit) that writes the tags, column 4, before parsing."
)


@click.group()
def command() -> None:
    """Parse sentences: find the head and the relation of every word.

    Files are CoNLL-X or CoNLL-U: ten tab-separated columns, a blank line after each sentence (also .gz, .xz, .zst; - is
    standard input). Every word needs a tag, in column 4 or 5; or pass a tagger with --tagger.

    \b
    Examples:
      laconic parse fit train.conllu --budget 200 --dev dev.conllu
      laconic parse evaluate train.laconic test.conllu
      laconic parse predict train.laconic new.conllu > parsed.conllu
      laconic parse inspect train.laconic
      laconic parse texts train.laconic reviews.csv --tagger tags.laconic --out trees.conllu
    """


@command.command()
@click.argument("source", metavar="FILE")
@opt.text("--dev", "FILE", "Treebank to score the model on.")
@opt.text("--out", "DIR", "Folder of the model; default: FILE's name with .laconic.")
@opt.force_model
@settings_options(ParserSettings, TEMPLATES, hidden=("rate", "cap"))
@opt.quiet_option
@opt.json_option
def fit(
    source: str, dev: str | None, out: str | None, force: bool, settings: dict[str, Any], quiet: bool, as_json: bool
) -> None:
    """Train a parser on a treebank and save it.

    With --budget B the B best templates are selected first, by the sparseptron; the final weights are trained on these.

    \b
    Examples:
      laconic parse fit train.conllu
      laconic parse fit train.conllu --budget 200 --dev dev.conllu
      laconic parse fit train.conll --templates small --templates 'head.pos[1] & mod.pos & direction'
    """
    target = model_place(out, source, force)
    with terminal("fit", quiet) as watch:
        result = workflow.fit_parser(LearnJob(source, target, settings, dev, force), watch)
    scores = [] if result.scores is None else [tables.attachment_table(result.scores)]
    line = tables.parser_line(result.model, result.n_templates)
    saved = f"Saved to {target}. Its templates: {program()} parse inspect {target}"
    answer(as_json, result.to_dict(), line, *scores, saved)


@command.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="[FILE]", default="-")
@opt.text("--out", "FILE", "File to write; - is standard output.", default="-")
@opt.force_file
@tagger_option
def predict(model: str, source: str, out: str, force: bool, tagger: str | None) -> None:
    """Parse sentences: the lines of the file are printed with heads and relations.

    Comments, words of several tokens and empty nodes stay as they are, and so do all other columns.

    \b
    Examples:
      laconic parse predict danish.laconic new.conllu --out parsed.conllu
      laconic parse predict danish.laconic new.conllu --tagger tags.laconic
    """
    if out != "-":
        check_file(out, source, force)
    parsed = workflow.parse_file(model, source, tagger)
    with output_file(out) as stream:
        write_treebank(stream, parsed.treebank, parsed.heads, parsed.relations, parsed.tags)


@command.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="FILE")
@opt.text("--tagger", "MODEL", "Tagger of words (laconic tag fit).", required=True)
@opt.text("--out", "FILE", "The .conllu file to write.", required=True)
@opt.force_file
@opt.text("--language", "CODE", "Language of the texts, to split sentences.", default="en")
@opt.reading_options(label=False)
@opt.quiet_option
def texts(
    model: str, source: str, tagger: str, out: str, force: bool, language: str, reading: Reading, quiet: bool
) -> None:
    """Parse plain texts, for groups of words: split into sentences, tagged, parsed, written as CoNLL-U.

    FILE holds texts, as for laconic fit, or is the name of a built-in dataset (its training split). Every word with all
    that hangs on it then is a group: laconic fit FILE --method group --groups constituents:OUT.

    \b
    Examples:
      laconic parse texts english.laconic reviews.csv --tagger tags.laconic --out trees.conllu
      laconic fit reviews.csv --method group --groups constituents:trees.conllu
    """
    check_file(out, source, force)
    if ".conllu" not in Path(out).suffixes:
        raise ValueError(f"--out {out}: name a file that ends in .conllu, so that it is read as trees later")
    with output_file(out) as stream, terminal("parse", quiet) as watch:
        trees = list(map(stream.write, workflow.parse_texts_of(model, tagger, source, reading, language, watch)))
        watch.say(f"{out}: the trees of {len(trees):,} texts")


@command.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="FILE")
@tagger_option
@opt.json_option
def evaluate(model: str, source: str, tagger: str | None, as_json: bool) -> None:
    """Score a parser: share of words with the right head (UAS), and with the right relation too (LAS).

    Punctuation is counted, left out by the rule of CoNLL-X (tokens of punctuation characters alone), and left out by
    the tag PUNCT of Universal Dependencies. Subtypes of relations (nsubj:pass) do not count.

    \b
    Examples:
      laconic parse evaluate danish.laconic test.conll
    """
    scores = workflow.evaluate_parser(model, source, tagger)
    answer(as_json, scores.to_dict(), tables.attachment_table(scores))


@command.command()
@click.argument("model", metavar="MODEL")
@opt.number("--top", "Number of features to show.", default=10)
@opt.text("--sentence", "WORDS", "Sentence whose tree is explained: word/tag or word/tag/fine tag, with spaces.")
@opt.json_option
def inspect(model: str, top: int, sentence: str | None, as_json: bool) -> None:
    """Show a parser: templates kept and dropped with their norms, by kind, and its strongest features.

    \b
    Examples:
      laconic parse inspect danish.laconic
      laconic parse inspect danish.laconic --sentence "Hun/P/PP sang/V/VA en/P/PI sang/N/NC"
    """
    scorer = load_parser(model)
    if sentence is not None:
        arcs = workflow.explain_arcs_of(scorer, sentence)
        answer(as_json, [arc.to_dict() for arc in arcs], tables.arcs_table(arcs, top))
        return
    templates = arc_template_rows(scorer.model, scorer.info)
    kinds, features = kinds_of(templates), strongest_arcs(scorer.model, top)
    line = tables.parser_line(scorer.model, len(templates))
    shown = tables.template_table(templates), tables.kind_table(kinds), tables.strongest_table(features)
    answer(as_json, {"templates": templates, "kinds": kinds, "features": features}, line, *shown)

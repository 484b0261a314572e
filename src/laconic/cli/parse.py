"""``laconic parse``: dependency trees for tagged sentences."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from laconic.cli.shared.options import column_options, data_option, json_option, quiet_option
from laconic.cli.shared.output import echo_json, progress_bar, show
from laconic.cli.shared.sources import load_parser, load_tagger, stem

CHOOSING = ("selection", "group_weights", "selection_loss", "selection_passes", "every", "shuffles", "refit")
tagger_option = click.option(
    "--tagger", metavar="MODEL", help="A tagger (laconic tag fit) that writes the tags, column 4, before parsing."
)


@click.group()
def command() -> None:
    """Parse sentences: find the head and the relation of every word.

    Files are CoNLL-X or CoNLL-U: ten columns with tabs between them, a blank line after each sentence (also .gz, .xz,
    .zst; - is standard input). Every word needs a tag, in column 4 or 5; or pass a tagger with --tagger.

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
@click.option("--dev", metavar="FILE", help="Trees to score the model on.")
@click.option("--out", metavar="DIR", help="Where to save the model; default: FILE's name with .laconic.")
@click.option("--force", is_flag=True, help="Replace a model that is there.")
@click.option(
    "--templates",
    multiple=True,
    metavar="NAME",
    default=["arcs"],
    show_default=True,
    help="A set (arcs, small) or a template such as 'head.word & mod.pos & direction'; repeat to put several together.",
)
@click.option("--budget", type=click.IntRange(1), metavar="B", help="Choose so many templates first.")
@click.option(
    "--loss",
    type=click.Choice(["mira", "mira-1best", "perceptron", "svm", "crf"]),
    default="mira",
    show_default=True,
    help="Of the final weights.",
)
@click.option("--passes", type=click.IntRange(1), default=10, show_default=True, help="Over the sentences.")
@click.option("--l2", type=click.FloatRange(0.0), default=0.05, show_default=True, help="λ₂ of the crf loss.")
@click.option(
    "--selection",
    type=click.Choice(["group-lasso", "coarse-to-fine", "lasso", "information-gain"]),
    default="group-lasso",
    show_default=True,
    help="How to choose; with lasso the budget counts weights.",
)
@click.option(
    "--group-weights",
    type=click.Choice(["log2", "one"]),
    default="log2",
    show_default=True,
    help="Larger templates pay more, or all the same.",
)
@click.option(
    "--refit",
    type=click.Choice(["free", "frozen"]),
    default="free",
    show_default=True,
    help="Which features the final fit may use: all of the templates left, or those that survived the choice.",
)
@click.option(
    "--selection-loss",
    type=click.Choice(["perceptron", "svm", "crf"]),
    default="perceptron",
    show_default=True,
    help="What to choose by.",
)
@click.option("--selection-passes", type=click.IntRange(1), default=5, show_default=True, help="Of the choice.")
@click.option(
    "--every",
    type=click.IntRange(1),
    metavar="N",
    default=1000,
    show_default=True,
    help="Sentences between two steps of the choice; at most all of them.",
)
@click.option("--shuffles", type=click.IntRange(1), default=1, show_default=True, help="Orders to choose templates in.")
@click.option("--projective", is_flag=True, help="Allow no crossing arcs.")
@click.option(
    "--single-root/--many-roots",
    default=None,
    help="Whether one word and no more hangs on the root. Default: as in FILE.",
)
@click.option("--relations/--no-relations", default=True, show_default=True, help="Learn to name relations.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the order of sentences.")
@quiet_option
@json_option
def fit(
    source: str,
    dev: str | None,
    out: str | None,
    force: bool,
    templates: tuple[str, ...],
    quiet: bool,
    as_json: bool,
    seed: int,
    **options: Any,
) -> None:
    """Learn a parser from trees and save it.

    With --budget B the B best templates are chosen first, by the sparseptron; the final weights are learned on these.

    \b
    Examples:
      laconic parse fit train.conllu
      laconic parse fit train.conllu --budget 200 --dev dev.conllu
      laconic parse fit train.conll --templates small --templates 'head.pos[1] & mod.pos & direction'
    """
    from laconic.core.folder import check_target
    from laconic.structured.parsing.named_sets import resolve_arcs
    from laconic.structured.parsing.settings import ParserSettings

    resolved = resolve_arcs(templates)
    _refuse_without_budget(options)
    options |= {"templates": list(templates), "random_state": seed}
    ParserSettings(**options)
    target = Path(out or f"{stem(source)}.laconic")
    if target.exists() and not force:
        raise FileExistsError(f"{target} exists already; choose another place with --out, or replace it with --force")
    check_target(target, overwrite=force)
    from laconic.data.annotated.treebank import read_treebank

    train = read_treebank(_path(source))
    held_out = None if dev is None else read_treebank(_path(dev))
    if not quiet:
        click.echo(
            f"{source}: {len(train.sentences):,} sentences, {train.n_tokens:,} tokens, {len(resolved)} templates",
            err=True,
        )
    from laconic.structured.parsing.estimator import DependencyParser

    with progress_bar("fit", quiet) as advance:
        parser = DependencyParser(**options).fit(train.sentences, train.arcs, advance)
    parser.save(target, overwrite=force)
    scores = None if held_out is None else parser.evaluate(held_out.sentences, held_out.arcs)
    if as_json:
        facts = {"saved": str(target), "templates": len(parser.templates_), "weights": parser.model_.n_weights}
        echo_json({**facts, "dev": None if scores is None else scores.to_dict()})
        return
    from laconic.cli.tables.parser_tables import attachment_table, parser_line

    show(
        parser_line(parser.model_, len(resolved)),
        *([] if scores is None else [attachment_table(scores)]),
        f"Saved to {target}. Its templates: laconic parse inspect {target}",
    )


@command.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="[FILE]", default="-")
@click.option("--out", metavar="FILE", default="-", help="File to write to; default: standard output.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@tagger_option
def predict(model: str, source: str, out: str, force: bool, tagger: str | None) -> None:
    """Parse sentences: the lines of the file come back with heads and relations.

    Comments, words of several tokens and empty nodes stay as they are, and so do all other columns.

    \b
    Examples:
      laconic parse predict danish.laconic new.conllu --out parsed.conllu
      laconic parse predict danish.laconic new.conllu --tagger tags.laconic
    """
    from laconic.cli.predict import check_file, output_file
    from laconic.data.annotated.treebank import read_treebank, write_treebank

    if out != "-":
        check_file(out, source, force)
    parser = load_parser(model).to_estimator()
    treebank, tags = _tagged(read_treebank(_path(source), parsed=False), tagger)
    heads, relations = parser.parse(treebank.sentences)
    names = ["_"] * len(heads) if relations is None else relations
    with output_file(out) as stream:
        write_treebank(stream, treebank, heads.tolist(), names, tags)


@command.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="FILE")
@click.option("--tagger", metavar="MODEL", required=True, help="A tagger of words (laconic tag fit).")
@click.option("--out", metavar="FILE", required=True, help="The .conllu file to write.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--language", default="en", show_default=True, metavar="CODE", help="Of the texts, for their sentences.")
@column_options(label=False)
@data_option
@quiet_option
def texts(
    model: str,
    source: str,
    tagger: str,
    out: str,
    force: bool,
    language: str,
    text_cols: tuple[str, ...],
    id_col: str | None,
    data_dir: str | None,
    quiet: bool,
) -> None:
    """Parse plain texts, for groups of words: split into sentences, tagged, parsed, written as CoNLL-U.

    FILE holds texts, as for laconic fit, or is the name of a known data set (its training texts). Every word with all
    that hangs on it then is a group: laconic fit FILE --method group --groups constituents:OUT.

    \b
    Examples:
      laconic parse texts english.laconic reviews.csv --tagger tags.laconic --out trees.conllu
      laconic fit reviews.csv --method group --groups constituents:trees.conllu
    """
    from laconic import data
    from laconic.cli.predict import check_file, output_file
    from laconic.cli.shared.sources import known_splits
    from laconic.models.parsed_texts import conllu_rows, parse_texts

    check_file(out, source, force)
    if ".conllu" not in Path(out).suffixes:
        raise ValueError(f"--out {out}: name a file that ends in .conllu, so that it is read as trees later")
    parser, tags = load_parser(model).to_estimator(), load_tagger(tagger)
    splits = known_splits(source, data_dir)
    documents = (
        list(data.stream(source, text_col=list(text_cols) or None, id_col=id_col, labelled=False))
        if splits is None
        else list(splits.train)
    )
    with output_file(out) as stream, progress_bar("parse", quiet) as advance:
        found = parse_texts((document.text for document in documents), parser, tags, language)
        for done, parsed in enumerate(found, 1):
            stream.write(conllu_rows(*parsed))
            advance(done, len(documents))
    if not quiet:
        click.echo(f"{out}: the trees of {len(documents):,} texts", err=True)


@command.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="FILE")
@tagger_option
@json_option
def evaluate(model: str, source: str, tagger: str | None, as_json: bool) -> None:
    """Score a parser: words with the right head (UAS), and with the right relation too (LAS).

    Punctuation is counted, left out by the rule of CoNLL-X (tokens of punctuation characters alone), and left out by
    the tag PUNCT of Universal Dependencies. Subtypes of relations (nsubj:pass) do not count.

    \b
    Examples:
      laconic parse evaluate danish.laconic test.conll
    """
    from laconic.data.annotated.treebank import read_treebank

    parser = load_parser(model).to_estimator()
    treebank, _ = _tagged(read_treebank(_path(source)), tagger)
    scores = parser.evaluate(treebank.sentences, treebank.arcs)
    if as_json:
        echo_json(scores.to_dict())
        return
    from laconic.cli.tables.parser_tables import attachment_table

    show(attachment_table(scores))


@command.command()
@click.argument("model", metavar="MODEL")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="Features to show.")
@click.option(
    "--sentence",
    metavar="WORDS",
    help="Explain the tree of a sentence: word/tag or word/tag/fine tag, with spaces between.",
)
@json_option
def inspect(model: str, top: int, sentence: str | None, as_json: bool) -> None:
    """Show a parser: templates kept and dropped with their norms, by kind, and its strongest features.

    \b
    Examples:
      laconic parse inspect danish.laconic
      laconic parse inspect danish.laconic --sentence "Hun/P/PP sang/V/VA en/P/PI sang/N/NC"
    """
    scorer = load_parser(model)
    if sentence is not None:
        _explain(scorer, sentence, top, as_json)
        return
    from laconic.cli.tables.parser_tables import kind_table, parser_line, strongest_table
    from laconic.cli.tables.tagger_tables import template_table
    from laconic.structured.parsing.summary import arc_template_rows, kinds_of, strongest_arcs

    templates = arc_template_rows(scorer.model, scorer.info)
    kinds = kinds_of(templates)
    features = strongest_arcs(scorer.model, top)
    if as_json:
        echo_json({"templates": templates, "kinds": kinds, "features": features})
        return
    show(
        parser_line(scorer.model, len(templates)),
        template_table(templates),
        kind_table(kinds),
        strongest_table(features),
    )


def _refuse_without_budget(options: Mapping[str, Any]) -> None:
    """Refuse options of the choice of templates where nothing is chosen."""
    if options["budget"] is not None:
        return
    asked = click.get_current_context().get_parameter_source
    given = [name for name in CHOOSING if asked(name) is ParameterSource.COMMANDLINE]
    if given:
        raise ValueError(f"--{given[0].replace('_', '-')} says how to choose templates; name how many with --budget")


def _tagged(treebank: Any, tagger: str | None) -> tuple[Any, list[str] | None]:
    """Return a treebank with the tags of a tagger, if one is given, and these tags."""
    if tagger is None:
        return treebank, None
    from dataclasses import replace

    tags = [tag for one in load_tagger(tagger).predict(treebank.sentences) for tag in one]
    return replace(treebank, sentences=treebank.sentences.with_column("pos", tags)), tags


def _explain(scorer: Any, sentence: str, top: int, as_json: bool) -> None:
    tokens = sentence.split()
    both = all(token.count("/") >= 2 for token in tokens)
    cells = [token.rsplit("/", 2 if both else 1) for token in tokens]
    bare = next((token[0] for token in cells if len(token) < 2 or not all(token)), None)
    if bare is not None:
        raise ValueError(f"{bare!r} has no tag; write every word with its tag, as in The/DT lamp/NN")
    blank = {"lemma": "_", "feats": "_"}
    found = scorer.explain([{"word": one[0], "pos": one[1], "xpos": one[-1], **blank} for one in cells])
    if as_json:
        echo_json([one.to_dict() for one in found])
        return
    from laconic.cli.tables.parser_tables import arcs_table

    show(arcs_table(found, top))


def _path(source: str) -> Path | None:
    return None if source == "-" else Path(source)

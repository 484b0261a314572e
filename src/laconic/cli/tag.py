"""``laconic tag``: taggers for sentences, chunking and named entities for example."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from laconic.cli.shared.options import json_option, quiet_option
from laconic.cli.shared.output import echo_json, progress_bar, show
from laconic.cli.shared.sources import load_tagger, stem

columns_option = click.option(
    "--columns",
    metavar="NAMES",
    help="Names of the file's columns, as in word,pos,chunk,ner. Default: word, pos, …, tag.",
)
tag_option = click.option("--tag", metavar="NAME", help="Column of the tags. Default: tag, or the last one named.")

CHOOSING = ("selection", "group_weights", "selection_loss", "selection_passes", "every", "shuffles")


@click.group()
def command() -> None:
    """Tag the words of sentences: chunks, named entities, parts of speech.

    Files are CoNLL columns: one token a line, columns apart by white space, a blank line after each sentence (also
    .conllu, .gz, .xz, .zst; - is standard input).

    \b
    Examples:
      laconic tag fit train.conll --templates chunking --budget 30
      laconic tag evaluate train.laconic test.conll
      laconic tag predict train.laconic new.conll > tagged.conll
      laconic tag inspect train.laconic
    """


@command.command()
@click.argument("source", metavar="FILE")
@click.option("--dev", metavar="FILE", help="Tagged sentences to score the model on.")
@click.option("--out", metavar="DIR", help="Where to save the model; default: FILE's name with .laconic.")
@click.option("--force", is_flag=True, help="Replace a model that is there.")
@click.option(
    "--templates",
    multiple=True,
    metavar="NAME",
    default=["minimal"],
    show_default=True,
    help="A set (minimal, crfsuite, chunking, chunking+, ner, ner+) or a template such as 'word[-1] & pos[0]'; repeat "
    "to put several together.",
)
@click.option("--budget", type=click.IntRange(1), metavar="B", help="Choose so many templates first.")
@click.option(
    "--loss",
    type=click.Choice(["crf", "svm", "perceptron", "mira", "mira-1best"]),
    default="crf",
    show_default=True,
    help="Of the final weights.",
)
@click.option("--passes", type=click.IntRange(1), default=5, show_default=True, help="Over the sentences.")
@click.option(
    "--selection",
    type=click.Choice(
        [
            "group-lasso",
            "coarse-to-fine",
            "tree",
            "sparse-group",
            "labels",
            "lasso",
            "elastic-net",
            "information-gain",
        ]
    ),
    default="group-lasso",
    show_default=True,
    help="How to choose.",
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
    type=click.Choice(["free", "observed", "frozen"]),
    default="free",
    show_default=True,
    help="Which weights the final fit may use: all of the templates left, those of feature and label seen together, or "
    "those that survived the choice.",
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
@click.option("--min-count", type=click.IntRange(1), default=1, show_default=True, help="Leave out rarer features.")
@click.option("--l2", type=click.FloatRange(0.0), default=0.05, show_default=True, help="λ₂ of the crf loss.")
@click.option(
    "--rate",
    type=click.FloatRange(0.0, min_open=True),
    default=0.1,
    show_default=True,
    help="Step size of crf and svm; smaller ones need more passes.",
)
@click.option(
    "--damping",
    type=click.FloatRange(0.0),
    default=0.0,
    show_default=True,
    help="Of crf: above 0, the first steps on rare features are shorter; 1 with a larger rate is worth trying.",
)
@click.option("--cap", type=click.FloatRange(0.0, min_open=True), metavar="C", help="Largest step of mira, its C.")
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="N",
    help="Cut the model down to N weights at the end, beside those of pairs of tags.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the order of sentences.")
@click.option(
    "--scheme",
    type=click.Choice(["as-is", "iob1", "iob2", "bioes"]),
    help="Convert the tags to this scheme first. Default: iob1 becomes iob2, others stay.",
)
@click.option("--strict", is_flag=True, help="Refuse tags that break their scheme instead of repairing them.")
@columns_option
@tag_option
@quiet_option
@json_option
def fit(
    source: str,
    dev: str | None,
    out: str | None,
    force: bool,
    templates: tuple[str, ...],
    scheme: str | None,
    strict: bool,
    columns: str | None,
    tag: str | None,
    quiet: bool,
    as_json: bool,
    seed: int,
    **options: Any,
) -> None:
    """Learn a tagger from tagged sentences and save it.

    With --budget B the B best templates are chosen first, by the sparseptron; the final weights are learned on these.

    \b
    Examples:
      laconic tag fit train.conll --templates crfsuite
      laconic tag fit train.conll --templates chunking --budget 30 --dev dev.conll
      laconic tag fit eng.train --columns word,pos,chunk,ner --templates ner --budget 60 --selection-loss crf \\
        --every 100000 --group-weights one
      laconic tag fit train.conll --templates minimal --templates 'word[-1] & suffix3[0]'
    """
    from laconic.core.folder import check_target
    from laconic.structured.tagging.named_sets import resolve_templates
    from laconic.structured.tagging.settings import TaggerSettings

    resolved = resolve_templates(templates)
    _refuse_without_budget(options)
    options |= {"templates": list(templates), "random_state": seed}
    TaggerSettings(**options)
    target = Path(out or f"{stem(source)}.laconic")
    if target.exists() and not force:
        raise FileExistsError(f"{target} exists already; choose another place with --out, or replace it with --force")
    check_target(target, overwrite=force)
    from laconic.data.annotated.tagged_files import like_training, read_tagged
    from laconic.data.annotated.tags import guess_scheme

    names = _names(columns)
    train, tags, scheme = read_tagged(_path(source), names, tag, scheme, strict)
    tags_in = guess_scheme(tags)
    held_out = None if dev is None else read_tagged(_path(dev), names, tag, scheme, strict)
    if not quiet:
        click.echo(
            f"{source}: {len(train):,} sentences, {train.n_tokens:,} tokens, {len(resolved)} templates", err=True
        )
    from laconic.structured.tagging.estimator import SequenceTagger

    with progress_bar("fit", quiet) as advance:
        tagger = SequenceTagger(**options).fit(train, tags, advance)
    extra = {"columns": list(train.columns), "all_columns": names, "tag": tag, "scheme": scheme, "tags_in": tags_in}
    tagger.save(target, overwrite=force, extra=extra)
    scores = None
    if held_out is not None:
        scores = tagger.evaluate(held_out[0], like_training(held_out[1], tags_in))
    if as_json:
        facts = {"saved": str(target), "templates": len(tagger.templates_), "weights": tagger.model_.n_weights}
        echo_json({**facts, "dev": None if scores is None else scores.to_dict()})
        return
    from laconic.cli.tables.tagger_tables import model_line, score_table

    show(
        model_line(tagger.model_, len(resolved)),
        *([] if scores is None else [score_table(scores)]),
        f"Saved to {target}. Its templates: laconic tag inspect {target}",
    )


@command.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="[FILE]", default="-")
@click.option("--out", metavar="FILE", default="-", help="File to write to; default: standard output.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@columns_option
def predict(model: str, source: str, out: str, force: bool, columns: str | None) -> None:
    """Tag sentences: the file's columns come back with one more, the tag.

    FILE has the columns that the model was made from, with or without the tags. JSON lines come back as JSON lines.

    \b
    Examples:
      laconic tag predict chunker.laconic new.conll --out tagged.conll
      cat new.conll | laconic tag predict chunker.laconic
    """
    from laconic.cli.predict import check_file, output_file
    from laconic.data.annotated.tagged_files import is_json_lines, read_untagged, write_conll, write_json_lines

    if out != "-":
        check_file(out, source, force)
    scorer = load_tagger(model)
    sentences = read_untagged(_path(source), _names(columns), *_columns(scorer))
    tags = scorer.predict(sentences)
    write = write_json_lines if source != "-" and is_json_lines(source) else write_conll
    with output_file(out) as stream:
        write(stream, sentences, tags)


@command.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="FILE")
@columns_option
@tag_option
@json_option
def evaluate(model: str, source: str, columns: str | None, tag: str | None, as_json: bool) -> None:
    """Score a tagger: precision, recall and F1 of spans as in the CoNLL evaluation script, per type, and accuracy.

    \b
    Examples:
      laconic tag evaluate chunker.laconic test.conll
    """
    from laconic.data.annotated.tagged_files import read_like_training
    from laconic.structured.tagging.scores import score_tags

    scorer = load_tagger(model)
    sentences, tags = read_like_training(_path(source), _names(columns), tag, scorer.info)
    unknown = sorted({one for tags_of in tags for one in tags_of} - set(scorer.labels_))
    if unknown:
        click.echo(
            f"laconic: warning: {len(unknown)} of the tags never occurred in training and cannot be predicted: "
            f"{', '.join(unknown[:5])}{', …' if len(unknown) > 5 else ''}",
            err=True,
        )
    scores = score_tags(tags, scorer.predict(sentences))
    if as_json:
        echo_json(scores.to_dict())
        return
    from laconic.cli.tables.tagger_tables import score_table

    show(score_table(scores))


@command.command()
@click.argument("model", metavar="MODEL")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="Features per label.")
@click.option("--label", metavar="LABEL", help="Only the features of this label.")
@click.option("--sentence", metavar="WORDS", help="Explain the tags of a sentence: words, or word/pos, with spaces.")
@click.option("--hasse", metavar="FILE", help="Write the order of templates, coarse to fine, to this file as SVG.")
@click.option("--force", is_flag=True, help="Replace the file of --hasse if it is there.")
@json_option
def inspect(
    model: str, top: int, label: str | None, sentence: str | None, hasse: str | None, force: bool, as_json: bool
) -> None:
    """Show a tagger: templates kept and dropped with their norms, and the strongest features of each label.

    \b
    Examples:
      laconic tag inspect chunker.laconic
      laconic tag inspect chunker.laconic --label B-NP --top 30
      laconic tag inspect chunker.laconic --sentence "The/DT lamp/NN"
      laconic tag inspect chunker.laconic --hasse templates.svg
    """
    scorer = load_tagger(model)
    if sentence is not None:
        _explain(scorer, sentence, top, as_json)
        return
    if hasse is not None:
        _draw(scorer, hasse, force)
        return
    if label is not None and label not in scorer.labels_:
        raise ValueError(f"the model has no label {label!r}; its labels are {', '.join(scorer.labels_)}")
    from laconic.cli.tables.tagger_tables import feature_lists, model_line, template_table
    from laconic.structured.tagging.summary import strongest_features, template_rows

    templates = template_rows(scorer.model, scorer.info)
    features = strongest_features(scorer.model, top, None if label is None else [label])
    if as_json:
        echo_json({"templates": templates, "features": features})
        return
    show(model_line(scorer.model, len(templates)), template_table(templates), feature_lists(features))


def _refuse_without_budget(options: Mapping[str, Any]) -> None:
    """Refuse options of the choice of templates where nothing is chosen."""
    if options["budget"] is not None:
        return
    asked = click.get_current_context().get_parameter_source
    given = [name for name in CHOOSING if asked(name) is ParameterSource.COMMANDLINE]
    if options["refit"] == "frozen":
        given.append("refit")
    if given:
        raise ValueError(f"--{given[0].replace('_', '-')} says how to choose templates; name how many with --budget")


def _explain(scorer: Any, sentence: str, top: int, as_json: bool) -> None:
    from laconic.data.annotated.tagged_files import needed_columns

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
    found = scorer.explain([dict(zip(names, token, strict=True)) for token in tokens])
    if as_json:
        echo_json([one.to_dict() for one in found])
        return
    from laconic.cli.tables.tagger_tables import explanation_table

    show(explanation_table(found, top))


def _draw(scorer: Any, file: str, force: bool) -> None:
    from laconic.cli.predict import check_file, output_file
    from laconic.structured.tagging.named_sets import resolve_templates
    from laconic.structured.templates.hasse import hasse_svg

    check_file(file, "-", force, "--hasse")
    given = (scorer.info.get("settings") or {}).get("templates")
    kept = {str(one) for one in scorer.model.templates}
    with output_file(file) as stream:
        stream.write(hasse_svg(resolve_templates(given) if given else scorer.model.templates, kept))
    click.echo(f"{file}: the order of templates, those of the model filled", err=True)


def _columns(scorer: Any) -> tuple[list[str] | None, set[str]]:
    """Return the columns that a tagger was made from, if known, and those that its templates look at."""
    from laconic.structured.templates.intern import used_columns

    names = (scorer.info.get("extra") or {}).get("columns")
    return names, used_columns(scorer.model.templates, dict.fromkeys(names or ()))


def _path(source: str) -> Path | None:
    return None if source == "-" else Path(source)


def _names(columns: str | None) -> Sequence[str] | None:
    return None if columns is None else [name.strip() for name in columns.split(",")]

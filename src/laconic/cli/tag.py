"""``laconic tag``: taggers for sentences, chunking and named entities for example."""

import warnings
from typing import Any

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.files import check_file, model_place, output_file
from laconic.cli.shared.job_options import settings_options
from laconic.cli.shared.output import answer, program, terminal
from laconic.data.annotated.tagged_files import AS_IS, SCHEMES, is_json_lines, write_conll, write_json_lines
from laconic.structured.settings import TaggerSettings
from laconic.structured.tagging.explain import strongest_features, template_rows
from laconic.workflows import tag as workflow
from laconic.workflows.learned import LearnJob
from laconic.workflows.sources import load_tagger

TEMPLATES = (
    "Template set (minimal, crfsuite, chunking, chunking+, ner, ner+) or a template such as 'word[-1] & pos[0]'; "
    "repeat to combine several."
)


columns_option = opt.text(
    "--columns",
    "NAMES",
    "Names of the file's columns, e.g. word,pos,chunk,ner. Default: word, pos, …, tag.",
    callback=lambda ctx, param, value: value and tuple(name.strip() for name in value.split(",")),
)
tag_option = opt.text("--tag", "NAME", "Column of the tags. Default: tag, or the last column.")


@click.group()
def command() -> None:
    """Tag the words of sentences: chunks, named entities, parts of speech.

    Files are CoNLL columns: one token per line, space-separated columns, a blank line after each sentence (also
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
@opt.text("--dev", "FILE", "Tagged sentences to score the model on.")
@opt.text("--out", "DIR", "Folder of the model; default: FILE's name with .laconic.")
@opt.force_model
@settings_options(TaggerSettings, TEMPLATES)
@opt.choice(
    "--scheme",
    [AS_IS, *SCHEMES],
    "Scheme to which the tags are converted first. Default: iob1 becomes iob2, others stay.",
)
@opt.flag("--strict", "Refuse tags that break their scheme instead of repairing them.")
@columns_option
@tag_option
@opt.quiet_option
@opt.json_option
def fit(
    source: str,
    dev: str | None,
    out: str | None,
    force: bool,
    settings: dict[str, Any],
    quiet: bool,
    as_json: bool,
    **format_options: Any,
) -> None:
    """Train a tagger on tagged sentences and save it.

    With --budget B the B best templates are selected first, by the sparseptron; the final weights are trained on these.

    \b
    Examples:
      laconic tag fit train.conll --templates crfsuite
      laconic tag fit train.conll --templates chunking --budget 30 --dev dev.conll
      laconic tag fit eng.train --columns word,pos,chunk,ner --templates ner --budget 60 --selection-loss crf \\
        --every 100000 --group-weights one
      laconic tag fit train.conll --templates minimal --templates 'word[-1] & suffix3[0]'
    """
    from laconic.cli.tables.structured_tables import score_table, tagger_line  # only here: predictions must start soon

    target = model_place(out, source, force)
    job = LearnJob(source, target, settings, dev, force)
    with terminal("fit", quiet) as watch:
        result = workflow.fit_tagger(job, workflow.TagFormat(**format_options), watch)
    scores = [] if result.scores is None else [score_table(result.scores)]
    line = tagger_line(result.model, result.n_templates)
    saved = f"Saved to {target}. Its templates: {program()} tag inspect {target}"
    answer(as_json, result.to_dict(), line, *scores, saved)


@command.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="[FILE]", default="-")
@opt.text("--out", "FILE", "File to write; - is standard output.", default="-")
@opt.force_file
@columns_option
def predict(model: str, source: str, out: str, force: bool, columns: tuple[str, ...] | None) -> None:
    """Tag sentences: the file's columns are printed with one more, the tag.

    FILE has the columns that the model was made from, with or without the tags; or it is plain text, if the model looks
    at words alone, which is cut into sentences and words. JSON lines are answered by JSON lines.

    \b
    Examples:
      laconic tag predict chunker.laconic new.conll --out tagged.conll
      cat new.conll | laconic tag predict chunker.laconic
      echo "Juan visited Madrid." | laconic tag predict names.laconic
    """
    if out != "-":
        check_file(out, source, force)
    sentences, tags = workflow.tag_file(model, source, columns)
    write = write_json_lines if source != "-" and is_json_lines(source) else write_conll
    with output_file(out) as stream:
        write(stream, sentences, tags)


@command.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="FILE")
@columns_option
@tag_option
@opt.json_option
def evaluate(model: str, source: str, columns: tuple[str, ...] | None, tag: str | None, as_json: bool) -> None:
    """Score a tagger: precision, recall and F1 of spans as in the CoNLL evaluation script, per type, and accuracy.

    \b
    Examples:
      laconic tag evaluate chunker.laconic test.conll
    """
    from laconic.cli.tables.structured_tables import score_table

    scores, unknown = workflow.evaluate_tagger(model, source, workflow.TagFormat(columns, tag))
    if unknown:
        warnings.warn(
            f"{len(unknown)} of the tags never occurred in training and cannot be predicted: "
            f"{', '.join(unknown[:5])}{', …' if len(unknown) > 5 else ''}",
            stacklevel=1,
        )
    answer(as_json, scores.to_dict(), score_table(scores))


@command.command()
@click.argument("model", metavar="MODEL")
@opt.number("--top", "Number of features per label.", default=10)
@opt.text("--label", "LABEL", "Show only the features of this label.")
@opt.text("--sentence", "WORDS", "Sentence whose tags are explained, e.g. 'The/DT lamp/NN'.")
@opt.text("--hasse", "FILE", "File to which the order of templates, coarse to fine, is drawn as SVG.")
@opt.force_file
@opt.json_option
def inspect(model: str, sentence: str | None, hasse: str | None, force: bool, as_json: bool, **options: Any) -> None:
    """Show a tagger: templates kept and dropped with their norms, and the strongest features of each label.

    \b
    Examples:
      laconic tag inspect chunker.laconic
      laconic tag inspect chunker.laconic --label B-NP --top 30
      laconic tag inspect chunker.laconic --sentence "The/DT lamp/NN"
      laconic tag inspect chunker.laconic --hasse templates.svg
    """
    from laconic.cli.tables.structured_tables import tokens_table

    scorer = load_tagger(model)
    if sentence is not None:
        tokens = workflow.explain_tags_of(scorer, sentence)
        answer(as_json, [token.to_dict() for token in tokens], tokens_table(tokens, options["top"]))
    elif hasse is not None:
        check_file(hasse, "-", force, "--hasse")
        with output_file(hasse) as stream:
            stream.write(workflow.drawn_templates(scorer))
        click.echo(f"{hasse}: the order of templates, those of the model filled", err=True)
    else:
        _show(scorer, as_json=as_json, **options)


def _show(scorer: Any, top: int, label: str | None, as_json: bool) -> None:
    from laconic.cli.tables.structured_tables import feature_lists, tagger_line, template_table

    if label is not None and label not in scorer.labels_:
        raise ValueError(f"the model has no label {label!r}; its labels are {', '.join(scorer.labels_)}")
    templates = template_rows(scorer.model, scorer.info)
    features = strongest_features(scorer.model, top, None if label is None else [label])
    line = tagger_line(scorer.model, len(templates))
    data = {"templates": templates, "features": features}
    answer(as_json, data, line, template_table(templates), feature_lists(features))

"""``laconic fit``: compare methods on labelled texts and save the smallest good model."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from laconic.cli.partitions import MEMORY, Where, fit_in_partitions, is_pattern, pattern_stem
from laconic.cli.shared.config import read_config, take_config
from laconic.cli.shared.edit_options import edit_options, take_edits
from laconic.cli.shared.options import column_options, data_option, feature_options, json_option, quiet_option
from laconic.cli.shared.output import echo_json, progress_bar, show
from laconic.cli.shared.sources import Reading, find_columns, known_splits, read_labelled, stem

if TYPE_CHECKING:
    from laconic.core.edits import Edits
    from laconic.models.search.recipe import Recipe

MANY_WORDS = 1000


@click.command()
@click.argument("source", metavar="FILE")
@click.option("--dev", metavar="FILE", help="Labelled texts to tune on, instead of cross-validation.")
@click.option("--test", metavar="FILE", help="Labelled texts to score the chosen models on, once.")
@click.option("--out", metavar="DIR", help="Where to save the model; default: FILE's name with .laconic.")
@click.option("--force", is_flag=True, help="Replace a model that is there.")
@click.option(
    "--editable",
    is_flag=True,
    help="Keep the training matrix beside the model, in a folder of its own that ends in .design: laconic edit then "
    "needs no texts. It says which words every document has; the model itself never does.",
)
@click.option("--no-report", is_flag=True, help="Do not write the HTML page that goes with the model (DIR.html).")
@column_options()
@click.option(
    "--method",
    "methods",
    type=click.Choice(["none", "ridge", "lasso", "elastic", "omp", "group", "gomp"]),
    multiple=True,
    help="What to compare; repeat for several. Default: ridge, lasso, elastic and omp; with --groups also group and "
    "gomp.",
)
@click.option(
    "--groups",
    metavar="KIND",
    multiple=True,
    help="Groups of words that are kept or dropped together: a kind of laconic groups --help (sentences, lda, lsi, "
    "brown, graph, vectors:PATH, …), or a file {name: [word, …]} that ends in .json; repeat to put several together.",
)
@click.option("--group-cache", metavar="DIR", help="Keep groups in this folder, and take them from it another time.")
@click.option(
    "--metric",
    type=click.Choice(["accuracy", "macro_f1", "balanced_accuracy", "average_precision", "log_loss"]),
    default="accuracy",
    show_default=True,
    help="The score that drives the choice.",
)
@click.option("--words", type=click.IntRange(1), metavar="N", help="The best model with at most N words.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="N",
    help="How many words omp and gomp choose at most; default 500 for two classes, 200 for more.",
)
@click.option(
    "--rule",
    type=click.Choice(["one_se", "best"]),
    help="Smallest model within one standard error of the best (default), or the best (default with --words).",
)
@click.option(
    "--cells",
    type=click.Choice(["binary", "count", "tfidf"]),
    default="binary",
    show_default=True,
    help="What counts: whether a word occurs, how often, or tf-idf.",
)
@feature_options()
@edit_options()
@click.option("--class-weight", type=click.Choice(["balanced"]), help="Let all classes count the same.")
@click.option(
    "--refit-support",
    is_flag=True,
    help="Fit the words that lasso, elastic and group choose once more, without shrinking their weights.",
)
@click.option(
    "--calibrate",
    type=click.Choice(["sigmoid", "isotonic"]),
    help="Make probabilities mean what they say, on the dev set or out of fold.",
)
@click.option(
    "--threshold",
    "thresholds",
    metavar="[CLASS:]GOAL",
    multiple=True,
    help="Give CLASS only where its probability reaches a threshold chosen for precision=0.95, recall=0.9 or cost=5 "
    "(of a wrong label, in missed ones); without CLASS for every class, and texts that reach none get no label.",
)
@click.option(
    "--prior",
    metavar="CLASS=SHARE",
    multiple=True,
    help="Correct probabilities for a class that will be rarer or more frequent than here; with --calibrate.",
)
@click.option("--folds", type=click.IntRange(2), metavar="N", default=5, show_default=True, help="Of cross-validation.")
@click.option("--seed", type=click.IntRange(0), metavar="N", default=0, show_default=True, help="Of the folds.")
@click.option(
    "--resamples",
    type=click.IntRange(0),
    metavar="N",
    default=20,
    show_default=True,
    help="Fit so many halves of the texts, to see which words of a sparse model come back.",
)
@click.option("--refit", is_flag=True, help="Train the final models on train and dev together.")
@click.option(
    "--config",
    metavar="PATH",
    is_eager=True,
    callback=take_config,
    help="Take the options of an earlier model (its folder or model.json); options given here win.",
)
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Fit in partitions, on N processes of this machine."
)
@click.option(
    "--cluster", metavar="URL", help="Fit in partitions, on the Dask cluster there, e.g. tcp://10.0.0.5:8786."
)
@click.option("--memory", type=MEMORY, metavar="SIZE", help="Fit in partitions, within so much memory, e.g. 2GB.")
@click.option("--blocks", metavar="DIR", help="Keep the partitions there, to go on after an interruption.")
@data_option
@quiet_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    dev: str | None,
    test: str | None,
    out: str | None,
    force: bool,
    editable: bool,
    no_report: bool,
    text_cols: tuple[str, ...],
    label_col: str | None,
    id_col: str | None,
    config: str | None,
    workers: int | None,
    cluster: str | None,
    memory: int | None,
    blocks: str | None,
    data_dir: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Compare methods on your texts and save the smallest good model.

    FILE holds labelled texts: .jsonl, .csv, .tsv, .parquet (also .gz, .xz, .zst), a folder with one sub-folder per
    class, - for JSON lines on standard input, or the name of a known data set. The text and label columns are found
    by their names and contents.

    Ridge, lasso, elastic net and orthogonal matching pursuit (omp: one word after another) are tuned by
    cross-validation (or on --dev; a known data set on its own dev set), one table shows score against words, and the
    smallest model within one standard error of the best is saved, with an HTML page beside it that shows the model and
    runs it (--no-report leaves it out). --groups adds the group lasso, which keeps or drops
    whole sentences (or groups of your own), and gomp, which chooses group after group.

    Where the label column holds lists of labels, one model is made that gives a text any number of them: one method
    (lasso, with --groups the group lasso, or the one of --method) is tuned for every label by itself, over one
    vocabulary.

    \b
    Examples:
      laconic fit reviews.csv
      laconic fit reviews.csv --words 50 --metric macro_f1
      laconic fit train.jsonl --dev dev.jsonl --test test.jsonl --out model
      laconic fit mails/ --strip-mail --ngrams 1-2 --min-df 2
      laconic fit reviews.csv --groups sentences --method lasso --method group
      laconic fit reviews.csv --groups topics.json
      laconic fit reviews.csv --method omp --budget 2000
      laconic fit reviews.csv --method gomp --groups vectors:glove.6B.100d.txt
      laconic fit 20ng/science --tokenizer wnut2018 --data ~/corpora
      laconic fit newer.csv --config reviews.laconic
      laconic fit mails.csv --calibrate sigmoid --threshold spam:precision=0.95
      laconic fit mails/ --ban edu --ban @names.txt --sign thanks=+praise
      laconic fit reviews.csv --editable
      laconic fit 'parts/*.jsonl.zst' --workers 4 --memory 2GB
      laconic fit '/shared/parts/*.parquet' --cluster tcp://10.0.0.5:8786 --blocks /shared/blocks

    With --workers, --cluster, --memory, --blocks or a pattern of files, texts stay in partitions on disk and are never
    together in memory; lasso and elastic are then tuned on --dev, or on documents held out of every partition.
    """
    reading = Reading(text_cols, label_col, id_col)
    edits = take_edits(options)
    if config is not None:
        edits = _earlier_edits(config).then(edits)
    recipe = _recipe(ctx, source, dev, {**options, "edits": edits or None})

    from laconic.core.folder import check_target
    from laconic.report.render.page import check_page, page_beside

    target = Path(out or f"{pattern_stem(source) if is_pattern(source) else stem(source)}.laconic")
    if target.exists() and not force:
        raise FileExistsError(f"{target} exists already; choose another place with --out, or replace it with --force")
    check_target(target, overwrite=force)
    if editable:
        from laconic.models.edit.kept_design import design_folder, keep_design

        check_target(design_folder(target), overwrite=force)
    page = None if no_report else check_page(page_beside(target))
    if workers or cluster or memory or blocks or is_pattern(source):
        if editable:
            raise click.UsageError("--editable keeps the whole matrix of the texts, which a fit on partitions has not.")
        made, reading = fit_in_partitions(
            source, dev, test, recipe, reading, Where(workers, cluster, memory, blocks), quiet
        )
        corpora: dict[str, Any] = {}
    else:
        corpora, reading = _read(source, dev, test, reading, data_dir)
        if not quiet:
            _say_what_was_read(corpora["train"], reading)
        if config is not None:
            _compare_data(config, corpora["train"])

        from laconic.models.search.fit_text import has_several

        if has_several(corpora["train"]):
            from laconic.cli.tables.label_tables import fit_several

            extra = {"source": source, "reading": asdict(reading)}
            fit_several(corpora, recipe, target, force, extra, quiet, as_json, editable, page)
            return
        made = _fit_in_memory(corpora, recipe, quiet)
    saved = made.model.save(
        target, overwrite=force, extra={**made.config, "source": source, "reading": asdict(reading)}
    )
    if editable:
        keep_design(design_folder(target), made.model, _trained_on(corpora, recipe), overwrite=force)
    if page is not None:
        from laconic.models import load
        from laconic.report import summarize, write_page
        from laconic.report.render.page import MANY_GROUPS

        facts = {"title": stem(source), "comparison": made.comparison, "folder": saved, "groups": MANY_GROUPS}
        write_page(summarize(load(saved), corpora.get("test"), **facts), page)
    kept = made.comparison.chosen
    if kept.words == 0:
        answer = made.model.predict([""]).tolist()[0]
        click.echo(f"laconic: warning: The model has no words: it always answers {answer!r}.", err=True)
    if as_json:
        report = None if page is None else str(page)
        calibration = made.model.calibration_
        facts = {} if calibration is None else {"calibration": calibration.to_json()}
        found = {"saved": str(saved), "report": report, "comparison": asdict(made.comparison), "config": made.config}
        echo_json({**found, **facts})
        return
    from laconic.cli.tables.model_tables import calibration_lines, comparison_table, curves
    from laconic.models.search.recipe import GROUPED

    show(
        comparison_table(made.comparison),
        *curves(made.comparison),
        *calibration_lines(made.model.calibration_),
        *([] if page is None else [f"Report: {page}"]),
        f"Saved to {target}. Its words: laconic inspect {target}"
        + (f"\nIts groups: laconic inspect {target} --groups" if kept.method in GROUPED else ""),
        *(["For a short model: laconic fit … --words 200"] if kept.words > MANY_WORDS else []),
    )


def _fit_in_memory(corpora: dict[str, Any], recipe: "Recipe", quiet: bool) -> Any:
    from laconic.models.search.fit_text import fit_text

    with progress_bar("fit", quiet) as advance:
        return fit_text(
            **corpora,
            recipe=recipe,
            progress=lambda done, total, method, best: advance(done, total, _note(method, best)),
        )


def _recipe(ctx: click.Context, source: str, dev: str | None, options: dict[str, Any]) -> "Recipe":
    """Return the recipe that the options ask for; options that contradict each other are a usage mistake."""
    from laconic.models.search.recipe import Recipe

    if options["analyzer"] != "word" and ctx.get_parameter_source("tokenizer") is ParameterSource.COMMANDLINE:
        raise click.UsageError(f"--analyzer {options['analyzer']} cuts texts into characters and has no --tokenizer.")
    if options["refit"] and dev is None and (source == "-" or Path(source).exists()):
        raise click.UsageError("--refit adds the dev set to the training set, but there is no dev set: pass --dev.")
    try:
        lists = {name: options[name] or None for name in ("methods", "groups", "thresholds", "prior")}
        return Recipe(**{**options, **lists})
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _read(
    source: str, dev: str | None, test: str | None, reading: Reading, data_dir: str | None
) -> tuple[dict[str, Any], Reading]:
    """Return the corpora as arguments of `fit_text`, and the columns they were read from."""
    splits = known_splits(source, data_dir)
    if splits is not None:
        if dev or test:
            raise click.UsageError(f"{source} is a known data set with a dev and a test set of its own.")
        return dict(splits), reading
    reading = find_columns(source, reading)
    files = {"train": source, "dev": dev, "test": test}
    return {split: read_labelled(file, reading) for split, file in files.items() if file is not None}, reading


def _say_what_was_read(train: Any, reading: Reading) -> None:
    columns = ""
    if reading.text_cols and reading.label_col:
        columns = f"; text: {', '.join(reading.text_cols)}; label: {reading.label_col}"
    name = train.name or "standard input"
    click.echo(f"{name}: {len(train):,} documents, {len(train.classes)} classes{columns}", err=True)


def _trained_on(corpora: dict[str, Any], recipe: "Recipe") -> Any:
    """Return the documents that the final model was fitted on."""
    from laconic.data import Corpus

    train, dev = corpora["train"], corpora.get("dev")
    if not recipe.refit or dev is None:
        return train
    return Corpus.from_lists([*train.texts, *dev.texts], [*train.labels, *dev.labels], name=train.name)


def _earlier_edits(config: str) -> "Edits":
    from laconic.core.edits import Edits

    return Edits.from_json(read_config(config)["recipe"].get("edits") or {})


def _compare_data(config: str, train: Any) -> None:
    before = read_config(config).get("data", {}).get("train", {}).get("fingerprint")
    if before is not None and before != train.fingerprint():
        click.echo(f"laconic: note: the texts differ from those that {config} was made from", err=True)


def _note(method: str, best: Any) -> str:
    if best is None:
        return method
    return f"{method}; best so far {best['mean']:.3f} ({best['method']}, {best['words']:,.0f} words)"

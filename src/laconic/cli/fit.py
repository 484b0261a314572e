"""``laconic fit``: compare methods on labelled documents and save the smallest good model."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from laconic.cli.shared import options as opt
from laconic.cli.shared.files import model_place
from laconic.cli.shared.job_options import edit_options, take_config
from laconic.cli.shared.options import Memory, Seconds
from laconic.cli.shared.output import echo_json, program, show, terminal
from laconic.cli.tables.model_tables import (
    calibration_lines,
    comparison_table,
    labels_table,
)
from laconic.cli.tables.next_steps import doubts, next_commands, strongest_words
from laconic.core.edits import Edits
from laconic.evaluate.metrics.scores import METRICS
from laconic.models.search.recipe import ALLOWED, GROUPED, METHODS, Recipe
from laconic.report import summarize
from laconic.text.design import CELLS
from laconic.workflows.fit import FitJob, FitResult, fit
from laconic.workflows.partitions import Resources


def _resources(**given: Any) -> Resources:
    if given["workers"] and given["cluster"]:
        raise click.UsageError("--workers starts processes here and --cluster uses those elsewhere: give one.")
    if given["cluster"] and not given["blocks"]:
        raise click.UsageError("--cluster needs --blocks, a folder that workers write to and, best, share.")
    return Resources(**given)


def _resource_options() -> opt.Decorator:
    return opt.collected(
        "resources",
        _resources,
        ("workers", "cluster", "memory", "blocks"),
        opt.number("--workers", "Fit out of core on N processes of this machine."),
        opt.text("--cluster", "URL", "Fit out of core on this Dask cluster, e.g. tcp://10.0.0.5:8786."),
        opt.text("--memory", "SIZE", "Fit out of core, using at most SIZE memory, e.g. 2GB.", type=Memory()),
        opt.text("--blocks", "DIR", "Keep the partitions in this folder, to resume after an interruption."),
    )


@click.command()
@click.argument("source", metavar="FILE")
@opt.text("--dev", "FILE", "Labelled documents to tune on, instead of cross-validation.")
@opt.text("--test", "FILE", "Labelled documents on which the chosen models are scored, once.")
@opt.text("--out", "DIR", "Folder of the model; default: FILE's name with .laconic.")
@opt.force_model
@opt.flag(
    "--editable",
    "Keep the training matrix beside the model, in a folder of its own that ends in .design: laconic edit then "
    "needs no texts. It says which words every document has; the model itself never does.",
)
@opt.flag("--no-report", "Do not write the report of the model (DIR.html).")
@opt.reading_options()
@opt.choice(
    "--method",
    "methods",
    METHODS,
    "Method to compare; repeat for several. Default: ridge, lasso, elastic and omp; with --groups also group and gomp.",
    multiple=True,
)
@opt.text(
    "--groups",
    "KIND",
    "Groups of words that are selected or dropped together: a kind of laconic groups --help (sentences, lda, lsi, "
    "brown, graph, vectors:PATH, …), or a file {name: [word, …]} that ends in .json; repeat to combine several.",
    multiple=True,
)
@opt.text("--group-cache", "DIR", "Folder in which groups are kept and found again.")
@opt.choice(
    "--metric",
    METRICS,
    "Score that decides between models. Default: accuracy; macro_f1 if a class is below a fifth of its even share.",
)
@opt.number("--words", "Select the best model with at most N words.")
@opt.number("--budget", "Maximum number of words that omp and gomp select; default: 500 for two classes, 200 for more.")
@opt.choice(
    "--rule",
    ALLOWED["rule"],
    "Smallest sparse model within one standard error, or half a point, of the best sparse one (sparse, the default), "
    "smallest of all within one standard error (one_se), or the best (default with --words).",
)
@opt.choice("--cells", CELLS, "Feature values: binary occurrence, count or tf-idf.", default="binary")
@opt.feature_options()
@edit_options()
@opt.choice("--class-weight", ALLOWED["class_weight"], "Weight classes inversely to their frequency.")
@opt.flag("--refit-support", "Refit the words that lasso, elastic and group select, without shrinking their weights.")
@opt.choice("--calibrate", ALLOWED["calibrate"], "Calibration of the probabilities, on the dev set or out of fold.")
@opt.text(
    "--threshold",
    "thresholds",
    "[CLASS:]GOAL",
    "Predict CLASS only above a threshold chosen for precision=0.95, recall=0.9, f1 or cost=5 (a false positive costs "
    "as much as five false negatives); without CLASS for every class, and documents that reach none get no label.",
    multiple=True,
)
@opt.text(
    "--prior",
    "CLASS=SHARE",
    "Share of a class that will be rarer or more frequent than in FILE, e.g. spam=0.01; needs --calibrate.",
    multiple=True,
)
@opt.number("--folds", "Number of cross-validation folds.", default=5, least=2)
@opt.number(
    "--min-class",
    "Set classes with fewer than N documents aside; default: the number of folds, without folds 1.",
    least=1,
)
@opt.number("--seed", "Random seed for the fold split.", default=0, least=0)
@opt.number(
    "--resamples",
    "Refit on N random halves of the training set and report how often each word is selected again (0 to skip).",
    default=20,
    least=0,
)
@opt.text(
    "--time",
    "TIME",
    "Time for the search and the final fit, counted from reading on, such as 60s or 5m; on large files reading and "
    "saving may exceed it. The best model found is saved. Ctrl-C ends the search at once; pressed twice it aborts.",
    type=Seconds(),
)
@opt.flag("--refit", "Train the final models on train and dev together.")
@opt.text(
    "--config",
    "PATH",
    "Model folder (or its model.json) whose options are used; options given here win.",
    is_eager=True,
    callback=take_config,
)
@_resource_options()
@opt.quiet_option
@opt.json_option
@click.pass_context
def command(
    ctx: click.Context,
    out: str | None,
    no_report: bool,
    edits: Edits | None,
    config: dict[str, Any] | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Compare methods on your documents and save the smallest good model.

    FILE holds labelled documents: .jsonl, .csv, .tsv (also .gz, .xz, .zst), .xlsx, .parquet, a folder with one folder
    per class, - for JSON lines on standard input, or the name of a built-in dataset. The text and label columns are
    detected by their names and contents.

    Ridge, lasso, elastic net and orthogonal matching pursuit (omp: one word after another) are tuned by
    cross-validation (or on --dev; a built-in dataset on its own dev set), one table shows score against words, and the
    smallest sparse model within one standard error or half a point of the best is saved, with a report beside it: an
    HTML page that shows the model and runs it (--no-report to skip). Ridge is shown for comparison. --groups adds the
    group lasso, which keeps or drops whole sentences (or groups of your own), and gomp, which selects group after
    group.

    If the label column holds lists of labels, one multi-label model is made: one method (lasso, with --groups the group
    lasso, or the one of --method) is tuned for every label separately, over one vocabulary.

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

    With --workers, --cluster, --memory, --blocks or a pattern of files, documents stay in partitions on disk and are
    never together in memory; lasso and elastic are then tuned on --dev, or on documents held out of every partition.
    """
    with terminal("fit", quiet) as watch:
        target = model_place(out, options["source"], options["force"])
        if config is not None:
            edits = Edits.from_json(config["recipe"].get("edits") or {}).then(edits or Edits())
            known = config.get("data", {}).get("train", {}).get("fingerprint")
            options |= {"like": config["path"], "like_fingerprint": known}
        given = opt.taken(FitJob, options)
        given["free_metric"] = options["metric"] is None
        options["metric"] = options["metric"] or "accuracy"
        recipe = _recipe(ctx, given, {**options, "edits": edits})
        job = FitJob(target=target, report=not no_report, recipe=recipe, **given)
        _refuse_on_partitions(job)
        result = fit(job, watch)
    if as_json:
        echo_json(result.to_dict())
    else:
        _show(result, job)


def _show(result: FitResult, job: FitJob) -> None:
    made, comparison, target = result.made, result.comparison, job.target.with_name(result.saved.name)
    summary = summarize(made.model)
    saved = f"Saved to {target}. All its words: {program()} inspect {target}"
    page = [] if result.page is None else [f"Report: {result.page}"]
    parts = [*calibration_lines(made.model.calibration_), strongest_words(summary), *page]
    if comparison is None:
        words = f"{made.model.n_words_:,} words for {len(made.rows)} labels."
        show(labels_table(made), *doubts(made.doubts, job, lost_classes=False), *parts, f"{words} {saved}")
    else:
        groups = f"\nIts groups: {program()} inspect {target} --groups" if comparison.chosen.method in GROUPED else ""
        show(
            comparison_table(comparison),
            *doubts(comparison.doubts, job, lost_classes=bool(comparison.unpredicted)),
            *parts,
            saved + groups,
        )
    click.echo(f"\n{next_commands(replace(job, target=target), len(summary.words), summary.several)}")


def _recipe(ctx: click.Context, given: dict[str, Any], options: dict[str, Any]) -> Recipe:
    """Return the recipe that the options ask for; options that contradict each other are a usage mistake."""
    if options["analyzer"] != "word" and ctx.get_parameter_source("tokenizer") is ParameterSource.COMMANDLINE:
        raise click.UsageError(f"--analyzer {options['analyzer']} cuts texts into characters and has no --tokenizer.")
    if options["refit"] and given["dev"] is None and (given["source"] == "-" or Path(given["source"]).exists()):
        raise click.UsageError("--refit adds the dev set to the training set, but there is no dev set: pass --dev.")
    try:
        lists = {name: options[name] or None for name in ("methods", "groups", "thresholds", "prior")}
        return Recipe(**{**options, **lists})
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _refuse_on_partitions(job: FitJob) -> None:
    if not job.in_partitions:
        return
    if job.time is not None:
        raise click.UsageError("--time does not limit a fit on partitions; leave it out.")
    if job.editable:
        raise click.UsageError("--editable keeps the whole matrix of the texts, which a fit on partitions has not.")
    if job.source == "-":
        raise click.UsageError("Standard input cannot be read twice, as a fit on partitions must; give files.")

"""``laconic edit``: a saved model once more, with words banned, kept or signed, or on newer documents."""

from pathlib import Path
from typing import Any

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.files import new_place
from laconic.cli.shared.job_options import edit_options
from laconic.cli.shared.output import answer, program, terminal
from laconic.cli.tables.diff_tables import diff_tables, edit_line
from laconic.core.edits import Edits
from laconic.workflows.edit import EditJob, edit


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="[FILE]", required=False)
@edit_options()
@opt.text("--test", "FILE", "Labelled documents, or a built-in dataset, to score both models on.")
@opt.text("--out", "DIR", "Folder of the new model; default: MODEL's name with -edited.")
@opt.force_model
@opt.reading_options()
@opt.quiet_option
@opt.json_option
def command(
    model: str, source: str | None, edits: Edits | None, out: str | None, quiet: bool, as_json: bool, **options: Any
) -> None:
    """Refit a saved model with changes that you decide on, or on newer documents.

    FILE holds the labelled documents to fit on; without it the training matrix that laconic fit --editable kept is
    used, or the files that the model was made from are read again. Method, penalty, text options and groups stay as
    they are and nothing is tuned: the fit starts from the model's own weights and takes seconds. Shown are the words
    added, removed or changed in sign, and the accuracy of both models if there are test documents.

    \b
    Examples:
      laconic edit reviews.laconic --ban nolan --ban @names.txt
      laconic edit mails.laconic --keep refund --sign thanks=+praise --factor edu=10
      laconic edit topics.laconic --ban-group "topic 12"
      laconic edit reviews.laconic newer.csv --out newer.laconic
    """
    if not edits and source is None:
        raise click.UsageError("there is nothing to do: give an edit such as --ban WORD, or a FILE of newer texts.")
    target = new_place(out, f"{Path(model).name.removesuffix('.laconic')}-edited.laconic", options["force"])
    with terminal("edit", quiet) as watch:
        edited = edit(EditJob(model, target, edits or Edits(), source, **options), watch)
    saved = f"Saved to {target}. Its words: {program()} inspect {target}"
    answer(as_json, edited.to_dict(), *diff_tables(edited.diff), edit_line(edited), saved)

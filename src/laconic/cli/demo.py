"""``laconic demo``: the whole job on the built-in letters."""

import click
from rich.text import Text

from laconic.cli.shared import options as opt
from laconic.cli.shared.output import echo_json, program, show, terminal
from laconic.cli.tables.explanation_view import example_view
from laconic.cli.tables.model_tables import comparison_table, scores_tables, word_lists
from laconic.workflows.demo import MODEL, PAGE, REPORT, Demonstration, demonstrate


@click.command()
@opt.text("--out", "DIR", "Folder for model and report.", default="laconic-demo")
@opt.flag("--no-report", "Do not write the HTML report.")
@opt.quiet_option
@opt.json_option
def command(out: str, no_report: bool, quiet: bool, as_json: bool) -> None:
    """Run the whole job on a small built-in corpus: compare, choose, save, show.

    The corpus holds 360 letters to the services desk of an invented town: requests for repair, complaints and thanks.

    \b
    Example:
      laconic demo --out try
    """
    with terminal("demo", quiet) as watch:
        made = demonstrate(out, watch, page=not no_report)
    if as_json:
        found = {"folder": str(made.folder), "summary": made.summary.to_dict()}
        echo_json({**found, "telling_sentences_found": made.found})
    else:
        _show(made, page=not no_report)


def _show(made: Demonstration, page: bool) -> None:
    summary, model = made.summary, made.folder / MODEL
    comparison, scores, example = summary.comparison, summary.scores, summary.examples[0]
    words = f"The {len(summary.words)} words of the model ({100 * summary.share:.1f}% of {summary.vocabulary_size:,})"
    hint = "   (open it in a browser: it shows the model and runs it)" if page else ""
    show(
        Text("Which method says most with fewest words?", style="bold"),
        comparison_table(comparison) if comparison else "",
        Text(words, style="bold"),
        word_lists(summary, most=12),
        Text("Scores on letters that it has not seen", style="bold"),
        scores_tables(scores) if scores else "",
        Text(f"Why {example.id} gets its label", style="bold"),
        example_view(example),
        f"In {made.found} of {made.letters} test letters the most influential sentence was written to carry it.",
        f"Model:  {model}   ({program()} inspect {model})\nReport: {made.folder / (PAGE if page else REPORT)}{hint}",
    )

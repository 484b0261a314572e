"""``laconic demo``: the whole job on the built-in letters."""

import click

from laconic.cli.shared.options import json_option, quiet_option
from laconic.cli.shared.output import echo_json, progress_bar, show


@click.command()
@click.option("--out", metavar="DIR", default="laconic-demo", show_default=True, help="Folder for model and report.")
@click.option("--no-report", is_flag=True, help="Do not write the HTML page.")
@quiet_option
@json_option
def command(out: str, no_report: bool, quiet: bool, as_json: bool) -> None:
    """Run the whole job on a small built-in corpus: compare, choose, save, show.

    The corpus holds 360 letters to the services desk of an invented town: requests for repair, complaints and thanks.

    \b
    Example:
      laconic demo --out try
    """
    from laconic.report.demonstration import MODEL, PAGE, REPORT, demonstrate

    with progress_bar("demo", quiet) as advance:
        made = demonstrate(out, lambda done, total, method, best: advance(done, total, method), page=not no_report)
    summary = made.summary
    if as_json:
        echo_json({"folder": str(made.folder), "summary": summary.to_dict(), "telling_sentences_found": made.found})
        return
    from rich.text import Text

    from laconic.cli.tables.model_tables import comparison_table, curves, example_view, scores_tables, word_lists

    comparison, scores, example = summary.comparison, summary.scores, summary.examples[0]
    words = f"The {len(summary.words)} words of the model ({100 * summary.share:.1f} % of {summary.vocabulary_size:,})"
    show(
        Text("Which method says most with fewest words?", style="bold"),
        comparison_table(comparison) if comparison else "",
        *(curves(comparison) if comparison else []),
        Text(words, style="bold"),
        word_lists(summary, most=12),
        Text("How it does on letters it has not seen", style="bold"),
        scores_tables(scores) if scores else "",
        Text(f"Why {example.id} gets its label", style="bold"),
        example_view(example),
        Text(
            f"In {made.found} of {made.letters} test letters the sentence that decides is one that its writer meant to "
            "be telling."
        ),
        Text(
            f"Model:  {made.folder / MODEL}   (laconic inspect {made.folder / MODEL})\n"
            f"Report: {made.folder / (REPORT if no_report else PAGE)}"
            + ("" if no_report else "   (open it in a browser: it shows the model and runs it)")
        ),
    )

"""``laconic check``: does a saved model still fit the texts that come in now?"""

from typing import Any

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.output import answer, table
from laconic.models.monitor import Check, check
from laconic.workflows.sources import Reading, load_text_model, read_any, stored_reading


def _limit(name: str, default: float, help: str) -> opt.Decorator:
    return opt.share(f"--max-{name}", name, help, metavar="SHARE", default=default)


@click.command()
@click.argument("model", metavar="MODEL")
@click.argument("source", metavar="NEW_DATA")
@_limit("drift", 0.2, "Largest shift in the model's weighted word frequency, e.g. 0.1.")
@_limit("unknown", 0.25, "Largest drop in the number of the model's words per document.")
@_limit("empty", 0.05, "Largest rise in the share of documents without a word of the model.")
@_limit("shares", 0.1, "Largest total change in the shares of the classes.")
@_limit("calibration", 0.05, "Largest mean distance of predicted from true probabilities.")
@opt.reading_options()
@opt.json_option
@click.pass_context
def command(ctx: click.Context, model: str, source: str, reading: Reading, as_json: bool, **limits: float) -> None:
    """Check whether a saved model still fits new texts: exit code 0 if it does, 1 if not.

    The frequencies of the model's words and their number per document are compared with those of the training
    documents; for labelled documents also the labels, accuracy, calibration, and the goals of thresholds. A limit
    counts as exceeded only if the change is statistically significant. For a built-in dataset, the test split is used.

    \b
    Examples:
      laconic check reviews.laconic last-week.jsonl
      laconic check reviews.laconic last-week.jsonl --max-drift 0.1 --json
    """
    scorer = load_text_model(model)
    found = check(scorer, read_any(source, reading, stored_reading(scorer.info)), limits)
    answer(as_json, found.to_dict(), *_parts(found))
    ctx.exit(0 if found.ok else 1)


def _parts(found: Check) -> list[Any]:
    made = table("", "check", ">now", ">before", ">limit")
    for finding in found.findings:
        numbers = ["-" if value is None else f"{value:.3f}" for value in (finding.value, finding.before, finding.limit)]
        made.add_row("✓" if finding.ok else "✗", finding.name, *numbers, style=None if finding.ok else "bold red")
    parts: list[Any] = [f"{found.documents:,} documents", made, "\n".join(finding.says for finding in found.findings)]
    if found.words:
        words = ((word.word, f"{word.before:.2%}", f"{word.now:.2%}") for word in found.words)
        parts.append(table("changed most for the model", ">documents before", ">now", rows=words))
    failed = ", ".join(finding.name for finding in found.findings if not finding.ok)
    verdict = f"✗ The model no longer fits these texts: {failed}." if failed else "✓ The model fits these texts."
    return [*parts, verdict]

"""What a fit ends with: the strongest words of each class, and the commands worth trying next."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from laconic.cli.shared.output import program, shortened, spaced, table
from laconic.core.summaries.summary import Summary
from laconic.data.files.lines import plain_suffix

if TYPE_CHECKING:
    from laconic.workflows.fit import FitJob

CLASSES, WORDS = 10, 15  # that are shown
LONGEST = 30  # characters of a class in one line
FEW_WORDS = 100  # for which no smaller model is proposed


def strongest_words(summary: Summary) -> RenderableType:
    """Return the words that speak for each class, and then against it, those with the largest effect first."""
    made = table("class", "its words, by weight and documents")
    made.columns[0].max_width, made.columns[1].ratio = LONGEST, 1
    made.columns[1].overflow, made.columns[1].no_wrap, made.expand = "ellipsis", True, True
    for label in summary.classes[:CLASSES]:
        words = sorted(summary.words_for(label), key=lambda word: word[1] < 0)  # those against a class come last
        shown = ", ".join(f"{'' if weight > 0 else '−'}{shortened(word)}" for word, weight in words[:WORDS])
        made.add_row(shortened(str(label), LONGEST), shown or Text("no words", style="dim"))
    more = len(summary.classes) - CLASSES
    return spaced(made, *[Text(f"{more:,} more classes", style="dim")] * (more > 0))


def doubts(sentences: Sequence[str], job: "FitJob", lost_classes: bool) -> list[RenderableType]:
    """Return in bold why a model is not to be trusted, and the fit to try; nothing where there is no doubt."""
    recipe, said = job.recipe, Text("\n".join(sentences), style="bold red")
    metric = ["--metric", "macro_f1"] if recipe.metric == "accuracy" and lost_classes else []
    if not sentences:
        return []
    if lost_classes and recipe.class_weight is None:
        command = _fit_again(job, "balanced", [*metric, "--class-weight", "balanced"])
    elif recipe.rule_to_follow != "best":
        command = _fit_again(job, "best", [*metric, "--rule", "best"])
    else:
        return [said]
    return [said, f"To try: {program()} {shlex.join(command)}"]


def next_commands(job: "FitJob", n_words: int, several: bool) -> str:
    """Return three commands worth trying after a fit, each below what it is for; lines are to be copied whole."""
    model = str(job.target)
    suffix = plain_suffix(Path(job.source)) or ".csv"
    steps = [
        ("Why does a text get its label?", ["explain", model, "a text of yours"]),
        ("Labels for other texts:", ["predict", model, f"new{suffix}"]),
        _another_fit(job, n_words, several) or ("Which words are no accident?", ["stability", model, job.source]),
    ]
    return "\n".join(f"{what}\n  {program()} {shlex.join(arguments)}" for what, arguments in steps)


def _another_fit(job: "FitJob", n_words: int, several: bool) -> tuple[str, list[str]] | None:
    """Return a fit worth comparing, of fewer words or of pairs of words, if there is one."""
    if n_words > FEW_WORDS and not several:
        from laconic.models.search.runs import budgets_up_to

        fewer = str(budgets_up_to(n_words // 2 + 1)[-2])  # a round number
        name, options, what = fewer, ["--words", fewer], "A smaller model:"
    elif job.recipe.ngrams == (1, 1) and job.recipe.analyzer == "word":
        name, options, what = "pairs", ["--ngrams", "1-2"], "Pairs of words as well:"
    else:
        return None
    return what, _fit_again(job, name, options)


def _fit_again(job: "FitJob", name: str, options: Sequence[str]) -> list[str]:
    """Return the command that repeats a fit with other options, into a folder of another name."""
    files = [part for split in ("dev", "test") if (file := getattr(job, split)) for part in (f"--{split}", file)]
    out = str(job.target.with_name(f"{job.target.stem}-{name}.laconic"))
    return ["fit", job.source, *files, "--config", str(job.target), *options, "--out", out]

"""`demonstrate`: the whole job on the built-in letters, with a report and a page that a person can read."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from laconic.core.files import write_file
from laconic.core.folder import check_target
from laconic.core.summaries.summary import Example, Summary
from laconic.data import demo, demo_truth
from laconic.models.search.recipe import Recipe
from laconic.report import markdown, write_page
from laconic.workflows.fit import summarize_fitted
from laconic.workflows.watch import SILENT, Watch

MODEL, REPORT, PAGE = "model", "report.md", "report.html"
TITLE = "Letters to the public services desk of Pellowick"


@dataclass(frozen=True)
class Demonstration:
    """The folder that was made, the summary with one letter explained, and a count of test letters."""

    # Of the ``letters`` there are ``found`` whose most influential sentence was written to carry the label.

    folder: Path
    summary: Summary
    found: int
    letters: int


def demonstrate(folder: str | os.PathLike, watch: Watch = SILENT, *, page: bool = True) -> Demonstration:
    """Fit the demo letters, explain one of them, and save model, report and page; an earlier demo is replaced."""
    from laconic.models.search.fit_text import fit_text  # only here: it compiles

    target = _check_folder(Path(folder))
    letters, truth = demo(), demo_truth()
    made = fit_text(
        letters.train,
        dev=letters.dev,
        test=letters.test,
        recipe=Recipe(resamples=20),
        progress=lambda done, total, method, best: watch.advance(done, total, method),
    )
    target.mkdir(exist_ok=True)
    saved = made.model.save(target / MODEL, overwrite=True, extra=made.config)
    facts = {"title": TITLE, "comparison": made.comparison, "examples": letters.test}
    whole = summarize_fitted(made.model, saved, made.config, letters.test, **facts)
    summary = replace(whole, examples=(_worth_showing(whole.examples, truth),))
    found = sum(example.telling in truth[example.id] for example in whole.examples)
    write_file(target / REPORT, markdown(summary))
    if page:
        write_page(summary, target / PAGE)
    return Demonstration(target, summary, found, len(whole.examples))


def _check_folder(target: Path) -> Path:
    if target.is_dir():
        if foreign := sorted(entry.name for entry in target.iterdir() if entry.name not in (MODEL, REPORT, PAGE)):
            raise FileExistsError(
                f"{target} holds {foreign[0]}, which is no part of a demo; choose another folder for it"
            )
        check_target(target / MODEL, overwrite=True)
    else:
        check_target(target)
    return target


def _worth_showing(examples: tuple[Example, ...], truth: Mapping[str, tuple[int, ...]]) -> Example:
    """Return the letter with the most sentences that is classified correctly for the right reason."""
    right = [
        example
        for example in examples
        if example.explanation.label == example.label and example.telling in truth[example.id]
    ]
    return max(right or examples, key=lambda example: len(example.sentences))

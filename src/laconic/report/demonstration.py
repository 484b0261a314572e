"""The demo: the whole job on the built-in letters, with a report and a page that a person can read."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laconic.core.atomic import write_file
from laconic.core.folder import check_target
from laconic.core.summaries.summary import Example, Summary
from laconic.report.render.markdown import markdown
from laconic.report.render.page import write_page
from laconic.report.summaries.text import summarize

if TYPE_CHECKING:
    from laconic.models.search.fit_text import Progress

MODEL, REPORT, PAGE = "model", "report.md", "report.html"


@dataclass(frozen=True)
class Demonstration:
    """What the demo made.

    Attributes
    ----------
    folder : Path
        Holds ``model``, ``report.md`` and, where wanted, ``report.html``.
    summary : Summary
        With one letter explained.
    found, letters : int
        In so many of the test letters the sentence that pulls most towards the predicted label is one that its writer
        meant to tell the label.
    """

    folder: Path
    summary: Summary
    found: int
    letters: int


def demonstrate(folder: str | os.PathLike, progress: "Progress | None" = None, *, page: bool = True) -> Demonstration:
    """Fit the demo letters, explain one of them, and save model and report.

    Parameters
    ----------
    folder : path
        Made if it does not exist; an earlier demo in it is replaced, anything else refused.
    progress : callable, optional
        As in `laconic.models.search.fit_text.fit_text`.
    page : bool
        Whether to write the HTML page as well.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     made = demonstrate(f"{place}/demo")
    ...     sorted(path.name for path in made.folder.iterdir())
    ['model', 'report.html', 'report.md']
    """
    from laconic.data import demo, demo_truth
    from laconic.models import load
    from laconic.models.search.fit_text import fit_text
    from laconic.models.search.recipe import Recipe

    target = _check_folder(Path(folder))
    letters = demo()
    made = fit_text(letters.train, dev=letters.dev, test=letters.test, recipe=Recipe(resamples=20), progress=progress)
    title = "Letters to the public services desk of Pellowick"
    target.mkdir(exist_ok=True)
    saved = made.model.save(target / MODEL, overwrite=True, extra=made.config)
    facts: dict[str, Any] = {"title": title, "comparison": made.comparison, "folder": saved}
    whole = summarize(load(saved), letters.test, examples=letters.test, **facts)
    truth = demo_truth()
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
    """Return the letter, labelled rightly and for the right reason, with the most sentences; the first of several."""
    right = [one for one in examples if one.explanation.label == one.label and one.telling in truth[one.id]]
    return max(right or examples, key=lambda one: len(one.sentences))

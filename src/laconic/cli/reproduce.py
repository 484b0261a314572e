"""``laconic reproduce``: the experiments of a paper beside the paper's own numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from laconic.cli.options import data_option, json_option, quiet_option
from laconic.cli.output import echo_json, progress_bar


@click.group()
def command() -> None:
    """Rerun the experiments of a paper and compare.

    Every number is chosen on dev and stands beside the paper's with the difference. The folder --out gets a page
    (reproduction.md), a table (CSV), figures (SVG) and a journal of what was measured: a run that was stopped goes on
    from it, and ends with the same numbers.

    \b
    Examples:
      laconic reproduce wnut2018 --quick --out quick
      laconic reproduce icml2014 --data ~/corpora --out results --jobs 2
    """


def _options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        json_option,
        quiet_option,
        data_option,
        click.option("--jobs", type=click.IntRange(1), default=2, show_default=True, help="Processes."),
        click.option("--quick", is_flag=True, help="Small grids and families, in minutes; not the reproduction."),
        click.option("--out", metavar="DIR", default="reproduction", show_default=True, help="Folder to write to."),
    ):
        function = option(function)
    return function


_so_far = click.option("--so-far", is_flag=True, help="Measure nothing: write the page from what the journal holds.")


@command.command()
@_so_far
@_options
def wnut2018(**options: Any) -> None:
    """Logistic OMP, group OMP and structured regularizers on ten data sets (Skianis et al., W-NUT 2018).

    Tables 2 to 5, Figures 3 and 4, times; as published and ours, beside what people run today.

    \b
    Example:
      laconic reproduce wnut2018 --data ~/corpora --out results
    """
    from laconic.reproduce.wnut2018 import run

    _rerun(run, **options)


@command.command()
@_so_far
@_options
def icml2014(**options: Any) -> None:
    """The sentence regularizer against lasso, ridge and elastic net (Yogatama & Smith, ICML 2014).

    Table 2 on the ten tasks whose data can be had, selected sentences with their influence as in Tables 3 and 4, the
    regularizer without lasso; paired tests.

    \b
    Example:
      laconic reproduce icml2014 --data ~/corpora --out results
    """
    from laconic.reproduce.icml2014 import run

    _rerun(run, **options)


@command.command()
@_so_far
@_options
def acl2014(**options: Any) -> None:
    """Sentence, parse tree, Brown cluster and topic regularizers (Yogatama & Smith, ACL 2014).

    Tables 3, 4 and 5, removed and selected groups as in Tables 6 and 7; parse trees for the treebank alone.

    \b
    Example:
      laconic reproduce acl2014 --data ~/corpora --out results
    """
    from laconic.reproduce.acl2014 import run

    _rerun(run, **options)


@command.command()
@click.option(
    "--part",
    type=click.Choice(["all", "tagging", "parsing"]),
    default="all",
    show_default=True,
    help="Which half of the paper; --quick leaves parsing out unless it is asked for.",
)
@_so_far
@_options
def emnlp2011(part: str, **options: Any) -> None:
    """Template selection for chunking and named entities (Martins et al., EMNLP 2011).

    Tables 1 and 2 and Figure 2, as published, with label groups, sparse groups and settings of our own beside them;
    Figure 3 and Table 3, templates of dependency parsers chosen in four ways on eight treebanks.

    \b
    Example:
      laconic reproduce emnlp2011 --quick --data ~/corpora --out results
      laconic reproduce emnlp2011 --part parsing --out results
    """
    from functools import partial

    from laconic.reproduce.emnlp2011 import run

    _rerun(partial(run, part=part), **options)


def _rerun(run: Callable[..., Any], out: str, quiet: bool, as_json: bool, **options: Any) -> None:
    _check_folder(out)
    with progress_bar("reproduce", quiet) as advance:
        result = run(out=out, progress=advance, **options)
    if as_json:
        echo_json(result.to_json())
    else:
        click.echo(result.markdown())


def _check_folder(out: str) -> None:
    """Refuse a folder that could not be written to, before the long work."""
    target = Path(out)
    if target.exists() and not target.is_dir():
        raise NotADirectoryError(f"--out {out} is a file; name a folder")
    if not target.resolve().parent.is_dir():
        raise FileNotFoundError(f"cannot make the folder {out}: {target.parent} does not exist; make it first")

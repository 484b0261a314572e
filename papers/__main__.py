"""``python -m papers``: the experiments of a paper beside the paper's own numbers."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from laconic.cli.app import run
from laconic.cli.shared.options import data_option, json_option, quiet_option
from laconic.cli.shared.output import echo_json, progress_bar


@click.group()
def papers() -> None:
    """Rerun the experiments of a paper and compare, or import an official release.

    Every number is chosen on dev and stands beside the paper's with the difference. The folder --out gets a page
    (reproduction.md), a table (CSV), figures (SVG) and a journal of what was measured: a run that was stopped goes on
    from it, and ends with the same numbers.

    \b
    Examples:
      python -m papers wnut2018 --quick --out quick
      python -m papers icml2014 --data ~/corpora --out results --jobs 2
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


@papers.command()
@_so_far
@_options
def wnut2018(**options: Any) -> None:
    """Logistic OMP, group OMP and structured regularizers on ten data sets (Skianis et al., W-NUT 2018).

    Tables 2 to 5, Figures 3 and 4, times; as published and ours, beside what people run today.

    \b
    Example:
      python -m papers wnut2018 --data ~/corpora --out results
    """
    from papers.wnut2018 import run as experiment

    _rerun(experiment, **options)


@papers.command()
@_so_far
@_options
def icml2014(**options: Any) -> None:
    """The sentence regularizer against lasso, ridge and elastic net (Yogatama & Smith, ICML 2014).

    Table 2 on the ten tasks whose data can be had, selected sentences with their influence as in Tables 3 and 4, the
    regularizer without lasso; paired tests.

    \b
    Example:
      python -m papers icml2014 --data ~/corpora --out results
    """
    from papers.icml2014 import run as experiment

    _rerun(experiment, **options)


@papers.command()
@_so_far
@_options
def acl2014(**options: Any) -> None:
    """Sentence, parse tree, Brown cluster and topic regularizers (Yogatama & Smith, ACL 2014).

    Tables 3, 4 and 5, removed and selected groups as in Tables 6 and 7; parse trees for the treebank alone.

    \b
    Example:
      python -m papers acl2014 --data ~/corpora --out results
    """
    from papers.acl2014 import run as experiment

    _rerun(experiment, **options)


@papers.command()
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
      python -m papers emnlp2011 --quick --data ~/corpora --out results
      python -m papers emnlp2011 --part parsing --out results
    """
    from functools import partial

    from papers.emnlp2011 import run as experiment

    _rerun(partial(experiment, part=part), **options)


@papers.command("import")
@click.argument("name")
@click.argument("archive")
@data_option
@quiet_option
@json_option
@click.pass_context
def import_set(ctx: click.Context, name: str, archive: str, data_dir: str | None, quiet: bool, as_json: bool) -> None:
    """Build the data folder from an official release.

    NAME is one of 20ng (20news-bydate), movie (review_polarity), vote (convote v1.1), amazon (multi-domain sentiment,
    sorted_data_acl), amazon/music (FDU-MTL), sst (trees in PTB format), imdb (aclImdb), conll2000. ARCHIVE is the
    release as it was loaded, or the folder it was unpacked to. The splits are made by the rules that `laconic data list
    --json` states, and checked: the exit code is 1 if one differs from the one that published numbers refer to.
    Of conll2000 no hash is known: it is not checked.

    \b
    Examples:
      python -m papers import movie review_polarity.tar.gz --data ~/corpora
      python -m papers import 20ng 20news-bydate.tar.gz
    """
    from papers.releases.importing import import_release

    with progress_bar("import", quiet) as advance:
        made = import_release(name, archive, data_dir, lambda done, total, text: advance(done, total, text))
    if as_json:
        echo_json(
            {"files": made.files, "checks": {one: list(map(asdict, found)) for one, found in made.checks.items()}}
        )
    else:
        for file, size in made.files.items():
            click.echo(f"{size:>7,}  {file}")
        for one, splits in made.checks.items():
            click.echo(f"{one:<20} " + "   ".join(f"{split.split} {split.verdict}" for split in splits))
        if not made.checks:
            click.echo(f"{name} was not checked: no hash of its content is known")
    if not made.complete:
        ctx.exit(1)


def _rerun(experiment: Callable[..., Any], out: str, quiet: bool, as_json: bool, **options: Any) -> None:
    _check_folder(out)
    with progress_bar("reproduce", quiet) as advance:
        result = experiment(out=out, progress=advance, **options)
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, with errors as sentences, like ``laconic`` itself."""
    return run(arguments, papers, "python -m papers")


if __name__ == "__main__":
    sys.exit(main())

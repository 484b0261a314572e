"""``laconic reproduce``: the experiments of a paper beside the paper's own numbers."""

from pathlib import Path
from typing import Any

import click

from laconic.cli.options import data_option, json_option, quiet_option
from laconic.cli.output import echo_json, progress_bar


@click.group()
def command() -> None:
    """Rerun the experiments of a paper and compare.

    \b
    Example:
      laconic reproduce wnut2018 --pursuit
    """


@command.command()
@click.option("--baselines", is_flag=True, help="No penalty, ridge, lasso and elastic net.")
@click.option("--pursuit", is_flag=True, help="OMP and group OMP.")
@click.option("--out", metavar="DIR", help="Folder to write the results to, as Markdown and JSON.")
@data_option
@quiet_option
@json_option
def wnut2018(baselines: bool, pursuit: bool, out: str | None, data_dir: str | None, quiet: bool, as_json: bool) -> None:
    """Logistic OMP and its baselines on the four 20 Newsgroups tasks (Skianis et al., W-NUT 2018).

    \b
    Example:
      laconic reproduce wnut2018 --baselines --data ~/corpora --out wnut2018
      laconic reproduce wnut2018 --pursuit --data ~/corpora --out wnut2018
    """
    if baselines == pursuit:
        raise click.UsageError("Say what to rerun: pass --baselines or --pursuit.")
    if out is not None:
        _check_folder(out)
    run: Any
    if pursuit:
        from laconic.reproduce.wnut2018_pursuit import run
    else:
        from laconic.reproduce.wnut2018 import run

    with progress_bar("reproduce", quiet) as advance:
        result = run(data_dir=data_dir, out=out, progress=advance)
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

"""``laconic warmup``: compile the kernels."""

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.output import echo_json


@click.command()
@opt.json_option
def command(as_json: bool) -> None:
    """Compile the numerical kernels once, ahead of the first fit.

    Without it, the first fit on a machine does it, which takes some seconds. The environment variable LACONIC_CACHE
    names the folder for the machine code.

    \b
    Example:
      LACONIC_CACHE=/opt/laconic laconic warmup
    """
    from laconic.workflows.warmup import compile_all

    seconds, folder = compile_all()
    if as_json:
        echo_json({"seconds": seconds, "folder": str(folder)})
    else:
        click.echo(f"The kernels are compiled ({seconds:.1f} s); their machine code is in {folder}")

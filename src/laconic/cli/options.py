"""Options that several commands share."""

from collections.abc import Callable
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

json_option: Decorator = click.option(
    "--json", "as_json", is_flag=True, help="Print the result as JSON instead of tables."
)
data_option: Decorator = click.option(
    "--data",
    "data_dir",
    metavar="DIR",
    help="Folder of the known data sets (the one that holds text/); default: $LACONIC_DATA.",
)
quiet_option: Decorator = click.option("--quiet", "-q", is_flag=True, help="Say nothing but results and problems.")


def column_options(label: bool = True) -> Decorator:
    """Return a decorator that adds --text-col, --id-col and, where labels matter, --label-col."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        function = click.option("--id-col", metavar="NAME", help="Column of ids; found by itself if not given.")(
            function
        )
        if label:
            function = click.option(
                "--label-col", metavar="NAME", help="Column of labels; found by itself if not given."
            )(function)
        return click.option(
            "--text-col",
            "text_cols",
            metavar="NAME",
            multiple=True,
            help="Column of texts; repeat to join several. Found by itself if not given.",
        )(function)

    return decorate

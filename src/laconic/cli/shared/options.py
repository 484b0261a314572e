"""Options that several commands share."""

from collections.abc import Callable
from typing import Any

import click

from laconic.cli.shared.types import DocumentFrequency, Ngrams

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


def feature_options() -> Decorator:
    """Return a decorator that adds the options by which texts become features."""
    options = [
        click.option(
            "--analyzer",
            type=click.Choice(["word", "char", "char_wb"]),
            default="word",
            show_default=True,
            help="Features are words, character n-grams, or character n-grams inside words.",
        ),
        click.option(
            "--tokenizer",
            type=click.Choice(["default", "wnut2018"]),
            default="default",
            show_default=True,
            help="What a word is.",
        ),
        click.option(
            "--ngrams", type=Ngrams(), metavar="A-B", default="1", show_default=True, help="Such as 1-2 or 3-5."
        ),
        click.option(
            "--min-df",
            type=DocumentFrequency(),
            metavar="N",
            default="1",
            show_default=True,
            help="Leave out words in fewer documents than this number or share.",
        ),
        click.option(
            "--max-df",
            type=DocumentFrequency(),
            metavar="N",
            default="1.0",
            show_default=True,
            help="Leave out words in more documents than this number or share.",
        ),
        click.option("--strip-mail", is_flag=True, help="Leave out mail headers, quotations and signatures."),
    ]

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate

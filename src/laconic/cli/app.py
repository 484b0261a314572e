"""The group of commands, and what becomes of errors.

stdout carries results, stderr progress, warnings and errors. Exit codes: 0 done, 1 a problem in the data or the model,
2 a usage mistake, 130 interrupted (Ctrl-C), 141 the reader of our pipe went away.
"""

import os
import re
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

COMMANDS = {
    "demo": "Run the whole job on a small built-in corpus.",
    "fit": "Compare methods on your texts and save the smallest good model.",
    "predict": "Label texts with a saved model.",
    "evaluate": "Score a saved model on labelled texts.",
    "check": "Say whether a model still fits the texts that come in now.",
    "compare": "Set saved models beside each other on the same texts, with paired tests.",
    "explain": "Show why a saved model gives one text its label.",
    "report": "Write a saved model as one HTML page that explains and runs it.",
    "inspect": "Show the words or groups of a saved model, or explain one text.",
    "stability": "Say which words of a model are selected again on other halves of its texts.",
    "edit": "Refit a saved model with words banned, kept or signed, or on newer texts.",
    "diff": "Show what changed from one saved model to another.",
    "export": "Write a saved model as JSON, a scikit-learn pipeline or ONNX.",
    "groups": "Make groups of words out of texts, and look at them.",
    "tag": "Tag the words of sentences: chunks, named entities, parts of speech.",
    "parse": "Parse sentences: the head and the relation of every word.",
    "data": "List, check and describe data.",
    "warmup": "Compile the numerical kernels once, ahead of the first fit.",
}

OPTIONS = {
    "folds": "--folds",
    "text_col": "--text-col",
    "label_col": "--label-col",
    "id_col": "--id-col",
    "data_dir": "--data",
    "min_df": "--min-df",
    "max_df": "--max-df",
    "class_weight": "--class-weight",
}
# A name in quotes is the user's own (a column, a label, a file); a word such as "folds" is a parameter only before "=".
NAMES = "|".join(name if "_" in name else f"{name}(?==)" for name in OPTIONS)
PARAMETER = re.compile(rf"(?<![\w'\"./-])({NAMES})\b(?!['\"/]|\.\w)(=?)")
ON_THE_COMMAND_LINE = re.compile(r" \(--[a-z -]+ on the command line\)")

EPILOG = """
\b
Examples:
  laconic demo
  laconic fit reviews.csv
  laconic predict reviews.laconic new.jsonl > labels.jsonl
"""


class LazyGroup(click.Group):
    """A group whose commands are modules of this package, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table, which is the order in which people need them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        return import_module(f"laconic.cli.{cmd_name}").command if cmd_name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="laconic", message="%(prog)s %(version)s")
def app() -> None:
    """Text models that say more with fewer words.

    Fit a linear model whose few words a person can read, know how close to the optimum it is, and use it anywhere.
    """


def run(arguments: Sequence[str] | None = None, group: click.Group | None = None, name: str = "laconic") -> int:
    """Run a command; turn every foreseen problem into one sentence on stderr and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # lone surrogates in a text must not stop the output
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            code = (group or app).main(args=arguments, prog_name=name, standalone_mode=False)
            sys.stdout.flush()
            return code if isinstance(code, int) else 0
        except click.Abort:  # what click makes of Ctrl-C
            return _fail("interrupted", 130)
        except click.ClickException as error:
            error.show()
            return error.exit_code
        except SystemExit:  # click's answer to a pipe that was closed by its reader (head, less)
            return 141
        except BrokenPipeError:  # the same, noticed by the flush above
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the interpreter will flush once more
            return 141
        except OSError as error:
            return _fail(f"error: {as_typed(_sentence(error))}", 1)
        except (ValueError, ImportError, TypeError) as error:
            return _fail(f"error: {as_typed(str(error))}", 1)


def as_typed(message: str) -> str:
    """Return a message of the library with its parameters named as on the command line.

    Examples
    --------
    >>> as_typed("use folds=3 or fewer; Pass text_col (--text-col on the command line)")
    'use --folds 3 or fewer; Pass --text-col'
    """
    message = ON_THE_COMMAND_LINE.sub("", message)
    return PARAMETER.sub(lambda found: OPTIONS[found[1]] + (" " if found[2] else ""), message)


def _sentence(error: OSError) -> str:
    if error.strerror is None:  # raised by us, with a message of its own
        return str(error)
    return error.strerror if error.filename is None else f"{error.strerror}: {str(error.filename)!r}"


def _fail(message: str, code: int) -> int:
    click.echo(f"laconic: {message}", err=True)
    return code


def _show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    if not issubclass(category, (DeprecationWarning, PendingDeprecationWarning, FutureWarning)):
        click.echo(f"laconic: warning: {as_typed(str(message))}", err=True)

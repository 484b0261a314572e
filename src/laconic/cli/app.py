"""The group of commands, and the one place where an error becomes a sentence.

stdout carries results, stderr progress, warnings and errors. Exit codes: 0 done, 1 a problem in the data or the model
(or a bug, which says so), 2 a usage mistake, 130 interrupted (Ctrl-C), 141 the reader of our pipe went away. With
``laconic --debug`` or ``LACONIC_DEBUG=1`` the traceback of an error comes before its sentence.
"""

import os
import re
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from itertools import takewhile
from typing import Any

import click

from laconic.workflows.watch import Contradiction

COMMANDS = {
    "demo": "Run the whole job on a small built-in corpus.",
    "fit": "Compare methods on your documents and save the smallest good model.",
    "predict": "Classify texts with a saved model.",
    "evaluate": "Score a saved model on labelled documents.",
    "check": "Check whether a saved model still fits new texts.",
    "compare": "Compare saved models on the same documents, with paired tests.",
    "explain": "Show why a saved model gives one text its label.",
    "report": "Write a saved model as one HTML page that explains and runs it.",
    "inspect": "Show the words or groups of a saved model, or explain one text.",
    "stability": "Show which words of a model are selected again on subsamples of its documents.",
    "edit": "Refit a saved model with words banned, kept or signed, or on newer documents.",
    "diff": "Show what changed from one saved model to another.",
    "export": "Write a saved model as JSON, a scikit-learn pipeline or ONNX.",
    "groups": "Make groups of words out of texts, and look at them.",
    "tag": "Tag the words of sentences: chunks, named entities, parts of speech.",
    "parse": "Parse sentences: the head and the relation of every word.",
    "data": "List and check the built-in datasets, and describe files.",
    "warmup": "Compile the numerical kernels once, ahead of the first fit.",
}

_TYPED = (
    *("folds", "text_col", "label_col", "id_col", "encoding", "drop_unlabelled", "label_sep"),
    *("min_df", "max_df", "class_weight"),
)
OPTIONS = {**{name: f"--{name.replace('_', '-')}" for name in _TYPED}, "data_dir": "--data"}
# A name in quotes is the user's own (a column, a label, a file); a word such as "folds" is a parameter only before "=".
NAMES = "|".join(name if "_" in name else f"{name}(?==)" for name in OPTIONS)
PARAMETER = re.compile(rf"(?<![\w'\"./-])({NAMES})\b(?!['\"/]|\.\w)(=?)")
ON_THE_COMMAND_LINE = re.compile(r" \(--[a-z -]+ on the command line\)")

LONGEST = 2000  # characters of a message: what a file holds may be of any length

# By the name of a class, which need not be imported for it: what inputs cause that are damaged, forged or too large.
CAUSES = {
    "MemoryError": "there is not enough memory for this; use smaller data, or a machine with more",
    "RecursionError": "the input is nested too deeply, or an entry in it is",
    "OverflowError": "a number in the input is too large",
    "BadZipFile": "a file is damaged or of another format than its name says",
}

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
    cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option(
    "--debug", is_flag=True, expose_value=False, help="Show the traceback of an error (also LACONIC_DEBUG=1)."
)
@click.version_option(package_name="laconic", message="%(prog)s %(version)s")
def app() -> None:
    """Text models that say more with fewer words.

    Fit a linear model whose few words a person can read, know how close to the optimum it is, and use it anywhere.
    """


def run(arguments: Sequence[str] | None = None, group: click.Group | None = None, name: str = "laconic") -> int:
    """Run a command; turn every error into one sentence on stderr and an exit code."""
    typed = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # lone surrogates in a text must not stop the output
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            code = (group or app).main(args=typed, prog_name=name, standalone_mode=False)
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
        except Exception as error:
            before_command = takewhile(lambda word: word.startswith("-"), typed)
            if "--debug" in before_command or os.environ.get("LACONIC_DEBUG", "0") not in ("", "0"):
                import traceback

                traceback.print_exc()
            return _fail(as_typed(sentence(error)), 2 if isinstance(error, Contradiction) else 1)


def sentence(error: Exception) -> str:
    """Return what to tell about an error; one that no input should cause is called a bug."""
    if isinstance(error, OSError):
        said = str(error) if error.strerror is None else error.strerror  # without: raised by us, with our message
        return f"error: {said}" + (f": {str(error.filename)!r}" if error.strerror and error.filename else "")
    for kind, what in CAUSES.items():
        if any(base.__name__ == kind for base in type(error).__mro__):
            return f"error: {what}" + (f" ({error})" if str(error) else "")
    if isinstance(error, (ValueError, ImportError, TypeError)):
        return f"error: {error}"
    from traceback import extract_tb

    last = extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(last.filename)}, line {last.lineno}"
    return f"this is a bug in laconic: {type(error).__name__}: {error} ({place}); run laconic --debug … and report it"


def as_typed(message: str) -> str:
    """Return a message of the library with its parameters named as on the command line, cut if it is long."""
    if len(message) > LONGEST:
        message = f"{message[: LONGEST // 2]} … {message[-LONGEST // 2 :]}"
    message = ON_THE_COMMAND_LINE.sub("", message).replace("pass overwrite=True", "add --force")
    return PARAMETER.sub(lambda match: OPTIONS[match[1]] + (" " if match[2] else ""), message)


def _fail(message: str, code: int) -> int:
    click.echo(f"laconic: {message}", err=True)
    return code


def _show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    if not issubclass(category, (DeprecationWarning, PendingDeprecationWarning, FutureWarning)):
        click.echo(f"laconic: warning: {as_typed(str(message))}", err=True)

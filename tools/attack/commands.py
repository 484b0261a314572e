"""Random command lines with odd values: exit code 0, 1 or 2, a sentence where it is not 0, and never a traceback."""

import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import click
import numpy as np

from laconic.cli import main
from laconic.cli.app import app
from tools.attack.folders import saved_models
from tools.attack.mutations import damaged
from tools.attack.samples import samples
from tools.attack.verdicts import HELD, SENTENCE, Verdict, raised

ODD = (
    "", "-1", "0", "1", "2", "0.5", "1e9", "1e400", "nan", "inf", "9" * 30, "x", "ä", "\ud800", "--", "-", ".", "..",
    "/dev/null", "no/such/file", "a,b", "1-2", "2-1", "1-100000", "text", "label", "good", "warm", "@x", "@a.txt", "[",
    "{}", "word[0]", "word[-9..99]", "sentences", "lda", "brown", "a\x00b", "=", "a=b", "warm=+good", "warm=2",
    "x" * 3000,
)  # fmt: skip
FILES = ("a.csv", "a.jsonl", "a.json", "a.txt", "a.conll", "a.conllu", "a.groups.json", "text", "tagger", "parser")
SKIPPED = ("demo", "warmup")  # minutes of honest work
SKIPPED_OPTIONS = ("workers", "memory", "help")  # processes of their own
WORK = ("passes", "selection_passes", "shuffles", "resamples", "pairs")  # who asks for a billion of them gets them
OPTIONS = 3  # at most
NUMBERS = ("0", "1", "2", "3", "-1", "0.5", "1e9", "nan", "99999999999999")


def prepare() -> None:
    """Make what all cases of this kind begin with."""
    saved_models()


def command_case(rng: np.random.Generator, folder: Path) -> Verdict:
    """Return the verdict on one command line."""
    _fill(rng, folder)
    arguments = _arguments(rng, app)
    with _inside(folder) as (output, errors):
        try:
            code = main(arguments)
            said = errors.getvalue()
            verdict = _judged(code, said, output.getvalue())
        except (Exception, SystemExit) as error:
            verdict = raised(error)
    line = " ".join(repr(one[:60]) for one in arguments)
    return verdict if verdict.word != "finding" else Verdict("finding", f"{verdict.why} [laconic {line}]")


def _judged(code: int, said: str, output: str) -> Verdict:
    if "Traceback (most" in said:
        return Verdict("finding", f"a traceback: {said.strip().splitlines()[-1][:200]}")
    if code not in (0, 1, 2):
        return Verdict("finding", f"exit code {code!r}")
    if code == 0:
        return HELD
    if len(said.strip()) < SENTENCE and not output.strip():
        return Verdict("finding", f"exit code {code} without a sentence: {said!r}")
    return Verdict("refused", said)


def _arguments(rng: np.random.Generator, command: click.Command) -> list[str]:
    """Return random arguments of a command, those of a random command below it for a group."""
    if isinstance(command, click.Group):
        names = [name for name in command.list_commands(click.Context(command)) if name not in SKIPPED]
        name = names[rng.integers(len(names))]
        below = command.get_command(click.Context(command), name)
        return [name, *_arguments(rng, below)] if below is not None else [name]
    options = [one for one in command.params if isinstance(one, click.Option) and one.name not in SKIPPED_OPTIONS]
    given = [_argument(rng) for one in command.params if isinstance(one, click.Argument)]
    for _ in range(int(rng.integers(0, OPTIONS + 1)) if options else 0):
        given += _option(rng, options[rng.integers(len(options))])
    if rng.random() < 0.1:
        given.append(ODD[rng.integers(len(ODD))])
    return given


def _argument(rng: np.random.Generator) -> str:
    return FILES[rng.integers(len(FILES))] if rng.random() < 0.95 else ODD[rng.integers(len(ODD))]


def _option(rng: np.random.Generator, option: click.Option) -> list[str]:
    name = option.opts[rng.integers(len(option.opts))]
    if option.is_flag:
        return [name]
    if isinstance(option.type, click.Choice) and rng.random() < 0.8:
        return [name, str(option.type.choices[rng.integers(len(option.type.choices))])]
    if isinstance(option.type, click.types.IntParamType | click.types.FloatParamType):
        known = NUMBERS if option.name not in WORK else (*NUMBERS[:-3], "3", "nan", "3")
        return [name, *(known[rng.integers(len(known))] for _ in range(option.nargs))]
    values = (_argument(rng) if rng.random() < 0.3 else ODD[rng.integers(len(ODD))] for _ in range(option.nargs))
    return [name, *values]


def _fill(rng: np.random.Generator, folder: Path) -> None:
    """Put small files of every format and saved models into a folder; now and then one file is damaged."""
    for sample in samples():
        if sample.name in FILES:
            (folder / sample.name).write_bytes(sample.data)
    for kind, saved in saved_models().items():
        shutil.copytree(saved.folder, folder / kind)
    if rng.random() < 0.2:
        path = folder / FILES[rng.integers(7)]
        path.write_bytes(damaged(rng, path.read_bytes()))


@contextmanager
def _inside(folder: Path) -> Iterator[tuple[io.StringIO, io.StringIO]]:
    """Run in a folder, with an empty standard input and with what is printed kept."""
    before, stdin = os.getcwd(), sys.stdin
    output, errors = io.StringIO(), io.StringIO()
    os.chdir(folder)
    sys.stdin = io.TextIOWrapper(io.BytesIO())
    try:
        with redirect_stdout(output), redirect_stderr(errors):
            yield output, errors
    finally:
        sys.stdin = stdin
        os.chdir(before)

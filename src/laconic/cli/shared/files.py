"""Files and folders that a command writes: refused before the work, and written whole or not at all."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from laconic.core.files import replacing


def model_place(out: str | None, source: str, force: bool) -> Path:
    """Return where to save the model of a source: beside the reader unless told otherwise."""
    from laconic.workflows.sources import stem

    return new_place(out, f"{stem(source)}.laconic", force)


def new_place(out: str | None, default: str, force: bool, option: str = "--out") -> Path:
    """Return where to write, and refuse what is there already unless it may be overwritten."""
    target = Path(out or default)
    if target.exists() and not force:
        raise FileExistsError(f"{target} exists already; choose another name with {option}, or add --force")
    return target


def check_file(out: str, source: str, force: bool, option: str = "--out") -> None:
    """Refuse a file to write that cannot be written, is the one that is read, or is there already."""
    target = Path(out)
    if target.is_dir():
        raise IsADirectoryError(f"{option} {out} is a folder; name a file")
    if not target.resolve().parent.is_dir():
        raise FileNotFoundError(f"cannot write {out}: the folder {target.parent} does not exist; make it first")
    if target.exists() and not target.is_file():  # a device or a pipe must not be replaced by a file
        rest = "leave out --out to write to standard output" if option == "--out" else "name another file"
        raise FileExistsError(f"{option} {out} is not an ordinary file; {rest}")
    if source != "-" and target.exists() and Path(source).exists() and target.samefile(source):
        raise FileExistsError(f"--out {out} is the file that is read; choose another one")
    new_place(out, out, force, option)


@contextmanager
def output_file(out: str) -> Iterator[TextIO]:
    """Open standard output, or a temporary file that takes its place only when everything is written."""
    if out == "-":
        yield sys.stdout
        return
    with replacing(out, errors="backslashreplace") as stream:
        yield stream

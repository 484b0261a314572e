"""Files and folders that appear at once or not at all.

Everything is written under a hidden name beside its target, synced to the disk, and then renamed. A reader sees the old
content or the new one; a full disk or an interrupt leaves the old content and no other file.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from laconic.core.files import check_regular

if TYPE_CHECKING:
    from pathlib import Path

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_CANNOT_EXCHANGE = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM)
_HERE, _EXCHANGE = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of renameat2(2)


@contextmanager
def replacing(path: str | os.PathLike[str], mode: str = "w", errors: str = "strict") -> Iterator[Any]:
    """Open a file that takes the place of `path` once the block has ended without an error; links are followed."""
    target = os.path.realpath(path)
    if os.path.exists(target):
        check_regular(target)
    # The name is settled before the file exists: an interrupt at any moment finds it here and removes it.
    temporary = _hidden(target, "new", longest=48)
    text = {} if "b" in mode else {"encoding": "utf-8", "errors": errors, "newline": ""}
    try:
        with open(temporary, mode.replace("w", "x"), **text) as file:  # type: ignore[call-overload]
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        if error.filename != temporary and error.errno not in _FULL:
            raise
        # The reader knows the target, not the hidden file.
        raise OSError(error.errno, f"cannot be written ({error.strerror})", os.fspath(path)) from error
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file, whole or not at all; text as UTF-8."""
    with replacing(path, "wb" if isinstance(content, bytes) else "w") as file:
        file.write(content)


@contextmanager
def folder_beside(target: Path) -> Iterator[Path]:
    """Make a hidden folder beside `target`, to be filled and renamed; whatever has its name at the end is removed."""
    import shutil  # here and below, not above: loading a model must stay light
    from pathlib import Path

    new = Path(_hidden(os.fspath(target), "new"))
    try:
        new.mkdir()
        yield new
    finally:
        shutil.rmtree(new, ignore_errors=True)


def put_folder(new: Path, target: Path) -> None:
    """Rename `new` to `target`, in place of a folder that stands there, which comes back if anything fails."""
    # Where the system can exchange two names there is no moment without a folder.
    sync_folder(new)
    if not target.exists():
        os.rename(new, target)
    elif not exchange(new, target):
        _swap(new, target)
    sync_folder(target.parent)


def exchange(one: Path, other: Path) -> bool:
    """Exchange the names of two folders in one step; return False, with nothing done, where the system cannot."""
    import ctypes
    import sys

    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if sys.platform == "linux" else None
    if rename is None:
        return False
    if rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _CANNOT_EXCHANGE:
        return False
    raise OSError(code, os.strerror(code), os.fspath(other))


def left_behind(target: str | os.PathLike[str]) -> list[str]:
    """Return the hidden folders that saves to `target` are filling or have left: earlier content before later."""
    parent, name = os.path.split(os.path.realpath(target))
    hidden = re.compile(rf"\.{re.escape(name)}\.\w+\.(old|new)")
    with suppress(OSError):
        beside = filter(hidden.fullmatch, os.listdir(parent))
        return [os.path.join(parent, one) for one in sorted(beside, key=lambda one: (not one.endswith("old"), one))]
    return []


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Write the names in a folder to the disk."""
    with suppress(OSError):  # some systems cannot open a folder
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _hidden(target: str, end: str, longest: int | None = None) -> str:
    parent, name = os.path.split(target)
    return os.path.join(parent, f".{name[:longest]}.{os.urandom(4).hex()}.{end}")


def _swap(new: Path, target: Path) -> None:
    """Rename `new` to `target` in two steps."""
    import shutil

    aside = new.with_suffix(".old")
    try:
        os.rename(target, aside)
        os.rename(new, target)
    finally:
        # also after Ctrl-C, whichever of the two renames it fell on
        if aside.exists() and not target.exists():
            os.rename(aside, target)
        shutil.rmtree(aside, ignore_errors=True)

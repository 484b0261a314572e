"""How kernels are compiled and where the machine code is kept.

Numba's disk cache looks only at the file of the function it compiles, so a change in a kernel that another file calls
would go unnoticed. The cache folder therefore carries a hash over the source of *all* kernels. It lies in the user's
cache folder, or in the temporary folder where the home is read-only; ``LACONIC_CACHE`` names another place. What is
there but cannot be written to is copied to one of the others, once.
"""

import atexit
import hashlib
import importlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba


def _import_without_blas() -> None:
    """Import numba's array functions without ``scipy.linalg``, a tenth of a second that no kernel needs."""
    # They only ask whether its BLAS is there, and it comes with laconic; whoever multiplies matrices still gets it
    # then.
    try:
        from numba.np import linalg

        look = linalg.ensure_blas
        linalg.ensure_blas = lambda: None
    except (ImportError, AttributeError):  # another version of numba: slower to start, and right
        return
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


_import_without_blas()


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile ``function`` with numba on its first call, without the interpreter lock, and keep the result on disk."""
    # The folder is read once, when the decorator runs: the user's own numba functions keep their setting.
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder())
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        settings.CACHE_DIR = before


@cache
def cache_folder() -> Path:
    """Return the folder of compiled kernels, named by a hash over numba's version and their source; it is made."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    name = f"kernels-{digest.hexdigest()[:16]}"
    given = os.environ.get("LACONIC_CACHE")
    warm = Path(given, name) if given else None
    for parent in _candidates(given):
        with suppress(OSError):
            return _made(parent / name, warm)
    return _made(_passing_folder() / name, warm)


def _candidates(given: str | None) -> Iterator[Path]:
    """Yield folders to try in turn; that in the temporary folder only if no other user can have planted its files."""
    if given:
        yield Path(given)
    yield Path(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "laconic")
    user = _user()
    shared = Path(tempfile.gettempdir(), f"laconic-{'user' if user is None else user}")
    with suppress(OSError):
        shared.mkdir(mode=0o700)
    if _written_by({user}, shared):
        yield shared


def _made(folder: Path, warm: Path | None) -> Path:
    """Return a folder that can be written to, filled from a ``warm`` one if that can only be read: numba must write."""
    if warm is not None and not folder.exists() and _written_by({_user(), 0, os.stat(__file__).st_uid}, warm):
        folder.parent.mkdir(parents=True, exist_ok=True)
        _copy(warm, folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        return folder


def _copy(warm: Path, folder: Path) -> None:
    """Copy a folder, which appears at once; what cannot be read is compiled, and what another process copied stays."""
    new = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    try:
        for file in filter(Path.is_file, warm.rglob("*")):
            target = new / file.relative_to(warm)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
        new.rename(folder)
    except OSError:
        shutil.rmtree(new, ignore_errors=True)


def _passing_folder() -> Path:
    """Return a fresh folder that only this user can use, gone when this process ends, though not when a fork does."""
    folder, process = Path(tempfile.mkdtemp(prefix="laconic-")), os.getpid()

    def remove() -> None:
        if os.getpid() == process:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


def _user() -> int | None:
    return os.getuid() if hasattr(os, "getuid") else None


def _written_by(users: set[int | None], folder: Path) -> bool:
    """Say whether a folder is one of these users', and none else may write to it: numba runs what its files say."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    mine = _user() is None or (found.st_uid in users and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
    return stat.S_ISDIR(found.st_mode) and mine


@cache
def announce_compilation() -> None:
    """Say, once per machine and version, that the first fit takes longer because the kernels are compiled."""
    marker = cache_folder() / "announced"
    if marker.exists():
        return
    print("laconic: compiling its kernels for this machine; this takes some seconds and happens once.", file=sys.stderr)
    marker.touch()

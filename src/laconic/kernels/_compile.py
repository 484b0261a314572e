"""How kernels are compiled and where the machine code is kept.

Numba's disk cache looks only at the file of the function it compiles, so a change in a kernel that another file calls
would go unnoticed. The cache folder therefore carries a hash over the source of *all* kernels. It lies in the user's
cache folder, or in the temporary folder where the home is read-only; ``LACONIC_CACHE`` names another place.
"""

import hashlib
import importlib
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba


def _import_without_blas() -> None:
    """Import numba's array functions without ``scipy.linalg``, a tenth of a second that no kernel needs.

    They look for its BLAS as soon as they are imported, to say at once whether there is one. It comes with laconic, so
    the answer is yes; whoever multiplies matrices in functions of their own still gets it, when they do so.
    """
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
    """Return the folder of compiled kernels, made if it does not exist."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    name = f"kernels-{digest.hexdigest()[:16]}"
    for parent in _candidates():
        folder = parent / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="laconic-"))


@cache
def announce_compilation() -> None:
    """Say, once per machine and version, that the first fit takes longer because the kernels are compiled."""
    marker = cache_folder() / "announced"
    if marker.exists():
        return
    print("laconic: compiling its kernels for this machine; this takes some seconds and happens once.", file=sys.stderr)
    marker.touch()


def _candidates() -> list[Path]:
    given = os.environ.get("LACONIC_CACHE")
    if given:
        return [Path(given)]
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return [Path(home) / "laconic", Path(tempfile.gettempdir()) / f"laconic-{user}"]

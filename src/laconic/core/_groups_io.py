"""Groups as JSON and as a hash: a dictionary of their parts, and files that are replaced at once or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from laconic.core.groups import Groups

_KEYS = ("indptr", "indices", "weights", "n_features", "names", "features_sha256", "source")


def describe(groups: Groups, names: list[str] | None) -> dict[str, Any]:
    """Return lists, numbers and strings from which `arguments` gets back every part of the groups."""
    return {
        "kind": "groups",
        "format": 1,
        "n_features": groups.n_features,
        "features_sha256": groups.features_sha256,
        "source": groups.source,
        "names": names,
        "weights": groups.weights.tolist(),
        "indptr": groups.indptr.tolist(),
        "indices": groups.indices.tolist(),
    }


def fingerprint(groups: Groups) -> str:
    """Return a sha256 that is the same on every machine."""
    digest = hashlib.sha256(f"{groups.n_features} {groups.features_sha256}\n".encode())
    for array, kind in ((groups.indptr, "<i8"), (groups.indices, "<i4"), (groups.weights, "<f8")):
        digest.update(np.ascontiguousarray(array, dtype=kind).tobytes())
    for name in groups.names:
        # Lengths keep the names ("a", "bc") and ("ab", "c") apart.
        encoded = name.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


def arguments(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Groups` held by a dictionary that `Groups.to_json` made."""
    if not isinstance(data, Mapping) or data.get("kind") != "groups":
        raise ValueError('This is not a description of groups: it must be an object with "kind": "groups".')
    if data.get("format") != 1:
        raise ValueError(f"Groups of format {data.get('format')!r} cannot be read; this version of laconic reads 1.")
    missing = [key for key in _KEYS if key not in data]
    if missing:
        raise ValueError(f"The description of groups lacks {', '.join(missing)}; it was cut or edited. Save it again.")
    for key in ("features_sha256", "source"):
        if not isinstance(data[key], str) and not (key == "features_sha256" and data[key] is None):
            raise ValueError(f"{key} is {data[key]!r} in the description of groups; it must be a string.")
    return {key: data[key] for key in _KEYS}


def load(path: Path) -> Any:
    """Read a JSON file, with or without a byte order mark; a name that occurs twice is refused."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=_once)
    except ValueError as error:
        raise ValueError(f"{path} is not a JSON file of groups: {error}.") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} occurs twice")
    return found


def write(path: Path, data: Mapping[str, Any]) -> None:
    """Write JSON; ASCII, so that a name with a lone surrogate survives."""
    write_text(path, json.dumps(data, allow_nan=False))


def write_text(path: Path, text: str) -> None:
    """Write a text next to `path`, then rename: a reader sees the old file or the new one."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files that only their owner may read; a saved file follows the user's mask like any other.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise

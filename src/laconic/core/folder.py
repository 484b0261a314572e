"""The model folder: JSON and ``.npy`` files that hold a whole model, written at once or not at all.

``model.json`` says what the model is. Besides the model's own facts it holds

- ``format``: the number of this layout, now 1; a later laconic reads earlier formats, never the other way round;
- ``laconic``: the version that wrote it;
- ``files``: the sha256 of every other file;
- ``sha256``: that of its own content without this field, as compact ASCII JSON with sorted keys.

``timings.json`` is the one file without a hash: all others are the same, byte for byte, when the same model is saved
twice. Nothing in a folder is ever run: arrays are read with ``allow_pickle=False``.

`laconic.core.files` writes a folder under a hidden name and puts it in its place. One that is replaced while it is
read is read again; where a save was cut off and names cannot be exchanged, the hidden folder that is left is read.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
import warnings
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from laconic.core.files import folder_beside, left_behind, open_regular, parse_array, parse_json, put_folder

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = 1
HEAD = "model.json"
TIMINGS = "timings.json"
RESERVED = ("format", "laconic", "files", "sha256")
TRIES = 50  # readings of a folder that is replaced again and again
PAUSE = 0.01  # seconds before a missing folder is looked for again: a save may be at work
Read = TypeVar("Read")


def check_target(folder: str | os.PathLike[str], overwrite: bool = False) -> Path:
    """Return the absolute path of a place to save a model, links resolved, or refuse it before any work is done."""
    from pathlib import Path  # here and not above: loading a model must stay light

    target = Path(folder).resolve()
    if not target.parent.is_dir():
        raise FileNotFoundError(f"The folder {target.parent}, in which {target.name} is to be saved, does not exist.")
    if target.is_dir():
        if not overwrite:
            raise FileExistsError(f"The folder {target} exists already. Choose another name, or pass overwrite=True.")
        _steadily(target, _refuse_foreign_files)
    elif target.exists():
        raise FileExistsError(f"{target} is a file; a model is saved as a folder. Choose another name.")
    return target


def save_folder(
    folder: str | os.PathLike[str],
    facts: Mapping[str, Any],
    parts: Mapping[str, Any],
    *,
    timings: Mapping[str, Any] | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a model folder, whole or not at all, and return its path; `parts` are arrays or JSON by file name."""
    target = check_target(folder, overwrite)
    contents = {name: _encoded(name, part) for name, part in parts.items()}
    contents[HEAD] = _head(facts, contents)
    if timings is not None:
        contents[TIMINGS] = _json(timings)
    try:
        _write(target, contents)
    except OSError as error:
        raise OSError(
            error.errno,
            f"The model could not be saved ({error.strerror}); what was there before is unchanged. Make room or choose "
            "another place, then save again",
            str(target),
        ) from error
    return target


def load_folder(folder: str | os.PathLike[str], later: Collection[str] = ()) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return ``model.json`` and other parts by file name, hashes checked; those in `later` as decoders."""
    return _steadily(folder, partial(_load, later=later))


def folder_kind(folder: str | os.PathLike[str]) -> str | None:
    """Return the ``kind`` of a model folder, or None for a folder that `load_folder` will refuse."""
    try:
        return _steadily(folder, _read_head).get("kind")
    except (OSError, ValueError):
        return None


_DAMAGE = "it was cut short or edited. Restore the folder from a copy, or fit and save the model again."


def _load(place: str, later: Collection[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    facts = _read_head(place)
    parts = {}
    for name, expected in facts["files"].items():
        path = os.path.join(place, name)
        content = _read(path)
        if hashlib.sha256(content).hexdigest() != expected:
            raise ValueError(f"{path} is not as it was saved: {_DAMAGE}")
        parts[name] = partial(_decoded, path, content) if name in later else _decoded(path, content)
    return facts, parts


def _steadily(folder: str | os.PathLike[str], read: Callable[[str], Read]) -> Read:
    """Return what `read` makes of a folder, reading once more whenever a save replaced the folder meanwhile."""
    place = os.fspath(folder)
    for _ in range(TRIES):
        before = _identity(place)
        try:
            return read(place)
        except (OSError, ValueError):
            if before == _identity(place) and (before is not None or not left_behind(place)):
                raise
            time.sleep(PAUSE)
    return read(_cut_off(place))


def _identity(place: str) -> tuple[int, ...] | None:
    with suppress(OSError):
        status = os.stat(place)
        # Times, too: the number of a folder that was removed is soon that of another.
        return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns
    return None


def _cut_off(place: str) -> str:
    """Return a whole model that a save to `place` was putting there or moving aside when it was stopped."""
    if not os.path.exists(place):
        for hidden in left_behind(place):
            with suppress(OSError, ValueError):
                _load(hidden, ())
                warnings.warn(
                    f"There is no model folder {place}: a save was cut off. The model is read from {hidden}; rename "
                    f"that folder to {os.path.basename(place)} to keep it.",
                    stacklevel=4,
                )
                return hidden
    return place


def _refuse_foreign_files(place: str) -> None:
    present = sorted(os.listdir(place))
    try:
        facts = parse_json(_read(os.path.join(place, HEAD)))
        known = {HEAD, TIMINGS, *facts["files"]} if "laconic" in facts else set()
    except (OSError, ValueError, TypeError, KeyError):
        known = set()
    if foreign := next((name for name in present if name not in known), ""):
        raise FileExistsError(
            f"{place} will not be overwritten: it holds {foreign}, which is no part of a laconic model. Choose "
            "another name, or move that away first."
        )


def _head(facts: Mapping[str, Any], contents: Mapping[str, bytes]) -> bytes:
    from importlib.metadata import version

    if clash := sorted(set(facts) & set(RESERVED)):
        raise ValueError(f"The facts of a model may not be called {', '.join(clash)}: the folder uses these names.")
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(contents.items())}
    head = {"format": FORMAT, "laconic": version("laconic"), **facts, "files": hashes}
    # One trip through JSON first: what is hashed is what a reader will see.
    head = json.loads(_json(head))
    return _json({**head, "sha256": _own_hash(head)})


def _own_hash(head: Mapping[str, Any]) -> str:
    content = {key: value for key, value in head.items() if key != "sha256"}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


def _json(value: Any) -> bytes:
    # ASCII, so that words with lone surrogates survive
    try:
        return (json.dumps(value, indent=1, allow_nan=False) + "\n").encode("ascii")
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"A fact about the model cannot be stored ({error}); use strings, finite numbers, true/false, None, lists "
            "and dictionaries with strings as keys."
        ) from error


def _encoded(name: str, part: Any) -> bytes:
    _check_name(name)
    if not name.endswith(".npy"):
        return _json(part)
    buffer = BytesIO()
    array = np.asarray(part)
    np.save(buffer, np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")), allow_pickle=False)
    return buffer.getvalue()


def _decoded(path: str, content: bytes) -> Any:
    try:
        if path.endswith(".npy"):
            return parse_array(content)
        return parse_json(content)
    except (ValueError, EOFError) as error:
        raise ValueError(f"{path} cannot be read ({error}): {_DAMAGE}") from error


def _check_name(name: str) -> None:
    if name in (HEAD, TIMINGS) or name != os.path.basename(name) or not name.endswith((".npy", ".json")):
        raise ValueError(
            f"A part of a model may not be called {name!r}; it needs a plain name that ends in .json or .npy, other "
            f"than {HEAD} and {TIMINGS}."
        )


def _read(path: str) -> bytes:
    try:
        with open_regular(path) as file:
            return file.read()
    except FileNotFoundError:
        raise ValueError(
            f"The model lacks the file {path}, which its {HEAD} lists. Restore the folder from a copy, or fit and save "
            "the model again."
        ) from None


def _read_head(place: str) -> dict[str, Any]:
    if not os.path.exists(place):
        raise FileNotFoundError(f"There is no model folder {place}. Check the name.")
    if not os.path.isdir(place):
        raise ValueError(f"{place} is a file; a laconic model is a folder with a {HEAD}. Pass that folder.")
    path = os.path.join(place, HEAD)
    if not os.path.exists(path):
        raise FileNotFoundError(f"{place} is not a laconic model folder: it has no {HEAD}. Check the name.")
    try:
        head = parse_json(_read(path))
    except ValueError as error:
        raise ValueError(f"{path} is no JSON file ({error}): {_DAMAGE}") from error
    if not isinstance(head, dict) or type(head.get("format")) is not int or "laconic" not in head:
        raise ValueError(f"{place} is not a laconic model folder: its {HEAD} is of another kind. Check the name.")
    if head["format"] > FORMAT:
        raise ValueError(
            f"The model {place} was made by a newer laconic ({head['laconic']}): format {head['format']}; this one "
            f"reads {FORMAT}. Upgrade laconic, or save the model again with this version."
        )
    if head["format"] != FORMAT:
        raise ValueError(f"The model {place} is of format {head['format']}, which never was: {_DAMAGE}")
    if head.get("sha256") != _own_hash(head):
        raise ValueError(f"{path} is not as it was saved: {_DAMAGE}")
    if not isinstance(head.get("files"), dict):
        raise ValueError(f"{path} does not list the files of the model. Fit and save the model again.")
    for name in head["files"]:
        _check_name(name)
    return head


def _write(target: Path, contents: Mapping[str, bytes]) -> None:
    with folder_beside(target) as new:
        for name, content in contents.items():
            with open(new / name, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        put_folder(new, target)

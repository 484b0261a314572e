"""The model folder: JSON and ``.npy`` files that hold a whole model, written at once or not at all.

``model.json`` says what the model is. Besides the model's own facts it holds

- ``format``: the number of this layout, now 1; a later laconic reads earlier formats, never the other way round;
- ``laconic``: the version that wrote it;
- ``files``: the sha256 of every other file;
- ``sha256``: that of its own content without this field, as compact ASCII JSON with sorted keys.

``timings.json`` is the one file without a hash: all others are the same, byte for byte, when the same model is saved
twice. Nothing in a folder is ever run: arrays are read with ``allow_pickle=False``.

A folder is written under a temporary name beside its target, every file is synced to the disk, and then it is renamed.
With ``overwrite`` the old model is moved aside first, comes back if anything fails, and is removed last.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = 1
HEAD = "model.json"
TIMINGS = "timings.json"
RESERVED = ("format", "laconic", "files", "sha256")


def check_target(folder: str | os.PathLike[str], overwrite: bool = False) -> Path:
    """Refuse a place where a model must not be saved; call it before the work whose result goes there.

    Parameters
    ----------
    folder : path
        Where the model will be saved.
    overwrite : bool, default=False
        Allow an existing model (or an empty folder) to be replaced.

    Returns
    -------
    Path
        The absolute path, links resolved.

    Raises
    ------
    FileExistsError
        If something is there already that may not be replaced.
    FileNotFoundError
        If the folder above it does not exist.

    Examples
    --------
    >>> check_target("a-new-model").name
    'a-new-model'
    """
    from pathlib import Path  # here and below, not above: loading a model must stay light

    target = Path(folder).resolve()
    if not target.parent.is_dir():
        raise FileNotFoundError(f"The folder {target.parent}, in which {target.name} is to be saved, does not exist.")
    if target.is_dir():
        if not overwrite:
            raise FileExistsError(
                f"The folder {target} exists already. Choose another name, or allow to overwrite (overwrite=True)."
            )
        if foreign := _foreign_files(target):
            raise FileExistsError(
                f"{target} will not be overwritten: it holds {foreign}, which is no part of a laconic model. Choose "
                "another name, or move that away first."
            )
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
    """Write a model folder, whole or not at all.

    Parameters
    ----------
    folder : path
        Must not exist unless `overwrite` is set.
    facts : mapping
        Goes into ``model.json``; must name the ``kind`` of the model.
    parts : mapping
        File name to content: an array for a name that ends in ``.npy``, else anything that JSON can hold.
    timings : mapping, optional
        Goes into ``timings.json``.
    overwrite : bool, default=False
        Replace a model that is there.

    Returns
    -------
    Path
        Where the model is now.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as place:
    ...     saved = save_folder(Path(place) / "m", {"kind": "demo"}, {"weights.npy": np.ones(2)})
    ...     facts, parts = load_folder(saved)
    >>> facts["kind"], parts
    ('demo', {'weights.npy': array([1., 1.])})
    """
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
    """Read a model folder and check every hash.

    Parameters
    ----------
    folder : path
        Made by `save_folder`.
    later : collection of str
        Names of files to check now but decode only when asked to: instead of the value there is a function that
        returns it.

    Returns
    -------
    facts : dict
        The content of ``model.json``.
    parts : dict
        File name to array or JSON value, without the timings.

    Raises
    ------
    FileNotFoundError
        If there is no such folder, or no ``model.json`` in it.
    ValueError
        If the folder is damaged, was edited, or is of a newer format.
    """
    place = os.fspath(folder)
    if not os.path.exists(place):
        raise FileNotFoundError(f"There is no model folder {place}. Check the name.")
    if not os.path.isdir(place):
        raise ValueError(f"{place} is a file; a laconic model is a folder with a {HEAD}. Pass that folder.")
    facts = _read_head(place)
    parts = {}
    for name, expected in facts["files"].items():
        path = os.path.join(place, name)
        content = _read(path)
        if hashlib.sha256(content).hexdigest() != expected:
            raise ValueError(f"{path} is not as it was saved: {_DAMAGE}")
        parts[name] = partial(_decoded, path, content) if name in later else _decoded(path, content)
    return facts, parts


def folder_kind(folder: str | os.PathLike[str]) -> str | None:
    """Return the ``kind`` of a model folder, or None for a folder that `load_folder` will refuse."""
    try:
        return _read_head(os.fspath(folder)).get("kind")
    except (OSError, ValueError):
        return None


_DAMAGE = "it was cut short or edited. Restore the folder from a copy, or fit and save the model again."


def _foreign_files(target: Path) -> str:
    """Name something in a folder that is no part of a model, or return an empty string."""
    present = sorted(entry.name for entry in target.iterdir())
    if not present:
        return ""
    try:
        facts = json.loads((target / HEAD).read_bytes())
        known = {HEAD, TIMINGS, *facts["files"]} if "laconic" in facts else set()
    except (OSError, ValueError, TypeError, KeyError):
        known = set()
    return next((name for name in present if name not in known), "")


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
            return np.load(BytesIO(content), allow_pickle=False)
        return json.loads(content)
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
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise ValueError(
            f"The model lacks the file {path}, which its {HEAD} lists. Restore the folder from a copy, or fit and save "
            "the model again."
        ) from None


def _read_head(place: str) -> dict[str, Any]:
    path = os.path.join(place, HEAD)
    if not os.path.exists(path):
        raise FileNotFoundError(f"{place} is not a laconic model folder: it has no {HEAD}. Check the name.")
    try:
        head = json.loads(_read(path))
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
    """Write the files under a temporary name, then put the folder in its place."""
    import shutil  # here and not above: loading a model must stay light
    import tempfile
    from pathlib import Path

    new = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".new", dir=target.parent))
    try:
        for name, content in contents.items():
            with open(new / name, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        # mkdtemp makes folders that only their owner may enter; a saved one follows the user's mask like any other.
        mask = os.umask(0)
        os.umask(mask)
        new.chmod(0o777 & ~mask)
        _sync_folder(new)
        _swap(new, target)
        _sync_folder(target.parent)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _swap(new: Path, target: Path) -> None:
    """Rename `new` to `target`; what stood there is moved aside, and comes back if that fails."""
    import shutil

    if not target.exists():
        os.rename(new, target)
        return
    aside = new.with_suffix(".old")
    try:
        os.rename(target, aside)
        os.rename(new, target)
    finally:
        # also after Ctrl-C, whichever of the two renames it fell on
        if aside.exists() and not target.exists():
            os.rename(aside, target)
        shutil.rmtree(aside, ignore_errors=True)


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # some systems cannot open a folder
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

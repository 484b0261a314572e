"""The data sets that laconic knows by name: what each is, where its official release is, which files are expected.

Layout below the data folder (``LACONIC_DATA`` or ``data_dir``): ``text/<folder>/{train,dev,test}.jsonl.xz``, one JSON
object per line with ``id``, ``label``, ``text`` and, where the release has them, ``sentences`` or ``tree``. The stored
fingerprints (`Corpus.fingerprint`) say what each split must hold, to the character.

Nothing is downloaded. Every split is hashed when it is read, and one that differs in one character is refused.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from laconic.data.corpus import Corpus, Splits
from laconic.data.files.text_files import jsonl_table

SPLITS = ("train", "dev", "test")


@dataclass(frozen=True)
class KnownSet:
    """One data set: its place, its official source and what its three splits must hold.

    Parameters
    ----------
    name : str
        As given to `laconic.data.load`.
    description : str
    source : str
        The official release and how it is cited; nothing is ever downloaded.
    split_rule : str
        How the release is split into train, dev and test.
    folder : str
        The folder below ``text/``.
    files : tuple of str
        File names of train, dev and test.
    sizes : tuple of int
        Documents in train, dev and test.
    hashes : tuple of str
        Expected fingerprints of train, dev and test.
    label_field : str
        The field that holds the label; documents where it is null are left out.
    task : str or None
        If given, only documents whose field ``task`` has this value are taken.

    Examples
    --------
    >>> imdb = known()[-1]
    >>> imdb.folder, imdb.sizes, imdb.files[1]
    ('imdb', (22500, 2500, 25000), 'dev.jsonl.xz')
    """

    name: str
    description: str
    source: str
    split_rule: str
    folder: str
    files: tuple[str, str, str]
    sizes: tuple[int, int, int]
    hashes: tuple[str, str, str]
    label_field: str = "label"
    task: str | None = None


@cache
def known() -> tuple[KnownSet, ...]:
    """Return all built-in datasets, as ``known_sets.json`` lists them.

    Examples
    --------
    >>> [entry.name for entry in known()][:4]
    ['20ng/science', '20ng/sports', '20ng/religion', '20ng/computer']
    """
    stored = json.loads(files(__package__).joinpath("known_sets.json").read_text(encoding="utf-8"))
    return tuple(_made(entry, stored["sources"], stored["split_rules"]) for entry in stored["sets"])


def _made(entry: Mapping[str, Any], sources: Mapping[str, str], split_rules: Mapping[str, str]) -> KnownSet:
    family, _, part = entry["name"].partition("/")
    ending = "_by_speaker" if part == "by_speaker" else ""
    train, dev, test = (f"{split}{ending}.jsonl.xz" for split in SPLITS)
    return KnownSet(
        name=entry["name"],
        description=entry["description"],
        source=sources[family],
        split_rule=split_rules[family],
        folder=f"amazon_{part}" if family == "amazon" else family,
        files=(train, dev, test),
        sizes=tuple(entry["sizes"]),
        hashes=tuple(entry["hashes"]),
        label_field="binary" if entry["name"] == "sst" else "label",
        task=part if family == "20ng" and part != "all" else None,
    )


@dataclass(frozen=True)
class SplitCheck:
    """What `check` found for one split: is the file there, how many documents it has, is its hash the expected one.

    Examples
    --------
    >>> check("movie", "/no/such/folder")[1]
    SplitCheck(split='dev', path='/no/such/folder/text/movie/dev.jsonl.xz', found=False, documents=None, hash_ok=False)
    """

    split: str
    path: str
    found: bool
    documents: int | None
    hash_ok: bool

    @property
    def verdict(self) -> str:
        """The state of the split in a word."""
        if not self.found:
            return "missing"
        return f"ok ({self.documents:,})" if self.hash_ok else "DIFFERS"


def load(name: str, data_dir: str | Path | None = None) -> Splits:
    """Return train, dev and test of a known data set, each checked by its hash.

    Parameters
    ----------
    name : str
        One of the names in `laconic.data.known`.
    data_dir : str or Path, optional
        The folder that holds ``text/``; the environment variable LACONIC_DATA if not given.

    Raises
    ------
    FileNotFoundError
        If files are missing; the message says where the official release is and which layout is expected.
    ValueError
        If the name is unknown or a split is not the expected one.

    Examples
    --------
    >>> load("20ng/chess")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: unknown data set '20ng/chess'; known are 20ng/science, 20ng/sports, 20ng/religion, 20ng/computer, ...
    """
    wanted = _find(name)
    folder = _folder(wanted, data_dir)
    missing = [file for file in wanted.files if not (folder / file).is_file()]
    if missing:
        raise FileNotFoundError(_where_to_get(wanted, folder, missing))
    corpora = []
    for i, split in enumerate(SPLITS):
        corpus = _read_split(wanted, i, folder)
        if corpus.fingerprint() != wanted.hashes[i]:
            raise ValueError(
                f"{split} of {name!r} ({folder / wanted.files[i]}) is not the expected one: it has {len(corpus)} "
                f"documents (expected {wanted.sizes[i]}), and its hash over (id, label, text) differs. "
                f"The expected data is {wanted.source}; read other data with laconic.data.read"
            )
        corpora.append(corpus)
    return Splits(*corpora)


def check(name: str, data_dir: str | Path | None = None) -> tuple[SplitCheck, ...]:
    """Say for each split of a known data set whether it is there and is the expected one.

    The parameters are those of `load`; missing or wrong files are reported, not raised.

    Examples
    --------
    >>> [split.found for split in check("movie", "/no/such/folder")]
    [False, False, False]
    """
    wanted = _find(name)
    folder = _folder(wanted, data_dir)
    checks = []
    for i, split in enumerate(SPLITS):
        path, documents, hash_ok = folder / wanted.files[i], None, False
        if path.is_file():
            with suppress(ValueError):  # present, but not a readable split
                corpus = _read_split(wanted, i, folder)
                documents, hash_ok = len(corpus), corpus.fingerprint() == wanted.hashes[i]
        checks.append(SplitCheck(split, str(path), path.is_file(), documents, hash_ok))
    return tuple(checks)


def _find(name: str) -> KnownSet:
    for entry in known():
        if entry.name == name:
            return entry
    raise ValueError(f"unknown data set {name!r}; known are {', '.join(entry.name for entry in known())}")


def _folder(wanted: KnownSet, data_dir: str | Path | None) -> Path:
    base = data_dir or os.environ.get("LACONIC_DATA")
    if not base:
        raise FileNotFoundError(
            f"{_where_to_get(wanted, Path('<data folder>') / 'text' / wanted.folder, list(wanted.files))}. "
            "Pass data_dir or set the environment variable LACONIC_DATA to the folder that holds text/"
        )
    return Path(base) / "text" / wanted.folder


def _where_to_get(wanted: KnownSet, folder: Path, missing: list[str]) -> str:
    return (
        f"the data set {wanted.name!r} is not complete: {', '.join(missing)} missing in {folder}. "
        f"Its official release is {wanted.source}. Expected files: {', '.join(wanted.files)}, one JSON object per line "
        f'with "id", "label" and "text"; {wanted.split_rule}'
    )


def _read_split(wanted: KnownSet, i: int, folder: Path) -> Corpus:
    path = folder / wanted.files[i]
    try:
        rows = [row.values for row in jsonl_table(path).rows]
        rows = [row for row in rows if wanted.task in (None, row.get("task")) and row[wanted.label_field] is not None]
        return Corpus.from_lists(
            [row["text"] for row in rows],
            [row[wanted.label_field] for row in rows],
            [row["id"] for row in rows],
            [row["sentences"] for row in rows] if rows and "sentences" in rows[0] else None,
            [row["tree"] for row in rows] if rows and "tree" in rows[0] else None,
            name=f"{wanted.name} {SPLITS[i]}",
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{SPLITS[i]} of {wanted.name!r} cannot be read from {path}: {error!r}") from error

"""`load` a known data set by name, and `check` that its files are the ones that every number refers to.

Nothing is downloaded: the files must lie in the data folder (see `laconic.data.known_sets` for the layout). Every split
is hashed when it is read, and a split that differs in one character is refused.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from laconic.data.corpus import Corpus, Splits
from laconic.data.files.text_files import jsonl_table
from laconic.data.known_sets import SPLITS, KnownSet, known


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
    return tuple(_check_split(wanted, i, folder) for i in range(len(SPLITS)))


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


def _check_split(wanted: KnownSet, i: int, folder: Path) -> SplitCheck:
    path = folder / wanted.files[i]
    if not path.is_file():
        return SplitCheck(SPLITS[i], str(path), False, None, False)
    try:
        corpus = _read_split(wanted, i, folder)
    except ValueError:  # present, but not a readable split
        return SplitCheck(SPLITS[i], str(path), True, None, False)
    return SplitCheck(SPLITS[i], str(path), True, len(corpus), corpus.fingerprint() == wanted.hashes[i])


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

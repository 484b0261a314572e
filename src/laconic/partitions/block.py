"""`Block`: documents as columns on disk, read through memory maps; `Partition`: some blocks that are visited together.

A block is a folder of ``.npy`` files: row numbers of all cells column by column (two bytes each up to 65,536
documents), where every column ends, the cells' values unless all are one, one label per document, and the groups that
live in its documents. ``sums.json`` holds their checksums, which a process compares when it first opens the block; a
pass then reads the columns that it needs, and the operating system keeps in memory what fits. A partition is the names
of its blocks, small enough to be sent with every message.

Blocks of texts are made by a `Plan` that all files share: words are counted, then blocks written. Each function takes
one file, and never holds more than one chunk of it. Bad lines are errors that name file and line.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from laconic.core.files import check_regular, folder_beside, read_json, write_file
from laconic.core.problem import Columns, canonical_columns
from laconic.data.corpus import Corpus
from laconic.data.document import Document
from laconic.data.files.readers import stream
from laconic.data.labels import Label
from laconic.groups.sentences import SentenceGroups
from laconic.text import BagOfWords, Vocabulary
from laconic.text.analyzer import fast_features

Shard = dict[str, int]

SUMS = "sums.json"
SHARDS = 16  # of the vocabulary, each merged by itself
MOST_DOCUMENTS = 1 << 16  # in a block: row numbers then take two bytes
CHARACTERS = 50_000_000  # in a block, where no limit of memory is given


@dataclass(frozen=True, eq=False)
class Members:
    """The groups of a block: g is ``indices[indptr[g]:indptr[g + 1]]``, unit ``numbers[g]`` of ``documents[g]``."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    weights: NDArray[np.float64]
    documents: NDArray[np.int32]
    numbers: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Block:
    """Some documents: all columns, class numbers or targets, and groups; ``place`` is its folder, if any."""

    columns: Columns
    labels: NDArray[Any]
    ids: NDArray[np.str_]
    groups: Members | None = None
    place: str = ""

    @property
    def n_features(self) -> int:
        """The number of columns."""
        return len(self.columns.start)

    @classmethod
    def of(
        cls, X: Any, labels: NDArray[Any], ids: NDArray[np.str_] | None = None, groups: Members | None = None
    ) -> "Block":
        """Make a block in memory from a matrix with one row per document."""
        X = canonical_columns(X)
        if not X.data.all():
            X = X.copy()
            X.eliminate_zeros()
        if X.shape[0] != len(labels):
            raise ValueError(f"The matrix has {X.shape[0]} rows, but there are {len(labels)} labels.")
        rows = X.indices.astype(np.uint16 if X.shape[0] <= 1 << 16 else np.uint32)
        ends = X.indptr.astype(np.int32)
        values = np.empty(0) if np.all(X.data == 1.0) else X.data
        names = np.arange(1, len(labels) + 1).astype(np.str_) if ids is None else np.asarray(ids, dtype=np.str_)
        return cls(Columns(values, rows, ends[:-1], ends[1:]), np.asarray(labels), names, groups)

    def write(self, folder: str | os.PathLike) -> Path:
        """Write the block to a folder, which appears at once or not at all; one that is there is left as it is."""
        target = Path(folder)
        if target.exists():
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        with folder_beside(target) as new:
            ends = np.concatenate([self.columns.start[:1], self.columns.stop])
            arrays = {"indices": self.columns.indices, "ends": ends, "labels": self.labels, "ids": self.ids}
            if len(self.columns.data):
                arrays["data"] = self.columns.data
            for name, array in vars(self.groups).items() if self.groups is not None else ():
                arrays[f"group_{name}"] = array
            for name, array in arrays.items():
                np.save(new / f"{name}.npy", array, allow_pickle=False)
            _write_sums(new)
            try:
                new.rename(target)
            except OSError:
                if not target.exists():
                    raise
        return target

    @classmethod
    def open(cls, folder: str | os.PathLike) -> "Block":
        """Open a folder that `write` made."""
        place = Path(folder)
        _check_sums(place, place.stat().st_mtime_ns)
        ends = _mapped(place / "ends.npy")
        data = _mapped(place / "data.npy") if (place / "data.npy").exists() else np.empty(0)
        groups = None
        if (place / "group_indptr.npy").exists():
            groups = Members(*(_mapped(place / f"group_{name}.npy") for name in Members.__dataclass_fields__))
        columns = Columns(data, _mapped(place / "indices.npy"), ends[:-1], ends[1:])
        return cls(columns, _mapped(place / "labels.npy"), _mapped(place / "ids.npy"), groups, str(place))


def relabel(folder: str | os.PathLike, number: NDArray[np.int32]) -> None:
    """Replace the labels of a block by their new numbers."""
    place = Path(folder)
    labels = number[np.load(place / "labels.npy", allow_pickle=False)]
    np.save(place / "labels.npy", labels, allow_pickle=False)
    _write_sums(place)


def _write_sums(place: Path) -> None:
    write_file(place / SUMS, json.dumps({path.name: _checksum(path) for path in sorted(place.glob("*.npy"))}))


@cache
def _check_sums(place: Path, changed: int) -> None:
    """Refuse a block that is not as it was written; one folder is looked at once, until its time of change differs."""
    try:
        sums = read_json(place / SUMS, "checksums")
        damaged = [place / name for name, checksum in sums.items() if _checksum(place / name) != checksum]
        fault = f"{damaged[0]} is not as it was written" if damaged else ""
    except (OSError, ValueError, AttributeError) as error:
        fault = str(error)
    if fault:
        raise ValueError(f"{fault}: the block is damaged. Remove the folder {place.parent}, and it will be made anew.")


def _checksum(path: Path) -> str:
    check_regular(path)
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _mapped(path: Path) -> NDArray[Any]:
    # Copy on write, and a plain array: kernels are then compiled for the same types as for arrays in memory.
    return np.asarray(np.load(path, mmap_mode="c", allow_pickle=False))


class MissingBlock(Exception):
    """A block is not on the disk that this process sees."""


@dataclass(frozen=True)
class Partition:
    """Blocks that are visited together: their folders, and the file that they were made from, if any."""

    folders: tuple[str, ...]
    source: str = ""

    def blocks(self) -> Iterator[Block]:
        """Open one block after the other."""
        for folder in self.folders:
            if not Path(folder).is_dir():
                raise MissingBlock(
                    f"There is no block {folder} on this machine. Workers must see the folder of the blocks, or the "
                    "files that they were made from."
                )
            yield Block.open(folder)

    def missing(self) -> bool:
        """Say whether any block is not there."""
        return not all(Path(folder).is_dir() for folder in self.folders)


@dataclass(frozen=True)
class Plan:
    """How files become blocks in ``folder``; vocabulary and sorted classes are known once all words are counted."""

    bag: BagOfWords
    text_cols: tuple[str, ...]
    label_col: str | None
    id_col: str | None
    groups: SentenceGroups | None
    folder: str
    characters: int = CHARACTERS
    vocabulary: Vocabulary | None = None
    classes: tuple[Label, ...] = ()

    def documents(self, file: Any) -> Iterator[Document]:
        """Yield the documents of a file, or of a part of a Dask bag or dataframe, which is computed here."""
        if not isinstance(file, str):
            file = file.compute(scheduler="synchronous")
        columns: dict[str, Any] = {"text_col": list(self.text_cols), "label_col": self.label_col, "id_col": self.id_col}
        return stream(file, labelled=True, **columns)

    def make(self, partition: Partition) -> None:
        """Write the blocks of a partition again, where they are missing."""
        if not partition.source:
            raise MissingBlock(f"{partition.folders[0]} is gone, and what it was made from was not a file.")
        place = int(Path(partition.folders[0]).name.split("-")[0])
        write_blocks((place, partition.source), self)


class Counted(NamedTuple):
    """What one file holds: documents, words, and documents per label."""

    documents: int
    words: int
    labels: Counter[Label]


def count_words(item: tuple[int, Any], plan: Plan) -> tuple[Counted, list[Shard]]:
    """Count a file's labels, and its words, each once per document, in shards that all files cut alike."""
    features = fast_features(plan.bag.analyzer)
    words: Counter[str] = Counter()
    labels: Counter[Label] = Counter()
    documents = 0
    for document in plan.documents(item[1]):
        if isinstance(document.label, tuple):
            raise ValueError(
                f"{item[1]}: document {document.id!r} has a list of labels; fit one label against the rest at a time, "
                "with a column of labels of your own."
            )
        words.update(set(features(document.text)))
        labels[document.label] += 1  # type: ignore[index]  # a missing label was refused
        documents += 1
    shards: list[Shard] = [{} for _ in range(SHARDS)]
    for word, count in words.items():
        shards[crc32(word.encode("utf-8", "surrogatepass")) % SHARDS][word] = count
    return Counted(documents, len(words), labels), shards


def merge_words(shards: list[Shard], counted: list[Counted], plan: Plan) -> Shard:
    """Add up one shard of all files, and keep the words that are in enough documents and not in too many."""
    least, most = plan.bag.limits(sum(one.documents for one in counted))
    words: Counter[str] = Counter()
    for shard in shards:
        words.update(shard)
    return {word: count for word, count in words.items() if least <= count <= most}


def write_blocks(item: tuple[int, Any], plan: Plan) -> Partition:
    """Write the blocks of a file and return their names."""
    number, file = item
    if plan.vocabulary is None:
        raise ValueError("The words must be counted before blocks are written.")
    code = {label: k for k, label in enumerate(plan.classes)}
    as_text = any(isinstance(label, str) for label in plan.classes)
    folders = []
    for chunk, documents in enumerate(_chunks(plan.documents(file), plan.characters)):
        folder = Path(plan.folder) / f"{number:05d}-{chunk:04d}"
        if not folder.is_dir():
            texts = [document.text for document in documents]
            labels = [code[str(one.label) if as_text else one.label] for one in documents]  # type: ignore[index]
            X = plan.bag.transform(texts, plan.vocabulary)
            # Without a column of ids documents are numbered in their file.
            before = "" if plan.id_col else f"{Path(file).name if isinstance(file, str) else number}:"
            ids = np.array([before + document.id for document in documents], dtype=np.str_)
            Block.of(X, np.array(labels, dtype=np.int32), ids, _members(documents, plan)).write(folder)
        folders.append(str(folder))
    return Partition(tuple(folders), file if isinstance(file, str) else "")


def _members(documents: list[Document], plan: Plan) -> Members | None:
    if plan.groups is None or plan.vocabulary is None:
        return None
    given = tuple(document.sentences for document in documents)
    corpus = Corpus(
        texts=tuple(document.text for document in documents),
        labels=None,
        ids=tuple(str(i) for i in range(len(documents))),
        sentences=None if any(one is None for one in given) else given,  # type: ignore[arg-type]
    )
    groups = plan.groups.build(corpus, plan.vocabulary, plan.bag.analyzer)
    names: Any = groups.names
    return Members(groups.indptr, groups.indices, groups.weights, names.documents, names.numbers)


def _chunks(documents: Iterator[Document], characters: int) -> Iterator[list[Document]]:
    chunk: list[Document] = []
    size = 0
    for document in documents:
        if chunk and (size + len(document.text) > characters or len(chunk) == MOST_DOCUMENTS):
            yield chunk
            chunk, size = [], 0
        chunk.append(replace(document, tree=None))
        size += len(document.text)
    if chunk:
        yield chunk

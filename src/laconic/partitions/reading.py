"""What workers do with files of texts: count their words, and write their blocks.

Each function takes one file and the plan that all files share; neither ever sees more than the file, nor holds more
than one chunk of it. Bad lines are errors that name file and line.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from laconic.data.corpus import Corpus, Document
from laconic.data.files.readers import stream
from laconic.data.labels import Label
from laconic.groups.sentences import SentenceGroups
from laconic.partitions.block import Block, Members, MissingBlock, Partition
from laconic.text import BagOfWords, Vocabulary
from laconic.text.analyzer import fast_features

SHARDS = 16  # of the vocabulary, each merged by itself
MOST_DOCUMENTS = 1 << 16  # in a block: row numbers then take two bytes
CHARACTERS = 50_000_000  # in a block, where no limit of memory is given


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


Shard = dict[str, int]


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

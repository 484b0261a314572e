"""`PartitionedCorpus`: labelled texts as blocks on disk, never in one memory; `partition_texts` makes one.

The folder of a partitioned corpus holds its blocks and, in the folder ``corpus``, the vocabulary, how it was made and
from which files; that is written last, with checksums, so a folder that has it is complete. The same files with the
same settings find it again, and nothing is read twice.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np

from laconic.core.folder import load_folder, save_folder
from laconic.core.losses import Loss
from laconic.data.files.readers import peek
from laconic.data.files.table import SAMPLE
from laconic.data.labels import Label, unify_labels, warn_of_twins
from laconic.groups.sentences import SentenceGroups
from laconic.partitions.block import (
    CHARACTERS,
    Block,
    Counted,
    Partition,
    Plan,
    count_words,
    merge_words,
    relabel,
    write_blocks,
)
from laconic.partitions.passes import Terms
from laconic.partitions.problem import PartitionedProblem
from laconic.partitions.runners import DaskRunner, LocalRunner, Runner
from laconic.text import BagOfWords, Vocabulary

Report = Callable[[str, int, int], None]

HELD_SHARE, MOST_HELD = 0.2, 50_000  # documents held out to score on: so many of all, and at most so many
# Memory while a chunk of texts becomes a block: texts, words, cells and groups take 6 bytes a character, measured.
BYTES_PER_CHARACTER, BYTES_OF_PYTHON = 10, 300_000_000
FEWEST = 100_000  # characters of a block, whatever the memory


@dataclass(frozen=True, eq=False)
class PartitionedCorpus:
    """Labelled documents in blocks on disk.

    Attributes
    ----------
    partitions : tuple of Partition
    vocabulary : Vocabulary or None
        None where the columns are not words.
    classes : tuple
        Sorted labels.
    class_counts : tuple of int
        Documents of each.
    n_features : int
    runner : Runner
        Where passes run.
    key : str
        A hash of all that the blocks were made from.
    grouped : str
        What groups live in the blocks ("sentence"), empty for none.
    """

    partitions: tuple[Partition, ...]
    vocabulary: Vocabulary | None
    classes: tuple[Label, ...]
    class_counts: tuple[int, ...]
    n_features: int
    runner: Runner
    key: str
    grouped: str = ""

    @property
    def words(self) -> tuple[str, ...] | None:
        """The names of the features, where they are words."""
        return None if self.vocabulary is None else self.vocabulary.words

    @property
    def n_documents(self) -> int:
        """The number of documents."""
        return sum(self.class_counts)

    def problem(
        self, loss: Loss, fit_intercept: bool = True, class_weight: Sequence[float] | None = None, part: str = "all"
    ) -> PartitionedProblem:
        """Return the problem of a loss over these documents; ``part`` is "all", "train" or "held"."""
        weights = (1.0,) * len(self.classes) if class_weight is None else tuple(map(float, class_weight))
        # What is held out is scored here, where all its margins must fit.
        share = min(HELD_SHARE, MOST_HELD / self.n_documents)
        return PartitionedProblem(self.runner, Terms(loss, fit_intercept, weights, part, share), self.n_features)


def partition_texts(
    source: Any,
    folder: str | os.PathLike,
    *,
    bag: BagOfWords | None = None,
    groups: SentenceGroups | None = None,
    text_col: str | Sequence[str] | None = None,
    label_col: str | None = None,
    id_col: str | None = None,
    client: Any = None,
    memory: int | None = None,
    report: Report | None = None,
) -> PartitionedCorpus:
    """Read labelled texts file by file, here or on a cluster, and keep them as blocks on disk.

    Parameters
    ----------
    source : str, Path, list of these, dask.bag.Bag or dask.dataframe.DataFrame
        Files as for `laconic.data.read`; a pattern such as ``"parts/*.jsonl.zst"`` stands for all that match. A bag
        holds dictionaries. Parts of a bag or dataframe are computed twice, by whoever makes their blocks.
    folder : path
        Where blocks are kept. With a cluster of several machines each worker writes to this path on its own machine,
        unless they share it.
    bag : BagOfWords, optional
        How texts become rows; default binary cells of lower-cased words.
    groups : SentenceGroups, optional
        Groups that are made inside every document, and stay with it.
    text_col, label_col, id_col
        As for `laconic.data.read`; guessed from the first file, the same for all.
    client : distributed.Client, optional
        A cluster; without it everything runs in this process.
    memory : int, optional
        Bytes that reading may take, per process.
    report : callable, optional
        Called as ``report(stage, done, total)`` after every file.

    Examples
    --------
    >>> import json, tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> for i, rows in enumerate([[("broken lamp", "repair")], [("kind thanks", "praise")]]):
    ...     lines = [json.dumps({"text": text, "label": label}) for text, label in rows]
    ...     _ = (place / f"{i}.jsonl").write_text("\\n".join(lines))
    >>> corpus = partition_texts(str(place / "*.jsonl"), place / "blocks")
    >>> corpus.n_documents, corpus.classes, corpus.vocabulary.words
    (2, ('praise', 'repair'), ('broken', 'kind', 'lamp', 'thanks'))
    """
    files, sample = _parts(source)
    bag = BagOfWords(cells="binary") if bag is None else bag
    room = CHARACTERS if memory is None else max((memory - BYTES_OF_PYTHON) // BYTES_PER_CHARACTER, FEWEST)
    place = Path(folder)
    texts = (text_col,) if isinstance(text_col, str) else tuple(text_col or ())
    _, found = peek(sample, texts, label_col, id_col)
    if isinstance(found.label, tuple):
        raise ValueError(
            f"The labels are the columns {', '.join(found.label)}; name one by label_col to fit on partitions."
        )
    plan = Plan(
        bag,
        texts or ((found.text,) if found.text else ()),
        found.label,
        found.id,
        groups,
        str(place.resolve()),
        min(CHARACTERS, room),
    )
    key = _fingerprint(files, plan)
    runner: Any = LocalRunner() if client is None else DaskRunner(client)
    stored = _stored(place, key)
    if stored is None:
        items = list(enumerate(files))
        counted, shards = runner.shuffle(count_words, merge_words, items, plan, _stage(report, "words"))
        vocabulary, labels = _settled(counted, shards, bag)
        plan = replace(plan, vocabulary=vocabulary, classes=tuple(labels))
        partitions = runner.each(write_blocks, items, plan, _stage(report, "blocks"))
        made = {"partitions": list(map(asdict, partitions)), "labels": list(labels.items())}
        words = {"words.json": vocabulary.words, "frequency.npy": vocabulary.document_frequency}
        save_folder(place / "corpus", {"key": key, **made, "documents": vocabulary.n_documents}, words)
        stored = load_folder(place / "corpus")
    facts, parts = stored
    vocabulary = Vocabulary(tuple(parts["words.json"]), parts["frequency.npy"], facts["documents"])
    classes, counts = zip(*facts["labels"], strict=True)
    plan = replace(plan, vocabulary=vocabulary, classes=classes)
    runner.partitions = [Partition(tuple(one["folders"]), one["source"]) for one in facts["partitions"]]
    if isinstance(runner, DaskRunner):
        runner.maker = plan
    return PartitionedCorpus(
        tuple(runner.partitions),
        vocabulary,
        classes,
        counts,
        len(vocabulary),
        runner,
        key,
        groups.level if groups is not None else "",
    )


def _parts(source: Any) -> tuple[list[Any], Any]:
    """Return the parts of a source, files or delayed ones, and something to find the columns in."""
    if not hasattr(source, "to_delayed"):
        files = files_of(source)
        return files, files[0]
    sample = source.head(SAMPLE) if hasattr(source, "head") else list(source.take(SAMPLE, npartitions=-1, warn=False))
    return list(source.to_delayed()), sample


def files_of(source: str | Path | Sequence[str | Path]) -> list[str]:
    """Return the files that a pattern, a name or a list of these stands for, sorted, as absolute paths."""
    found: list[str] = []
    for one in [source] if isinstance(source, (str, Path)) else source:
        matching = [str(one)] if os.path.exists(one) else sorted(glob(str(one), recursive=True))
        if not matching:
            raise FileNotFoundError(f"No file matches {str(one)!r}.")
        found += matching
    return sorted(dict.fromkeys(os.path.abspath(one) for one in found))


def _settled(
    counted: Sequence[Counted], shards: Sequence[dict[str, int]], bag: BagOfWords
) -> tuple[Vocabulary, dict[Label, int]]:
    """Return the vocabulary after its cuts, and how many documents each label has, sorted."""
    labels: Counter[Label] = Counter()
    for one in counted:
        labels.update(one.labels)
    n_documents = sum(one.documents for one in counted)
    kinds = list(labels)
    merged: Counter[Label] = Counter()
    for label, old in zip(unify_labels(kinds), kinds, strict=True):
        merged[label] += labels[old]  # type: ignore[index]
    warn_of_twins(merged)
    if len(merged) < 2:
        raise ValueError(
            f"All {n_documents} documents have the one label {next(iter(merged))!r}; a classifier needs at least two "
            "classes."
        )
    if not any(one.words for one in counted):
        raise ValueError(
            f"None of the {n_documents} documents holds a single feature: the texts are empty, or the analyzer finds "
            "nothing in them."
        )
    words = {word: count for shard in shards for word, count in shard.items()}
    return bag.vocabulary_of(words, n_documents), dict(sorted(merged.items()))


def _stage(report: Report | None, stage: str) -> Callable[[int, int], None] | None:
    return None if report is None else lambda done, total: report(stage, done, total)


def _fingerprint(files: Sequence[Any], plan: Plan) -> str:
    """Return a hash of everything that decides what the blocks hold."""
    facts = [
        [file, os.path.getsize(file), os.stat(file).st_mtime_ns] if isinstance(file, str) else str(file.key)
        for file in files
    ]
    bag = [plan.bag.analyzer.to_json(), plan.bag.cells, plan.bag.min_df, plan.bag.max_df]
    columns = [list(plan.text_cols), plan.label_col, plan.id_col, plan.characters, repr(plan.groups)]
    return hashlib.sha256(json.dumps([facts, bag, columns]).encode()).hexdigest()


def _stored(place: Path, key: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return the facts and the words that the folder holds, if it is complete and was made from the same."""
    if not (place / "corpus").is_dir():
        started = place / "key.txt"  # what the same job has begun is gone on with
        known = started.is_file() and started.read_text() == key
        if not known and place.exists() and any(not child.name.startswith(".") for child in place.iterdir()):
            raise FileExistsError(
                f"{place} is not empty, and what it holds was not made from these files with these settings; choose "
                "another folder, or remove this one."
            )
        place.mkdir(parents=True, exist_ok=True)
        started.write_text(key)
        return None
    try:
        facts, parts = load_folder(place / "corpus")
    except (OSError, ValueError) as error:
        raise ValueError(f"{error} Or remove the folder {place}, and it will be made anew.") from error
    if facts["key"] != key:
        raise FileExistsError(
            f"{place} holds blocks of other files or other settings; choose another folder, or remove this one."
        )
    return facts, parts


def partition_matrices(
    parts: Iterable[tuple[Any, Iterable[Any]]], folder: str | os.PathLike, client: Any = None
) -> PartitionedCorpus:
    """Keep matrices and their labels as blocks on disk; only one is in memory at a time.

    Parameters
    ----------
    parts : iterable of (matrix, labels)
        Matrices with the same columns, one row per document.
    folder : path
        Must not exist or be empty; workers must see it.
    client : distributed.Client, optional
        A cluster to fit on; without it everything runs in this process.

    Examples
    --------
    >>> import tempfile
    >>> corpus = partition_matrices([(np.eye(2), ["a", "b"]), (np.eye(2), ["b", "b"])], tempfile.mkdtemp())
    >>> corpus.classes, corpus.class_counts
    (('a', 'b'), (1, 3))
    """
    place = Path(folder).resolve()
    if place.exists() and any(place.iterdir()):
        raise FileExistsError(f"{place} is not empty; choose another folder for the blocks, or remove this one.")
    codes: dict[Any, int] = {}
    counts: Counter[Any] = Counter()
    n_features, folders = -1, []
    for i, (X, labels) in enumerate(parts):
        labels = np.asarray(labels).tolist()
        if n_features not in (-1, X.shape[1]):
            raise ValueError(f"Matrix {i} has {X.shape[1]} columns, those before it {n_features}; all need the same.")
        n_features = X.shape[1]
        counts.update(labels)
        for label in labels:
            codes.setdefault(label, len(codes))
        numbers = np.array([codes[label] for label in labels], dtype=np.int32)
        folders.append(str(Block.of(X, numbers).write(place / f"{i:05d}-0000")))
    if len(codes) < 2:
        raise ValueError(f"The labels are {list(codes)}; a classifier needs at least two classes.")
    classes = sorted(codes)
    number = np.array([classes.index(label) for label in codes], dtype=np.int32)
    for one in folders:  # by the order of the classes, all known now
        relabel(one, number)
    partitions = [Partition((one,)) for one in folders]
    runner = LocalRunner(partitions) if client is None else DaskRunner(client, partitions)
    return PartitionedCorpus(
        tuple(partitions),
        None,
        tuple(classes),
        tuple(counts[label] for label in classes),
        n_features,
        runner,
        str(place),
    )

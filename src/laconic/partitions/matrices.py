"""`partition_matrices`: matrices that are made one after the other, as a partitioned corpus."""

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from laconic.partitions.block import Block, Partition, relabel
from laconic.partitions.corpus import PartitionedCorpus
from laconic.partitions.runners import DaskRunner, LocalRunner


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

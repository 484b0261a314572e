"""`build_groups`: groups of words made out of texts, and written to a file; `read_groups`: those of a file."""

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from laconic import data
from laconic.core.files import write_file
from laconic.core.groups import Groups
from laconic.groups.brown import BrownGroups, BrownPaths
from laconic.groups.builder import CachedGroups, listening
from laconic.groups.given import GivenGroups, by_word
from laconic.groups.kinds import PATHS, builder_of
from laconic.text import Vocabulary
from laconic.workflows.sources import ANY, Reading, known_splits
from laconic.workflows.watch import SILENT, Watch


@dataclass(frozen=True)
class GroupsJob:
    """Which groups to build of which texts; ``features`` are the parameters by which texts become words."""

    source: str
    builder: Any
    reading: Reading = ANY
    features: dict[str, Any] = field(default_factory=dict)
    out: str | None = None
    cache: str | None = None

    @property
    def as_paths(self) -> bool:
        """Whether to write Brown clusters as bits, words and counts."""
        return self.out is not None and self.out.endswith(".paths")


def group_facts(groups: Groups) -> dict[str, Any]:
    """Return what a person wants to know of groups first: how many, how large, how much they share."""
    memberships = np.unique(groups.indices, return_counts=True)[1]
    sizes = groups.sizes if len(groups) else np.zeros(1, dtype=np.int64)
    words = len(memberships)
    return {
        "groups": len(groups),
        "words": words,  # in a group
        "vocabulary": groups.n_features,
        "structure": groups.structure,
        "smallest": int(sizes.min()),
        "median": float(np.median(sizes)),
        "mean": float(sizes.mean()),
        "largest": int(sizes.max()),
        "overlap": float(memberships.mean()) if words else 0.0,  # mean number of groups of a word that is in one
        "shared": float(np.mean(memberships > 1)) if words else 0.0,  # share of these words that are in several groups
    }


def build_groups(job: GroupsJob, watch: Watch = SILENT) -> tuple[Groups, tuple[str, ...]]:
    """Build groups, write them if a file is named, and return them with the words that they number."""
    from laconic.models.text_classifier import TextClassifier

    builder: Any = job.builder if job.cache is None or job.as_paths else CachedGroups(job.builder, job.cache)
    corpus = _read(job.source, job.reading)
    bag = TextClassifier(**job.features).bag_of_words()
    vocabulary = bag.fit(corpus.texts).vocabulary
    watch.advance(0, None)
    with listening(watch.advance):
        if job.as_paths:
            builder.cluster(corpus, bag.analyzer).save(job.out)
            builder = builder_of(f"brown:{job.out}")
        groups = builder.build(corpus, vocabulary, bag.analyzer)
    if job.out is not None and not job.as_paths:
        write_file(job.out, json.dumps(by_word(groups, vocabulary.words)))
    return groups, vocabulary.words


def read_groups(file: str) -> tuple[Groups, tuple[str, ...]]:
    """Return the groups of a file and their words; of Brown clusters all nodes of the hierarchy."""
    if PATHS.search(file):
        return _nodes(file)
    content = GivenGroups(file).read()
    if isinstance(content, Groups):
        return content, tuple(f"feature {j}" for j in range(content.n_features))
    words = tuple(sorted({word for own in content.values() for word in own}))
    return Groups.from_dict({name: list(dict.fromkeys(own)) for name, own in content.items()}, words), words


def _nodes(file: str) -> tuple[Groups, tuple[str, ...]]:
    """Return the groups of a file of Brown clusters over its own words, and these words."""
    paths = BrownPaths.read(file)
    count = dict(zip(paths.words, paths.counts.tolist(), strict=True))
    words = tuple(sorted(count))
    counts = np.array([count[word] for word in words])
    vocabulary = Vocabulary(words, counts, n_documents=int(counts.max()))
    return BrownGroups(paths=file).build(None, vocabulary), words


def _read(source: str, reading: Reading) -> Any:
    splits = known_splits(source, reading.data_dir)
    if splits is not None:
        return splits.train
    return data.read(source, **reading.arguments(), labelled=False)

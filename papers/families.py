"""The papers' families of groups for a task: ``lda``, ``lsi``, ``sentences``, ``graph``, ``vectors``, ``brown``,
``constituents``, built on its training texts and kept on disk; ``authors:lda`` and so on are those that the authors of
the W-NUT 2018 paper published, for religion alone.
"""

import lzma
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from laconic.core.groups import Groups
from laconic.groups.builder import CachedGroups
from laconic.groups.kinds import builder_of
from laconic.text.vocabulary import Vocabulary
from papers.tasks import PAPERS, View, bag_of, design_of, splits_of

VECTORS = Path("text", "glove_100d")
AUTHORS = Path("text", "omp_religion")
AUTHORS_FILES = {"lda": "LDA", "lsi": "LSI", "graph": "GOW", "vectors": "WORD2VEC_NEW", "sentences": "SENTENCES"}
PREFIX = "alt.atheismsoc.religion.christian_unique_words_"
QUICK_SIZES = {"lda": 100, "lsi": 100, "brown": 200}
LEARNED = ("lda", "lsi", "graph", "vectors", "brown")


class NotAvailable(Exception):
    """Groups that cannot be built here, and why."""


def groups_of(
    family: str,
    task: str,
    data_dir: str | None,
    folder: Path,
    weights: str = "sqrt",
    quick: bool = False,
    view: View = PAPERS,
) -> Groups:
    """Return the groups of a family for the training texts of a task.

    Parameters
    ----------
    family, task : str
    data_dir : path, optional
    folder : path
        Where groups are kept.
    weights : {"sqrt", "ones"}
        d_g.
    quick : bool
        Fewer topics, components and clusters.
    view : View
        Whose columns are grouped; those of the authors are the W-NUT 2018 paper's words. Groups that are learned from
        texts hold words alone, also where pairs of words are columns.

    Raises
    ------
    NotAvailable
        If a kind of groups, a package or a file is missing.
    """
    base = Path(data_dir or os.environ.get("LACONIC_DATA") or "")
    view = view._replace(cells="count")
    vocabulary = design_of(task, view, data_dir).vocabulary
    if family.startswith("authors:"):
        if (task, view) != ("religion", PAPERS):
            raise NotAvailable("The authors published groups for religion and its words alone.")
        return authors_groups(base / AUTHORS, family.removeprefix("authors:"), vocabulary, weights)
    if view.ngrams > 1 and family in LEARNED:
        words = view._replace(ngrams=1)
        groups = groups_of(family, task, data_dir, folder, weights, quick, words)
        return moved(groups, design_of(task, words, data_dir).vocabulary, vocabulary)
    try:
        builder = replace(_builder(family, base, quick), weights=weights)
        cached = CachedGroups(builder, folder / "groups")
        return cached.build(splits_of(task, data_dir).train, vocabulary, bag_of(task, view).analyzer)
    except (ImportError, FileNotFoundError) as error:
        raise NotAvailable(str(error)) from error


def moved(groups: Groups, old: Vocabulary, new: Vocabulary) -> Groups:
    """Return groups over another vocabulary, without the words that it does not have; weights stay as they are."""
    places = np.array([new.index.get(word, -1) for word in old.words])[groups.indices]
    lists = [own[own >= 0] for own in np.split(places, groups.indptr[1:-1])]
    return Groups.from_lists(lists, len(new), groups.weights, groups.names, new.sha256, groups.source)


def authors_groups(folder: Path, kind: str, vocabulary: Vocabulary, weights: str = "sqrt") -> Groups:
    """Return groups that the authors of the W-NUT 2018 paper published for religion; they number words from 1."""
    index, words = vocabulary.index, _lines(folder / "vocab_recovered.txt.xz")
    rows = [line.split() for line in _lines(folder / f"{PREFIX}{AUTHORS_FILES[kind]}.txt.xz")]
    if kind == "sentences":  # ranges of tokens; a range 0 0 ends a document
        tokens = [int(one) for one in _lines(folder / f"{PREFIX}M_CORPUS.txt.xz") if one]
        ranges = [(int(first), int(last)) for first, last in filter(None, rows)]
        numbers = [tokens[first - 1 : last] for first, last in ranges if last]
    else:
        numbers = [[int(one) for one in row] for row in rows]
    lists = [sorted({index[words[one - 1]] for one in group}) for group in numbers if group]
    d_g = None if weights == "sqrt" else np.ones(len(lists))
    source = f"the authors' {AUTHORS_FILES[kind]} groups"
    return Groups.from_lists(lists, len(vocabulary), weights=d_g, source=source, features_sha256=vocabulary.sha256)


def _builder(kind: str, base: Path, quick: bool) -> Any:
    named = {"vectors": f"vectors:{base / VECTORS}"}.get(kind, kind)
    if kind == "vectors" and not (base / VECTORS).is_dir():
        raise NotAvailable(f"There are no word vectors in {VECTORS} of the data folder.")
    if quick and kind in QUICK_SIZES:
        named = f"{kind}:{QUICK_SIZES[kind]}"
    try:
        builder = builder_of(named)
    except ValueError as error:
        raise NotAvailable(str(error)) from error
    builder.check()
    return builder


def _lines(path: Path) -> list[str]:
    if not path.is_file():
        raise NotAvailable(f"There is no file {path.name} of the authors in the data folder.")
    return lzma.decompress(path.read_bytes()).decode("utf-8").splitlines()

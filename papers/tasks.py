"""The papers' data sets as tasks: their documents by split, and the matrices made of them.

A task is named as in the papers, with what was done to it behind: ``science``, ``science stripped`` (mail headers,
quotations and signatures blanked out), ``books #3`` (all documents split anew, the third time).

- ``vote`` follows the sizes that the papers give: trained on the 1,175 speakers of the debates, dev and test on 257 and
  860 speech segments. ``vote segments`` is the other reading: trained on the 2,740 segments.
- ``movie`` and the Amazon sets have no official split, and the papers' are unknown: ours are by the number or hash of a
  review, and ``#1`` to ``#5`` share all documents out anew, with the same numbers of each class.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from laconic.data.corpus import Corpus, Splits
from laconic.data.known_sets import load
from laconic.text.analyzer import Analyzer
from laconic.text.design import BagOfWords, Design
from laconic.text.tokenizer import Tokenizer

KNOWN = {
    **{name: f"20ng/{name}" for name in ("science", "sports", "religion", "computer")},
    "vote": "vote",
    "movie": "movie",
    **{name: f"amazon/{name}" for name in ("books", "dvd", "electronics", "kitchen", "music")},
    "sst": "sst",
}
NEWSGROUPS = ("science", "sports", "religion", "computer")
RESPLIT = ("movie", "books", "dvd", "electronics", "kitchen", "music")
OPINIONS = (*RESPLIT, "sst")  # where "not good" is not "good": two words together say more
RESPLITS = 5


def splits_of(task: str, data_dir: str | None = None) -> Splits:
    """Return train, dev and test of a task."""
    name, _, more = task.partition(" ")
    if name not in KNOWN or not (more in ("", "stripped", "segments") or more.removeprefix("#").isdecimal()):
        raise ValueError(f"There is no task {task!r}; the data sets are {', '.join(KNOWN)}.")
    return _loaded(name, more, data_dir)


class View(NamedTuple):
    """How texts become a matrix: its cells, the tokenizer, and the longest n-gram of its words.

    Of longer n-grams than words, and of the words beside them, only those that two documents have are columns.
    """

    cells: str = "count"
    tokenizer: str = "wnut2018"
    ngrams: int = 1


PAPERS = View()  # counts of the words of the W-NUT 2018 paper


def bag_of(task: str, view: View = PAPERS) -> BagOfWords:
    """Return how the texts of a task become rows."""
    tokenizer, stripped = Tokenizer.preset(view.tokenizer), task.endswith("stripped")
    analyzer = Analyzer(tokenizer=tokenizer, ngrams=(1, view.ngrams), strip_mail=stripped)
    return BagOfWords(analyzer, cells=view.cells, min_df=min(2, view.ngrams))


@lru_cache(maxsize=8)
def design_of(task: str, view: View = PAPERS, data_dir: str | None = None) -> Design:
    """Return the training matrix and its vocabulary."""
    return bag_of(task, view).fit(splits_of(task, data_dir).train.texts)


@lru_cache(maxsize=8)
def matrices(task: str, data_dir: str | None = None, view: View = PAPERS) -> dict[str, tuple[Any, np.ndarray]]:
    """Return X and y of train, dev and test over the training vocabulary."""
    splits, design, bag = splits_of(task, data_dir), design_of(task, view, data_dir), bag_of(task, view)
    found = {"train": (design.X, np.array(splits.train.labels))}
    for split, corpus in (("dev", splits.dev), ("test", splits.test)):
        found[split] = (bag.transform(corpus.texts, design.vocabulary), np.array(corpus.labels))
    return found


def debates_of(task: str, data_dir: str | None = None) -> list[str] | None:
    """Return the debate of each document of train and dev of vote, None for other tasks.

    Speeches of one debate are alike, and dev and test hold other debates than train: folds that cut through debates
    would promise far too much.
    """
    if not task.startswith("vote"):
        return None
    splits = splits_of(task, data_dir)
    return [one.partition("_")[0] for corpus in (splits.train, splits.dev) for one in corpus.ids]


@lru_cache(maxsize=4)
def _loaded(name: str, more: str, data_dir: str | None) -> Splits:
    splits = load(KNOWN[name], data_dir)
    if name == "vote" and more == "":
        return replace(splits, train=load("vote/by_speaker", data_dir).train)
    return resplit(splits, name, int(more[1:])) if more.startswith("#") else splits


def resplit(splits: Splits, name: str, number: int) -> Splits:
    """Share out all documents of a data set anew, as many of each class to each split as before.

    The order within a class is by the sha256 of ``laconic/<name>/<number>/<id>``, so that it is the same everywhere.
    """
    parts = [corpus for _, corpus in splits]
    pooled = pool(parts)
    keys = [hashlib.sha256(f"laconic/{name}/{number}/{one}".encode()).hexdigest() for one in pooled.ids]
    order = sorted(range(len(pooled)), key=keys.__getitem__)
    wanted = [Counter(part.labels or ()) for part in (splits.test, splits.dev, splits.train)]
    chosen: list[list[int]] = [[], [], []]
    for i in order:
        label = (pooled.labels or ())[i]
        place = next(k for k in range(3) if wanted[k][label] > 0)
        wanted[place][label] -= 1
        chosen[place].append(i)
    test, dev, train = (pooled.subset(sorted(part)) for part in chosen)
    return Splits(train, dev, test)


def pool(parts: Sequence[Corpus]) -> Corpus:
    """Return the documents of several corpora as one."""

    def joined(field: str) -> Any:
        values = [getattr(part, field) for part in parts]
        return None if any(value is None for value in values) else tuple(one for value in values for one in value)

    return replace(parts[0], **{field: joined(field) for field in ("texts", "labels", "ids", "sentences", "trees")})

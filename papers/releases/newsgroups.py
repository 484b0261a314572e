"""The split of 20 Newsgroups that the W-NUT 2018 paper used, from names of files alone.

It is the order of scikit-learn's ``fetch_20newsgroups`` (files sorted by name, shuffled with seed 0 over all groups,
the two groups of a task kept, shuffled with seed 42) followed by ``train_test_split(test_size=0.2, random_state=0,
stratify=y)``; the steps are written out here, so that reading data does not need scikit-learn.
"""

from collections.abc import Mapping, Sequence

import numpy as np

TASKS = {
    "science": ("sci.med", "sci.space"),
    "sports": ("rec.sport.baseball", "rec.sport.hockey"),
    "religion": ("alt.atheism", "soc.religion.christian"),
    "computer": ("comp.sys.ibm.pc.hardware", "comp.sys.mac.hardware"),
}


def dev_ids(files: Mapping[str, Sequence[str]], task: str) -> set[str]:
    """Return the ids ``group/file`` of a task's training files that belong to dev.

    Parameters
    ----------
    files : dict of lists
        Names of all training files, by group.
    task : str
        One of `TASKS`.

    Examples
    --------
    >>> files = {group: [str(i) for i in range(10)] for group in TASKS["science"]}
    >>> len(dev_ids(files, "science"))
    4
    """
    everything = [f"{group}/{name}" for group in sorted(files) for name in sorted(files[group])]
    np.random.RandomState(0).shuffle(order := np.arange(len(everything)))
    own = [everything[i] for i in order if everything[i].partition("/")[0] in TASKS[task]]
    np.random.RandomState(42).shuffle(order := np.arange(len(own)))
    own = [own[i] for i in order]
    labels = np.array([TASKS[task].index(one.partition("/")[0]) for one in own])
    return {own[i] for i in stratified_fifth(labels)}


def stratified_fifth(labels: np.ndarray) -> list[int]:
    """Return the positions that ``train_test_split(test_size=0.2, random_state=0, stratify=labels)`` sets apart.

    Examples
    --------
    >>> sorted(labels := np.array([0] * 5 + [1] * 5)) and len(stratified_fifth(labels))
    2
    """
    n_apart = int(np.ceil(0.2 * len(labels)))
    rng = np.random.RandomState(0)
    counts = np.bincount(labels)
    kept = _shares(counts, len(labels) - n_apart, rng)
    apart = _shares(counts - kept, n_apart, rng)
    found: list[int] = []
    for k, count in enumerate(counts):
        shuffled = np.flatnonzero(labels == k)[rng.permutation(count)]
        found += shuffled[kept[k] : kept[k] + apart[k]].tolist()
    return found


def _shares(counts: np.ndarray, n_draws: int, rng: np.random.RandomState) -> np.ndarray:
    """Share draws among classes by their sizes; what is left goes to the largest remainders, equal ones at random."""
    exact = counts / counts.sum() * n_draws
    whole = np.floor(exact)
    left = int(n_draws - whole.sum())
    remainder = exact - whole
    for value in np.unique(remainder)[::-1]:
        if left <= 0:
            break
        (places,) = np.where(remainder == value)
        taken = rng.choice(places, size=min(len(places), left), replace=False)
        whole[taken] += 1
        left -= len(taken)
    return whole.astype(int)

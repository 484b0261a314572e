"""The data sets that laconic knows by name: what each is, where its official release is, which files are expected.

Layout below the data folder (``LACONIC_DATA`` or ``data_dir``): ``text/<folder>/{train,dev,test}.jsonl.xz``, one JSON
object per line with ``id``, ``label``, ``text`` and, where the release has them, ``sentences`` or ``tree``. The stored
fingerprints (`Corpus.fingerprint`) say what each split must hold, to the character.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

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

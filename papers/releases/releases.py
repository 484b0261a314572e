"""What the official releases of the known data sets hold: one function a release, from its files to documents by split.

Every function takes ``{path: content}`` with the paths as in the release, and returns
``{file below the data folder: rows}``. Texts stay as they are, only decoded.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from laconic.data.known_sets import SPLITS
from papers.releases.newsgroups import TASKS, dev_ids

Files = Mapping[str, bytes]
Rows = list[dict[str, Any]]
Made = dict[str, Rows]


@dataclass(frozen=True)
class Release:
    """An official release: which of its files are needed, what they become, and the known data sets made of them.

    Parameters
    ----------
    name : str
        As given to ``python -m papers import``.
    archive : str
        The name under which it is distributed.
    pattern : str
        A regular expression for the paths that are needed.
    read : callable
    sets : tuple of str
        Names of known data sets.

    Examples
    --------
    >>> RELEASES["sst"].sets
    ('sst', 'sst/five')
    """

    name: str
    archive: str
    pattern: str
    read: Callable[[Files], Made]
    sets: tuple[str, ...]


def read_20ng(files: Files) -> Made:
    """20news-bydate: ``20news-bydate-{train,test}/<group>/<number>``, Latin-1."""
    rows: dict[str, Rows] = {"train": [], "test": []}
    task_of = {group: task for task, groups in TASKS.items() for group in groups}
    for path, content in files.items():
        where, group, number = path.split("/")[-3:]
        text = content.decode("latin-1")
        row: dict[str, Any] = {"id": f"{group}/{number}", "label": group, "task": task_of.get(group), "text": text}
        rows[where.rpartition("-")[2]].append(row)
    for part in rows.values():
        part.sort(key=lambda row: (row["label"], _number(row["id"])))
    names: dict[str, list[str]] = {}
    for row in rows["train"]:
        names.setdefault(row["label"], []).append(row["id"].partition("/")[2])
    dev = set()
    for task, groups in TASKS.items():
        if set(groups) <= set(names):
            dev |= dev_ids(names, task)
    for group in sorted(set(names) - set(task_of)):
        ids = [f"{group}/{name}" for name in names[group]]
        dev |= set(_by_hash("20ng/", ids)[: round(0.2 * len(ids))])
    return _named("text/20ng", _divided(rows["train"], dev), rows["test"])


def read_movie(files: Files) -> Made:
    """review_polarity: ``txt_sentoken/{neg,pos}/cv<number>_<name>.txt``, one sentence a line."""
    made: dict[str, Rows] = {split: [] for split in SPLITS}
    for path, content in files.items():
        label, name = path.split("/")[-2:]
        text = content.decode("utf-8")
        sentences = [line.strip() for line in text.split("\n") if line.strip()]
        row = {"id": f"{label}/{name.removesuffix('.txt')}", "label": label, "text": text, "sentences": sentences}
        tenth = int(name[2])
        made["train" if tenth < 8 else "dev" if tenth == 8 else "test"].append(row)
    return {f"text/movie/{split}": sorted(rows, key=_id) for split, rows in made.items()}


def read_vote(files: Files) -> Made:
    """convote v1.1: ``data_stage_three/{training,development,test}_set/<debate>_<speaker>_<page>_<PMV>.txt``.

    P is the party, M says whether the bill is mentioned, V is the vote; two spaces end a sentence. By speaker: all
    segments of a speaker in a debate, in the order of their names.
    """
    folders = {"training_set": "train", "development_set": "dev", "test_set": "test"}
    segments: dict[str, Rows] = {split: [] for split in SPLITS}
    for path, content in files.items():
        folder, name = path.split("/")[-2:]
        name = name.removesuffix(".txt")
        debate, speaker, _, marks = name.split("_")
        text = content.decode("latin-1").rstrip("\r\n")
        row = {
            "id": name,
            "label": marks[2],
            "text": text,
            "sentences": [one.strip() for one in text.split("  ") if one.strip()],
            "debate": debate,
            "speaker": speaker,
            "party": marks[0],
            "mentions_bill": marks[1] == "M",
        }
        segments[folders[folder]].append(row)
    made: Made = {}
    for split, rows in segments.items():
        rows.sort(key=_id)
        speakers: dict[str, Rows] = {}
        for row in rows:
            speakers.setdefault(f"{row['debate']}_{row['speaker']}", []).append(row)
        made[f"text/vote/{split}"] = rows
        made[f"text/vote/{split}_by_speaker"] = [_speaker(one, own) for one, own in sorted(speakers.items())]
    return made


def read_amazon(files: Files) -> Made:
    """Multi-domain sentiment, sorted_data_acl: ``<domain>/{negative,positive}.review``."""
    made: Made = {}
    domains: dict[str, Rows] = {}
    for path, content in files.items():
        folder, name = path.split("/")[-2:]
        domain, label = folder.partition("_")[0], name.removesuffix(".review")
        text = content.decode("utf-8", "replace")
        for number, review in enumerate(re.findall(r"<review>\n(.*?)</review>(?:\n|$)", text, re.DOTALL)):
            row = {
                "id": f"{domain}/{label[:3]}{number:04}",
                "label": label,
                "text": _field(review, "review_text", path, number),
                "title": _field(review, "title", path, number).strip(),
                "rating": float(_field(review, "rating", path, number)),
                "product": _field(review, "product_name", path, number).strip(),
                "unique_id": _field(review, "unique_id", path, number).strip(),
            }
            domains.setdefault(domain, []).append(row)
    for domain, rows in domains.items():
        made |= _amazon_split(domain, sorted(rows, key=_id))
    return made


def read_music(files: Files) -> Made:
    """FDU-MTL: ``music.task.{train,test}``, one review a line: 1 or 0, a tab, the text."""
    rows = []
    for part in ("train", "test"):
        content = next((content for path, content in files.items() if path.endswith(f"music.task.{part}")), b"")
        lines = [line for line in content.decode("utf-8").split("\n") if line.strip()]
        for number, line in enumerate(lines):
            mark, _, text = line.partition("\t")
            label = {"1": "positive", "0": "negative"}[mark.strip()]
            rows.append({"id": f"music/{part}{number:04}", "label": label, "text": text.strip(), "fdu_split": part})
    return _amazon_split("music", rows)


def read_sst(files: Files) -> Made:
    """Stanford Sentiment Treebank: ``trees/{train,dev,test}.txt``, one bracketed tree a line."""
    made = {}
    for path, content in files.items():
        split = path.split("/")[-1].removesuffix(".txt")
        rows = []
        for number, line in enumerate(filter(None, map(str.strip, content.decode("utf-8").split("\n")))):
            label = int(line[1])
            rows.append(
                {
                    "id": f"{split}/{number:05}",
                    "label": label,
                    "binary": None if label == 2 else int(label > 2),
                    "text": " ".join(re.findall(r"\(\d ([^()]+)\)", line)),
                    "tree": line,
                }
            )
        made[f"text/sst/{split}"] = rows
    return made


def read_imdb(files: Files) -> Made:
    """aclImdb: ``{train,test}/{neg,pos}/<number>_<rating>.txt``."""
    rows: dict[str, Rows] = {"train": [], "test": []}
    for path, content in files.items():
        split, label, name = path.split("/")[-3:]
        stem = name.removesuffix(".txt")
        text, rating = content.decode("utf-8"), int(stem.partition("_")[2])
        rows[split].append({"id": f"{split}/{label}/{stem}", "label": label, "rating": rating, "text": text})
    for part in rows.values():
        part.sort(key=lambda row: (row["label"], int(row["id"].rpartition("/")[2].partition("_")[0])))
    dev: set[str] = set()
    for label in ("neg", "pos"):
        ids = [row["id"] for row in rows["train"] if row["label"] == label]
        dev |= set(_by_hash("imdb/", ids)[: len(ids) // 10])
    return _named("text/imdb", _divided(rows["train"], dev), rows["test"])


def _speaker(name: str, segments: Rows) -> dict[str, Any]:
    sentences = [sentence for row in segments for sentence in row["sentences"]]
    first = segments[0]
    return {
        "id": name,
        "label": first["label"],
        "text": "  ".join(sentences),
        "sentences": sentences,
        **{field: first[field] for field in ("debate", "speaker", "party")},
        "segments": [row["id"] for row in segments],
    }


def _amazon_split(domain: str, rows: Rows) -> Made:
    """Per class by hash: a tenth test, 18 % dev, the others train."""
    place: dict[str, str] = {}
    for label in ("negative", "positive"):
        ids = _by_hash(f"amazon_{domain}/", [row["id"] for row in rows if row["label"] == label])
        n_test, n_dev = round(0.1 * len(ids)), round(0.18 * len(ids))
        place |= dict.fromkeys(ids[:n_test], "test") | dict.fromkeys(ids[n_test : n_test + n_dev], "dev")
    return {
        f"text/amazon_{domain}/{split}": [row for row in rows if place.get(row["id"], "train") == split]
        for split in SPLITS
    }


def _field(review: str, name: str, path: str, number: int) -> str:
    found = re.search(rf"<{name}>\n(.*?)\n</{name}>", review, re.DOTALL)
    if found is None:
        raise ValueError(f"review {number + 1} of {path} has no <{name}>; this is not the release that is expected")
    return found[1]


def _by_hash(prefix: str, ids: Iterable[str]) -> list[str]:
    return sorted(ids, key=lambda one: hashlib.sha256(f"{prefix}{one}".encode()).hexdigest())


def _divided(rows: Rows, dev: set[str]) -> tuple[Rows, Rows]:
    return [row for row in rows if row["id"] not in dev], [row for row in rows if row["id"] in dev]


def _named(folder: str, train_dev: tuple[Rows, Rows], test: Rows) -> Made:
    return {f"{folder}/train": train_dev[0], f"{folder}/dev": train_dev[1], f"{folder}/test": test}


def _id(row: Mapping[str, Any]) -> str:
    return row["id"]


def _number(identifier: str) -> tuple[int, str]:
    name = identifier.rpartition("/")[2]
    return (int(name), "") if name.isdecimal() else (0, name)


RELEASES = {
    one.name: one
    for one in (
        Release(
            "20ng",
            "20news-bydate.tar.gz",
            r"(^|/)20news-bydate-(train|test)/[^/]+/[^/.]+$",
            read_20ng,
            ("20ng/science", "20ng/sports", "20ng/religion", "20ng/computer", "20ng/all"),
        ),
        Release("movie", "review_polarity.tar.gz", r"(^|/)(neg|pos)/cv\d{3}_\d+\.txt$", read_movie, ("movie",)),
        Release(
            "vote",
            "convote_v1.1.tar.gz",
            r"(^|/)data_stage_three/(training|development|test)_set/\w+\.txt$",
            read_vote,
            ("vote", "vote/by_speaker"),
        ),
        Release(
            "amazon",
            "domain_sentiment_data.tar.gz",
            r"(^|/)(books|dvd|electronics|kitchen(_&_housewares)?)/(negative|positive)\.review$",
            read_amazon,
            ("amazon/books", "amazon/dvd", "amazon/electronics", "amazon/kitchen"),
        ),
        Release("amazon/music", "fdu-mtl.zip", r"(^|/)music\.task\.(train|test)$", read_music, ("amazon/music",)),
        Release("sst", "trainDevTestTrees_PTB.zip", r"(^|/)(train|dev|test)\.txt$", read_sst, ("sst", "sst/five")),
        Release("imdb", "aclImdb_v1.tar.gz", r"(^|/)(train|test)/(neg|pos)/\d+_\d+\.txt$", read_imdb, ("imdb",)),
    )
}

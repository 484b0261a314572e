"""The demo corpus: 360 letters to the public services desk of Pellowick, an invented town, written for laconic.

Each letter has one of three labels: ``repair`` (something is broken and should be mended), ``complaint`` (a service or
somebody's conduct is complained about) and ``praise`` (thanks). One or two sentences of each letter tell its label; the
others are about place, time, weather and writer, the same kinds of things in all three classes. Some letters are
harder: thanks for a repair, a complaint that mentions one, a request that would be "grateful" for one.

``letters.jsonl`` holds one letter a line: ``id``, ``label``, ``text`` (its sentences joined by a space), ``sentences``,
``telling`` (0-based indices of the telling sentences) and ``split`` (60 % train, 20 % dev, 20 % test in each class).

Scores on these letters show what laconic prints, not how well it does: while they were written, telling sentences were
revised after a look at the errors of a model on all three parts.
"""

import json
from importlib.resources import files
from typing import Any

from laconic.data.corpus import Corpus, Splits


def demo() -> Splits:
    """Return the demo corpus: 216 letters to train, 72 for dev and 72 for test, with their sentences.

    Examples
    --------
    >>> letters = demo()
    >>> letters.train
    Corpus('demo train', 216 documents, 3 classes)
    >>> letters.test.class_counts()
    {'complaint': 24, 'praise': 24, 'repair': 24}
    """
    rows = _rows()
    return Splits(*(_part(rows, split) for split in ("train", "dev", "test")))


def demo_truth() -> dict[str, tuple[int, ...]]:
    """Return which sentences tell a letter's label: id to the 0-based indices of its one or two telling sentences.

    Examples
    --------
    >>> truth = demo_truth()
    >>> letter = next(iter(demo().dev))
    >>> [letter.sentences[i] for i in truth[letter.id]]
    ['The attendant was kind enough to show it to us, and it was the highlight of our trip.']
    """
    return {row["id"]: tuple(row["telling"]) for row in _rows()}


def _rows() -> list[dict[str, Any]]:
    lines = files(__package__).joinpath("letters.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _part(rows: list[dict[str, Any]], split: str) -> Corpus:
    kept = [row for row in rows if row["split"] == split]
    return Corpus.from_lists(
        texts=[row["text"] for row in kept],
        labels=[row["label"] for row in kept],
        ids=[row["id"] for row in kept],
        sentences=[row["sentences"] for row in kept],
        name=f"demo {split}",
    )

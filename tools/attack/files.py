"""Damaged files: a reader returns a result or refuses with a sentence, in bounded time and memory."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from laconic.data import read
from tools.attack.limits import Peak
from tools.attack.mutations import damaged
from tools.attack.samples import ROWS, samples
from tools.attack.verdicts import HELD, Verdict, raised, refused

REFUSALS = (ValueError, TypeError, OSError, ImportError)
TIMES, MORE = 10, 200_000_000  # bytes of memory: so many times the file's, and so many more
FOLDERS = 0.05  # of the cases are folders of texts


def file_case(rng: np.random.Generator, folder: Path) -> Verdict:
    """Return the verdict on one damaged file."""
    if rng.random() < FOLDERS:
        return _read(lambda: read(_folder_of_texts(rng, folder)), 1000, "folder of texts")
    known = samples()
    sample = known[rng.integers(len(known))]
    path = folder / sample.name
    whole = rng.random() < 0.5
    data = damaged(rng, sample.pack(sample.data)) if whole else sample.pack(damaged(rng, sample.data))
    path.write_bytes(data)
    return _read(lambda: sample.reader(path), max(len(data), len(sample.data)), sample.name)


def _read(reader: Callable[[], Any], size: int, name: str) -> Verdict:
    peak = Peak()
    try:
        reader()
        verdict = HELD
    except REFUSALS as error:
        verdict = refused(error)
    except Exception as error:
        verdict = raised(error)
    if peak.rise() > TIMES * size + MORE:
        return Verdict("finding", f"{name}: took {peak.rise():,} bytes for a file of {size:,}")
    return verdict if verdict.word != "finding" else Verdict("finding", f"{name}: {verdict.why}")


def _folder_of_texts(rng: np.random.Generator, folder: Path) -> Path:
    """Make a folder with a sub-folder per class, some files damaged and some names odd."""
    for row in ROWS:
        name = ["a.txt", ".hidden.txt", "a b.txt", "ä.txt", "x.bin"][rng.integers(5)]
        place = folder / "texts" / row["label"] / f"{row['id']}{name}"
        place.parent.mkdir(parents=True, exist_ok=True)
        text = row["text"].encode()
        place.write_bytes(damaged(rng, text) if rng.random() < 0.3 else text)
    if rng.random() < 0.3:
        (folder / "texts" / "empty").mkdir()
    return folder / "texts"

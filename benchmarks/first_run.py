"""Plain ``laconic fit FILE`` beside scikit-learn's tf-idf grid, on users' own shapes: seconds, memory, words, scores.

The peer is what people run instead (``first_run_peer.py``): tf-idf with sublinear counts and logistic regression, five
values of C on five folds, both cores. Each runs as a process of its own; memory is that of its largest process.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.process import ROOT

REAL = ("sms", "davidson", "banking77", "goemotions", "arxiv")
SETS = (*REAL, "imdb", "20ng")
LACONIC = "import sys; from laconic.cli import main; sys.exit(main())"


def run(names: Sequence[str] = ()) -> list[dict]:
    """Run both on every data set, one after the other."""
    return [row for name in names or SETS for row in rows_of(name)]


def rows_of(name: str) -> Iterator[dict]:
    """Yield the rows of laconic and of the peer on one data set."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for split in ("train", "test"):
            _copy(name, split, place / f"{split}.jsonl")
        files = [str(place / "train.jsonl"), str(place / "test.jsonl")]
        fit = ["-c", LACONIC, "fit", files[0], "--out", str(place / "model"), "--quiet"]
        seconds, processor, memory = timed(fit)
        yield {"data": name, "who": "laconic", "s": seconds, "cpu s": processor, "MB": memory, **ours(place)}
        scores = place / "scores.json"
        seconds, processor, memory = timed(["-m", "benchmarks.first_run_peer", *files, str(scores)])
        found = json.loads(scores.read_text("utf-8"))
        yield {"data": name, "who": "scikit-learn", "s": seconds, "cpu s": processor, "MB": memory, **found}


def ours(place: Path) -> dict:
    """Return the scores and the size of the model that was saved."""
    import laconic
    from benchmarks.first_run_peer import read, scores

    texts, labels = read(str(place / "test.jsonl"))
    scorer = laconic.load(place / "model")
    made = json.loads((place / "model" / "model.json").read_text("utf-8"))
    chosen = made.get("extra", {}).get("chosen", {}).get("method", "-")
    return {**scores(labels, list(scorer.predict(texts))), "words": len(scorer.words), "note": chosen}


def timed(arguments: list[str]) -> tuple[float, float, float]:
    """Run Python with arguments; return wall seconds, processor seconds and the peak memory of its largest process."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    began = time.perf_counter()
    child = os.spawnve(os.P_NOWAIT, sys.executable, [sys.executable, *arguments], {**os.environ, "PYTHONPATH": path})
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"{' '.join(arguments[:4])} … ended with code {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def _copy(name: str, split: str, target: Path) -> None:
    """Write a split of a data set as JSON lines with text and label."""
    import lzma

    folder = Path(os.environ["LACONIC_DATA"]) / "text" / ("real" if name in REAL else "") / name
    with (
        lzma.open(folder / f"{split}.jsonl.xz", "rt", encoding="utf-8") as lines,
        target.open("w", encoding="utf-8") as out,
    ):
        for line in lines:
            row = json.loads(line)
            label = row["labels"] if "labels" in row else row["label"]
            if label is not None:
                out.write(json.dumps({"text": row["text"], "label": label}) + "\n")

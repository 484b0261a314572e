"""Runs in the environment of python-crfsuite: a column file to a saved model, or a model and a file to tags.

Features are the 19 templates of CRFsuite's own chunking example, as strings, which is what its users write.
"""

import json
import lzma
import sys
import time
from pathlib import Path

import pycrfsuite

SINGLE = [("w", i) for i in range(-2, 3)] + [("p", i) for i in range(-2, 3)]
RUNS = [("w", -1, 2), ("w", 0, 2)]
RUNS += [("p", i, 2) for i in range(-2, 2)] + [("p", i, 3) for i in range(-2, 1)]
TEMPLATES = [(column, i, 1) for column, i in SINGLE] + RUNS


def sentences(path):
    """Yield (words, tags of speech, tags)."""
    with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8") as file:
        for block in file.read().strip().split("\n\n"):
            yield list(zip(*(line.split() for line in block.split("\n")), strict=True))


def features(words, pos):
    """Return the strings of each token."""
    n = len(words)
    columns = {"w": words, "p": pos}
    found = []
    for i in range(n):
        row = []
        for column, first, size in TEMPLATES:
            at = i + first
            if at >= 0 and at + size <= n:
                values = columns[column]
                row.append(f"{column}[{first},{size}]={'|'.join(values[at : at + size])}")
        found.append(row)
    return found


def main(job):
    """Train or tag, and print what it took."""
    started = time.perf_counter()
    if job["do"] == "fit":
        trainer = pycrfsuite.Trainer(algorithm=job["algorithm"], params=job["params"], verbose=False)
        for words, pos, tags in sentences(job["file"]):
            trainer.append(features(words, pos), tags)
        trainer.train(job["model"])
        answer = {}
    else:
        tagger = pycrfsuite.Tagger()
        tagger.open(job["model"])
        ready = [features(words, pos) for words, pos, _ in sentences(job["file"])]
        before = time.perf_counter()
        tags = [tagger.tag(one) for one in ready]
        answer = {"tags": tags, "tagging": time.perf_counter() - before}
    answer["seconds"] = time.perf_counter() - started
    # not ru_maxrss, which a process inherits from the one that started it
    most = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    answer["megabytes"], answer["processor"] = int(most.split()[1]) / 1024, time.process_time()
    print(json.dumps(answer))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))

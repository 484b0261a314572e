"""A pursuit of 200 words with K classes against one on the same documents in two: processor seconds, ratio over K.

The classes are merged into their first and their second half. Words are those of a text classifier's defaults, λ is the
estimator's default, and every fit comes after one that may compile. A ratio of one is K pursuits of two classes.
"""

import json
import lzma
import os
import time
from pathlib import Path

import numpy as np

from benchmarks.measure import summary

REAL = ("davidson", "banking77")  # in the data folder under text/real
BUDGET, RUNS = 200, 3


def run() -> list[dict]:
    """Race on every data set."""
    return [race(name, *texts_of(name)) for name in (*REAL, "20ng/all")]


def texts_of(name: str) -> tuple[list[str], list[str]]:
    """Return the training texts and their labels."""
    from laconic.data import load

    if name not in REAL:
        train = load(name).train
        return list(train.texts), list(train.labels)
    with lzma.open(
        Path(os.environ["LACONIC_DATA"], "text", "real", name, "train.jsonl.xz"), "rt", encoding="utf-8"
    ) as lines:
        rows = [json.loads(line) for line in lines]
    return [row["text"] for row in rows], [row["label"] for row in rows]


def race(name: str, texts: list[str], labels: list[str]) -> dict:
    """Time both pursuits in turns."""
    from laconic import OMPClassifier, TextClassifier

    X = TextClassifier().bag_of_words().fit(texts).X
    y = np.unique(labels, return_inverse=True)[1]
    n_classes = int(y.max()) + 1
    halves = y >= (n_classes + 1) // 2
    seconds: dict[str, list[float]] = {"binary": [], "softmax": []}
    for target in (halves, y):
        OMPClassifier(2).fit(X, target)
    for _ in range(RUNS):
        for kind, target in (("binary", halves), ("softmax", y)):
            started = time.process_time()
            OMPClassifier(BUDGET).fit(X, target)
            seconds[kind].append(time.process_time() - started)
    binary, softmax = summary(seconds["binary"])[0], summary(seconds["softmax"])[0]
    return {
        "data": name,
        "documents": X.shape[0],
        "words": X.shape[1],
        "K": n_classes,
        "binary s": binary,
        "softmax s": softmax,
        "ratio / K": softmax / binary / n_classes,
    }

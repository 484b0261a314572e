"""Taggers on CoNLL-2000 against python-crfsuite, the same 19 templates: file to saved model in a new process.

Seconds are those of the whole process, start and imports included, with our kernels compiled earlier; the first run
ever, which compiles them, has a row of its own. F1 is of the test set. Tokens per second are from words to tags in a
warm process; for python-crfsuite also without the making of its strings, in brackets.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.environments import python
from benchmarks.measure import summary

ROUNDS = 3
PEERS = {
    "crfsuite ap, 10 passes": ("ap", {"max_iterations": 10}),
    "crfsuite lbfgs": ("lbfgs", {"c2": 1.0}),
}
OURS = {
    "laconic perceptron, 6 passes": ["--templates", "crfsuite", "--loss", "perceptron", "--passes", "6"],
    "laconic crf, 3 passes": ["--templates", "crfsuite", "--passes", "3"],
    "laconic crf, 96 templates, budget 30": ["--templates", "chunking", "--budget", "30"],
    "laconic mira, all 96 templates": ["--templates", "chunking", "--loss", "mira", "--passes", "15"],
}
RACED = 2  # the first ones of both are timed several times, in turn


def run() -> list[dict]:
    """Return one row per learner."""
    data = Path(os.environ.get("LACONIC_DATA", ""), "structured", "conll2000")
    if not (data / "train.conll.xz").exists():
        raise FileNotFoundError("tagging needs CoNLL-2000: set LACONIC_DATA to the folder that holds structured/")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in (*OURS, *PEERS)}
        first = _ours(data, Path(folder, "first"), next(iter(OURS.values())), {"LACONIC_CACHE": f"{folder}/cache"})
        for turn in range(ROUNDS):
            for number, (name, options) in enumerate(OURS.items()):
                if turn == 0 or number < RACED:
                    times[name].append(_ours(data, Path(folder, f"{name}{turn}"), options, {}))
            for name, (algorithm, params) in PEERS.items():
                if turn == 0 or algorithm == "ap":  # L-BFGS takes minutes
                    job = {"do": "fit", "algorithm": algorithm, "params": params, "file": str(data / "train.conll.xz")}
                    times[name].append(_peer({**job, "model": f"{folder}/{name}"})[:2])
        for name in OURS:
            f1, speed, size = _predict_ours(data, Path(folder, f"{name}0"))
            rows.append(_row(name, times[name], f1, f"{speed:,.0f}", size))
        for name in PEERS:
            f1, speed, tagging = _predict_peer(data, f"{folder}/{name}")
            size = Path(folder, name).stat().st_size
            rows.append(_row(name, times[name], f1, f"{speed:,.0f} ({tagging:,.0f})", size))
        rows.append(_row("laconic perceptron, first run ever", [first], None, "-", 0))
    return rows


def _row(name: str, times: list[tuple[float, float]], f1: float | None, speed: str, size: int) -> dict:
    seconds, megabytes = zip(*times, strict=True)
    return {
        "learner": name,
        "seconds": summary(list(seconds))[0] if len(seconds) > 1 else seconds[0],
        "runs": len(seconds),
        "F1": "-" if f1 is None else f"{100 * f1:.2f}",
        "peak MB": max(megabytes),
        "tokens/s": speed,
        "model MB": size / 1e6,
    }


def _ours(data: Path, out: Path, options: list[str], environment: dict[str, str]) -> tuple[float, float]:
    code = (
        "import sys, resource\nfrom laconic.cli import main\ncode = main()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, file=sys.stderr)\nsys.exit(code)"
    )
    command = [
        sys.executable,
        "-c",
        code,
        "tag",
        "fit",
        str(data / "train.conll.xz"),
        "--out",
        str(out),
        "-q",
        *options,
    ]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **environment})
    return time.perf_counter() - started, float(done.stderr.strip().splitlines()[-1])


def _peer(job: dict) -> tuple[float, float, dict]:
    worker = str(Path(__file__).with_name("crfsuite_worker.py"))
    started = time.perf_counter()
    done = subprocess.run(
        [python("requirements-crfsuite.txt"), worker, json.dumps(job)], capture_output=True, text=True, check=True
    )
    answer = json.loads(done.stdout.splitlines()[-1])
    return time.perf_counter() - started, answer["megabytes"], answer


def _predict_ours(data: Path, model: Path) -> tuple[float, float, int]:
    import laconic
    from laconic.data.tagged_files import read_tagged
    from laconic.structured.span_scores import score_tags

    sentences, tags, _ = read_tagged(data / "test.conll.xz")
    tagger = laconic.load(model).to_estimator()
    tagger.predict(sentences)
    seconds = []
    for _ in range(7):
        started = time.perf_counter()
        found = tagger.predict(sentences)
        seconds.append(time.perf_counter() - started)
    size = sum(file.stat().st_size for file in model.iterdir())
    return score_tags(tags, found).overall.f1, sentences.n_tokens / summary(seconds)[0], size


def _predict_peer(data: Path, model: str) -> tuple[float, float, float]:
    from laconic.data.tagged_files import read_tagged
    from laconic.structured.span_scores import score_tags

    sentences, tags, _ = read_tagged(data / "test.conll.xz")
    _, _, answer = _peer({"do": "tag", "file": str(data / "test.conll.xz"), "model": model})
    f1 = score_tags(tags, answer["tags"]).overall.f1
    return f1, sentences.n_tokens / answer["seconds"], sentences.n_tokens / answer["tagging"]

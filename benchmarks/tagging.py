"""Taggers on CoNLL-2000 against python-crfsuite, the same 19 templates: file to saved model in a new process.

Seconds are those of the whole process, start and imports included, with our kernels compiled earlier; the first run
ever, which compiles them, has a row of its own. Processor seconds count what the process itself did, whatever else the
machine was doing. F1 is of the test set. Tokens per second are from words to tags in a warm process; for
python-crfsuite also without the making of its strings, in brackets.

How many passes ours make is found on every tenth training sentence, held out: the fewest whose F1 there is within
0.05 points of the best of up to ten. All 96 templates, and the 452 of named entities (Spanish), are run for memory.
"""

import json
import lzma
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.environments import python
from benchmarks.measure import summary

ROUNDS = 3
MOST_PASSES = 10
HELD_OUT = 10
TRAIN, TEST = "train.conll.xz", "test.conll.xz"
PEERS = {
    "crfsuite ap, 10 passes": ("ap", {"max_iterations": 10}),
    "crfsuite lbfgs": ("lbfgs", {"c2": 1.0}),
}
RACED = ("perceptron", "crf")
CLOSE = 0.0005
LARGE = {
    "laconic crf, 96 templates, budget 30": ("conll2000", ["--templates", "chunking", "--budget", "30"]),
    "laconic mira, all 96 templates": (
        "conll2000",
        ["--templates", "chunking", "--loss", "mira", "--passes", "15"],
    ),
    "laconic crf, names, 452 templates, budget 60": ("conll2002_esp", ["--templates", "ner", "--budget", "60"]),
}


class Cost(NamedTuple):
    """What a process took."""

    seconds: float
    processor: float
    megabytes: float


def run() -> list[dict]:
    """Return one row per learner."""
    structured = Path(os.environ.get("LACONIC_DATA", ""), "structured")
    data = structured / "conll2000"
    if not (data / TRAIN).exists():
        raise FileNotFoundError("tagging needs CoNLL-2000: set LACONIC_DATA to the folder that holds structured/")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        first = _ours(data, place / "first", ["--templates", "crfsuite"], {"LACONIC_CACHE": f"{folder}/cache"})
        ours = _raced(data, place)
        times: dict[str, list[Cost]] = {name: [] for name in (*ours, *PEERS)}
        for turn in range(ROUNDS):
            for name, options in ours.items():
                times[name].append(_ours(data, place / f"{name}{turn}", options))
            for name, (algorithm, _) in PEERS.items():
                if turn == 0 or algorithm == "ap":  # L-BFGS takes minutes
                    times[name].append(_fit_peer(data, name, place / name))
        rows += [_row(name, times[name], *_predict_ours(data, place / f"{name}0")) for name in ours]
        rows += [_row(name, times[name], *_predict_peer(data, place / name)) for name in PEERS]
        for name, (corpus, options) in LARGE.items():
            if (structured / corpus / TRAIN).exists():
                cost = _ours(structured / corpus, place / name, options)
                rows.append(_row(name, [cost], *_predict_ours(structured / corpus, place / name)))
        rows.append(_row("laconic crf, first run ever", [first], None, "-", 0))
    return rows


def _raced(data: Path, place: Path) -> dict[str, list[str]]:
    """Return our learners with as many passes as held-out sentences ask for."""
    held = place / "held"
    _hold_out(data / TRAIN, held)
    found = {}
    for loss in RACED:
        options = ["--templates", "crfsuite", "--loss", loss, "--passes"]
        scores = []
        for passes in range(1, MOST_PASSES + 1):
            model = held / f"{loss}{passes}"
            _ours(held, model, [*options, str(passes)])
            scores.append(_predict_ours(held, model)[0])
        passes = 1 + next(number for number, score in enumerate(scores) if score >= max(scores) - CLOSE)
        found[f"laconic {loss}, {passes} pass{'es' * (passes > 1)}"] = [*options, str(passes)]
    return found


def _hold_out(file: Path, folder: Path) -> None:
    """Write every tenth sentence of a file as test, and the others as train."""
    folder.mkdir()
    blocks = lzma.decompress(file.read_bytes()).decode().strip().split("\n\n")
    for name, mine in ((TRAIN, range(HELD_OUT - 1)), (TEST, (HELD_OUT - 1,))):
        text = "\n\n".join(block for number, block in enumerate(blocks) if number % HELD_OUT in mine)
        (folder / name).write_bytes(lzma.compress(text.encode() + b"\n", preset=0))


def _row(name: str, times: list[Cost], f1: float | None, speed: str, size: int) -> dict:
    def middle(values: list[float]) -> float:
        return summary(values)[0] if len(values) > 1 else values[0]

    return {
        "learner": name,
        "seconds": middle([one.seconds for one in times]),
        "processor s": middle([one.processor for one in times]),
        "runs": len(times),
        "F1": "-" if f1 is None else f"{100 * f1:.2f}",
        "peak MB": max(one.megabytes for one in times),
        "tokens/s": speed,
        "model MB": size / 1e6,
    }


def _ours(data: Path, out: Path, options: list[str], environment: dict[str, str] | None = None) -> Cost:
    code = (
        "import sys, time\nfrom laconic.cli import main\ncode = main()\n"
        "most = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(time.process_time(), int(most.split()[1]) / 1024, file=sys.stderr)\nsys.exit(code)"
    )
    command = [sys.executable, "-c", code, "tag", "fit", str(data / TRAIN), "--out", str(out), "-q", *options]
    started = time.perf_counter()
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, **(environment or {})}
    )
    seconds = time.perf_counter() - started
    return Cost(seconds, *map(float, done.stderr.strip().splitlines()[-1].split()))


def _fit_peer(data: Path, name: str, model: Path) -> Cost:
    algorithm, params = PEERS[name]
    job = {"do": "fit", "algorithm": algorithm, "params": params, "file": str(data / TRAIN), "model": str(model)}
    return _peer(job)[0]


def _peer(job: dict) -> tuple[Cost, dict]:
    worker = str(Path(__file__).with_name("crfsuite_worker.py"))
    started = time.perf_counter()
    done = subprocess.run(
        [python("requirements-crfsuite.txt"), worker, json.dumps(job)], capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - started
    answer = json.loads(done.stdout.splitlines()[-1])
    return Cost(seconds, answer["processor"], answer["megabytes"]), answer


def _predict_ours(data: Path, model: Path) -> tuple[float, str, int]:
    import laconic
    from laconic.structured.scores import score_tags

    sentences, tags = _test(data)
    tagger = laconic.load(model).to_estimator()
    tagger.predict(sentences)
    seconds = []
    for _ in range(7):
        started = time.perf_counter()
        found = tagger.predict(sentences)
        seconds.append(time.perf_counter() - started)
    size = sum(file.stat().st_size for file in model.iterdir())
    return score_tags(tags, found).overall.f1, f"{sentences.n_tokens / summary(seconds)[0]:,.0f}", size


def _predict_peer(data: Path, model: Path) -> tuple[float, str, int]:
    from laconic.structured.scores import score_tags

    sentences, tags = _test(data)
    _, answer = _peer({"do": "tag", "file": str(data / TEST), "model": str(model)})
    f1 = score_tags(tags, answer["tags"]).overall.f1
    speed = f"{sentences.n_tokens / answer['seconds']:,.0f} ({sentences.n_tokens / answer['tagging']:,.0f})"
    return f1, speed, model.stat().st_size


def _test(data: Path) -> tuple:
    from laconic.data.annotated.tagged_files import read_tagged

    return read_tagged(data / TEST)[:2]

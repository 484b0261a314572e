"""Parsers on Danish (CoNLL-X) by the number of templates, beside UDPipe 1: file to saved model, tokens per second.

Processor seconds and memory are those of a whole process, start and imports included, relations left out. UAS is of the
test set, without punctuation. Tokens per second are from columns to heads in a warm process, the median of seven runs.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.environments import NotInstalledError, python
from benchmarks.measure import summary

BUDGETS = (None, 400, 200, 100, 50)
PASSES, SELECTION_PASSES = "5", "3"
# Arcs may cross. Its dynamic and search-based oracles are left out: with them a model took more than 300 s.
PEER = (
    f"iterations={PASSES};transition_system=swap;transition_oracle=static_lazy;structured_interval=0;"
    "embedding_upostag=20;embedding_xpostag=20;embedding_form=50;embedding_deprel=20;hidden_layer=200"
)


def run() -> list[dict]:
    """Return one row per parser."""
    data = Path(os.environ.get("LACONIC_DATA", ""), "structured", "conllx_danish_ddt")
    if not (data / "train.conll.xz").exists():
        raise FileNotFoundError("parsing needs a treebank: set LACONIC_DATA to the folder that holds structured/")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for budget in BUDGETS:
            model = Path(folder, f"parser{budget}")
            seconds, megabytes = fitted(data / "train.conll.xz", model, budget)
            name = f"laconic, {budget or 'all 684'} templates"
            rows.append(measured(name, data / "test.conll.xz", model, seconds, megabytes))
            rows[-1]["speed-up"] = rows[-1]["tokens/s"] / rows[0]["tokens/s"]
        try:
            rows.append(_peer(data, Path(folder, "udpipe")))
        except NotInstalledError as error:
            print(f"UDPipe is left out: {error}", file=sys.stderr)
    return rows


def fitted(train: Path, out: Path, budget: int | None) -> tuple[float, float]:
    """Fit a parser in a process of its own; return the processor seconds and the peak in MB of that process."""
    code = (
        "import sys, time\nfrom laconic.cli import main\ncode = main()\n"
        # not ru_maxrss, which a process inherits from the one that started it
        "most = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(time.process_time(), int(most.split()[1]) / 1024, file=sys.stderr)\nsys.exit(code)"
    )
    choose = [] if budget is None else ["--budget", str(budget), "--selection-passes", SELECTION_PASSES]
    options = ["--passes", PASSES, "--no-relations", "--out", str(out), "-q", *choose]
    command = [sys.executable, "-c", code, "parse", "fit", str(train), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, megabytes = map(float, done.stderr.strip().splitlines()[-1].split())
    return seconds, megabytes


def measured(name: str, test_file: Path, folder: Path, seconds: float, megabytes: float) -> dict:
    """Return the row of a saved parser: what it took to fit, and how well and how fast it parses a test set."""
    import laconic
    from laconic.data.annotated.treebank import read_treebank

    test = read_treebank(test_file)
    parser = laconic.load(folder).to_estimator()
    parser.parse(test.sentences)
    times = []
    for _ in range(7):
        started = time.perf_counter()
        heads, _ = parser.parse(test.sentences)
        times.append(time.perf_counter() - started)
    size = sum(file.stat().st_size for file in folder.iterdir())
    return {
        "parser": name,
        "seconds": seconds,
        "peak MB": megabytes,
        "UAS": _uas(test, heads),
        "weights": parser.model_.n_weights,
        "tokens/s": test.n_tokens / summary(times)[0],
        "model MB": size / 1e6,
    }


def _peer(data: Path, model: Path) -> dict:
    from laconic.data.annotated.treebank import read_treebank

    worker = [python("requirements-udpipe.txt"), str(Path(__file__).with_name("udpipe_worker.py"))]

    def ask(job: dict) -> dict:
        done = subprocess.run([*worker, json.dumps({**job, "model": str(model)})], capture_output=True, check=True)
        return json.loads(done.stdout.splitlines()[-1])

    fitted = ask({"do": "fit", "file": str(data / "train.conll.xz"), "options": PEER})
    test = read_treebank(data / "test.conll.xz")
    found = ask({"do": "parse", "file": str(data / "test.conll.xz")})
    return {
        "parser": "UDPipe 1, gold tags",
        "seconds": fitted["seconds"],
        "peak MB": fitted["megabytes"],
        "UAS": _uas(test, np.array(found["heads"])),
        "weights": "-",
        "tokens/s": test.n_tokens / found["parsing"],
        "model MB": model.stat().st_size / 1e6,
        "speed-up": "-",
    }


def _uas(test, heads) -> float:
    from laconic.structured.scores import score_trees

    return 100 * score_trees(test.sentences, test.trees, heads).words.uas

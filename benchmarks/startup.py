"""Start-up: the help page, loading a 2,000-word model without numba, scipy and scikit-learn, the first fit ever.

``python -c pass`` in the same run is what a new process costs by itself. Loading is timed inside a process that has
imported numpy already.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.measure import alternate, in_new_process, summary

BLOCKED = "import sys\nfor name in ('numba', 'scipy', 'sklearn'):\n    sys.modules[name] = None\nimport numpy, time\n"


def run() -> list[dict]:
    """Return one row per thing a user waits for."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        model, words = _model_of_2000_words(Path(folder, "model"))
        environment_cold = f"import os\nos.environ['LACONIC_CACHE'] = {str(Path(folder, 'cache'))!r}\n"
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "laconic --help": [str(Path(sys.executable).with_name("laconic")), "--help"],
        }
        jobs = {name: lambda c=c: subprocess.run(c, capture_output=True, check=True) for name, c in commands.items()}
        for name, seconds in alternate(jobs).items():
            median, low, high = summary(seconds)
            rows.append({"what": name, "ms": 1e3 * median, "interval": f"{1e3 * low:.0f}-{1e3 * high:.0f}"})
        load = (
            BLOCKED
            + f"t = time.perf_counter()\nimport laconic\nlaconic.load({str(model)!r})\nprint(time.perf_counter() - t)"
        )
        median, low, high = summary([float(in_new_process(load)[2]) for _ in range(15)])
        rows.append(
            {
                "what": f"import laconic and load {words} words, after numpy",
                "ms": 1e3 * median,
                "interval": f"{1e3 * low:.1f}-{1e3 * high:.1f}",
            }
        )
        fit = (
            "import numpy as np, time, laconic\nX = np.eye(4)\ny = [0, 1, 0, 1]\nlaconic.ElasticNetClassifier\n"
            "t = time.perf_counter()\nlaconic.ElasticNetClassifier(l1=0.1).fit(X, y)\nprint(time.perf_counter() - t)"
        )
        first = float(in_new_process(environment_cold + fit)[2])
        again = summary([float(in_new_process(environment_cold + fit)[2]) for _ in range(7)])[0]
        rows.append({"what": "first fit ever, compiling (one run)", "ms": 1e3 * first, "interval": "-"})
        rows.append({"what": "first fit of later processes", "ms": 1e3 * again, "interval": "-"})
        warm = f"import os\nos.environ['LACONIC_CACHE'] = {str(Path(folder, 'all'))!r}\n"
        seconds, _, _ = in_new_process(warm + "from laconic.workflows.warmup import compile_all\ncompile_all()")
        rows.append({"what": "laconic warmup, all kernels (one run)", "ms": 1e3 * seconds, "interval": "-"})
    return rows


def _model_of_2000_words(folder: Path) -> tuple[Path, int]:
    import laconic

    rng = np.random.default_rng(0)
    words = [f"word{i}" for i in range(2000)]
    texts = [" ".join(rng.choice(words, 60)) for _ in range(600)] + [" ".join(words)]
    model = laconic.TextClassifier(laconic.ElasticNetClassifier(l2=1.0)).fit(texts, ["a", "b"] * 300 + ["a"])
    model.save(folder)
    return folder, model.n_words_

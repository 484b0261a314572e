"""Pursuits: a path of 2,000 words against refits by scikit-learn, 50 words of IMDB against abess, groups, a grid.

*Path.* Science of 20 Newsgroups, word counts, budget 2,000, for every λ of the paper. The peer is what one writes with
scikit-learn: Xᵀr, the best column, ``LogisticRegression`` on the chosen columns (lbfgs, one thread), and again. All its
2,000 steps are timed, once; what the straight line through its first 200 steps foretells stands beside. Both sides have
the loosest tolerance of their ladder with a loss within 1e-4 of the optimum wherever it is looked at: the peer at 50,
100, 150 and 200 words, ours at these and at 500, 1,000 and 2,000.

*abess.* 50 words of IMDB without a ridge, out of all words and out of the most frequent thousands, where abess comes to
an end; it is stopped after ten minutes, and its ratio is then a lower bound.

*Groups* are all singletons, *grid* is five λ on two threads, both against fits of the same run.
"""

import json
import subprocess
import time
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse

from benchmarks import datasets, machine
from benchmarks.datasets import _sentences
from benchmarks.environments import NotInstalledError, python
from benchmarks.measure import alternate, summary
from benchmarks.race import say
from benchmarks.tables import aligned

LEVELS = (0.01, 0.1, 1.0, 10.0, 100.0)
BUDGET, FIRST = 2000, 200
EARLY, LATE = (50, 100, 150, 200), (500, 1000, 2000)
EQUAL = 1e-4
OUR_LADDER = (1e-4, 7e-5, 5e-5, 3e-5, 1e-5, 3e-6)
PEER_LADDER = (1e-4, 1e-5, 1e-6, 1e-7)
FEW, LIMIT, MOST = 50, 600.0, (1000, 3000, 10**9)
ABESS = """
import json, sys, time
import numpy as np
from scipy import sparse
from abess import LogisticRegression
stored = np.load(sys.argv[1])
X = sparse.csc_matrix((stored["data"], stored["indices"], stored["indptr"]), shape=tuple(stored["shape"]))
X = X[:, np.sort(np.argsort(-np.diff(X.indptr), kind="stable")[: int(sys.argv[3])])]
started = time.perf_counter()
model = LogisticRegression(support_size=[int(sys.argv[2])]).fit(X, stored["y"])
seconds = time.perf_counter() - started
F = X @ model.coef_.ravel() + np.ravel(model.intercept_)[0]
loss = np.logaddexp(0.0, np.where(stored["y"] == 1, -F, F)).sum()
print(json.dumps({"seconds": seconds, "loss": float(loss), "words": int(np.count_nonzero(model.coef_))}))
"""


def run(out: Path, runs: int) -> str:
    """Measure everything, write JSON, return the tables."""
    warnings.simplefilter("ignore")
    content: dict = {"title": "Pursuits", "machine": machine.describe()}
    X, y = science()
    sections = {
        "path": lambda: [against_refits(X, y, level, runs) for level in LEVELS],
        "groups": lambda: [singletons(X, y, level, runs) for level in LEVELS],
        "grid": lambda: [grid(X, y, runs)],
        "abess": lambda: [against_abess(most, runs) for most in MOST],
    }
    tables = []
    for name, measure in sections.items():
        say(f"pursuit: {name}")
        content[name] = measure()
        (out / "pursuit.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        tables.append(f"{name}\n{aligned(content[name])}")
    return "\n\n".join([__doc__.splitlines()[0], *tables])


def science() -> tuple[sparse.csr_matrix, np.ndarray]:
    """Return word counts and labels."""
    data = _sentences.get("science")
    return sparse.csr_matrix(data.X), data.y


def against_refits(X: sparse.csr_matrix, y: np.ndarray, level: float, runs: int) -> dict:
    """Race a path at one λ."""
    from laconic import OMPClassifier

    OMPClassifier(2).fit(X, y)
    for tol in OUR_LADDER:
        path = OMPClassifier(BUDGET, level, tol=tol).fit(X, y).path_
        order = [step["entered"][0] for step in path.parameters[1:]]
        reached = {k: path.parameters[k]["objective"] / optimum(X[:, order[:k]], y, level) - 1 for k in EARLY + LATE}
        if max(reached.values()) <= EQUAL:
            break
    seconds, low, high = summary(
        alternate({"ours": lambda: OMPClassifier(BUDGET, level, tol=tol).fit(X, y)}, runs)["ours"]
    )
    for peer_tol in PEER_LADDER:
        steps, peer_reached = refits(X, y, level, peer_tol)
        if peer_reached <= EQUAL:
            break
    steps, _ = refits(X, y, level, peer_tol, BUDGET)
    slope, start = np.polyfit(np.arange(1, FIRST + 1), steps[:FIRST], 1)
    line = float(np.sum(np.maximum(start + slope * np.arange(1, BUDGET + 1), 0.0)))
    whole = float(np.sum(steps))
    return {
        "λ": level,
        "ours s": seconds,
        "interval": f"{low:.3g}-{high:.3g}",
        "tol": tol,
        "excess": f"{max(reached.values()):.1e}",
        "peer tol": peer_tol,
        "peer excess": f"{peer_reached:.1e}",
        "200 refits s": float(np.sum(steps[:FIRST])),
        "2000 by line s": line,
        "ratio by line": line / seconds,
        "2000 refits s": whole,
        "ratio": whole / seconds,
    }


def refits(
    X: sparse.csr_matrix, y: np.ndarray, level: float, tol: float, n_steps: int = FIRST
) -> tuple[np.ndarray, float]:
    """Pursue by refits of scikit-learn; return the seconds of every step and the worst excess of the loss."""
    from sklearn.linear_model import LogisticRegression

    positive = (y == y.max()).astype(float)
    scale = 1.0 / np.sqrt(X.multiply(X).sum(axis=0)).A1
    residual = positive - positive.mean()
    chosen: list[int] = []
    seconds, worst = np.empty(n_steps), 0.0
    for step in range(n_steps):
        started = time.perf_counter()
        scores = np.abs(X.T @ residual) * scale
        scores[chosen] = -1.0
        chosen.append(int(np.argmax(scores)))
        part = X[:, chosen]
        model = LogisticRegression(C=0.5 / level, tol=tol, max_iter=10_000).fit(part, y)
        residual = positive - model.predict_proba(part)[:, 1]
        seconds[step] = time.perf_counter() - started
        if step + 1 in EARLY:
            value = objective(part, y, level, model.coef_[0], model.intercept_[0])
            worst = max(worst, value / optimum(part, y, level) - 1)
    return seconds, worst


def objective(A: sparse.csr_matrix, y: np.ndarray, level: float, w: np.ndarray, b: float) -> float:
    """Return Σ log(1 + exp(−y f)) + λ‖w‖²."""
    F = A @ w + b
    return float(np.logaddexp(0.0, np.where(y == y.max(), -F, F)).sum() + level * w @ w)


def optimum(A: sparse.csr_matrix, y: np.ndarray, level: float) -> float:
    """Return the least objective over some columns, by scikit-learn at its tightest."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=0.5 / level, tol=1e-10, max_iter=100_000).fit(A, y)
    return objective(A, y, level, model.coef_[0], model.intercept_[0])


def singletons(X: sparse.csr_matrix, y: np.ndarray, level: float, runs: int) -> dict:
    """Race group OMP with a group for each word against OMP."""
    from laconic import GroupOMPClassifier, Groups, OMPClassifier

    groups = Groups.singletons(X.shape[1])
    jobs = {
        "omp": lambda: OMPClassifier(BUDGET, level).fit(X, y),
        "gomp": lambda: GroupOMPClassifier(groups, BUDGET, level, singletons="all").fit(X, y),
    }
    seconds = alternate(jobs, runs)
    ratio, low, high = summary([one / other for one, other in zip(seconds["gomp"], seconds["omp"], strict=True)])
    return {"λ": level, "omp s": summary(seconds["omp"])[0], "ratio": ratio, "interval": f"{low:.2f}-{high:.2f}"}


def grid(X: sparse.csr_matrix, y: np.ndarray, runs: int) -> dict:
    """Time the five λ as one call on two threads, and each of them alone."""
    from laconic import OMPClassifier

    points = [{"l2": level} for level in LEVELS]
    jobs = {str(level): lambda level=level: OMPClassifier(BUDGET, level).fit(X, y) for level in LEVELS}
    jobs["grid"] = lambda: OMPClassifier(BUDGET, n_jobs=2).fit_grid(X, y, points)
    seconds = {name: summary(found) for name, found in alternate(jobs, runs).items()}
    alone = [seconds[str(level)][0] for level in LEVELS]
    whole, low, high = seconds["grid"]
    return {
        "grid s": whole,
        "interval": f"{low:.3g}-{high:.3g}",
        "fastest λ s": min(alone),
        "mean λ s": float(np.mean(alone)),
        "slowest λ s": max(alone),
        "grid / mean": whole / float(np.mean(alone)),
    }


def against_abess(most: int, runs: int) -> dict:
    """Choose 50 of the most frequent words of IMDB, by us and by abess."""
    from laconic import OMPClassifier

    data = datasets.get("imdb")
    columns = sparse.csc_matrix(data.X)
    frequent = np.sort(np.argsort(-np.diff(columns.indptr), kind="stable")[:most])
    X, y = columns[:, frequent].tocsr(), np.where(data.y == 1, 1.0, -1.0)
    model = OMPClassifier(FEW, 0.0).fit(X, y)
    seconds, low, high = summary(alternate({"ours": lambda: OMPClassifier(FEW, 0.0).fit(X, y)}, runs)["ours"])
    loss = objective(X, y, 0.0, model.coef_[0], model.intercept_[0])
    row = {"out of": len(frequent), "ours s": seconds, "interval": f"{low:.3g}-{high:.3g}", "loss": loss}
    path = datasets.file("imdb", False, "csc")
    try:
        interpreter = python("requirements-abess.txt")
        command = [interpreter, "-c", ABESS, str(path), str(FEW), str(most)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=LIMIT)
    except NotInstalledError as error:
        return {**row, "abess": f"not installed: {error}"}
    except subprocess.TimeoutExpired:
        return {**row, "abess s": f"> {LIMIT:.0f}", "ratio": f"> {LIMIT / seconds:.0f}"}
    peer = json.loads(done.stdout.splitlines()[-1])
    return {
        **row,
        "abess s": peer["seconds"],
        "abess loss": peer["loss"],
        "abess words": peer["words"],
        "loss above": f"{100 * (loss / peer['loss'] - 1):.2f} %",
        "ratio": peer["seconds"] / seconds,
    }

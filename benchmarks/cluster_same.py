"""Every estimator on partitions against itself in memory, on a whole corpus: gaps, objectives, words, seconds.

``python -m benchmarks.cluster_same imdb FOLDER`` (or ``planted``) writes the training texts as 1, 2, 4 and 7 files of
JSON lines, turns them into blocks on two workers, fits there, and compares with the fit of one process on the same
texts in memory. What is done is kept in FOLDER, and not done again by the same command; names of estimators after
FOLDER fit only these. *Objective*: relative difference; *other words*: how many have a weight above 1e-6 on one side
only. Pursuits have no gap; of them the features that entered step by step are compared.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.race import say
from benchmarks.tables import aligned

PARTS = (1, 2, 4, 7)
TOL = 1e-9


def same(data: str, folder: Path, only: list[str]) -> str:
    """Fit what is not in the folder yet, and return the table."""
    from laconic.groups import SentenceGroups
    from laconic.partitions import fit_partitions, partition_texts
    from laconic.partitions.runners import local_client
    from laconic.text import BagOfWords

    folder.mkdir(parents=True, exist_ok=True)
    corpus, bag, builder = _corpus(data), BagOfWords(cells="binary"), SentenceGroups()
    design = bag.fit(corpus.texts)
    made = _estimators(design.vocabulary.words)
    names = [name for name in made if not only or name in only]
    sentences = None
    with local_client(workers=2) as client:
        for parts in PARTS:
            source = _files(folder / f"texts-{parts}", corpus, parts)
            there = partition_texts(source, folder / f"blocks-{parts}", bag=bag, groups=builder, client=client)
            assert there.words == design.vocabulary.words
            for name in names:
                if (folder / f"{name}-{parts}.json").exists():
                    continue
                if not (folder / f"{name}.npz").exists():
                    estimator = made[name]
                    if "sentences" in name:
                        sentences = builder.build(corpus, design.vocabulary) if sentences is None else sentences
                        estimator = estimator.set_params(groups=sentences)
                    say(f"{data}: {name} in memory")
                    _keep(folder / f"{name}.npz", estimator, design.X, list(corpus.labels))
                    if "sentences" in name:
                        estimator.set_params(groups=None)
                say(f"{data}: {name} on {parts} partitions")
                started = time.perf_counter()
                model = fit_partitions(made[name], there)
                row = _compared(model, np.load(folder / f"{name}.npz"), time.perf_counter() - started)
                row = {"estimator": name, "partitions": parts, **row}
                (folder / f"{name}-{parts}.json").write_text(json.dumps(row))
    rows = [json.loads((folder / f"{name}-{parts}.json").read_text()) for name in names for parts in PARTS]
    return aligned(rows)


def _corpus(data: str):
    if data == "imdb":
        from laconic import data as known

        return known.load("imdb").train
    from laconic.data.synthetic import planted

    return planted(n_documents=20_000, n_words=5000, seed=1).corpus


def _estimators(words: tuple[str, ...]) -> dict:
    """Return one estimator per kind of penalty; given groups are words with the same beginning or ending."""
    from laconic import ElasticNetClassifier, GroupLassoClassifier, GroupOMPClassifier, OMPClassifier

    def by(cut) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for j, word in enumerate(words):
            found.setdefault(cut(word), []).append(j)
        return found

    three = {f"{key}…": members for key, members in by(lambda word: word[:3]).items()}
    four = {f"{key}…": members for key, members in by(lambda word: word[:4].ljust(4)).items()}
    endings = {f"…{key}": members for key, members in by(lambda word: word[-3:]).items()}
    return {
        "lasso": ElasticNetClassifier(l1=5.0, l2=0.0, tol=TOL),
        "elastic net": ElasticNetClassifier(l1=5.0, l2=0.5, tol=TOL),
        "disjoint groups": GroupLassoClassifier(three, 2.0, 2.0, tol=TOL),
        "nested groups": GroupLassoClassifier({**three, **four}, 1.0, 2.0, tol=TOL),
        "overlapping groups": GroupLassoClassifier({**three, **endings}, 1.0, 3.0, tol=TOL),
        "sentences": GroupLassoClassifier(group=0.02, l1=5.0, tol=TOL),
        "OMP": OMPClassifier(budget=30, tol=1e-10),
        "group OMP": GroupOMPClassifier(three, budget=60, tol=1e-10),
        "group OMP, sentences": GroupOMPClassifier(budget=60, members="paying", tol=1e-10),
    }


def _files(folder: Path, corpus, parts: int) -> str:
    if not folder.is_dir():
        folder.mkdir(parents=True)
        rows = [json.dumps({"id": one.id, "text": one.text, "label": one.label}) for one in corpus]
        for i in range(parts):
            (folder / f"{i}.jsonl").write_text("\n".join(rows[i::parts]) + "\n", encoding="utf-8")
    return str(folder / "*.jsonl")


def _keep(path: Path, estimator, X, y) -> None:
    started = time.perf_counter()
    estimator.fit(X, y)
    seconds, found = time.perf_counter() - started, estimator.solution_
    facts = {"objective": found.objective, "gap": found.relative_gap, "seconds": seconds}
    np.savez(path, coef=estimator.coef_, entered=_entered(estimator), **facts)


def _entered(model) -> str:
    """Return which features entered step by step in a pursuit; empty for other fits."""
    steps = getattr(getattr(model, "path_", None), "parameters", ())
    return json.dumps([np.atleast_1d(step["entered"]).tolist() for step in steps if "entered" in step]) if steps else ""


def _compared(model, reference, seconds: float) -> dict:
    ours, theirs = (np.abs(one).max(axis=0) > 1e-6 for one in (model.coef_, reference["coef"]))
    best, pursued = float(reference["objective"]), str(reference["entered"])
    return {
        "seconds": round(seconds, 1),
        "in memory": round(float(reference["seconds"]), 1),
        "gap": "" if pursued else f"{model.solution_.relative_gap:.0e}",
        "its gap": "" if pursued else f"{float(reference['gap']):.0e}",
        "objective": f"{abs(model.solution_.objective - best) / best:.0e}",
        "words": int(ours.sum()),
        "other words": int((ours != theirs).sum()),
        "entered": pursued and ("the same" if _entered(model) == pursued else "others"),
    }


if __name__ == "__main__":
    print(same(sys.argv[1], Path(sys.argv[2]), sys.argv[3:]))

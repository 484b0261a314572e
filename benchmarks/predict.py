"""Documents per second: a saved laconic model against CountVectorizer + LogisticRegression.

Data: 5,000 test reviews of IMDB where ``LACONIC_DATA`` is set, else a planted corpus. Both models are lasso logistic
regressions of the same penalty on the same training texts. Warm: predicting again in one process. Cold: a new process
that loads the model and predicts 100 documents.
"""

import os
import pickle
import tempfile
from pathlib import Path

from benchmarks.measure import alternate, in_new_process, summary

N_DOCUMENTS = 5000


def run() -> list[dict]:
    """Return one row per kind of cells."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    import laconic

    train, test, name = _texts()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for cells in ("binary", "count"):
            ours = laconic.TextClassifier(laconic.ElasticNetClassifier(l1=8.0, l2=0.0, tol=1e-4), cells=cells)
            ours.fit(train.texts, train.labels)
            ours.save(Path(folder, cells))
            scorer = laconic.load(Path(folder, cells))
            peer = make_pipeline(
                CountVectorizer(binary=cells == "binary"),
                LogisticRegression(l1_ratio=1.0, C=1 / 8.0, solver="liblinear"),
            ).fit(train.texts, train.labels)
            Path(folder, "peer.pickle").write_bytes(pickle.dumps(peer))
            Path(folder, "texts.pickle").write_bytes(pickle.dumps(test[:100]))
            times = alternate({"ours": lambda s=scorer: s.predict(test), "peer": lambda p=peer: p.predict(test)})
            median, low, high = summary([p / o for o, p in zip(times["ours"], times["peer"], strict=True)])
            read = f"import pickle, pathlib\nhere = pathlib.Path({folder!r})\n"
            read += "texts = pickle.loads((here / 'texts.pickle').read_bytes())\n"
            cold = alternate_cold(
                read + f"import laconic\nlaconic.load({str(Path(folder, cells))!r}).predict(texts)",
                read + "pickle.loads((here / 'peer.pickle').read_bytes()).predict(texts)",
            )
            rows.append(
                {
                    "data": name,
                    "cells": cells,
                    "words": ours.n_words_,
                    "docs/s": len(test) / summary(times["ours"])[0],
                    "peer docs/s": len(test) / summary(times["peer"])[0],
                    "ratio": median,
                    "interval": f"{low:.2f}-{high:.2f}",
                    **cold,
                }
            )
    return rows


def alternate_cold(ours: str, peer: str) -> dict[str, float]:
    """Return medians of seven new processes each."""
    runs = [(in_new_process(ours), in_new_process(peer)) for _ in range(7)]
    return {
        "cold s": summary([o[0] for o, _ in runs])[0],
        "peer cold s": summary([p[0] for _, p in runs])[0],
        "MB": runs[0][0][1],
        "peer MB": runs[0][1][1],
    }


def _texts() -> tuple:
    import laconic

    if "LACONIC_DATA" in os.environ:
        splits = laconic.data.load("imdb")
        train = splits.train.subset(range(0, len(splits.train), 5))
        return train, list(splits.test.texts[:: len(splits.test) // N_DOCUMENTS][:N_DOCUMENTS]), "imdb"
    corpus = laconic.data.planted(2 * N_DOCUMENTS, seed=0).corpus
    return corpus.subset(range(N_DOCUMENTS)), list(corpus.texts[N_DOCUMENTS:]), "planted"

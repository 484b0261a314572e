"""The benchmark of defaults on planted documents, and its scores against slow twins."""

import json

import numpy as np
import pytest
from sklearn.metrics import f1_score

from benchmarks import defaults
from laconic.data import planted


@pytest.fixture(name="data")
def replaced_data(monkeypatch):
    """Read planted documents, of two classes as "one" and with lists of labels as "many"."""
    corpus = planted(240, 4, n_words=400, n_sentences=3, clusters_per_class=2, cluster_words=5).corpus
    halves = [label in corpus.classes[:2] for label in corpus.labels]
    lists = [(str(label), *(["half"] if half else [])) for label, half in zip(corpus.labels, halves, strict=True)]
    labels = {"one": list(map(str, halves)), "many": lists, "four": list(map(str, corpus.labels))}
    parts = {"train": slice(0, 120), "dev": slice(120, 180), "test": slice(180, 240)}
    monkeypatch.setattr(
        defaults, "read", lambda name, split: (list(corpus.texts[parts[split]]), labels[name][parts[split]])
    )
    defaults.counted.cache_clear()
    defaults.matrices.cache_clear()
    return parts


def test_the_journal_is_filled_once_and_tables_are_means(data, tmp_path, monkeypatch):
    monkeypatch.setattr(defaults, "CELLS", ("binary",))
    monkeypatch.setattr(defaults, "MIN_DF", (1, 2))
    monkeypatch.setattr(defaults, "NOW", defaults.Features("binary", 2, 2))
    said = defaults.run(["one", "four"], tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "defaults.jsonl").read_text().splitlines()]
    assert len(rows) == 2 * (2 * 2 * 3 + 2)
    assert defaults.run(["one", "four"], tmp_path) == said
    assert len((tmp_path / "defaults.jsonl").read_text().splitlines()) == len(rows)
    best = [max(row["dev"]["50"] for row in rows if row["data"] == name and "dev" in row and row["longest"] == 1
                and row["min_df"] == 1) for name in ("one", "four")]  # fmt: skip
    assert defaults.by_features(rows)[0]["50"] == pytest.approx(np.mean(best))
    assert [row["data"] for row in defaults.by_data(rows)] == ["one", "one", "four", "four", "mean", "mean"]


@pytest.mark.parametrize("penalty", defaults.PENALTIES)
def test_the_best_model_on_dev_is_taken_and_its_test_score_told(data, penalty):
    features = defaults.Features("tfidf", 1, 2)
    for one in defaults.trails("four", features, penalty, tested=True):
        for budget in (25, 100):
            allowed = [i for i, size in enumerate(one.sizes) if size <= budget]
            dev, test = one.best(budget, last=1)
            assert dev == max(one.scores[0][i] for i in allowed)
            assert test == next(one.scores[1][i] for i in allowed if one.scores[0][i] == dev)


def test_several_labels_have_the_threshold_that_is_best_on_dev(data):
    features = defaults.Features("binary", 1, 1)
    for penalty in defaults.PENALTIES:
        for one in defaults.trails("many", features, penalty):
            assert (np.diff(one.sizes) >= 0).all()
            assert one.scores[0][-1] > 0.5 > one.scores[0][0] - 0.5


def test_thresholds_and_f1_are_those_of_every_cut():
    rng = np.random.default_rng(0)
    for _ in range(200):
        margins, has = rng.integers(-3, 3, 12).astype(float), rng.random(12) < 0.4
        if not has.any():
            continue
        best = max(f1_score(has, margins >= cut) for cut in np.unique(margins))
        given = margins >= defaults._threshold(margins, has)
        assert defaults._f1(given, has) == pytest.approx(best) == pytest.approx(f1_score(has, given))

"""Planted problems in partitions, and one cluster of two processes for all tests."""

import gzip
import json
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp


@pytest.fixture(scope="session")
def cluster():
    """A client of a real cluster: two worker processes on the loopback interface."""
    from laconic.partitions.runners import local_client

    with local_client(workers=2) as client:
        yield client


@pytest.fixture(scope="session")
def planted():
    """Counts of 400 words in 600 documents, and labels that twelve of them decide."""
    rng = np.random.default_rng(3)
    X = sp.random_array(
        (600, 400), density=0.05, rng=rng, format="csr", data_sampler=lambda size: rng.poisson(0.5, size) + 1.0
    )
    w = np.zeros(400)
    w[:12] = rng.normal(size=12) * 2.0
    y = np.where(X @ w + rng.logistic(size=600) > 0.0, "yes", "no")
    return X, y


@pytest.fixture(params=["gathered", "summed", "both"])
def way(request, monkeypatch):
    """Columns of a working set come to the driver, or only sums do, or first the one, then the other."""
    most = {"gathered": 1 << 24, "summed": 0, "both": 1300}[request.param]
    monkeypatch.setattr("laconic.partitions.subproblem.MOST_CELLS", most)
    monkeypatch.setattr("laconic.partitions.fitting.HERE", 20 if request.param == "both" else 4000)
    monkeypatch.setattr("laconic.partitions.fitting.ROOM", 40 if request.param == "both" else 500)
    return request.param


def split(X, y, n):
    """Cut rows into n parts of different sizes."""
    ends = np.linspace(0.0, 1.0, n + 1) ** 1.3 * X.shape[0]
    ends = ends.astype(int)
    return [(X[a:b], y[a:b]) for a, b in pairwise(ends)]


def same(model, reference):
    """Check that two fits found one optimum and the same words."""
    ours, theirs = model.solution_, reference.solution_
    assert ours.relative_gap <= 1e-9
    assert ours.objective == pytest.approx(theirs.objective, rel=1e-8)
    assert set(np.flatnonzero(np.abs(model.coef_).max(axis=0) > 1e-6)) == set(
        np.flatnonzero(np.abs(reference.coef_).max(axis=0) > 1e-6)
    )


def write_parts(folder, corpus, n):
    """Write a corpus as n files of JSON lines, one of them compressed."""
    folder.mkdir(exist_ok=True)
    rows = [json.dumps({"id": d.id, "text": d.text, "label": d.label}) for d in corpus]
    for i in range(n):
        text = "\n".join(rows[i::n]) + "\n"
        if i == 0:
            (folder / "0.jsonl.gz").write_bytes(gzip.compress(text.encode()))
        else:
            (folder / f"{i}.jsonl").write_text(text)
    return str(folder / "*.jsonl*")

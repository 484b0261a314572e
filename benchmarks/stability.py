"""Stability selection on planted documents: true and false words beside a lasso, and the error bound.

A document has two of ten topics. A topic brings along three true words (each with probability 0.5) and twenty
companions (0.2), and 300 other words are as frequent as words are, by a Zipf law. The label follows from the true words
alone, by a logistic model with weights of ±1.5; companions only stand beside them, as words of a topic do. There are
500 documents and 530 words.

The lasso is tuned by five-fold cross-validation; its words are compared with the words that are selected most often, of
which as many are taken as hold the same number of true ones. "path" is the smallest lasso with as many true words, if
somebody knew it.
"""

import numpy as np
import scipy.sparse as sp

SEEDS = 100
PAIRS = 50
COUNTED = 40
ERRORS = (0.5, 1.0, 2.5)
DOCUMENTS, TOPICS, TRUE, COMPANIONS, OTHERS = 500, 10, 3, 20, 300


def run(seeds: int = SEEDS) -> list[dict]:
    """Return a row for words of equal recall, and one for each number of errors; means over the seeds."""
    found = [measured(seed) for seed in range(seeds)]
    recall, lasso, path, stable = np.array([one[0] for one in found]).T
    rows = [
        {
            "what": what,
            "true words": recall.mean(),
            "false words": false.mean(),
            "standard error": false.std(ddof=1) / np.sqrt(seeds),
            "bound": None,
            "corpora": seeds,
        }
        for what, false in (("lasso", lasso), ("path", path), ("stability", stable))
    ]
    for i, errors in enumerate(ERRORS):
        bound, true, false = np.array([one[1][i] for one in found]).T
        rows.append(
            {
                "what": f"errors={errors:g}",
                "true words": true.mean(),
                "false words": false.mean(),
                "standard error": false.std(ddof=1) / np.sqrt(seeds),
                "bound": bound.mean(),
                "corpora": seeds,
            }
        )
    return rows


def planted_topics(seed: int) -> tuple[sp.csr_array, np.ndarray, np.ndarray]:
    """Return a matrix of words, labels, and which columns are true."""
    rng = np.random.default_rng(seed)
    topics = np.zeros((DOCUMENTS, TOPICS, 1))
    for row in topics:
        row[rng.choice(TOPICS, 2, replace=False)] = 1.0
    true = (rng.random((DOCUMENTS, TOPICS, TRUE)) < 0.5 * topics).reshape(DOCUMENTS, -1)
    companions = (rng.random((DOCUMENTS, TOPICS, COMPANIONS)) < 0.2 * topics).reshape(DOCUMENTS, -1)
    others = rng.random((DOCUMENTS, OTHERS)) < 0.5 / (np.arange(OTHERS) / 10 + 1)
    signs = np.repeat(np.where(np.arange(TOPICS) % 2, 1.5, -1.5), TRUE)
    y = (rng.random(DOCUMENTS) < 1 / (1 + np.exp(-(true @ signs)))).astype(int)
    order = rng.permutation(true.shape[1] + companions.shape[1] + OTHERS)
    X = np.hstack([true, companions, others]).astype(np.float64)
    return sp.csr_array(X[:, order]), y, (np.arange(X.shape[1]) < true.shape[1])[order]


def measured(seed: int) -> tuple[tuple, list[tuple]]:
    """Return the false words at equal recall, and for each number of errors the bound, true and false stable words."""
    from laconic import ElasticNetClassifier, elastic_net_path, stability, tune
    from laconic.evaluate.error_bounds import expected_errors, lowest_threshold
    from laconic.linear import lambda_max

    X, y, true = planted_topics(seed)
    grid = [{"l1": float(level), "l2": 0.0} for level in lambda_max(X, y) * np.geomspace(0.9, 0.03, 20)]
    tuned = tune(ElasticNetClassifier(tol=1e-4), grid, X, y, rule="best", seed=seed)
    level = tuned.candidates[tuned.chosen].params["l1"]
    single = ElasticNetClassifier(level, 0.0).fit(X, y).coef_[0] != 0.0
    hits = int(true[single].sum())
    path = elastic_net_path(X, y, ElasticNetClassifier(tol=1e-5), n_points=100, smallest=0.02)
    supports = (np.flatnonzero(one.weights.any(axis=1)) for one in path)
    reaching = next(support for support in supports if true[support].sum() >= hits)
    found = stability(
        ElasticNetClassifier(level, 0.0, tol=1e-4), X, y, pairs=PAIRS, words=COUNTED, threshold=1.0, seed=seed
    )
    frequency = np.zeros(X.shape[1])
    for one in found.words:
        frequency[int(one.word)] = one.frequency
    order = np.argsort(-frequency, kind="stable")
    limit = frequency[order[np.searchsorted(np.cumsum(true[order]), hits)]]
    equal = (hits, int((~true[single]).sum()), int((~true[reaching]).sum()), int((~true[frequency >= limit]).sum()))
    rows = []
    for errors in ERRORS:
        limit = lowest_threshold(errors, PAIRS, found.selected, X.shape[1]) or 1.0
        stable = frequency >= limit
        bound = expected_errors(limit, PAIRS, found.selected, X.shape[1])
        rows.append((bound, int(true[stable].sum()), int((~true[stable]).sum())))
    return equal, rows

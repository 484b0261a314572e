"""Stability selection on planted documents: true and false words beside a lasso, and the error bound.

There are 500 documents and 530 words, 30 of them true: the label follows from these alone, by a logistic model with
weights of ±1.5. True words are in a tenth of the documents, 200 others in a twenty-fifth, and 300 are as frequent as
words are, by a Zipf law. There are two designs:

topics        a document has two of ten topics; a topic brings along three true words (each with probability 0.5) and
              twenty companions (0.2), so that false words stand beside true ones
independent   the same words with the same frequencies, each drawn by itself

A lasso is tuned by five-fold cross-validation, once to the best score ("best") and once to the smallest model within
one standard error of it ("one_se", what ``laconic fit`` does). Its words are compared with those of stability selection
at the same λ, of which as many are taken, in their order, as hold the same number of true ones. "path" is the smallest
lasso with as many true words, if somebody knew it; it is compared at half and at four fifths of the true words too.

The method was chosen on the corpora 1000 to 1011 of both designs; those that are measured were not looked at before.
"""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

SEEDS = range(10_000, 10_100)
PAIRS = 50
RULES = ("best", "one_se")
ERRORS = (0.5, 1.0, 2.5)
DESIGNS = ("topics", "independent")
DOCUMENTS, TOPICS, TRUE, COMPANIONS, OTHERS = 500, 10, 3, 20, 300
RECALLS = (TOPICS * TRUE // 2, TOPICS * TRUE * 4 // 5)


def run(seeds: Sequence[int] = SEEDS) -> list[dict]:
    """Return means over the seeds: for every design rows of equal recall, and rows of the bound."""
    return [row for design in DESIGNS for row in design_rows(design, seeds)]


def design_rows(design: str, seeds: Sequence[int]) -> list[dict]:
    """Return the rows of one design."""
    found = [measured(design, seed) for seed in seeds]
    rows = []
    for what in found[0]:
        true, false, bound = np.array([one[what] for one in found]).T
        rows.append(
            {
                "design": design,
                "what": what,
                "true words": true.mean(),
                "false words": false.mean(),
                "standard error": false.std(ddof=1) / np.sqrt(len(seeds)),
                "bound": None if np.isnan(bound).any() else bound.mean(),
                "corpora": len(seeds),
            }
        )
    return rows


def planted(design: str, seed: int) -> tuple[sp.csr_array, np.ndarray, np.ndarray]:
    """Return a matrix of words, labels, and which columns are true."""
    rng = np.random.default_rng(seed)
    topics = np.zeros((DOCUMENTS, TOPICS, 1))
    for row in topics:
        row[rng.choice(TOPICS, 2, replace=False)] = 1.0
    if design == "independent":
        topics[:] = 2 / TOPICS
    true = (rng.random((DOCUMENTS, TOPICS, TRUE)) < 0.5 * topics).reshape(DOCUMENTS, -1)
    companions = (rng.random((DOCUMENTS, TOPICS, COMPANIONS)) < 0.2 * topics).reshape(DOCUMENTS, -1)
    others = rng.random((DOCUMENTS, OTHERS)) < 0.5 / (np.arange(OTHERS) / 10 + 1)
    signs = np.repeat(np.where(np.arange(TOPICS) % 2, 1.5, -1.5), TRUE)
    y = (rng.random(DOCUMENTS) < 1 / (1 + np.exp(-(true @ signs)))).astype(int)
    order = rng.permutation(true.shape[1] + companions.shape[1] + OTHERS)
    X = np.hstack([true, companions, others]).astype(np.float64)
    return sp.csr_array(X[:, order]), y, (np.arange(X.shape[1]) < true.shape[1])[order]


def measured(design: str, seed: int) -> dict[str, tuple[float, float, float]]:
    """Return for each way to choose words the true and false ones, and the bound on these (NaN where there is none)."""
    from laconic import ElasticNetClassifier, elastic_net_path, stability, tune
    from laconic.evaluate import choose
    from laconic.linear import lambda_max

    X, y, true = planted(design, seed)
    grid = [{"l1": float(level), "l2": 0.0} for level in lambda_max(X, y) * np.geomspace(0.9, 0.03, 20)]
    tuned = tune(ElasticNetClassifier(tol=1e-4), grid, X, y, rule="best", seed=seed)
    points = elastic_net_path(X, y, ElasticNetClassifier(tol=1e-5), n_points=100, smallest=0.02)
    path = [one.weights[:, 0] != 0.0 for one in points]
    rows: dict[str, tuple[float, float, float]] = {}
    for rule in RULES:
        level = tuned.candidates[choose({"lasso": tuned}, rule)[1]].params["l1"]
        single = ElasticNetClassifier(level, 0.0).fit(X, y).coef_[0] != 0.0
        hits = int(true[single].sum())
        halves = {"estimator": ElasticNetClassifier(level, 0.0, tol=1e-4), "X": X, "y": y, "pairs": PAIRS, "seed": seed}
        area = areas(stability(**halves, threshold=1.0))
        rows[f"lasso, {rule}"] = hits, int((~true[single]).sum()), np.nan
        rows[f"stability, {rule}"] = hits, false_words(area, true, hits), np.nan
        rows[f"path, {rule}"] = hits, _false_on_path(path, true, hits), np.nan
    for hits in RECALLS:  # at the last λ, that of one_se
        rows[f"stability, {hits} true"] = hits, false_words(area, true, hits), np.nan
        rows[f"path, {hits} true"] = hits, _false_on_path(path, true, hits), np.nan
    for errors in ERRORS:
        found = stability(**halves, errors=errors)
        stable = np.array([int(word) for word in found.stable], dtype=int)
        rows[f"errors={errors:g}"] = int(true[stable].sum()), int((~true[stable]).sum()), found.errors
    return rows


def areas(found) -> np.ndarray:
    """Return the area of every column, zero for those that no model has a weight for."""
    area = np.zeros(found.n_features)
    for one in found.words:
        area[int(one.word)] = one.area
    return area


def false_words(area: np.ndarray, true: np.ndarray, hits: int) -> int:
    """Return how many false words stand before the last of so many true ones, or beside it."""
    if hits == 0:
        return 0
    last = np.sort(area[true])[-hits]
    return int(np.count_nonzero(~true & (area >= last)))


def _false_on_path(path: list[np.ndarray], true: np.ndarray, hits: int) -> int:
    return int(np.count_nonzero(~true & next(support for support in path if true[support].sum() >= hits)))

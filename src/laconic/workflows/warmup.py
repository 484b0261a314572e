"""Compile all kernels ahead of the first fit: toy models are fitted, so that kernels meet the types that they will."""

import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from laconic.core.groups import Groups
from laconic.core.penalties.group import TreePenalty
from laconic.core.penalties.overlapping import OverlappingPenalty
from laconic.groups.brown import brown_clusters
from laconic.kernels._compile import cache_folder
from laconic.linear import ElasticNetClassifier, GroupLassoClassifier, GroupOMPClassifier, OMPClassifier
from laconic.partitions import fit_partitions, partition_matrices
from laconic.structured import DependencyParser, SequenceTagger

LONG = (1 << 16) + 1  # documents from which on row numbers take four bytes


def compile_all() -> tuple[float, Path]:
    """Fit toy models of every kind, so that every kernel is in the cache; return the seconds and that folder."""
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # toys need not converge
        few = sp.csr_array(np.random.default_rng(0).poisson(0.7, (20, 12)).astype(np.float64))
        many = sp.csr_array(sp.vstack([few, sp.csr_array((LONG - 20, 12))]))
        for documents in (few, many):
            _fit_matrices(documents)
        _fit_others(few, many)
        brown_clusters(["a b c b a c", "c a"], 2)
        _fit_taggers()
        _fit_parsers()
    return time.perf_counter() - started, cache_folder()


def _fit_matrices(X: Any) -> None:
    """Fit estimators of two and of three classes, with groups of every structure."""
    apart = Groups.from_lists([range(0, 6), range(6, 12)], 12)
    nested, crossing = apart + Groups.from_lists([range(3)], 12), Groups.from_lists([range(7), range(5, 12)], 12)
    for n_classes in (2, 3):
        y = X[:, range(n_classes)].toarray().argmax(axis=1)
        ElasticNetClassifier(0.1, 0.0, max_iter=2).fit(X, y)
        for groups in (apart, nested, crossing):
            GroupLassoClassifier(groups, 0.1, 0.3, max_iter=2).fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        fit_partitions(ElasticNetClassifier(0.5, max_iter=1), partition_matrices([(X, y)], folder))


def _fit_others(few: Any, many: Any) -> None:
    """Use what looks at no columns, or at rows: pursuits, ADMM and the proxes of penalties."""
    pairs, nested = Groups.from_lists(np.arange(12).reshape(6, 2), 12), Groups.from_lists([range(6), range(3)], 12)
    crossing = Groups.from_lists([range(7), range(5, 12)], 12)
    y = few[:, range(3)].toarray().argmax(axis=1)
    for labels in (y, y > 0):
        OMPClassifier(2).fit(few, labels)
    GroupOMPClassifier(pairs, 4).fit(few, y)
    GroupOMPClassifier(pairs, 12, fit_intercept=False).fit(many, many[:, [0]].toarray()[:, 0] > 0)
    GroupLassoClassifier(nested, solver="admm", rounds=1).fit(few, y > 0)
    TreePenalty(nested).prox(np.ones(12), 1.0)
    OverlappingPenalty(crossing, 0.1).prox(np.ones(12), 1.0)


def _fit_taggers() -> None:
    words, tags = [["a", "b"], ["b"]], [["A", "B"], ["B"]]
    for settings in ({"loss": "crf"}, {"loss": "mira", "budget": 2, "refit": "observed"}, {"optimizer": "lbfgs"}):
        tagger = SequenceTagger(["word[0]", "word[1]"], **{"passes": 2, **settings}).fit(words, tags)
        for answer in (tagger.predict, tagger.predict_marginals, tagger.predict_nbest):
            answer(words)


def _fit_parsers() -> None:
    sentences = [[{"word": f"{s}.{i}", "pos": str(i % 7)} for i in range(24)] for s in range(9)]  # tables must grow
    heads = [[*range(2, 25), 0]] * len(sentences)
    chosen: tuple[dict[str, Any], ...] = (
        {"budget": 2, "refit": "frozen"},
        {"budget": 2, "selection": "information-gain"},
    )
    for settings in ({}, {"loss": "crf"}, *chosen):
        parser = DependencyParser("small", passes=1, relations=False, **settings).fit(sentences, heads)
        parser.predict(sentences)
        parser.predict_marginals(sentences)

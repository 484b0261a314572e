"""Softmax with an l1 part; its answers are compared with a slow twin in ``tests/linear/test_elastic_net.py``."""

import numpy as np
from scipy.sparse import csc_array

from laconic.core.losses import classification_loss
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.core.solution import Solution
from laconic.solvers.prox_newton.multinomial import solve_multinomial


def _planted(n_documents: int, n_words: int, n_classes: int) -> LinearProblem:
    """Return documents with words of a Zipf distribution, two of which are their class's own."""
    rng = np.random.default_rng(0)
    y, X = rng.integers(n_classes, size=n_documents), np.zeros((n_documents, n_words))
    frequency = 1.0 / np.arange(1, n_words + 1)
    own = rng.choice(n_words, size=(n_classes, 4))
    for i in range(n_documents):
        X[i, rng.choice(n_words, size=12, p=frequency / frequency.sum())] = 1.0
        X[i, rng.choice(own[y[i]], size=2)] = 1.0
    loss = classification_loss("logistic", n_classes)
    return LinearProblem(csc_array(X), loss.encode(y), loss, np.ones(n_documents), fit_intercept=True)


def test_a_small_penalty_is_reached_by_way_of_larger_ones():
    problem = _planted(300, 200, 30)
    zero = Solution(np.zeros((200, 30)), np.zeros(30), np.inf, -np.inf)
    for l2 in (0.0, 0.01):
        penalty = ElasticNetPenalty(0.02, l2)
        by_stages, at_once = solve_multinomial(problem, penalty), solve_multinomial(problem, penalty, start=zero)
        assert by_stages.converged
        assert at_once.converged
        assert abs(by_stages.objective - at_once.objective) <= 2e-6 * at_once.objective
        assert by_stages.iterations < at_once.iterations


def test_a_penalty_of_some_words_alone_has_stages_too():
    problem = _planted(300, 200, 30)
    levels = np.where(np.arange(200) < 5, 0.0, 0.02)
    assert solve_multinomial(problem, ElasticNetPenalty(levels, 0.1)).converged

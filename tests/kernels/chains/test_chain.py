"""Chains against enumeration of all label sequences."""

from itertools import product

import numpy as np
import pytest

from laconic.kernels.chains.chain import best_path, exponentials, forward_backward, sequence_score


def slow_score(scores, transitions, labels):
    total = scores[0, labels[0]] + transitions[-1, labels[0]]
    return total + sum(scores[i, labels[i]] + transitions[labels[i - 1], labels[i]] for i in range(1, len(labels)))


def example(n, n_labels, seed, dtype=np.float32):
    rng = np.random.default_rng(seed)
    scores = (2 * rng.normal(size=(n, n_labels))).astype(dtype)
    return scores, (2 * rng.normal(size=(n_labels + 1, n_labels))).astype(dtype)


CASES = [(1, 3), (2, 2), (4, 3), (5, 4), (6, 1)]


@pytest.mark.parametrize(("n", "n_labels"), CASES)
@pytest.mark.parametrize("seed", range(3))
def test_best_path(n, n_labels, seed):
    scores, transitions = example(n, n_labels, seed)
    best, back = np.empty_like(scores), np.zeros(scores.shape, dtype=np.int32)
    path = np.empty(n, dtype=np.int64)
    top = best_path(scores, transitions, n, best, back, path)
    values = {labels: slow_score(scores, transitions, labels) for labels in product(range(n_labels), repeat=n)}
    assert tuple(path) == max(values, key=values.get)
    assert top == pytest.approx(max(values.values()), rel=1e-5)
    assert sequence_score(scores, transitions, path, n) == pytest.approx(top, rel=1e-5)


@pytest.mark.parametrize(("dtype", "accuracy"), [(np.float32, 1e-4), (np.float64, 1e-11)])
@pytest.mark.parametrize(("n", "n_labels"), CASES)
def test_marginals(n, n_labels, dtype, accuracy):
    scores, transitions = example(n, n_labels, 7, dtype)
    values = {labels: slow_score(scores, transitions, labels) for labels in product(range(n_labels), repeat=n)}
    log_z = np.logaddexp.reduce(list(values.values()))
    single = np.zeros((n, n_labels))
    pairs = np.zeros((n, n_labels, n_labels))
    for labels, value in values.items():
        share = np.exp(value - log_z)
        for i, label in enumerate(labels):
            single[i, label] += share
            if i:
                pairs[i, labels[i - 1], label] += share
    powers, alpha, beta = np.empty_like(transitions), np.empty_like(scores), np.empty_like(scores)
    top = exponentials(transitions, powers)
    assert forward_backward(scores, powers, top, n, alpha, beta) == pytest.approx(log_z, rel=accuracy)
    np.testing.assert_allclose(scores, single, atol=accuracy)
    for i in range(1, n):
        np.testing.assert_allclose(alpha[i - 1][:, None] * powers[:-1] * beta[i], pairs[i], atol=accuracy)


def test_long_sentences_do_not_overflow():
    scores, transitions = example(5000, 4, 1)
    powers, alpha, beta = np.empty_like(transitions), np.empty_like(scores), np.empty_like(scores)
    log_z = forward_backward(30 * scores, powers, exponentials(transitions, powers), 5000, alpha, beta)
    assert np.isfinite(log_z)

"""Learners of arcs against slow twins on dictionaries."""

from collections import Counter

import numpy as np
import pytest

from laconic.kernels.arcs.learning import parse_all
from laconic.kernels.arcs.scores import score_arcs
from laconic.kernels.arcs.trees import arc_marginals, best_tree
from laconic.structured.parsing.extraction import arc_text, fill_columns, stand_ins
from laconic.structured.parsing.fit import base_rows
from laconic.structured.parsing.learner import ArcLearner
from laconic.structured.parsing.model import compact_arcs
from tests.structured.arcs import arcs_of, features, planted_heads, slow_scores, tree_counts
from tests.structured.trees import planted_trees


def slow_mira(sentences, heads, templates, passes, costs, cap=np.inf):
    """MIRA on dictionaries; returns the last weights and their mean over all examples."""
    weights, total, seen = {}, Counter(), 0
    for _ in range(passes):
        for s, sentence in enumerate(sentences):
            right = heads[sentences.ends[s] : sentences.ends[s + 1]]
            n = len(right)
            scores = slow_scores(sentence, weights, templates)
            if costs:
                scores[:, 1:] += 1.0
                scores[right, np.arange(1, n + 1)] -= 1.0
            found = np.empty(n + 1, dtype=np.int64)
            best_tree(scores, n, False, found)
            wrong = int((found[1:] != right).sum())
            if wrong:
                change = Counter(tree_counts(sentence, right, templates))
                change.subtract(tree_counts(sentence, found[1:], templates))
                places = np.arange(1, n + 1)
                violation = scores[found[1:], places].sum() - scores[right, places].sum() + (0 if costs else wrong)
                length = sum(count**2 for count in change.values())
                step = min(cap, violation / length) if length else 0.0
                for one, count in change.items():
                    weights[one] = weights.get(one, 0.0) + step * count
            seen += 1
            for one, value in weights.items():
                total[one] += value
    return weights, {one: value / seen for one, value in total.items()}


@pytest.mark.parametrize("collapsed", [False, True])
@pytest.mark.parametrize(("rule", "cap"), [("mira", np.inf), ("mira-1best", 0.05)])
def test_mira_is_the_slow_one(collapsed, rule, cap):
    sentences, heads = planted_heads(8, seed=1)
    arcs = arcs_of(sentences, heads)
    learner = ArcLearner(arcs, False, False, sums=True, collapsed=collapsed)
    for _ in range(2):
        learner.by_margin(np.arange(len(sentences)), rule, cap=cap)
    last, mean = slow_mira(sentences, heads, arcs.program.templates, 2, rule == "mira", cap)
    tables = [learner.table._replace(weights=learner.table.weights.copy())]
    learner.settle(average=True)
    for table, slow in ((tables[0], last), (learner.table, mean)):
        for s, sentence in enumerate(sentences):
            n = len(sentence["word"])
            fast = np.zeros((n + 1, n + 1))
            score_arcs(arcs.text, learner.bases, table, s, fast)
            np.fill_diagonal(fast, 0.0)
            expected = slow_scores(sentence, slow, arcs.program.templates)
            np.testing.assert_allclose(fast[:, 1:], expected[:, 1:], atol=1e-4)


def test_weights_of_templates_come_back_from_their_sums():
    sentences, heads = planted_heads(8, seed=1)
    arcs = arcs_of(sentences, heads)
    learner = ArcLearner(arcs, False, False, sums=False, collapsed=True)
    learner.by_margin(np.arange(len(sentences)), "mira")
    slow, _ = slow_mira(sentences, heads, arcs.program.templates, 1, True)
    model = compact_arcs(arcs.program, arcs.tables, *base_rows(learner), False, False, ())
    squares = Counter()
    for (template, _), weight in slow.items():
        squares[template] += weight**2
    for template, norm in zip(model.program.templates, model.norms, strict=True):
        np.testing.assert_allclose(norm, np.sqrt(squares[str(template)]), atol=1e-4)
    counts = Counter(template for (template, _), weight in slow.items() if abs(weight) > 1e-6)
    assert dict(zip(map(str, model.program.templates), model.n_features.tolist(), strict=True)) == {
        str(one): counts[str(one)] for one in model.program.templates
    }


def test_perceptron_squares_and_factors_of_templates():
    sentences, heads = planted_heads(10, seed=3)
    arcs = arcs_of(sentences, heads)
    learner = ArcLearner(arcs, False, False, sums=False)
    learner.by_margin(np.arange(len(sentences)), "perceptron")
    before = learner.template_squares()
    assert (before > 0).sum() > 5
    factors = np.where(np.arange(len(before)) % 2, 0.5, 0.0)
    learner.scale_templates(factors)
    np.testing.assert_allclose(learner.template_squares(), before * factors**2, rtol=1e-5)
    rows = learner.n_rows
    learner.drop_zeros()
    assert learner.n_rows < rows
    np.testing.assert_allclose(learner.template_squares(), before * factors**2, rtol=1e-5)


def test_crf_step_is_the_gradient():
    sentences, trees = planted_trees(40, seed=4)
    shortest = int(sentences.lengths.argmin())  # so that no arc is too unlikely to get weights
    sentences, heads = sentences[shortest : shortest + 1], np.array([head for head, _ in trees[shortest]])
    assert sentences.n_tokens == 3
    arcs = arcs_of(sentences, heads)
    learner = ArcLearner(arcs, False, False, sums=False)
    learner.by_likelihood(np.zeros(1, dtype=np.int64), False, 1.0)
    n = int(sentences.lengths[0])
    marginals = np.zeros((n + 1, n + 1))
    arc_marginals(np.zeros((n + 1, n + 1)), n, False, marginals)
    slow = Counter()
    for h in range(n + 1):
        for m in range(1, n + 1):
            if h != m:
                for one in features(sentences[0], h, m, arcs.program.templates):
                    slow[one] += float(heads[m - 1] == h) - marginals[h, m]
    fast = np.zeros((n + 1, n + 1))
    score_arcs(arcs.text, learner.bases, learner.table, 0, fast)
    np.fill_diagonal(fast, 0.0)
    np.testing.assert_allclose(fast[:, 1:], slow_scores(sentences[0], slow, arcs.program.templates)[:, 1:], atol=1e-4)


@pytest.mark.parametrize("adaptive", [True, False])
def test_the_ridge_of_the_crf_is_a_proximal_step(adaptive):
    sentences, heads = planted_heads(10, seed=11)
    arcs = arcs_of(sentences, heads)
    rate, l2, order = 0.5, 0.2, np.arange(len(sentences))
    plain, ridge = (ArcLearner(arcs, False, False, sums=True) for _ in range(2))
    plain.by_likelihood(order, adaptive, rate)
    ridge.by_likelihood(order, adaptive, rate, l2)
    before, sums = plain.rows.ravel().astype(float), plain.table.sums[: plain.n_rows].astype(float)
    steps = rate / np.sqrt(sums + 1e-8) if adaptive else rate
    after = before / (1.0 + len(order) * steps * l2)
    np.testing.assert_allclose(ridge.rows.ravel(), after, atol=1e-5)
    if not adaptive:  # the last step is in no mean: all weights were as before until the end
        for learner in (plain, ridge):
            learner.settle(average=True)
        moved = (after - before) / len(order)
        np.testing.assert_allclose(ridge.rows.ravel() - plain.rows.ravel(), moved, atol=1e-5)


def test_tables_that_grow_lose_nothing():
    sentences, heads = planted_heads(60, seed=8)
    filled = fill_columns(sentences, stand_ins(sentences, ["pos", "xpos", "lemma", "feats"]))
    arcs = arcs_of(filled, heads, "arcs")
    learner = ArcLearner(arcs, True, False, sums=True, collapsed=True)
    first = (learner.table.mask + 1).sum()
    learner.by_margin(np.arange(len(sentences)), "mira")
    assert (learner.table.mask + 1).sum() > first
    out = np.empty(sentences.n_tokens, dtype=np.int64)
    parse_all(arc_text(filled, arcs.program, arcs.tables), learner.bases, learner.table, True, False, out)
    assert (out == heads).mean() > 0.95

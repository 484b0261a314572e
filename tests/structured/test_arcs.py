"""Features, scores and learners of arcs against slow twins on dictionaries."""

from collections import Counter

import numpy as np
import pytest

from laconic.data.annotated.sentences import Sentences
from laconic.kernels.arcs.learning import parse_all
from laconic.kernels.arcs.scores import BATCH, score_arcs
from laconic.kernels.arcs.trees import arc_marginals, best_tree
from laconic.structured.parsing import score_numba as compiled_arcs
from laconic.structured.parsing.counts import arc_gains, arc_sizes
from laconic.structured.parsing.estimator import read_arcs
from laconic.structured.parsing.extraction import arc_text, extract_arcs
from laconic.structured.parsing.fit import base_rows, fit_arcs
from laconic.structured.parsing.learner import ArcLearner
from laconic.structured.parsing.model import compact_arcs
from laconic.structured.parsing.named_sets import resolve_arcs
from laconic.structured.parsing.program import compile_arcs
from laconic.structured.parsing.score_numba import CompiledParser
from laconic.structured.parsing.score_numpy import PlainParser
from laconic.structured.parsing.settings import ParserSettings
from laconic.structured.parsing.tree_columns import fill_columns, stand_ins
from tests.structured.trees import planted_trees

TEMPLATES = [
    "head.pos", "head.pos & direction", "mod.word & direction & distance", "head.pos & mod.pos",
    "head.pos & mod.pos & distance", "head.pos & mod.pos & direction", "head.pos & mod.pos & direction & distance",
    "head.word & mod.pos[-1..0]", "head.pos[1] & mod.suffix3 & distance", "between.pos",
    "head.pos & mod.pos & between.pos & direction",
]  # fmt: skip


def planted(n=12, seed=0):
    sentences, trees = planted_trees(n, seed)
    return sentences, read_arcs(trees, sentences)[0]


def arcs_of(sentences, heads, templates=TEMPLATES):
    return extract_arcs(sentences, compile_arcs(resolve_arcs(templates)), heads)


def features(sentence, h, m, templates):
    """(template, values) of an arc, as many times as they occur."""
    n = len(sentence["word"])
    cut = {"suffix3": ("word", lambda word: word[-3:])}

    def value(column, i):
        if not 0 <= i <= n:
            return "⊥"
        if i == 0:
            return "⊤"
        source, function = cut.get(column, (column, str))
        return function(sentence[source][i - 1])

    distance = abs(h - m)
    bin_ = next(k for k, top in enumerate([1, 2, 3, 4, 5, 10, 20, 10**9]) if distance <= top)
    for one in templates:
        values, many = [], [()]
        for cell in one.base:
            if cell.side == "between":
                many = [(x,) for x in sorted({value(cell.column, i) for i in range(min(h, m) + 1, max(h, m))})]
            else:
                values.append(value(cell.column, (h if cell.side == "head" else m) + cell.offset))
        flags = (m > h,) * one.direction + (bin_,) * one.distance
        for extra in many:
            yield str(one), (*values, *extra, *flags)


def tree_counts(sentence, heads, templates):
    found = Counter()
    for m, h in enumerate(heads.tolist(), 1):
        found.update(features(sentence, h, m, templates))
    return found


def slow_scores(sentence, weights, templates):
    n = len(sentence["word"])
    scores = np.zeros((n + 1, n + 1))
    for h in range(n + 1):
        for m in range(1, n + 1):
            if h != m:
                scores[h, m] = sum(weights.get(one, 0.0) for one in features(sentence, h, m, templates))
    return scores


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
    sentences, heads = planted(8, seed=1)
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
    sentences, heads = planted(8, seed=1)
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
    sentences, heads = planted(10, seed=3)
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
    sentences, heads = planted(10, seed=11)
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


def test_sizes_and_gains_are_the_slow_ones():
    sentences, heads = planted(6, seed=5)
    arcs = arcs_of(sentences, heads)
    seen, pairs, right = {}, {}, 0
    total = Counter()
    for s, sentence in enumerate(sentences):
        mine = heads[sentences.ends[s] : sentences.ends[s + 1]]
        for h in range(len(mine) + 1):
            for m in range(1, len(mine) + 1):
                if h == m:
                    continue
                a = bool(mine[m - 1] == h)
                right += a
                for template, values in features(sentence, h, m, arcs.program.templates):
                    pairs.setdefault(template, Counter())[values, a] += 1
                    total[template] += 1
                    if a:
                        seen.setdefault(template, set()).add(values)
    names = [str(one) for one in arcs.program.templates]
    assert arc_sizes(arcs).tolist() == [len(seen.get(name, ())) for name in names]
    for name, fast in zip(names, arc_gains(arcs), strict=True):
        counts, gain = pairs[name], 0.0
        values, flags = Counter(), Counter()
        for (value, a), count in counts.items():
            values[value] += count
            flags[a] += count
        for (value, a), count in counts.items():
            p = count / total[name]
            gain += p * np.log2(p / (values[value] / total[name] * flags[a] / total[name]))
        np.testing.assert_allclose(fast, gain, atol=1e-9)


@pytest.mark.parametrize("most_values", [255, 1])  # what stands between in blocks, or row by row
def test_numpy_alone_gives_the_same_trees(monkeypatch, most_values):
    monkeypatch.setattr(compiled_arcs, "MOST_VALUES", most_values)
    sentences, heads = planted(40, seed=6)
    new = planted_trees(10, seed=7)[0]
    new.columns["word"][3] = "unseen"
    for projective in (False, True):
        settings = ParserSettings("arcs", passes=2, projective=projective, single_root=not projective)
        model = fit_arcs(sentences, heads, settings).model
        fast, plain = CompiledParser(model), PlainParser(model)
        assert fast.table.blocks.held.any() == (most_values > 1)
        for a, b in zip(fast.scores(new), plain.scores(new), strict=True):
            np.testing.assert_allclose(a[:, 1:], b[:, 1:], atol=1e-9)
        np.testing.assert_array_equal(fast.heads(new), plain.heads(new))


def test_batches_and_long_sentences_give_the_scores_of_numpy():
    sentences, heads = planted(20, seed=9)
    model = fit_arcs(sentences, heads, ParserSettings(TEMPLATES, passes=1)).model
    long = Sentences({name: column[:60] for name, column in sentences.columns.items()}, np.array([60]), "60 words")
    assert 3 * BATCH < 60 * 61
    for a, b in zip(CompiledParser(model).scores(long), PlainParser(model).scores(long), strict=True):
        np.testing.assert_allclose(a[:, 1:], b[:, 1:], atol=1e-9)


def test_tables_that_grow_lose_nothing():
    sentences, heads = planted(60, seed=8)
    filled = fill_columns(sentences, stand_ins(sentences, ["pos", "xpos", "lemma", "feats"]))
    arcs = arcs_of(filled, heads, "arcs")
    learner = ArcLearner(arcs, True, False, sums=True, collapsed=True)
    first = (learner.table.mask + 1).sum()
    learner.by_margin(np.arange(len(sentences)), "mira")
    assert (learner.table.mask + 1).sum() > first
    out = np.empty(sentences.n_tokens, dtype=np.int64)
    parse_all(arc_text(filled, arcs.program, arcs.tables), learner.bases, learner.table, True, False, out)
    assert (out == heads).mean() > 0.95

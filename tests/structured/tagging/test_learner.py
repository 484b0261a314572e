"""Learners against slow twins on dictionaries of features."""

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

from laconic.kernels.chains.crf import likelihood_gradient
from laconic.kernels.chains.tagging import SURE
from laconic.structured.tagging.extraction import extract
from laconic.structured.tagging.learner import Learner
from laconic.structured.templates.language import compile_program, parse_templates
from tests.structured.planted import planted_sentences

TEMPLATES = ["word[0]", "word[-1..0]", "pos[1]", "real(size)[0]", "pos[0] & real(size)[1]"]


def numbered(n=12, seed=3):
    sentences, tags = planted_sentences(n, seed)
    rng = np.random.default_rng(seed)
    sentences = sentences.with_column("size", rng.normal(size=sentences.n_tokens).tolist())
    # short sentences, so that all tag sequences can be enumerated
    which = np.flatnonzero(sentences.lengths <= 5)
    sentences, tags = sentences.take(which), [tags[i] for i in which]
    labels = sorted({tag for one in tags for tag in one})
    y = np.array([labels.index(tag) for one in tags for tag in one])
    return sentences, y, labels


def fired(extracted, s, i):
    """(feature, value) of all templates at token i."""
    text, found = extracted.text, []
    for t in range(len(text.place)):
        gram = text.grams[text.place[t] + text.starts[s] + i]
        value = 1.0 if t < text.first_real else float(text.values[t - text.first_real, text.starts[s] + i])
        found.append((int(text.base[t] + gram), value))
    return found


def joint(extracted, s, labels):
    phi = defaultdict(float)
    for i, label in enumerate(labels):
        for feature, value in fired(extracted, s, i):
            phi[feature, label] += value
        phi["pair", labels[i - 1] if i else -1, label] += 1.0
    return phi


def dot(theta, phi):
    return sum(theta[key] * value for key, value in phi.items())


def slow_pass(extracted, y, n_labels, order, rule, cost, step, cap, theta, history):
    ends = np.concatenate([[0], np.cumsum(extracted.text.lengths)])
    for s in order:
        right = tuple(y[ends[s] : ends[s + 1]])
        scored = {
            labels: dot(theta, joint(extracted, s, labels))
            + sum(cost[b] for a, b in zip(labels, right, strict=True) if a != b)
            for labels in product(range(n_labels), repeat=len(right))
        }
        best = max(scored, key=scored.get)
        if best != right:
            change = joint(extracted, s, right)
            for key, value in joint(extracted, s, best).items():
                change[key] -= value
            size = step
            if rule.startswith("mira"):
                wrong = sum(a != b for a, b in zip(best, right, strict=True))
                violation = scored[best] - scored[right] + (0 if any(cost) else wrong)
                size = min(cap, violation / sum(value**2 for value in change.values()))
            for key, value in change.items():
                theta[key] += size * value
        history.append(dict(theta))


@pytest.mark.parametrize(
    ("rule", "step", "cap"),
    [
        ("perceptron", 1.0, np.inf),
        ("svm", 0.3, np.inf),
        ("mira", 1.0, np.inf),
        ("mira", 1.0, 0.02),
        ("mira-1best", 1.0, np.inf),
    ],
)
def test_margin_learners(rule, step, cap):
    sentences, y, labels = numbered()
    extracted = extract(sentences, compile_program(parse_templates(TEMPLATES)))
    costs = np.array([1.0, 2.0, 0.5, 1.0], dtype=np.float32)
    learner = Learner(extracted, y, costs)
    asked = costs if rule in ("svm", "mira") else np.zeros(4)
    theta, history = defaultdict(float), []
    rng = np.random.default_rng(0)
    for _ in range(2):
        order = rng.permutation(len(sentences))
        learner.by_margin(order, rule, step, cap)
        slow_pass(extracted, y, len(labels), order, rule, asked, step, cap, theta, history)
    fast = as_dict(learner.features, learner.rows, learner.transitions)
    compare(fast, theta)
    mean = defaultdict(float)
    for one in history:
        for key, value in one.items():
            mean[key] += value / len(history)
    compare(as_dict(learner.features, *learner.averaged()), mean)


def as_dict(features, rows, transitions):
    found = {(int(f), k): float(rows[r, k]) for r, f in enumerate(features) for k in range(rows.shape[1])}
    n = transitions.shape[1]
    return found | {("pair", a if a < n else -1, b): float(transitions[a, b]) for a in range(n + 1) for b in range(n)}


def compare(fast, slow):
    for key in {*fast, *slow}:
        assert fast.get(key, 0.0) == pytest.approx(slow.get(key, 0.0), abs=2e-4), key


def test_frozen_weights_stay_zero():
    sentences, y, labels = numbered()
    extracted = extract(sentences, compile_program(parse_templates(TEMPLATES)))
    for cost, train in (
        (1.0, lambda learner, order: learner.by_margin(order, "mira")),
        (0.0, lambda learner, order: learner.by_likelihood(order, True, 0.1, 0.01)),
        (0.0, lambda learner, order: learner.by_likelihood(order, False, 0.1, 0.01)),
    ):
        learner = Learner(extracted, y, np.full(len(labels), cost, dtype=np.float32))
        learner.by_margin(np.arange(len(sentences)), "perceptron")
        allowed = learner.rows != 0.0
        assert 0 < allowed.sum() < allowed.size
        learner.freeze()
        train(learner, np.arange(len(sentences)))
        assert learner.rows.shape == allowed.shape
        assert not learner.rows[~allowed].any()
        assert learner.rows[allowed].any()


def test_dropped_rows_leave_the_others_alone():
    sentences, y, labels = numbered(30)
    extracted = extract(sentences, compile_program(parse_templates(TEMPLATES)))
    learner = Learner(extracted, y, np.ones(len(labels), dtype=np.float32))
    order = np.arange(len(sentences))
    learner.by_margin(order, "perceptron")
    before = as_dict(learner.features, learner.rows, learner.transitions)
    dead = (learner.features % 3 == 0) | ~learner.rows.any(axis=1)
    gone = set(learner.features[dead].tolist())
    learner.rows[dead] = 0.0
    learner.drop_zeros()
    after = as_dict(learner.features, learner.rows, learner.transitions)
    assert after == {key: value for key, value in before.items() if key[0] not in gone}
    learner.by_margin(order, "perceptron")  # room that became free is used again, from zero
    assert len(set(learner.features.tolist())) == learner.n_rows


def batch(seed=0, costs=(0.0, 0.0, 0.0, 0.0)):
    sentences, y, labels = numbered()
    extracted = extract(sentences, compile_program(parse_templates(TEMPLATES)))
    rng = np.random.default_rng(seed)
    row_of = np.arange(extracted.n_features, dtype=np.int32)
    rows = rng.normal(size=(extracted.n_features, len(labels)))
    transitions = rng.normal(size=(len(labels) + 1, len(labels)))
    starts = np.concatenate([[0], np.cumsum(sentences.lengths)[:-1]]).astype(np.int64)
    given = np.array(costs, dtype=np.float32)

    def value(rows, transitions):
        gradient, pairs = np.zeros_like(rows), np.zeros_like(transitions)
        loss = likelihood_gradient(extracted.text, y, starts, row_of, rows, transitions, given, gradient, pairs)
        return loss, gradient, pairs

    return extracted, y, rows, transitions, value


@pytest.mark.parametrize("costs", [(0.0, 0.0, 0.0, 0.0), (1.0, 2.0, 0.5, 1.0)])
def test_likelihood_against_enumeration(costs):
    extracted, y, rows, transitions, value = batch(costs=costs)
    theta = defaultdict(float, as_dict(range(len(rows)), rows, transitions))
    ends = np.concatenate([[0], np.cumsum(extracted.text.lengths)])
    expected = 0.0
    for s in range(len(extracted.text.lengths)):
        right = tuple(y[ends[s] : ends[s + 1]])
        log_z = np.logaddexp.reduce(
            [
                dot(theta, joint(extracted, s, labels))
                + sum(costs[b] for a, b in zip(labels, right, strict=True) if a != b)
                for labels in product(range(rows.shape[1]), repeat=len(right))
            ]
        )
        expected += log_z - dot(theta, joint(extracted, s, right))
    assert value(rows, transitions)[0] == pytest.approx(expected, rel=1e-10)


def test_gradient_against_finite_differences():
    _, _, rows, transitions, value = batch(1, costs=(0.0, 2.0, 0.5, 1.0))
    _, gradient, pairs = value(rows, transitions)
    rng = np.random.default_rng(2)
    for which, slope in ((rows, gradient), (transitions, pairs)):
        for _ in range(12):
            place = tuple(rng.integers(which.shape))
            kept, step = which[place], 1e-5
            which[place] = kept + step
            up = value(rows, transitions)[0]
            which[place] = kept - step
            down = value(rows, transitions)[0]
            which[place] = kept
            assert slope[place] == pytest.approx((up - down) / (2 * step), abs=1e-6)


def test_one_plain_step_follows_the_gradient():
    sentences, y, labels = numbered()
    which = int(np.argmax(sentences.lengths))
    one = sentences.take([which])
    y = y[sentences.ends[which] : sentences.ends[which + 1]]
    extracted = extract(one, compile_program(parse_templates(TEMPLATES)))
    costs = np.array([0.5, 2.0, 1.0, 0.0], dtype=np.float32)
    learner = Learner(extracted, y, costs)
    learner.by_likelihood(np.zeros(1, dtype=np.int64), False, 0.25, 0.0)
    gradient = np.zeros((extracted.n_features, len(labels)))
    pairs = np.zeros((len(labels) + 1, len(labels)))
    row_of = np.arange(extracted.n_features, dtype=np.int32)
    starts = np.zeros(1, dtype=np.int64)
    zero = np.zeros_like(gradient), np.zeros_like(pairs)
    likelihood_gradient(extracted.text, y, starts, row_of, *zero, costs, gradient, pairs)
    np.testing.assert_allclose(learner.rows, -0.25 * gradient[learner.features], atol=1e-6)
    np.testing.assert_allclose(learner.transitions, -0.25 * pairs, atol=1e-6)


@pytest.mark.parametrize(("damping", "l2", "times"), [(0.0, 0.0, 1), (0.7, 0.0, 1), (0.7, 0.02, 1), (0.7, 1e-5, 200)])
def test_adagrad_divides_by_the_root_of_damping_and_squared_slopes(damping, l2, times):
    sentences, y, labels = numbered()
    # steps are taken token by token: with its place in it no feature is twice in a sentence
    sentences = sentences.with_column("place", [str(i) for n in sentences.lengths for i in range(n)])
    templates = ["place[0]", "place[0] & word[0]", "place[0] & word[-1] & pos[1]"]
    extracted = extract(sentences, compile_program(parse_templates(templates)))
    costs = np.zeros(len(labels), dtype=np.float32)
    learner = Learner(extracted, y, costs, damping)
    rows, transitions = np.zeros((extracted.n_features, len(labels))), np.zeros((len(labels) + 1, len(labels)))
    sums, pair_sums, seen = np.zeros_like(rows), np.zeros_like(transitions), np.zeros_like(rows)
    row_of = np.arange(extracted.n_features, dtype=np.int32)
    rate, order = 0.25, np.array([2, 0, 2, 1] * times)
    left_out = 0
    for clock, s in enumerate(order, 1):
        one = extracted.text._replace(starts=extracted.text.starts[[s]], lengths=extracted.text.lengths[[s]])
        slopes, pairs = np.zeros_like(rows), np.zeros_like(transitions)
        begin = learner.token_starts[[s]]
        likelihood_gradient(one, y, begin, row_of, rows, transitions, costs, slopes, pairs)
        moved = np.abs(slopes) >= SURE
        left_out += np.count_nonzero((slopes != 0.0) & ~moved)
        sums[moved] += slopes[moved] ** 2
        steps = rate / np.sqrt(np.maximum(damping, 1e-8) + sums[moved])
        # the penalty of all sentences since a weight was last touched
        rows[moved] -= steps * slopes[moved] + steps * l2 * (clock - seen[moved]) * rows[moved]
        seen[moved] = clock
        pairs += l2 * transitions
        pair_sums += pairs**2
        transitions -= rate * pairs / np.sqrt(np.maximum(damping, 1e-8) + pair_sums)
    assert (left_out > 0) == (times > 1)
    learner.by_likelihood(order, True, rate, l2)
    compare(as_dict(learner.features, learner.rows, learner.transitions), as_dict(range(len(rows)), rows, transitions))

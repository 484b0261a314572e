"""What holds for every penalty: oracles, optimality, duality, invariance, and the words of refusal."""

import math

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laconic.core.penalties as public
from laconic.core.groups import Groups
from laconic.core.penalties import ElasticNetPenalty, GroupPenalty, OverlappingPenalty, TreePenalty, group_penalty
from laconic.core.penalties.base import check_sides, cut, soft

KINDS = ["elastic", "disjoint", "tree", "overlapping"]
every_kind = pytest.mark.parametrize("kind", KINDS)
few = settings(max_examples=30, deadline=None)
seeds = st.integers(0, 2**32 - 1)


def with_levels(penalty, **changes):
    """The same penalty with other levels."""
    if isinstance(penalty, ElasticNetPenalty):
        return ElasticNetPenalty(**({"l1": penalty.l1, "l2": penalty.l2} | changes))
    levels = {"group": penalty.group, "l1": penalty.l1, "l2": penalty.l2}
    return type(penalty)(**({"groups": penalty.groups} | levels | changes))


def test_public_names():
    assert set(dir(public)) >= {"DualPoint", "ElasticNetPenalty", "GroupPenalty", "OverlappingPenalty", "TreePenalty"}
    assert [getattr(public, name).__name__ for name in public.__all__] == public.__all__


@every_kind
@pytest.mark.parametrize("shape", [(7,), (5, 3)])
def test_prox_against_cvxpy(kind, shape, twins):
    rng = np.random.default_rng(len(shape))
    penalty = twins.make_penalty(kind, shape[0], rng)
    v = 1.5 * rng.normal(size=shape)
    w = penalty.prox(v, step=0.9)
    assert w.shape == shape
    np.testing.assert_allclose(w, twins.prox(penalty, v, 0.9), atol=2e-6)


@every_kind
@pytest.mark.parametrize("l1", [0.0, 0.4])
def test_polar_norm_against_cvxpy_and_from_both_sides(kind, l1, twins):
    rng = np.random.default_rng(3)
    penalty = twins.make_penalty(kind, 6, rng, l1=l1 if kind != "elastic" else 0.4, l2=0.0)
    c = 3 * rng.normal(size=6)
    if kind != "elastic" and l1 == 0:
        c[~penalty.groups.covered] = 0.0
    largest = penalty.lambda_max(c)
    assert largest == pytest.approx(twins.polar(penalty, c), rel=1e-7)
    for sign, zero in ((1, True), (-1, False)):
        factor = largest * (1 + sign * (1e-3 if kind == "overlapping" else 1e-12))
        levels = {"l1": penalty.l1 * factor} | ({} if kind == "elastic" else {"group": penalty.group * factor})
        scaled = with_levels(penalty, **levels)
        assert (not scaled.prox(c, 1.0).any()) == zero
    assert penalty.dual(c / (2 * largest)) == (1.0, 0.0)
    assert penalty.dual(2 * c / largest).scale == pytest.approx(0.5, rel=1e-9)
    assert penalty.dual(2 * c / largest).scale <= 0.5 * (1 + 1e-10)


@every_kind
@few
@given(seed=seeds)
def test_prox_is_optimal(kind, seed, twins):
    rng = np.random.default_rng(seed)
    penalty = twins.make_penalty(kind, 6, rng, l1=rng.choice([0.0, 0.4]), l2=rng.choice([0.0, 0.3]))
    v, step = 2 * rng.normal(size=6), rng.uniform(0.1, 2)

    def objective(w):
        return 0.5 * np.sum((w - v) ** 2) + step * penalty.value(w)

    w = penalty.prox(v, step)
    best = objective(w)
    for size in (1e-5, 1e-2, 1):
        for _ in range(10):
            assert objective(w + size * rng.normal(size=6)) >= best - 1e-11
        assert objective(w * (1 + size)) >= best - 1e-11
        assert objective(w * (1 - size)) >= best - 1e-11


@every_kind
@few
@given(seed=seeds)
def test_moreau(kind, seed, twins):
    """v = prox_Ω(v) + prox_{Ω*}(v): v − prox is a subgradient, so Fenchel and Young hold with equality there."""
    rng = np.random.default_rng(seed)
    penalty = twins.make_penalty(kind, 6, rng, l1=rng.choice([0.0, 0.4]), l2=0.3)
    v = 2 * rng.normal(size=6)
    w = penalty.prox(v, 1.0)
    c = v - w
    assert penalty.value(w) + penalty.dual(c).value == pytest.approx(c @ w, abs=1e-9)
    # With λ₂ = 0 what the prox takes away lies in the dual set K, and the rest is normal to K there.
    sharp = with_levels(penalty, l2=0.0)
    w = sharp.prox(v, 1.0)
    assert sharp.lambda_max(v - w) <= 1 + 2e-6 if w.any() else sharp.dual(v).scale >= 1 - 1e-6
    assert sharp.value(w) == pytest.approx((v - w) @ w, abs=1e-9)


@every_kind
@few
@given(seed=seeds)
def test_fenchel_and_young(kind, seed, twins):
    rng = np.random.default_rng(seed)
    shape = (6,) if rng.random() < 0.7 else (6, 2)
    penalty = twins.make_penalty(kind, 6, rng, l1=rng.choice([0.0, 0.4]), l2=rng.choice([0.0, 0.3]))
    c, near = 2 * rng.normal(size=shape), rng.normal(size=shape)
    for point in (penalty.dual(c), penalty.dual(c, near=near)):
        assert 0 <= point.scale <= 1
        assert point.scale == 1 or penalty.l2 == 0
        for w in (rng.normal(size=shape), 0.1 * rng.normal(size=shape), penalty.prox(c, 1.0), near):
            assert penalty.value(w) + point.value >= point.scale * np.vdot(c, w) - 1e-9 * (1 + penalty.value(w))


@every_kind
def test_conjugate_is_tight(kind, rng, twins):
    """The slow twin: Ω*(c) = c·w − Ω(w) at w = prox_{Ψ/(2λ₂)}(c/(2λ₂))."""
    penalty = twins.make_penalty(kind, 8, rng, l2=0.15)
    c = 2 * rng.normal(size=8)
    w = with_levels(penalty, l2=0.0).prox(c / 0.3, 1 / 0.3)
    assert penalty.dual(c).value == pytest.approx(c @ w - penalty.value(w), rel=1e-9)


@every_kind
@few
@given(seed=seeds)
def test_the_order_of_features_and_groups_does_not_matter(kind, seed, twins):
    rng = np.random.default_rng(seed)
    penalty = twins.make_penalty(kind, 6, rng, l2=0.1)
    order = rng.permutation(6)
    c = 2 * rng.normal(size=6)
    other = penalty
    if kind != "elastic":
        groups, turn = penalty.groups, rng.permutation(len(penalty.groups))
        place = np.argsort(order)
        lists = [place[groups.members(g)] for g in turn]
        other = with_levels(penalty, groups=Groups.from_lists(lists, 6, weights=groups.weights[turn]))
    assert other.value(c[order]) == pytest.approx(penalty.value(c), rel=1e-12)
    np.testing.assert_allclose(other.prox(c[order], 0.7), penalty.prox(c, 0.7)[order], atol=3e-6)
    assert other.dual(c[order]).value == pytest.approx(penalty.dual(c).value, rel=1e-8)
    assert other.lambda_max(c[order]) == pytest.approx(penalty.lambda_max(c), rel=2e-9)


@every_kind
def test_one_column_is_a_vector(kind, rng, twins):
    penalty = twins.make_penalty(kind, 6, rng)
    c = 2 * rng.normal(size=6)
    column = c[:, None]
    assert penalty.value(column) == pytest.approx(penalty.value(c))
    np.testing.assert_allclose(penalty.prox(column, 0.5)[:, 0], penalty.prox(c, 0.5), atol=1e-12)
    assert penalty.dual(column).value == pytest.approx(penalty.dual(c).value)
    assert penalty.lambda_max(column) == pytest.approx(penalty.lambda_max(c))


@every_kind
def test_levels_per_feature_equal_singleton_groups(kind, rng, twins):
    plain = twins.make_penalty(kind, 6, rng, l1=0.0, l2=0.1, group=1.0)
    levels = rng.uniform(0.1, 0.5, 6)
    weighted = with_levels(plain, l1=levels)
    lists = [] if kind == "elastic" else [plain.groups.members(g) for g in range(len(plain.groups))]
    weights = [] if kind == "elastic" else plain.groups.weights
    joined = Groups.from_lists(lists, 6, weights) + Groups.from_lists(np.arange(6)[:, None], 6, levels)
    twin = OverlappingPenalty(joined, 1.0, 0.0, 0.1)
    v = 2 * rng.normal(size=6)
    assert weighted.value(v) == pytest.approx(twin.value(v))
    np.testing.assert_allclose(weighted.prox(v, 0.8), twin.prox(v, 0.8), atol=1e-6)
    assert weighted.dual(v).value == pytest.approx(twin.dual(v).value, rel=1e-9)
    assert weighted.lambda_max(v) == pytest.approx(twin.lambda_max(v), rel=1e-8)


@every_kind
def test_prox_leaves_its_argument_alone(kind, rng, twins):
    penalty = twins.make_penalty(kind, 6, rng)
    v = rng.normal(size=6)
    before = v.copy()
    penalty.prox(v, 0.1)
    penalty.dual(v)
    penalty.lambda_max(v)
    np.testing.assert_array_equal(v, before)
    np.testing.assert_array_equal(with_levels(penalty, l2=0.0).prox(v, 0.0), v)


@every_kind
@pytest.mark.parametrize("size", [1e-150, 1e100])
def test_polar_norm_of_tiny_and_huge_points(kind, size, rng, twins):
    penalty = twins.make_penalty(kind, 6, rng)
    c = rng.normal(size=6)
    assert penalty.lambda_max(size * c) == pytest.approx(size * penalty.lambda_max(c), rel=1e-8)


@every_kind
def test_zero(kind, rng, twins):
    penalty = twins.make_penalty(kind, 6, rng, l2=0.0)
    zero = np.zeros(6)
    assert penalty.value(zero) == 0
    assert not penalty.prox(zero, 1.0).any()
    assert penalty.dual(zero) == (1.0, 0.0)
    assert penalty.lambda_max(zero) == 0


@every_kind
def test_a_feature_that_nothing_penalises(kind, twins):
    groups = Groups.from_lists([[0, 1]], 3)
    cls = {"disjoint": GroupPenalty, "tree": TreePenalty, "overlapping": OverlappingPenalty}.get(kind)
    penalty = ElasticNetPenalty([1.0, 1.0, 0.0]) if cls is None else cls(groups)
    assert penalty.dual([0.1, 0.1, 0.1]).scale == 0.0
    assert penalty.lambda_max([0.1, 0.1, 0.1]) == math.inf
    assert penalty.dual([0.1, 0.1, 0.0]) == (1.0, 0.0)
    assert penalty.lambda_max([0.1, 0.1, 0.0]) < math.inf
    nothing = ElasticNetPenalty() if cls is None else cls(groups, group=0.0)
    assert nothing.lambda_max([1.0, 0.0, 0.0]) == math.inf
    assert nothing.dual([1.0, 0.0, 0.0]).scale == 0.0
    np.testing.assert_array_equal(nothing.prox([1.0, 2.0, 3.0], 1.0), [1.0, 2.0, 3.0])


def test_soft_thresholding_of_rows():
    v = np.array([[3.0, -3.0], [0.5, -2.0]])
    np.testing.assert_array_equal(soft(v, np.array([1.0, 2.0])), [[2.0, -2.0], [0.0, 0.0]])


@pytest.mark.parametrize("name", ["l1", "l2", "group"])
@pytest.mark.parametrize("level", [-0.5, math.nan, math.inf])
def test_levels_that_are_refused(name, level):
    with pytest.raises(ValueError, match=rf"{name} is {level}; it must be a finite number, 0 or larger"):
        group_penalty(Groups.singletons(3), **{name: level})
    if name != "group":
        with pytest.raises(ValueError, match=f"{name} is {level}"):
            ElasticNetPenalty(**{name: level})


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: ElasticNetPenalty(l1=[0.1, -1.0]), ValueError, r"l1\[1\] is -1.0"),
        (lambda: ElasticNetPenalty(l1=[[0.1]]), ValueError, r"l1 has shape \(1, 1\)"),
        (lambda: ElasticNetPenalty(l2="1"), TypeError, "l2 is '1'"),
        (lambda: ElasticNetPenalty(l2=True), TypeError, "l2 is True"),
        (lambda: GroupPenalty(Groups.singletons(3), l1=[0.1, 0.2]), ValueError, r"l1 has shape \(2,\).*\(3,\)"),
        (lambda: GroupPenalty([[0, 1]]), TypeError, "groups is a list"),
        (lambda: group_penalty([[0, 1]]), TypeError, "groups is a list"),
        (lambda: ElasticNetPenalty().prox([1.0], -1.0), ValueError, "step is -1.0"),
        (lambda: ElasticNetPenalty().prox([math.nan], 1.0), ValueError, "v holds NaN"),
        (lambda: ElasticNetPenalty().dual([math.inf]), ValueError, "c holds NaN or an infinite"),
        (lambda: GroupPenalty(Groups.singletons(3)).value([1.0]), ValueError, r"w has shape \(1,\).*\(3,\)"),
        (lambda: ElasticNetPenalty().value(1.0), ValueError, r"w has shape \(\)"),
        (lambda: ElasticNetPenalty().dual([1.0], near=[1.0, 2.0]), ValueError, "near has shape"),
    ],
)
def test_what_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


FAMILIES = {
    "none": None,
    "disjoint": [[0, 1, 2], [3, 4]],
    "tree": [[0, 1], [0, 1, 2], [3, 4]],
    "overlapping": [[0, 1, 2], [2, 3, 4], [0, 4]],
}


def penalty_of(family, l1, l2, sides):
    if FAMILIES[family] is None:
        return ElasticNetPenalty(l1, l2, sides)
    return group_penalty(Groups.from_lists(FAMILIES[family], 5), 0.7, l1, l2, sides)


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000))
def test_prox_is_cvxpys_under_the_constraints(family, seed):
    rng = np.random.default_rng(seed)
    v, sides = 3 * rng.normal(size=5), rng.choice([0, 1, -1, 2], 5).astype(np.int8)
    penalty = penalty_of(family, 0.4, 0.2, sides)
    w = cp.Variable(5)
    norms = sum(0.7 * np.sqrt(len(g)) * cp.norm(w[g]) for g in FAMILIES[family] or [])
    objective = 0.5 * cp.sum_squares(w - v) + 0.4 * cp.norm1(w) + 0.2 * cp.sum_squares(w) + norms
    allowed = [w[j] >= 0 if s == 1 else w[j] <= 0 if s == -1 else w[j] == 0 for j, s in enumerate(sides) if s]
    cp.Problem(cp.Minimize(objective), allowed).solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10)
    np.testing.assert_allclose(penalty.prox(v, 1.0), w.value, atol=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_fenchels_inequality_on_allowed_weights(family, seed):
    rng = np.random.default_rng(seed)
    c, sides = 3 * rng.normal(size=5), rng.choice([0, 1, -1, 2], 5).astype(np.int8)
    penalty = penalty_of(family, 0.4, 0.3, sides)
    value = penalty.dual(c).value
    best = penalty.prox(c / 0.6, 1 / 0.6)  # the maximiser of c·w − Ω(w), up to the split of the ridge
    for w in (cut(rng.normal(size=5), sides), cut(best, sides)):
        assert c @ w - penalty.value(w) <= value + 1e-9


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_lambda_max_is_where_zero_is_optimal(seed):
    rng = np.random.default_rng(seed)
    c, sides = rng.normal(size=5), rng.choice([0, 1, -1, 2], 5).astype(np.int8)
    penalty = group_penalty(Groups.from_lists([[0, 1, 2], [3, 4]], 5), 0.7, 0.4, 0.0, sides)
    top = penalty.lambda_max(c)
    if top > 0:
        assert penalty.prox(c * (1.01 / top), 1.0).any()
    assert not penalty.prox(c * (0.99 / max(top, 1e-9)), 1.0).any()


def test_bad_sides_are_refused():
    with pytest.raises(ValueError, match="may hold"):
        check_sides([3], 1)
    with pytest.raises(ValueError, match="shape"):
        check_sides([0, 1], 3)

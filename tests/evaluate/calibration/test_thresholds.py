import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.evaluate.calibration.thresholds import A_POINT, LEAST, Goal, choose_threshold, parse_goals, wilson


def figures(scores, positive, threshold, weight):
    taken = scores >= threshold
    hits = weight[taken & positive].sum()
    return hits / max(weight[taken].sum(), 1e-300), hits / max(weight[positive].sum(), 1e-300), int(taken.sum())


@given(
    st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.7, 0.9]), st.booleans()), min_size=12, max_size=40),
    st.sampled_from([0.3, 0.5, 0.8, 1.0]),
    st.sampled_from(["precision", "recall", "cost", "f1"]),
    st.booleans(),
)
def test_no_other_threshold_is_better(pairs, value, kind, weighted):
    scores, positive = np.array([one for one, _ in pairs]), np.array([one for _, one in pairs])
    weight = np.where(positive, 2.0, 1.0) if weighted else np.ones(len(pairs))
    every = [figures(scores, positive, one, weight) for one in np.unique(scores)]
    if not positive.any():
        with pytest.raises(ValueError, match="No document has the label 'x'"):
            choose_threshold("x", scores, positive, Goal(kind, value), weight)
        return
    reach = [recall for precision, recall, n in every if precision >= value and n >= LEAST]
    if kind == "precision" and not reach:
        best = max(precision for precision, _, n in every if n >= LEAST)
        with pytest.raises(ValueError, match=f"at most {best:.3f} is possible"):
            choose_threshold("x", scores, positive, Goal(kind, value), weight)
        return
    if kind == "cost":

        def cost(threshold):
            taken = scores >= threshold
            return value * weight[taken & ~positive].sum() + weight[positive & ~taken].sum()

        least = min(cost(one) for one in np.unique(scores))
        if least > weight[positive].sum():
            with pytest.raises(ValueError, match="cheaper than never"):
                choose_threshold("x", scores, positive, Goal(kind, value), weight)
            return
    found = choose_threshold("x", scores, positive, Goal(kind, value), weight)
    precision, recall, n = figures(scores, positive, found.value, weight)
    assert (found.precision, found.recall, found.documents) == (pytest.approx(precision), pytest.approx(recall), n)
    assert found.low <= found.precision <= found.high
    if kind == "precision":
        assert precision >= value
        assert recall == pytest.approx(max(reach))
    elif kind == "recall":
        assert recall >= value - 1e-12
        assert n == min(n for _, recall, n in every if recall >= value - 1e-12)
    elif kind == "cost":
        assert cost(found.value) == pytest.approx(least)
    else:
        f1 = {one: 2.0 * p * r / max(p + r, 1e-300) for one, (p, r, _) in zip(np.unique(scores), every, strict=True)}
        top = max(f1.values())
        slack = max(A_POINT, min(1.0 / weight[positive].sum(), top / 2.0))
        near = [one for one, value in f1.items() if value >= top - slack]
        sizes = np.log([weight[scores >= one].sum() for one in near])
        middle = near[int(np.argmin(np.abs(sizes[::-1] - sizes.mean()))) * -1 - 1]
        assert n == (scores >= middle).sum()


def test_the_threshold_lies_between_two_scores():
    scores = np.array([0.9] * 10 + [0.4] * 10)
    assert choose_threshold("x", scores, scores > 0.5, Goal("precision", 0.9)).value == pytest.approx(0.65)


def test_goals_for_all_and_for_one():
    found = parse_goals(["precision=0.9", "b:recall=0.5"], ["a", "b"])
    assert found == {"a": Goal("precision", 0.9), "b": Goal("recall", 0.5)}
    assert parse_goals({1: "cost=3"}, [0, 1]) == {1: Goal("cost", 3.0)}
    assert parse_goals(["f1", "b:cost=2"], ["a", "b"]) == {"a": Goal("f1"), "b": Goal("cost", 2.0)}
    assert [str(Goal.parse(text)) for text in ("f1", "cost=2")] == ["f1", "cost=2"]
    assert parse_goals("x:y:recall=1", ["x:y", "z"]) == {"x:y": Goal("recall", 1.0)}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("precision", "'precision' is not a goal"),
        ("precision=high", "is not a goal"),
        ("accuracy=0.9", "not 'accuracy'"),
        ("precision=1.2", "above 0 and at most 1"),
        ("cost=-1", "positive number"),
        ("c:recall=0.5", "no class 'c'"),
        (["a:recall=0.5", "a:recall=0.6"], "'a' has two threshold goals"),
        (["recall=0.5", "recall=0.6"], "two goals for every class"),
    ],
)
def test_wrong_goals_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        parse_goals(given, ["a", "b"])


def test_the_interval_is_wilsons():
    assert wilson(0.9, 100) == pytest.approx((0.8256, 0.9448), abs=1e-4)
    assert wilson(0.0, 10)[0] == 0.0


def test_the_threshold_of_a_rare_label_does_not_rest_on_one_document():
    scores, positive = np.linspace(0.0, 1.0, 1001), np.zeros(1001, dtype=bool)
    positive[[1000, 998, 996, 985, 960, 940]] = True  # the best F1 is at 996
    few = choose_threshold("x", scores, positive, Goal("f1"))
    assert few.documents > 5
    positive[500:] |= np.arange(501) % 2 == 0  # many documents: the best decides
    many = choose_threshold("x", scores, positive, Goal("f1"))
    assert many.recall == pytest.approx(1.0, abs=0.03)

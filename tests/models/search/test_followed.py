import pytest

from laconic.models.search.followed import ended
from laconic.models.search.tried import Tried


def tried(*points, spread=0.001):
    """Settings of (score, log-loss), their scores by fold apart by a spread."""
    return [
        Tried({}, (mean - spread, mean, mean + spread), mean, spread, 10.0, 0.0, 0.0, "lasso", 10.0, loss, {})
        for mean, loss in points
    ]


@pytest.mark.parametrize(
    ("points", "over"),
    [
        ([(0.5, 0.7)], False),
        ([(0.5, 0.7), (0.5, 0.6)], False),  # the log-loss falls while the score stands still
        ([(0.5, 0.7), (0.6, 0.5), (0.59, 0.501)], False),  # a wobble near the least log-loss
        ([(0.5, 0.7), (0.6, 0.5), (0.59, 0.501), (0.59, 0.502)], True),  # for two settings
        ([(0.5, 0.7), (0.6, 0.5), (0.59, 0.52)], True),  # clearly past it
        ([(0.5, 0.7), (0.6, 0.5), (0.65, 0.52)], False),  # past it, but surely better
        ([(0.5, 0.7), (1.0, 0.5)], True),  # nothing can be better
    ],
)
def test_a_run_ends_where_neither_score_nor_log_loss_improves(points, over):
    assert ended(tried(*points), "accuracy") is over


def test_a_better_score_must_be_sure_once_the_log_loss_has_risen():
    before, after = tried((0.6, 0.5), (0.61, 0.6))
    unsure = Tried({}, (0.5, 0.62, 0.71), 0.61, 0.1, 10.0, 0.0, 0.0, "lasso", 10.0, 0.6, {})
    assert not ended([before, after], "accuracy")
    assert ended([before, unsure], "accuracy")


def test_log_loss_is_better_the_less_it_is():
    points = tried((0.5, 0.5), (0.4, 0.4))
    assert not ended(points, "log_loss")
    assert ended([*points, *tried((0.45, 0.45))], "log_loss")

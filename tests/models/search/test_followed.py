import numpy as np
import pytest

from laconic.models.search.followed import Fit, Followed, ended
from laconic.models.search.recipe import Recipe
from laconic.models.search.runs import Run, Scale, family_of
from laconic.models.search.tried import OneLabel, Tried


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


class Growing:
    """A split whose models have the words that they are told to."""

    out = np.arange(4)

    def __init__(self, words):
        self.words = words

    def along(self, run):
        margins = np.array([1.0, -1.0, 1.0, -1.0])
        return iter([[Fit(margins * (1 + k), words, words, 1e-9)] for k, words in enumerate(self.words)])


@pytest.mark.parametrize(("words", "kept"), [((5, 40, 120, 130), [5, 40]), ((120, 130), [120])])
def test_a_run_ends_without_the_setting_of_too_many_words_but_never_without_any(words, kept):
    run = Run("elastic", 1.0, lambda k: [{"l1": 2.0**-k, "l2": 1.0}], most_words=100)
    judge = OneLabel(Recipe(metric="log_loss"), np.array([1, 0, 1, 0]), 2, np.arange(4) % 2, on_dev=False)
    followed = Followed(run, [Growing(words)])
    while not followed.over:
        followed.take([followed.fit(0)], judge)
    assert [one.words for one in followed.tried] == kept


@pytest.mark.parametrize(
    ("words", "rule", "most"),
    [(50_000, None, 5_000), (3_000, None, 1_000), (50_000, "one_se", np.inf), (50_000, "best", np.inf)],
)
def test_an_elastic_net_is_sparse_up_to_a_tenth_of_the_words(words, rule, most):
    scale = Scale(top=10.0, top_group=1.0, heaviest=4.0, n_words=words, n_classes=2)
    assert family_of("elastic", scale, Recipe(rule=rule)).run(1.0).most_words == most
    assert family_of("lasso", scale, Recipe(rule=rule)).run(0.0).most_words == np.inf

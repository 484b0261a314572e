"""The logic of ladders, with fake solvers."""

import numpy as np
import pytest

from benchmarks.climb import FIRST_LIMIT, LEAST_LIMIT, SLOWER, Climb, Climber, Rung
from benchmarks.process import FailedError, TooSlowError

OPTIMUM = 100.0


def solver(name, values, seconds=0.01, bound=OPTIMUM - 1e-9, calls=None):
    """A fake whose rung i gives values[i]; an exception in the list is raised."""

    def run(settings, limit):
        if calls is not None:
            calls.append((name, settings["i"], limit))
        result = values[settings["i"]]
        if isinstance(result, Exception):
            raise result
        return Rung(settings, seconds, result, bound[settings["i"]] if isinstance(bound, list) else bound, 3)

    return Climber(name, [{"i": i} for i in range(len(values))], run)


def test_the_loosest_setting_that_reaches_each_target_is_used():
    peer = solver("peer", [200.0, 100.005, 100.00001, 100.0000001, 100.0])
    climb = Climb([solver("ours", [110.0, OPTIMUM]), peer], [1e-4, 1e-8])
    climb.run()
    assert peer.reached(1e-4, climb.optimum).settings == {"i": 1}
    assert peer.reached(1e-8, climb.optimum).settings == {"i": 3}
    assert len(peer.rungs) == 4
    assert climb.gap == pytest.approx(1e-11, rel=0.1)


def test_a_better_optimum_sends_the_others_on():
    ours = solver("ours", [101.0, 100.5, 100.0])
    ours.tightest = lambda limit: ours.extra.append(Rung({}, 0.01, 100.5, 0.0, 3))
    climb = Climb([ours, solver("peer", [100.0])], [1e-4])
    climb.run()
    assert climb.optimum == 100.0
    assert ours.reached(1e-4, climb.optimum).settings == {"i": 2}


def test_a_solver_that_is_too_slow_keeps_the_target_it_reached():
    peer = solver("peer", [100.005, TooSlowError("slow"), 100.0])
    climb = Climb([solver("ours", [OPTIMUM]), peer], [1e-4, 1e-8])
    climb.run()
    assert peer.reached(1e-4, climb.optimum) is not None
    assert peer.reached(1e-8, climb.optimum) is None
    assert peer.ended == f"> {LEAST_LIMIT:.0f} s"


def test_a_ladder_may_end_and_a_solver_may_fail():
    short, broken = solver("short", [150.0]), solver("broken", [FailedError("no such option")])
    climb = Climb([solver("ours", [OPTIMUM]), short, broken], [1e-4])
    climb.run()
    assert short.ended == "not reached"
    assert broken.ended == "failed: no such option"


def test_limits_follow_the_fastest():
    calls = []
    Climb([solver("ours", [OPTIMUM], seconds=2.0, calls=calls), solver("peer", [OPTIMUM], calls=calls)], [1e-4]).run()
    assert calls == [("ours", 0, FIRST_LIMIT), ("ours", 0, FIRST_LIMIT), ("peer", 0, 2 * SLOWER)]
    calls.clear()
    Climb([solver("ours", [OPTIMUM], calls=calls), solver("peer", [OPTIMUM], calls=calls)], [1e-4]).run()
    assert calls[-1] == ("peer", 0, LEAST_LIMIT)


def test_an_unproven_optimum_is_sharpened_by_tight_runs_of_the_peers():
    calls = []
    peer = solver("peer", [100.005, 100.0], bound=[60.0, 99.9999999], calls=calls)
    climb = Climb([solver("ours", [100.0], bound=50.0), peer], [1e-4])
    climb.run()
    assert ("peer", 1) in [call[:2] for call in calls]
    assert climb.gap == pytest.approx(1e-9, rel=0.1)


def test_of_a_path_the_worst_point_counts():
    first = np.array([100.0, 10.0])
    peer = solver("peer", [np.array([100.0, 11.0]), np.array([100.001, 10.0001])], bound=first)
    climb = Climb([solver("ours", [first], bound=first), peer], [1e-4])
    climb.run()
    assert peer.reached(1e-4, climb.optimum).settings == {"i": 1}
    assert climb.gap == 0.0


def test_without_any_run_of_the_first_there_is_no_race():
    with pytest.raises(FailedError, match="no optimum"):
        Climb([solver("ours", [FailedError("broken")])], [1e-4]).run()

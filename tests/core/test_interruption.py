import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from laconic.core.interruption import Stop, Stopped, check, in_threads, interruptible, stoppable


def test_work_ends_where_it_is_looked_at_and_only_inside():
    stop = Stop()
    with stoppable(lambda: stop.now(1.0)):
        check()
        stop.asked = True
        with pytest.raises(Stopped):
            check()
        with stoppable(None):
            check()
    check()


def test_a_share_of_the_time_is_over_before_all_of_it():
    stop = Stop(0.2)
    assert not stop.late(0.5)
    time.sleep(0.12)
    assert stop.late(0.5)
    assert not stop.late(10.0)
    assert not Stop().late(0.0)


def test_the_first_ctrl_c_asks_and_the_second_interrupts():
    stop, heard = Stop(), []
    before = signal.getsignal(signal.SIGINT)
    with interruptible(stop, lambda: heard.append(1)):
        os.kill(os.getpid(), signal.SIGINT)
        assert (stop.asked, heard) == (True, [1])
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_heed_a_stop_that_they_are_handed():
    with stoppable(lambda: True), ThreadPoolExecutor(1) as pool:
        pool.submit(check).result()
        with pytest.raises(Stopped):
            pool.submit(in_threads(check)).result()
        with stoppable(None):
            pool.submit(in_threads(check)).result()

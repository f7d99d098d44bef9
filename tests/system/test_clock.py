"""Deadlines, and the alarm for who does not keep to them."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from plancost.system.clock import Deadline, TimeIsUp, alarm, postpone


def test_a_deadline_may_have_begun_before() -> None:
    assert Deadline.after(5, since=time.monotonic() - 10).is_over
    assert not Deadline.after(60, since=time.monotonic() - 10).is_over
    assert Deadline.after(None, since=0.0).remaining() is None


def test_the_alarm_ends_a_block_that_does_not_look_at_the_clock() -> None:
    started = time.monotonic()
    with pytest.raises(TimeIsUp), alarm(Deadline.after(0.0)):
        while time.monotonic() - started < 30:
            sum(range(1000))
    assert time.monotonic() - started < 20
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0.0


def test_an_alarm_can_be_postponed() -> None:
    with alarm(Deadline.after(60.0)):
        postpone(Deadline.after(600.0))
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 500
        postpone(Deadline())
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 500, "never is no time for an alarm"
    postpone(Deadline.after(600.0))
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0.0, "there is no alarm to postpone"


def test_without_a_deadline_there_is_no_alarm() -> None:
    with alarm(Deadline()):
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0.0


def test_the_alarm_leaves_the_timer_of_others_alone() -> None:
    def theirs(number: int, frame: object) -> None:
        raise AssertionError

    signal.signal(signal.SIGALRM, theirs)
    try:
        with alarm(Deadline.after(0.0)):
            assert signal.getsignal(signal.SIGALRM) is theirs
            assert signal.getitimer(signal.ITIMER_REAL)[0] == 0.0
        assert signal.getsignal(signal.SIGALRM) is theirs
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_in_another_thread_there_is_no_alarm() -> None:
    seen = []

    def work() -> None:
        with alarm(Deadline.after(60.0)):
            seen.append(signal.getitimer(signal.ITIMER_REAL)[0])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [0.0]

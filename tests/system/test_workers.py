"""Threads stop at a signal, and so does what they wait for."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from plancost.system.executors import LocalExecutor
from plancost.system.processes import Ending, Limits
from plancost.system.workers import StopSignal, stop_signal, stopping_at
from support import pieces


def test_a_thread_stops_at_the_signal_that_it_was_given(tmp_path: Path) -> None:
    signal = StopSignal()
    signal.set()
    with stopping_at(signal):
        finished = LocalExecutor().run(partial(pieces.sleep, 60, tmp_path), Limits())
    assert finished.ending is Ending.STOPPED
    assert stop_signal() is None

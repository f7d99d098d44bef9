"""Waiting ends when nothing has changed for as long as patience lasts."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from plancost.learning.exact.waiting import Waiting, patience_of
from plancost.learning.problem.options import LearnOptions
from plancost.learning.run import Run
from plancost.observations.case import load_case
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE


def test_every_progress_begins_the_waiting_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    patience = iter([5.0, 7.0, None])
    waiting = Waiting(lambda: next(patience))
    assert not waiting.is_over
    waiting.note((3, 9))
    now = 104.0
    waiting.note((3, 9))
    assert not waiting.is_over
    now = 105.0
    assert waiting.is_over
    waiting.note((4, 9))
    assert (waiting.seconds, waiting.until.remaining()) == (7.0, 7.0)
    now = 111.9
    assert not waiting.is_over
    now = 112.0
    assert waiting.is_over
    waiting.note((4, 8))
    assert waiting.seconds is None
    now = 1e9
    assert not waiting.is_over


def test_without_patience_it_waits_for_ever() -> None:
    waiting = Waiting()
    waiting.note(1)
    assert not waiting.is_over
    assert waiting.seconds is None


def test_a_run_is_patient_as_long_as_the_schedule_says(
    example_1: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many seconds, then a multiple of the time used; for ever if it is limited otherwise."""
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    case = load_case(example_1)
    patience = patience_of(Run.of(case, LearnOptions()))
    assert patience() == SCHEDULE.patience_s
    now += 1000.0
    assert patience() == SCHEDULE.patience_times * 1000.0
    assert patience_of(Run.of(case, LearnOptions(prove=True)))() is None
    limited = Run.of(case, LearnOptions()).until(Deadline.after(9.0))
    assert patience_of(limited)() is None

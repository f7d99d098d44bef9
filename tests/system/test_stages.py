"""Stages end early, and the run goes on."""

from __future__ import annotations

import errno
import time

import pytest

from plancost.system.clock import Deadline
from plancost.system.stages import Stages


def test_a_stage_that_is_out_of_time_is_not_an_interrupt() -> None:
    stages = Stages()
    with stages.stage("learning", Deadline.after(0.0)):
        time.sleep(30)
    assert not stages.interrupted
    assert not stages.notes


def test_a_stage_without_memory_leaves_a_note() -> None:
    stages = Stages()
    with stages.stage("learning", Deadline()):
        raise MemoryError
    assert not stages.interrupted
    assert stages.notes == ["memory ran out while learning; what was found by then is kept"]


def test_a_stage_without_room_for_temporary_files_leaves_a_note() -> None:
    stages = Stages()
    with stages.stage("learning", Deadline()):
        raise OSError(errno.ENOSPC, "No space left on device")
    (note,) = stages.notes
    assert note.startswith("No space left on device while learning; what was found by then is kept")


def test_an_interrupted_stage() -> None:
    stages = Stages()
    with stages.stage("learning", Deadline()):
        raise KeyboardInterrupt
    assert stages.interrupted


def test_a_bug_ends_the_run_unless_the_stage_is_optional() -> None:
    stages = Stages()
    with pytest.raises(RecursionError), stages.stage("learning", Deadline()):
        raise RecursionError("too deep")
    assert not stages.failures
    with stages.stage("explaining", Deadline(), optional=True):
        raise RecursionError("too deep")
    (failure,) = stages.failures
    assert "(RecursionError: too deep, in test_a_bug_ends_the_run" in failure
    with stages.stage("explaining", Deadline(), optional=True):
        raise KeyboardInterrupt
    assert stages.interrupted

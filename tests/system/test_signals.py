"""A signal ends what the main thread waits for, whenever it comes."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

from plancost.system.clock import Deadline, TimeIsUp, alarm
from plancost.system.signals import noticed_while_waiting


class _Signalled(BaseException):
    """What the handler raises."""


def _raise(number: int, frame: FrameType | None) -> None:
    raise _Signalled


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    before = signal.signal(signal.SIGUSR1, _raise)
    yield
    signal.signal(signal.SIGUSR1, before)


def _signal_unseen_by_main_thread() -> threading.Thread:
    """Signal a thread other than the main one, which is then left waiting as in the race."""

    def send() -> None:
        time.sleep(0.3)
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)

    thread = threading.Thread(target=send)
    thread.start()
    return thread


@pytest.mark.parametrize("kind", ["lock", "pipe"])
def test_a_signal_that_does_not_wake_the_main_thread_is_noticed(kind: str) -> None:
    reading, writing = os.pipe()
    lock = threading.Lock()
    lock.acquire()

    def end_waiting() -> None:
        lock.release()
        os.write(writing, b"too late")

    rescue = threading.Timer(20, end_waiting)
    rescue.start()
    started = time.monotonic()
    try:
        with noticed_while_waiting():
            sender = _signal_unseen_by_main_thread()
            with pytest.raises(_Signalled):
                if kind == "lock":
                    lock.acquire()
                else:
                    os.read(reading, 8)
        assert time.monotonic() - started < 10
        sender.join()
    finally:
        rescue.cancel()
        os.close(reading)
        os.close(writing)


def test_nothing_is_left_behind() -> None:
    def files() -> int:
        return len(list(Path("/dev/fd").iterdir()))

    def threads() -> list[str]:
        return [thread.name for thread in threading.enumerate() if thread.name == "signals"]

    handler, open_files, repetitions = signal.getsignal(signal.SIGURG), files(), 20
    for _ in range(repetitions):
        with noticed_while_waiting():
            assert threads()
    patience = time.monotonic() + 30
    while threads() and time.monotonic() < patience:
        time.sleep(0.01)
    assert not threads()
    assert files() < open_files + repetitions
    assert signal.getsignal(signal.SIGURG) is handler
    assert signal.set_wakeup_fd(-1) == -1


def test_without_room_for_a_pipe_the_block_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pipe() -> tuple[int, int]:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(os, "pipe", no_pipe)
    with noticed_while_waiting():
        assert signal.getsignal(signal.SIGURG) is signal.SIG_DFL


def test_without_room_for_a_thread_the_block_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_thread(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", no_thread)
    with noticed_while_waiting():
        assert signal.getsignal(signal.SIGURG) is signal.SIG_DFL


class _Ending:
    """While it is taken down, where Python does not let exceptions out, a signal comes."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __del__(self) -> None:
        signal.raise_signal(self.number)
        time.sleep(0)


def test_an_interrupt_that_python_drops_comes_again(capfd: pytest.CaptureFixture[str]) -> None:
    """Found by a soak: SIGTERM in a callback of an import was printed and not obeyed."""
    hook = sys.unraisablehook
    before = signal.signal(signal.SIGUSR1, signal.default_int_handler)
    try:
        with noticed_while_waiting():
            for _ in range(3):  # the last one may be dropped again, and comes again
                with pytest.raises(KeyboardInterrupt):
                    _wait_after(_Ending(signal.SIGUSR1))
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert sys.unraisablehook is hook
    assert "KeyboardInterrupt" not in capfd.readouterr().err


def _wait_after(ending: _Ending) -> None:
    del ending
    started = time.monotonic()
    while time.monotonic() - started < 20:
        time.sleep(0.01)


def test_an_alarm_comes_again_only_while_it_is_set() -> None:
    with noticed_while_waiting():
        with alarm(Deadline.after(1000)), pytest.raises(TimeIsUp):
            _wait_after(_Ending(signal.SIGALRM))
        with alarm(Deadline.after(1000)):
            _Ending(signal.SIGALRM)
        time.sleep(0.5)


def test_other_things_that_python_drops_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda dropped: said.append(dropped.exc_type))
    with noticed_while_waiting():
        _Broken()
    assert said == [ValueError]


class _Broken:
    def __del__(self) -> None:
        raise ValueError

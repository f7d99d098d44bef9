"""Signals that are noticed even while the main thread waits, or cannot be told.

The operating system tells Python of a signal at once, but Python calls its handler in the main
thread and between two steps. A signal that comes just before that thread begins to wait (for
another thread, or for a pipe) is noticed when the wait ends, and a planner may never end. So
another thread is told of every signal too, and wakes the main thread by one whose handler does
nothing.

Python also drops what a handler raises in a callback (of the garbage collector, of an import), and
prints a traceback instead. Then the handler that wakes the main thread raises it again.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

from plancost.system.clock import TimeIsUp, is_alarm_set

_WAKING = signal.SIGURG
"""A signal that does nothing to processes that do not know it."""
_PAUSES_S = (0.05, 0.2, 1.0, 5.0)
"""A busy machine may take long between the last step and the wait."""


@contextlib.contextmanager
def noticed_while_waiting() -> Iterator[None]:
    """In the block, which the main thread runs, a signal ends every wait of Python's.

    Where the system has no room for another thread or its pipe, the block runs all the same.
    """
    telling = _start_thread()
    if telling is None:
        yield
        return
    lost, hook_before = _Lost(), sys.unraisablehook
    handler_before = signal.signal(_WAKING, lost.raise_again)
    sys.unraisablehook = lost.keep
    told_before = signal.set_wakeup_fd(telling, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(told_before, warn_on_full_buffer=False)
        os.close(telling)  # this ends the thread, which nobody has to wait for
        sys.unraisablehook = hook_before
        signal.signal(_WAKING, handler_before or signal.SIG_DFL)


def _start_thread() -> int | None:
    """Start the thread that wakes the main one, and return where it is told of signals."""
    try:
        told, telling = os.pipe()
    except OSError:
        return None
    os.set_blocking(telling, False)
    thread = threading.Thread(target=_wake_main_thread, args=(told,), name="signals", daemon=True)
    try:
        thread.start()
    except RuntimeError:
        os.close(told)
        os.close(telling)
        return None
    return telling


def _wake_main_thread(told: int) -> None:
    main = threading.main_thread().ident
    assert main is not None
    pauses: list[float] = []
    while True:
        ready, _, _ = select.select([told], [], [], pauses[0] if pauses else None)
        if not ready:
            del pauses[0]
            signal.pthread_kill(main, _WAKING)
            continue
        numbers = os.read(told, 512)
        if not numbers:
            os.close(told)
            return
        if set(numbers) != {_WAKING}:
            pauses = list(_PAUSES_S)


class _Lost:
    """An interrupt that Python dropped, until it is raised again."""

    def __init__(self) -> None:
        self._kind: type[KeyboardInterrupt] | None = None
        self._others = sys.unraisablehook

    def keep(self, dropped: sys.UnraisableHookArgs) -> None:
        """Python calls this instead of raising."""
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            self._kind = dropped.exc_type
        else:
            self._others(dropped)

    def raise_again(self, number: int, frame: FrameType | None) -> None:
        """Mostly there is nothing to raise; Python, awake for this, also calls other handlers."""
        kind, self._kind = self._kind, None
        if kind is not None and (kind is not TimeIsUp or is_alarm_set()):
            raise kind

"""Signals that are noticed even while the main thread waits.

The operating system tells Python of a signal at once, but Python calls its handler in the main
thread and between two steps. A signal that comes just before that thread begins to wait (for
another thread, or for a pipe) is noticed when the wait ends, and a planner may never end. So
another thread is told of every signal too, and wakes the main thread by one whose handler does
nothing.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType

_WAKING = signal.SIGURG
"""A signal that does nothing to processes that do not know it."""
_PAUSES_S = (0.05, 0.2, 1.0, 5.0)
"""A busy machine may take long between the last step and the wait."""


@contextlib.contextmanager
def noticed_while_waiting() -> Iterator[None]:
    """In the block, which the main thread runs, a signal ends every wait of Python's."""
    told, telling = os.pipe()
    os.set_blocking(telling, False)
    over = threading.Event()
    arguments = (told, over)
    thread = threading.Thread(None, _wake_main_thread, "signals", arguments, daemon=True)
    handler_before = signal.signal(_WAKING, _do_nothing)
    told_before = signal.set_wakeup_fd(telling, warn_on_full_buffer=False)
    try:
        thread.start()
        yield
    finally:
        over.set()
        signal.set_wakeup_fd(told_before, warn_on_full_buffer=False)
        os.close(telling)  # what the thread reads ends here
        if thread.ident is not None:
            thread.join()
        os.close(told)
        signal.signal(_WAKING, handler_before)


def _wake_main_thread(told: int, over: threading.Event) -> None:
    main = threading.main_thread().ident
    assert main is not None
    while numbers := os.read(told, 512):
        if set(numbers) == {_WAKING}:
            continue
        for pause in _PAUSES_S:
            if over.wait(pause):
                break
            signal.pthread_kill(main, _WAKING)


def _do_nothing(number: int, frame: FrameType | None) -> None:
    """Python, awake for this, also calls the handlers of signals before it."""

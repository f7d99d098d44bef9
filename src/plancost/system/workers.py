"""Threads that wait for other programs, and stop them when the work is cancelled.

Ctrl-C reaches only the main thread. Leaving a pool of threads waits for all of them, and
they may wait for their planners for hours. So when an exception leaves the block that owns the
threads, they are told to stop, and `processes.run` ends the programs that it runs in them.
Threads that are started in such a thread stop with it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor


class StopSignal:
    """Set once, by its owner or by the owner of the thread that its owner runs in."""

    def __init__(self, parent: StopSignal | None = None) -> None:
        self._event = threading.Event()
        self._parent = parent

    def set(self) -> None:
        """Cancel the work."""
        self._event.set()

    def is_set(self) -> bool:
        """Whether the work was cancelled."""
        return self._event.is_set() or (self._parent is not None and self._parent.is_set())


_this_thread = threading.local()


def stop_signal() -> StopSignal | None:
    """The signal that this thread should stop at; None in the main thread."""
    signal: StopSignal | None = getattr(_this_thread, "signal", None)
    return signal


@contextlib.contextmanager
def stopping_at(signal: StopSignal) -> Iterator[None]:
    """Within a ``with`` block, let this thread stop at a signal."""
    before = stop_signal()
    _this_thread.signal = signal
    try:
        yield
    finally:
        _this_thread.signal = before


class Workers(ThreadPoolExecutor):
    """A pool of threads that lives as long as a ``with`` block."""

    def __init__(self, count: int) -> None:
        self._signal = StopSignal(stop_signal())
        super().__init__(max_workers=max(1, count), initializer=self._begin)

    def _begin(self) -> None:
        _this_thread.signal = self._signal

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._signal.set()
        self.shutdown(wait=True, cancel_futures=kind is not None)

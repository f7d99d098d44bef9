"""Signals that wait until a module is loaded.

A library that is interrupted while it is being loaded turns the interrupt into an ImportError of
its own, or stays half loaded. So handlers that raise look at the frames first, and come again.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType

_LOADING = "<frozen importlib._bootstrap>"
AGAIN_S = 0.05
"""When a signal comes again."""


def is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being loaded where a signal has come."""
    while frame is not None:
        if frame.f_code.co_filename == _LOADING:
            return True
        frame = frame.f_back
    return False


def send_again(number: int) -> bool:
    """Send the main thread a signal again, a moment later; False: there is no room for a thread."""
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(AGAIN_S, signal.pthread_kill, (main, number))
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError:
        return False
    return True

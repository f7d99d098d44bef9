"""Solvers that Ctrl-C and the clock end, although they would not notice it, or swallow it.

They run in a thread without Python's lock. Whoever is interrupted while waiting, or has waited long
enough, tells them to stop. (HiGHS goes on for 13 s at the root of an integer program otherwise.)
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

_POLL_S = 0.1
"""How often an interrupted solver is told again, in case it had not yet begun."""


def solve(run: Callable[[], object], stop: Callable[[], object], seconds: float) -> None:
    """Run a solver to its end, or until it stops after so many seconds or an interrupt; its
    exceptions come here.
    """
    failures: list[Exception] = []
    ended = threading.Event()  # joining a thread is not safe against Ctrl-C before Python 3.13

    def work() -> None:
        try:
            run()
        except Exception as error:
            failures.append(error)
        finally:
            ended.set()

    threading.Thread(target=work, daemon=True).start()
    try:
        ended.wait(min(seconds, threading.TIMEOUT_MAX))
    finally:
        while not ended.is_set():
            with contextlib.suppress(Exception):
                stop()
            ended.wait(_POLL_S)
    if failures:
        raise failures[0]

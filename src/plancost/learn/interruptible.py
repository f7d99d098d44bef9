"""Solvers that Ctrl-C ends, although they would not notice it, or swallow it.

They run in a thread without Python's lock. Whoever is interrupted while waiting tells them to stop.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

_POLL_S = 0.1
"""How often an interrupted solver is told again, in case it had not yet begun."""


def solve(run: Callable[[], object], stop: Callable[[], object]) -> None:
    """Run a solver to its end, or until it stops after an interrupt; its exceptions come here."""
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
        ended.wait()
    except BaseException:
        while not ended.is_set():
            with contextlib.suppress(Exception):
                stop()
            ended.wait(_POLL_S)
        raise
    if failures:
        raise failures[0]

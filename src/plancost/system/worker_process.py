"""Python processes of our own that work beside us, for work that keeps Python itself busy.

A worker process is another Python that makes an object and then calls its methods, one at a
time, when asked. It is started as a program of its own rather than by `multiprocessing`, which
would run the user's script a second time, and with ``-P``, so that no file of the folder it is
started in is taken for a module. What is asked and answered travels as pickles through pipes that
nobody else can write to: both ends are ours, and trust each other. A worker process ends when we
do: it is killed when the block that owns it is left, and when its pipe breaks.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from typing import Any

from plancost.errors import PlancostError
from plancost.system.processes import dying_with_us, held_to, signal_group


class WorkerProcess:
    """A process that holds one object, made there by a pickled call of ours."""

    def __init__(self, memory_mb: int | None = None) -> None:
        """Start the process, which takes about a second before it listens.

        `memory_mb` is the memory that it may write to.
        """
        command = [sys.executable, "-P", "-m", "plancost.system.worker_process"]
        if memory_mb is not None:
            command = held_to(f"ulimit -d {memory_mb * 1024}", command)
        try:
            self._process = subprocess.Popen(
                [*dying_with_us(), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise PlancostError(f"cannot start another Python: {error.strerror}") from error

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        signal_group(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()

    def make(self, function: Callable[..., object], *arguments: object) -> None:
        """Give it its object: what a module-level function returns."""
        self._send((function, arguments))

    def ask(self, method: str, *arguments: object) -> None:
        """Ask it to call a method of its object; the `answer` must be fetched before the next."""
        self._send((method, arguments))

    def answer(self) -> Any:  # noqa: ANN401 (whatever the method returns)
        """Wait for what the method returned."""
        assert self._process.stdout is not None
        try:
            succeeded, value = pickle.load(self._process.stdout)
        except (EOFError, pickle.UnpicklingError) as error:
            raise PlancostError("another Python that plancost started has died") from error
        if not succeeded:
            raise PlancostError(f"another Python that plancost started has failed: {value}")
        return value

    def _send(self, message: object) -> None:
        assert self._process.stdin is not None
        try:
            pickle.dump(message, self._process.stdin)
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise PlancostError("another Python that plancost started has died") from error


def _serve() -> None:
    """What the other process does until its pipe ends."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints by mistake must not get between the answers
    function, arguments = pickle.load(requests)
    held = function(*arguments)
    while True:
        try:
            method, arguments = pickle.load(requests)
        except EOFError:
            return
        try:
            answer = (True, getattr(held, method)(*arguments))
        except Exception:
            answer = (False, traceback.format_exc(limit=-3))
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    _serve()

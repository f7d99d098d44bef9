"""Worker processes: other Python processes, for work that is bound by Python itself.

A worker process creates an object and then calls its methods, one at a time, on request. It is
started as a separate program and not by `multiprocessing`, which would run the user's script a
second time. It is started with ``-P``, so that no file of the current folder is imported as a
module. Requests and answers are pickles, sent through pipes that nobody else can write to: both
ends are ours, and trust each other. A worker process ends when we do: it is killed when the block
that owns it is left, and it ends when its pipe breaks.
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
from typing import Any, BinaryIO

from plancost.errors import PlancostError
from plancost.system.processes import dying_with_us, held_to, signal_group


class WorkerProcess:
    """A process that holds one object, made there by a pickled call of ours."""

    def __init__(self, memory_mb: int | None = None) -> None:
        """Start the process; it takes about a second until it listens.

        `memory_mb` limits its writable memory.
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

    def kill(self) -> None:
        """End it now, also from another thread; who waits for an answer gets an error."""
        signal_group(self._process.pid, signal.SIGKILL)

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()

    def make(self, function: Callable[..., object], *arguments: object) -> None:
        """Let it create its object, the return value of a module-level function."""
        self.make_packed(packed(function, *arguments))

    def make_packed(self, call: bytes) -> None:
        """The same with a call that was `packed` before anybody could change its objects."""
        self._write(call)

    def ask(self, method: str, *arguments: object) -> None:
        """Let it call a method of its object; fetch the `answer` before the next call."""
        self._send((method, arguments))

    def answer(self, heard: Callable[[Any], None] = lambda _: None) -> Any:  # noqa: ANN401 (whatever the method returns)
        """Wait for the return value of the method; what it tells before that is `heard`."""
        assert self._process.stdout is not None
        succeeded: bool | None = None
        while succeeded is None:
            try:
                succeeded, value = pickle.load(self._process.stdout)
            except (EOFError, pickle.UnpicklingError) as error:
                raise PlancostError("another Python that plancost started has died") from error
            if succeeded is None:
                heard(value)
        if not succeeded:
            raise PlancostError(f"another Python that plancost started has failed: {value}")
        return value

    def interrupt(self) -> None:
        """Send it the signal of Ctrl-C; its object has to be prepared for that."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGINT)

    def _send(self, message: object) -> None:
        self._write(pickle.dumps(message))

    def _write(self, message: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(message)
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise PlancostError("another Python that plancost started has died") from error


def packed(function: Callable[..., object], *arguments: object) -> bytes:
    """A call of a module-level function, for `WorkerProcess.make_packed`."""
    return pickle.dumps((function, arguments))


_answers: BinaryIO | None = None
"""In a worker process: the pipe to the process that started it."""


def tell(value: object) -> None:
    """In a worker process: send something before the method has returned."""
    if _answers is not None:
        _reply((None, value), _answers)


def _reply(message: object, answers: BinaryIO) -> None:
    """Whole or not at all, as a signal may strike while it is pickled."""
    answers.write(pickle.dumps(message))
    answers.flush()


def _serve() -> None:
    """The loop of the worker process, until its pipe is closed."""
    global _answers
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    _answers = answers
    os.dup2(2, 1)  # output that a library prints by mistake must not mix with the answers
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
        _reply(answer, answers)


if __name__ == "__main__":
    # Not this copy of the module: others import it by its name, and `tell` is theirs.
    from plancost.system.worker_process import _serve as serve

    serve()

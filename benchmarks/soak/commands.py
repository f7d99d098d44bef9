"""Running ``plancost`` in a sandbox, and looking for what it leaves behind.

Every process of a run carries a variable in its environment that no other process has, so that
also those are found that have left their group, session and parent. Temporary files, cache and
home are folders of the run.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.soak import ROOT
from benchmarks.soak.findings import Finding, Wrong
from plancost.cli import exit_codes
from plancost.cli.main import main

_TOKEN = "PLANCOST_SOAK_RUN"
_PATIENCE_S = 5.0
"""For processes that are dying."""
TOO_LONG_S = 240.0
"""A command without a time limit that takes longer hangs."""
_MINDED = 1 << (signal.SIGTERM - 1) | 1 << (signal.SIGINT - 1)
_BAD_WORDS = ("Traceback (most recent call last)", "Exception ignored", "Fatal Python error")


@dataclass(frozen=True)
class Stop:
    """A signal, so many seconds after the command has begun its work."""

    signal: signal.Signals
    after_s: float


@dataclass(frozen=True)
class Done:
    """A command that has ended; the status is None if it had to be killed."""

    words: tuple[str, ...]
    status: int | None
    out: str
    err: str
    seconds: float
    signalled: bool = False
    """Whether the signal that it was to get was sent."""

    def problems(self) -> Iterator[Finding]:
        """What no command may ever do."""
        if self.status is None:
            yield Finding(Wrong.OUTCOME, f"not at its end after {self.seconds:.0f} s")
        for word in _BAD_WORDS:
            if word in self.err:
                yield Finding(Wrong.OUTCOME, f"on standard error: {self.err[-1500:]}")
                return
        if self.status in (1, 2) and not self.err.strip():
            yield Finding(Wrong.OUTCOME, f"status {self.status} without a word")


@dataclass
class Sandbox:
    """A folder for one run, and the environment of its commands."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    """What faults add."""
    slowness: float = 1.0
    """How many times as long everything takes."""

    def __post_init__(self) -> None:
        for name in ("temporary", "home", "out"):
            (self.folder / name).mkdir()

    @property
    def out(self) -> Path:
        """Where commands write what they are asked for."""
        return self.folder / "out"

    @property
    def temporary(self) -> Path:
        """Where commands keep what they need for a moment."""
        return self.folder / "temporary"

    @property
    def _token(self) -> str:
        return str(self.folder)

    def _variables(self) -> dict[str, str]:
        return {
            _TOKEN: self._token,
            "TMPDIR": str(self.temporary),
            "HOME": str(self.folder / "home"),
            "PLANCOST_CACHE": str(self.folder / "cache"),
            **self.environment,
        }

    def run(self, words: Sequence[str], *, stop: Stop | None = None, ulimit: str = "") -> Done:
        """Run the command line; with `ulimit` under that limit of the shell."""
        command = [sys.executable, "-m", "plancost", *words]
        if ulimit:
            command = ["/bin/sh", "-c", f'ulimit {ulimit} && exec "$@"', "sh", *command]
        began = time.monotonic()
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
            cwd=self.folder,
            env={**os.environ, **self._variables()},
        )
        signalled = stop is not None and _send(process, stop)
        status: int | None
        try:
            out, err = process.communicate(timeout=self.slowness * TOO_LONG_S)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            status = None
        return Done(tuple(words), status, out, err, time.monotonic() - began, signalled)

    def run_here(self, words: Sequence[str]) -> Done:
        """Run the command in this process, which is quicker and shows whether memory grows."""
        began = time.monotonic()
        out, err = io.StringIO(), io.StringIO()
        handler = signal.getsignal(signal.SIGTERM)
        status: int | None
        try:
            with (
                self.here(),
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
            ):
                status = main(words)
        except SystemExit as error:  # argparse
            status = error.code if isinstance(error.code, int) else 1
        except Exception:  # whatever it is: that it comes here is what is wrong
            status = 1
            err.write(traceback.format_exc())
        finally:
            signal.signal(signal.SIGTERM, handler)
        if status == exit_codes.INTERRUPTED:  # that was meant for the soak
            raise KeyboardInterrupt
        return Done(tuple(words), status, out.getvalue(), err.getvalue(), time.monotonic() - began)

    @contextlib.contextmanager
    def here(self) -> Iterator[None]:
        """This process in the environment of the run."""
        old = dict(os.environ)
        os.environ.update(self._variables())
        tempfile.tempdir = None
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(old)
            tempfile.tempdir = None

    def processes_left(self, patience_s: float = _PATIENCE_S) -> list[str]:
        """The processes of this run that are alive, after a moment; they are ended."""
        patience_ends = time.monotonic() + patience_s
        while (found := self._processes()) and time.monotonic() < patience_ends:
            time.sleep(0.05)
        for process in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        return [f"{process} {words}" for process, words in found.items()]

    def _processes(self) -> dict[int, str]:
        wanted = f"{_TOKEN}={self._token}".encode()
        found = {}
        for place in Path("/proc").iterdir():
            if place.name.isdecimal() and int(place.name) != os.getpid():
                with contextlib.suppress(OSError):
                    if wanted in (place / "environ").read_bytes().split(b"\0"):
                        words = (place / "cmdline").read_bytes().replace(b"\0", b" ")
                        found[int(place.name)] = words.decode(errors="replace")[:200]
        return found

    def temporary_files(self) -> list[str]:
        """What lies where only temporary files lie."""
        return sorted(path.name for path in self.temporary.iterdir())

    def command_line(self, words: Sequence[str]) -> str:
        """How to do it again by hand."""
        return subprocess.list2cmdline(["plancost", *words])


def _send(process: subprocess.Popen[str], stop: Stop) -> bool:
    """Wait until the command minds signals, a while longer, and send one if it is still there."""
    while process.poll() is None and not _minds_signals(process.pid):
        time.sleep(0.005)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(stop.after_s)
    if process.poll() is not None:
        return False
    process.send_signal(stop.signal)
    return True


def _minds_signals(process: int) -> bool:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return int(line.split()[1], 16) & _MINDED == _MINDED
    return False


def mind_interrupts() -> None:
    """Let the commands get SIGINT: what a shell runs in the background is told to ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def files_in(folder: Path) -> Mapping[str, bytes]:
    """The content of every file of a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def memory_mb() -> float:
    """What this process takes of memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def repeat_command(seed: int, number: int, pace: float) -> str:
    """How to repeat one run of the soak alone."""
    words = f"--seed {seed} --pace {pace:g} --only {number} --keep"
    return f"cd {ROOT} && python -m benchmarks.soak {words}"

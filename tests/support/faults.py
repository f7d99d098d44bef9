"""Puts the fake planner in the place of a program, and looks for what it leaves behind."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from plancost.oracles.fast_downward import FAST_DOWNWARD
from plancost.oracles.symk import SYMK
from plancost.system import binaries
from support import fake_planner
from support.running import is_running

VARIABLES: Mapping[str, str] = {
    "fast-downward": binaries.FAST_DOWNWARD,
    "symk": binaries.SYMK,
    "translator": binaries.TRANSLATOR,
}
_PATIENCE_S = 5.0


@dataclass(frozen=True)
class FakeProgram:
    """A program that fails. `variable` is to be set to `path` for plancost to use it."""

    variable: str
    path: Path
    journal: Path

    @property
    def calls(self) -> int:
        """How often it was called so far."""
        counted = self.journal / "calls"
        return len(counted.read_text()) if counted.exists() else 0

    def running(self) -> list[int]:
        """Which of its processes are alive, after a moment for those that are dying."""
        found = self._processes()
        patience_ends = time.monotonic() + _PATIENCE_S
        while any(map(is_running, found)) and time.monotonic() < patience_ends:
            time.sleep(0.005)
        return [process for process in found if is_running(process)]

    def _processes(self) -> list[int]:
        noted = self.journal / "processes"
        return [int(word) for word in noted.read_text().split()] if noted.exists() else []

    def end(self) -> None:
        """End what is still alive of it."""
        for process in filter(is_running, self._processes()):
            os.kill(process, signal.SIGKILL)


def real_program(program: str) -> list[str]:
    """The words that start the bundled program."""
    if program == "translator":
        return [sys.executable, "-m", "fast_downward.translate"]
    return [str({"fast-downward": FAST_DOWNWARD, "symk": SYMK}[program].binary())]


def fake_program(
    directory: Path,
    program: str,
    fault: str,
    *,
    calls: list[int] | None = None,
    rate: float | None = None,
    seed: int = 0,
) -> FakeProgram:
    """Write a program that fails: always, on these calls, or at this rate."""
    journal = directory / program
    journal.mkdir(parents=True)
    settings = {
        "fault": fault,
        "real": real_program(program),
        "calls": calls,
        "rate": rate,
        "seed": seed,
        "journal": str(journal),
    }
    file = journal / "settings.json"
    file.write_text(json.dumps(settings))
    # -S -E: it needs no packages, and starts in half the time.
    words = [sys.executable, "-S", "-E", str(Path(fake_planner.__file__)), str(file)]
    path = journal / "program"
    path.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    path.chmod(0o755)
    return FakeProgram(VARIABLES[program], path, journal)

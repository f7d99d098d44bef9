"""A system other than Linux, by taking away what it does not have."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from plancost.system import processes

LINUX_ONLY = ("pidfd_open", "waitid", "O_TMPFILE", "sched_getaffinity")
"""Names in `os` that other systems, or other builds of Python, do not have."""
PROC = "/proc"
EVERYTHING = (*LINUX_ONLY, PROC)


def take_away(what: Iterable[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove calls from `os`, files below ``/proc``, and the program setpriv."""
    for name in what:
        if name == PROC:
            _take_proc_away(monkeypatch)
        else:
            monkeypatch.delattr(os, name, raising=False)
    monkeypatch.setattr(processes, "dying_with_us", lambda: ())  # no setpriv


def _take_proc_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the package; tests may look there."""
    read_text, link = Path.read_text, os.link

    def read(self: Path, *arguments: object, **more: object) -> str:
        _refuse(self)
        return read_text(self, *arguments, **more)  # type: ignore[arg-type]

    def make(source: str, *arguments: object, **more: object) -> None:
        _refuse(source)
        link(source, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "read_text", read)
    monkeypatch.setattr(os, "link", make)


def _refuse(path: object) -> None:
    caller = sys._getframe(2).f_globals["__name__"]
    if str(path).startswith(PROC) and caller.startswith("plancost."):
        raise FileNotFoundError(2, "No such file or directory", str(path))

"""What plancost needs from the machine: Python, writable folders, limits, signals."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import sys
import tempfile
import time
from pathlib import Path

from plancost.doctor.finding import CheckError, State, check
from plancost.files.atomic import write_atomically
from plancost.oracles.cache import default_directory
from plancost.system.processes import Ending, Limits, run, usable_cores
from plancost.system.temporary import private_directory

_LEAST_PYTHON = (3, 11)
_LEAST_FREE_MB = 200
_PLANNER_WHEELS = (("linux", "x86_64"), ("linux", "amd64"), ("darwin", "arm64"))
_MEGABYTE = 1024 * 1024
_ALLOWED_MB = 512
_TOO_MUCH_MB = 4096
"""More than the limit; it is only requested, never used."""
_STOP_AFTER_S = 0.5
_LONGEST_STOP_S = 10.0


@check("Python", f"install Python {'.'.join(map(str, _LEAST_PYTHON))} or newer")
def python() -> str:
    """The version of Python."""
    version = platform.python_version()
    if sys.version_info < _LEAST_PYTHON:
        raise CheckError(f"{version} is too old")
    return f"{version} ({sys.executable})"


@check("platform", "use Linux or macOS; on Windows use WSL")
def system() -> str:
    """The platform, and whether the planners come as wheels for it."""
    machine = platform.machine().lower()
    said = f"{platform.system()} on {platform.machine()}"
    if sys.platform not in ("linux", "darwin"):
        raise CheckError(said)
    if (sys.platform, machine) in _PLANNER_WHEELS:
        return said
    return f"{said}, for which there are no wheels of the planners"


@check("cores")
def cores() -> str:
    """How many planners can work at the same time."""
    return f"{os.cpu_count() or 1}, of which this process may use {usable_cores()}"


@check("temporary directory", "set TMPDIR to a folder that can be written")
def temporary_directory() -> str:
    """A place for planning tasks and plans."""
    with private_directory() as directory:
        write_atomically(directory / "tried", b"x")
        free_mb = shutil.disk_usage(directory).free // _MEGABYTE
    place = f"{tempfile.gettempdir()}, {free_mb} MB free"
    if free_mb < _LEAST_FREE_MB:
        raise CheckError(place, "make room, or set TMPDIR to another folder")
    return place


@check("cache", "set PLANCOST_CACHE to a folder that can be written", required=False)
def cache_directory() -> str:
    """The cache of plans; without it plancost repeats work."""
    directory = default_directory()
    if directory is None:
        raise CheckError("there is no home directory", state=State.MISSING)
    # The nearest existing folder: plancost creates the rest when it has plans to cache.
    existing = next(place for place in (directory, *directory.absolute().parents) if place.exists())
    if not existing.is_dir():
        raise CheckError(f"{existing} is not a folder")
    with tempfile.TemporaryFile(dir=existing):
        pass
    return f"{directory}{'' if existing == directory else ' (made when it is needed)'}"


@check(
    "memory limit",
    "plancost works, but --memory-limit may not hold; set a limit for the whole command",
    required=False,
)
def memory_limit() -> str:
    """Whether a child is held to a limit on its address space, and works within it."""
    small = _python(f"bytearray({_MEGABYTE})", Limits(30.0, _ALLOWED_MB))
    large = _python(f"bytearray({_TOO_MUCH_MB} * {_MEGABYTE})", Limits(30.0, _ALLOWED_MB))
    if small != 0:
        raise CheckError(f"a small program does not run within {_ALLOWED_MB} MB")
    if large == 0:
        raise CheckError("a child is not held to its limit")
    return "a child is held to its limit"


@check(
    "ending programs", "check that this system lets a process end the process group of its child"
)
def process_groups() -> str:
    """Whether a program and what it starts can be ended together, in time."""
    started = time.monotonic()
    with private_directory() as directory:
        # The child starts a grandchild, tells its number, and both sleep.
        finished = run(
            ["/bin/sh", "-c", "sleep 600 & echo $!; wait"],
            directory=directory,
            limits=Limits(time_s=_STOP_AFTER_S),
        )
    seconds = time.monotonic() - started
    if finished.ending is not Ending.OUT_OF_TIME or seconds > _LONGEST_STOP_S:
        raise CheckError(
            f"a program was not stopped in time ({finished.ending.value}, {seconds:.1f} s)"
        )
    grandchild = finished.output.strip()
    if not grandchild.isdecimal():
        raise CheckError("a program did not start another")
    if _is_running(int(grandchild)):
        raise CheckError("a program was stopped, but not what it had started")
    return f"a program and its child were stopped after {seconds:.1f} s"


def _python(code: str, limits: Limits) -> int | None:
    """The exit code of a tiny Python program under limits."""
    with private_directory() as directory:
        return run([sys.executable, "-P", "-c", code], directory=directory, limits=limits).exit_code


def _is_running(process: int) -> bool:
    """Whether the process exists and is not a zombie."""
    patience_ends = time.monotonic() + 2.0
    while time.monotonic() < patience_ends:
        try:
            os.kill(process, 0)
        except OSError:
            return False
        with contextlib.suppress(OSError):  # where there is no /proc, the system takes zombies away
            status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
            if status.rpartition(")")[2].split()[0] in "ZX":
                return False
        time.sleep(0.02)
    return True

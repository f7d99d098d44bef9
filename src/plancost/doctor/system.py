"""What plancost needs of the machine: Python, places to write, limits, signals."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
import time
from pathlib import Path

from plancost.doctor.finding import Finding, State, one_line
from plancost.errors import PlancostError
from plancost.files.atomic import write_atomically
from plancost.oracles.cache import default_directory
from plancost.system.processes import Ending, Limits, run
from plancost.system.temporary import private_directory

_LEAST_PYTHON = (3, 11)
_LEAST_FREE_MB = 200
_MEGABYTE = 1024 * 1024
_ALLOWED_MB = 512
_TOO_MUCH_MB = 4096
"""More than is allowed, and only asked for, never used."""
_STOP_AFTER_S = 0.5
_LONGEST_STOP_S = 10.0


def python() -> Finding:
    """The version of Python."""
    version = platform.python_version()
    if sys.version_info < _LEAST_PYTHON:
        needed = ".".join(map(str, _LEAST_PYTHON))
        mend = f"install Python {needed} or newer"
        return Finding("Python", State.BROKEN, f"{version} is too old", mend)
    return Finding("Python", State.OK, f"{version} ({sys.executable})")


def system() -> Finding:
    """The platform: the planners come as Linux wheels for x86-64."""
    said = f"{platform.system()} on {platform.machine()}"
    if sys.platform != "linux" or platform.machine().lower() not in ("x86_64", "amd64"):
        mend = "use Linux on x86-64: the planners come as wheels for it"
        return Finding("platform", State.BROKEN, said, mend)
    return Finding("platform", State.OK, said)


def cores() -> Finding:
    """How many planners can work at the same time."""
    count = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else count
    return Finding("cores", State.OK, f"{count}, of which this process may use {usable}")


def temporary_directory() -> Finding:
    """A place for planning tasks and plans."""
    name, mend = "temporary directory", "set TMPDIR to a folder that can be written"
    try:
        with private_directory() as directory:
            write_atomically(directory / "tried", b"x")
            free_mb = shutil.disk_usage(directory).free // _MEGABYTE
    except OSError as error:
        return Finding(name, State.BROKEN, one_line(error), mend)
    place = f"{tempfile.gettempdir()}, {free_mb} MB free"
    if free_mb < _LEAST_FREE_MB:
        return Finding(name, State.BROKEN, place, "make room, or set TMPDIR to another folder")
    return Finding(name, State.OK, place)


def cache_directory() -> Finding:
    """The cache of plans; without it plancost only repeats work."""
    name, mend = "cache", "set PLANCOST_CACHE to a folder that can be written"
    directory = default_directory()
    if directory is None:
        return Finding(name, State.MISSING, "there is no home directory", mend, required=False)
    # The nearest folder that is there: plancost makes the rest when it has plans to keep.
    existing = next(place for place in (directory, *directory.absolute().parents) if place.exists())
    try:
        if not existing.is_dir():
            raise NotADirectoryError(f"{existing} is not a folder")
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        return Finding(name, State.BROKEN, one_line(error), mend, required=False)
    made = "" if existing == directory else " (made when it is needed)"
    return Finding(name, State.OK, f"{directory}{made}", required=False)


def memory_limit() -> Finding:
    """Whether a child is held to a limit on its address space, and works within it."""
    name = "memory limit"
    mend = "plancost works, but --memory-limit may not hold; set a limit for the whole command"
    try:
        small = _python(f"bytearray({_MEGABYTE})", Limits(30.0, _ALLOWED_MB))
        large = _python(f"bytearray({_TOO_MUCH_MB} * {_MEGABYTE})", Limits(30.0, _ALLOWED_MB))
    except PlancostError as error:
        return Finding(name, State.BROKEN, one_line(error), mend, required=False)
    if small != 0:
        said = f"a small program does not run within {_ALLOWED_MB} MB"
        return Finding(name, State.BROKEN, said, mend, required=False)
    if large == 0:
        return Finding(name, State.BROKEN, "a child is not held to its limit", mend, required=False)
    return Finding(name, State.OK, "a child is held to its limit", required=False)


def process_groups() -> Finding:
    """Whether a program and what it starts can be ended together, in time."""
    name = "ending programs"
    mend = "check that this system lets a process end the process group of its child"
    started = time.monotonic()
    try:
        with private_directory() as directory:
            # The child starts a grandchild, tells its number, and both sleep.
            finished = run(
                ["/bin/sh", "-c", "sleep 600 & echo $!; wait"],
                directory=directory,
                limits=Limits(time_s=_STOP_AFTER_S),
            )
    except (PlancostError, OSError) as error:
        return Finding(name, State.BROKEN, one_line(error), mend)
    seconds = time.monotonic() - started
    if finished.ending is not Ending.OUT_OF_TIME or seconds > _LONGEST_STOP_S:
        said = f"a program was not stopped in time ({finished.ending.value}, {seconds:.1f} s)"
        return Finding(name, State.BROKEN, said, mend)
    grandchild = finished.output.strip()
    if not grandchild.isdecimal():
        return Finding(name, State.BROKEN, "a program did not start another", mend)
    if _is_running(int(grandchild)):
        said = "a program was stopped, but not what it had started"
        return Finding(name, State.BROKEN, said, mend)
    return Finding(name, State.OK, f"a program and its child were stopped after {seconds:.1f} s")


def _python(code: str, limits: Limits) -> int | None:
    """The exit code of a tiny Python program under limits."""
    with private_directory() as directory:
        return run([sys.executable, "-P", "-c", code], directory=directory, limits=limits).exit_code


def _is_running(process: int) -> bool:
    """Whether there is such a process, and more of it than an exit status to collect."""
    patience_ends = time.monotonic() + 2.0
    while time.monotonic() < patience_ends:
        try:
            status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False
        if status.rpartition(")")[2].split()[0] in "ZX":
            return False
        time.sleep(0.02)
    return True

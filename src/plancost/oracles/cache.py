"""Plans that SymK found, kept between runs.

One gzipped JSON file for each task under its costs, named after the task, SymK's version
and the search, but not after the number of plans: of all requests the one with the most
plans is kept. Only what SymK proved to be the cheapest plans belongs here.

Nothing about the cache is ever an error. Files are written under another name and moved
into place, so that two runs never see half a file; what cannot be read is treated as
absent, and what cannot be written is not kept. When there is too much, the files that
were not used for the longest time go.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import re
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plancost.files.atomic import UNFINISHED, write_atomically
from plancost.observations.planfile import Plan
from plancost.oracles.symk import SYMK, TOP_K

_FORMAT = 1
_LARGEST_TOTAL_BYTES = 1_000_000_000
_OWN_FILE = re.compile(r"[0-9a-f]{64}\.json\.gz")
"""Other files in the directory are not ours to count or remove."""
_FORGOTTEN_S = 3600.0
"""An unfinished file this old was left behind by a run that was killed."""


def default_directory() -> Path | None:
    """``$PLANCOST_CACHE``, or plancost's place in the user's cache; None without a home."""
    chosen = os.environ.get("PLANCOST_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "plancost"
    except RuntimeError:
        return None


@dataclass(frozen=True)
class CachedPlans:
    """The cheapest plans of a task; `complete` if they are all simple plans."""

    plans: tuple[Plan, ...]
    complete: bool


class PlanCache:
    """A directory of plans; None is a cache that keeps nothing."""

    def __init__(self, directory: Path | None, largest_bytes: int = _LARGEST_TOTAL_BYTES) -> None:
        self._directory = directory
        self._largest_bytes = largest_bytes

    @staticmethod
    def file_name(sas: str) -> str:
        """The file in the directory that is or would be a task's under its costs."""
        key = "\n".join((SYMK.version() or "", TOP_K, sas))
        return f"{hashlib.sha256(key.encode()).hexdigest()}.json.gz"

    def load(self, sas: str) -> CachedPlans | None:
        """What is known of a task under its costs; the caller decides whether it suffices."""
        if self._directory is None:
            return None
        path = self._directory / self.file_name(sas)
        try:
            with gzip.open(path, "rt", encoding="utf-8") as file:
                found = _plans_in(json.load(file))
        except (OSError, EOFError, ValueError, KeyError, TypeError, RecursionError, zlib.error):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # used now, so one of the last to go
        return found

    def store(self, sas: str, plans: Sequence[Plan], complete: bool) -> None:
        """Keep the cheapest plans of a task, unless more are known already."""
        if self._directory is None:
            return
        known = self.load(sas)
        if known is not None and (
            known.complete or (not complete and len(known.plans) >= len(plans))
        ):
            return
        content = {"format": _FORMAT, "count": len(plans), "complete": complete, "plans": plans}
        with contextlib.suppress(OSError):
            self._directory.mkdir(parents=True, exist_ok=True)
            packed = gzip.compress(json.dumps(content).encode(), compresslevel=6, mtime=0)
            write_atomically(
                self._directory / self.file_name(sas), packed, mode=0o600, durable=False
            )
            self._make_room(self._directory)

    def _make_room(self, directory: Path) -> None:
        """Remove the oldest files while there is too much."""
        now = time.time()
        files: list[tuple[float, int, str]] = []
        with os.scandir(directory) as entries:
            for entry in entries:
                with contextlib.suppress(FileNotFoundError):  # another run was faster
                    if _OWN_FILE.fullmatch(entry.name):
                        status = entry.stat()
                        files.append((status.st_mtime, status.st_size, entry.path))
                    elif (
                        entry.name.startswith(UNFINISHED)
                        and now - entry.stat().st_mtime > _FORGOTTEN_S
                    ):
                        Path(entry.path).unlink()
        total_bytes = 0
        for _, size_bytes, path in sorted(files, reverse=True):
            total_bytes += size_bytes
            if total_bytes > self._largest_bytes:
                Path(path).unlink(missing_ok=True)


def _plans_in(content: dict[str, Any]) -> CachedPlans | None:
    """The plans in a file, or None if it is of another kind."""
    plans = tuple(tuple(str(step) for step in plan) for plan in content["plans"])
    if content["format"] != _FORMAT or content["count"] != len(plans):
        return None
    return CachedPlans(plans, content["complete"] is True)

"""Plans that SymK found, kept between runs.

One gzipped JSON file for each task under its costs. Files are written under another name
and moved into place, so that two runs never see half a file; what cannot be read is
treated as absent, and a directory that cannot be written is no error.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plancost.observations.planfile import Plan
from plancost.oracles.symk import SYMK, TOP_K

_FORMAT = 1
_LARGEST_TOTAL_BYTES = 1_000_000_000


def default_directory() -> Path:
    """``$PLANCOST_CACHE``, or plancost's place in the user's cache."""
    chosen = os.environ.get("PLANCOST_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "plancost"


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

    def load(self, sas: str) -> CachedPlans | None:
        """What is known of a task under its costs."""
        if self._directory is None:
            return None
        try:
            with gzip.open(self._path(self._directory, sas), "rt", encoding="utf-8") as file:
                content = json.load(file)
            plans = tuple(tuple(str(step) for step in plan) for plan in content["plans"])
            if content["format"] != _FORMAT or content["count"] != len(plans):
                return None
            return CachedPlans(plans, content["complete"] is True)
        except (OSError, EOFError, ValueError, KeyError, TypeError):
            return None

    def store(self, sas: str, plans: Sequence[Plan], complete: bool) -> None:
        """Keep plans, unless more are known already."""
        if self._directory is None:
            return
        known = self.load(sas)
        if known is not None and (known.complete or len(known.plans) >= len(plans)):
            return
        content = {"format": _FORMAT, "count": len(plans), "complete": complete, "plans": plans}
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._directory, prefix=".writing-")
            try:
                with os.fdopen(handle, "wb") as raw, gzip.open(raw, "wt", encoding="utf-8") as file:
                    json.dump(content, file)
                Path(name).replace(self._path(self._directory, sas))
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            self._make_room(self._directory)
        except OSError:
            return

    def _make_room(self, directory: Path) -> None:
        """Remove the oldest files while there is too much."""
        files = sorted(
            ((path.stat().st_mtime, path.stat().st_size, path) for path in directory.glob("*.gz")),
            reverse=True,
        )
        total = 0
        for _, size, path in files:
            total += size
            if total > self._largest_bytes:
                path.unlink(missing_ok=True)

    @staticmethod
    def _path(directory: Path, sas: str) -> Path:
        version = importlib.metadata.version(SYMK.distribution)
        key = "\n".join((version, TOP_K, sas))
        return directory / f"{hashlib.sha256(key.encode()).hexdigest()}.json.gz"

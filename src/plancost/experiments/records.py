"""Records: one JSON file for each thing that was done, written whole or not at all.

What was done is told by its *key*, a flat object; the name of the file ends in a hash of
it. So the same question finds the same file, and other limits or versions find none. A file
that cannot be read, was changed, or does not hold what its name says, is put aside and done again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeGuard

from plancost.errors import InputError
from plancost.experiments.plan import Run
from plancost.files.checksum import with_checksum
from plancost.files.escape import json_text
from plancost.files.input_files import read_json
from plancost.files.kept_files import FORMAT, is_known_format, is_unchanged, put_aside
from plancost.files.output_files import write_file
from plancost.oracles.fast_downward import FAST_DOWNWARD
from plancost.oracles.symk import SYMK
from plancost.version import __version__

Key = Mapping[str, str | int | float | bool | None]
Content = dict[str, Any]

_NAMED = ("kind", "domain", "size", "problem", "task", "solution", "refine", "costs", "row")
"""The parts of a key that a reader finds in the name of the file."""


VERSIONED = ("plancost", "symk", "fast_downward")
"""What records depend on."""


def versions() -> dict[str, str]:
    """The version of each."""
    found = (__version__, SYMK.version() or "", FAST_DOWNWARD.version() or "")
    return dict(zip(VERSIONED, found, strict=True))


def run_key(run: Run) -> Key:
    """What tells a run from all others."""
    study = run.study
    return {
        "kind": "run",
        "pool": run.pool.name,
        "domain": run.pool.domain,
        "size": run.size,
        "task": run.task,
        "solution": study.solution,
        "refine": study.refine,
        "row": run.row,
        "time_limit_s": study.bounds.time_s,
        "memory_limit_mb": study.bounds.memory_mb,
        **versions(),
    }


class Recorded(Protocol):
    """Where records are found: a folder, or a packed file."""

    def load(self, key: Key) -> Content | None:
        """The record of a key, or None."""


class Records:
    """A folder of records."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, key: Key) -> Path:
        """The file of a key."""
        words = [str(key[name]) for name in _NAMED if key.get(name) not in (None, "", False)]
        name = re.sub(r"[^a-z0-9]+", "-", "-".join(words).lower())
        text = json.dumps(dict(key), sort_keys=True, ensure_ascii=False)
        return self.folder / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"

    def load(self, key: Key) -> Content | None:
        """The record of a key, or None if there is none that can be used."""
        path = self.path(key)
        if not os.path.lexists(path):  # before reading, which would look for similar names
            return None
        try:
            content = read_json(path, "this record")
        except InputError:
            content = None
        if (
            is_complete(content)
            and content["key"] == dict(key)
            and is_known_format(content)
            and is_unchanged(content)
        ):
            return content
        with contextlib.suppress(OSError):
            put_aside(path)
        return None

    def remove(self, key: Key) -> None:
        """Forget the record of a key."""
        self.path(key).unlink(missing_ok=True)

    def save(self, key: Key, content: Mapping[str, Any]) -> Content:
        """Write the record of a key; returns it as `load` would."""
        whole = with_checksum({"format": FORMAT, "key": dict(key), **content})
        write_file(self.path(key), json_text(whole) + "\n", "this record")
        return whole


def is_complete(content: object) -> TypeGuard[Content]:
    """Whether this is a record with all that is ever read from it, by the kind of its key."""
    if not isinstance(content, dict) or not isinstance(content.get("key"), dict):
        return False
    status, reason = content.get("status"), content.get("reason")
    is_failed = status == "failed" and isinstance(reason, str)
    is_solved = status == "solved" and reason is None
    kind = content["key"].get("kind")
    is_known = (is_failed or is_solved) and isinstance(kind, str) and kind in _KINDS
    return is_known and _KINDS[kind](content)


def _is_run(content: Content) -> bool:
    seconds = content.get("seconds")
    return (
        (_is_answered(content) or (content["status"] == "failed" and "plans" not in content))
        and isinstance(content.get("proved", False), bool)
        and isinstance(content.get("inferred_from", ""), str)
        and isinstance(seconds, dict)
        and _is_amount(seconds.get("total"))
    )


def _is_listing(content: Content) -> bool:
    file = content.get("cache_file")
    is_file = isinstance(file, str) and "/" not in file and "\0" not in file
    return (
        all(_is_amount(content.get(name)) for name in ("seconds", "grounding_seconds"))
        and isinstance(content.get("complete"), bool)
        and (is_file or content["status"] == "failed")
    )


def _is_figure1(content: Content) -> bool:
    costs = content.get("costs")
    return (
        _is_answered(content)
        and isinstance(costs, dict)
        and all(_is_whole(cost) and cost >= 1 for cost in costs.values())
        and _are_ranges(content.get("ranges", {}))
        and _as_sorted(content.get("routes")) == _as_sorted(_parsed(content["key"].get("routes")))
    )


_KINDS: dict[str, Callable[[Content], bool]] = {
    "run": _is_run,
    "alternatives": _is_listing,
    "figure1": _is_figure1,
}


def _parsed(text: object) -> object:
    try:
        return json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _as_sorted(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def _are_ranges(ranges: object) -> bool:
    return isinstance(ranges, dict) and all(
        isinstance(ends, list | tuple) and len(ends) == 2 and all(map(_is_whole, ends))
        for ends in ranges.values()
    )


def _is_answered(content: Content) -> bool:
    plans, optimal = content.get("plans"), content.get("optimal_plans")
    return _is_whole(plans) and _is_whole(optimal) and plans >= 1 and 0 <= optimal <= plans


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_amount(value: object) -> bool:
    return (_is_whole(value) or isinstance(value, float)) and 0 <= value < math.inf

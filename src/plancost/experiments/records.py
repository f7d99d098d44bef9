"""Records: one JSON file for each thing that was done, written whole or not at all.

What was done is told by its *key*, a flat object; the name of the file ends in a hash of
it. So the same question finds the same file, and other limits or versions find none. A file
that cannot be read, was changed, or does not hold what its name says, is put aside and done again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plancost.errors import InputError
from plancost.experiments.plan import Run
from plancost.experiments.record_content import Content, is_complete
from plancost.files.atomic import write_atomically
from plancost.files.checksum import CHECKSUM, is_intact, with_checksum
from plancost.files.escape import json_text
from plancost.files.input_files import read_json
from plancost.oracles.fast_downward import FAST_DOWNWARD
from plancost.oracles.symk import SYMK
from plancost.version import __version__

FORMAT = 2
_UNSEALED = 1
"""The format before records had checksums."""
DAMAGED = ".damaged"

Key = Mapping[str, str | int | float | bool | None]


def versions() -> dict[str, str]:
    """The versions of all that records depend on."""
    return {
        "plancost": __version__,
        "symk": SYMK.version() or "",
        "fast_downward": FAST_DOWNWARD.version() or "",
    }


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


class Records:
    """A folder of records."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, key: Key) -> Path:
        """The file of a key."""
        words = [str(key[name]) for name in _NAMED if key.get(name) not in (None, "", False)]
        digest = hashlib.sha256(_text(key).encode()).hexdigest()[:12]
        return self.folder / f"{re.sub(r'[^a-z0-9]+', '-', '-'.join(words).lower())}-{digest}.json"

    def load(self, key: Key) -> Content | None:
        """The record of a key, or None if there is none that can be used."""
        path = self.path(key)
        try:
            content = read_json(path, "this record")
        except InputError:
            if not os.path.lexists(path):
                return None
            content = None
        if isinstance(content, dict) and content.get("key") == dict(key) and _is_sound(content):
            return content
        with contextlib.suppress(OSError):
            path.replace(path.with_name(path.name + DAMAGED))
        return None

    def remove(self, key: Key) -> None:
        """Forget the record of a key."""
        self.path(key).unlink(missing_ok=True)

    def save(self, key: Key, content: Mapping[str, Any]) -> Content:
        """Write the record of a key; returns it as `load` would."""
        whole = with_checksum({"format": FORMAT, "key": dict(key), **content})
        text = json_text(whole) + "\n"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path(key), text.encode("utf-8"))
        except OSError as error:
            raise InputError(f"cannot write a record ({error.strerror})", self.folder) from error
        return whole


_NAMED = ("kind", "domain", "size", "problem", "task", "solution", "refine", "costs", "row")
"""The parts of a key that a reader finds in the name of the file."""


def _is_sound(content: Content) -> bool:
    if content.get("format") == FORMAT:
        return is_intact(content) and is_complete(content)
    is_older = content.get("format") == _UNSEALED and CHECKSUM not in content
    return is_older and is_complete(content)


def _text(key: Key) -> str:
    return json.dumps(dict(key), sort_keys=True, ensure_ascii=False)

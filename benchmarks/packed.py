"""Records of many runs in one small file: a line of JSON each.

What a report needs of them is kept, the rest is left out. Versions are kept too, but are no part
of the key any more: the file is there to be read by later versions.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plancost.errors import InputError
from plancost.experiments.records import VERSIONED, Content, Key, is_complete
from plancost.files.input_files import parse_json, read_json, read_text
from plancost.files.output_files import write_file

_KEPT = (
    *("key", "status", "reason", "plans", "optimal_plans", "upper_bound", "proved"),
    *("secondary", "seconds", "stages", "alternatives_complete", "inferred_from", "build"),
    *("routes", "costs", "ranges", "actions", "ranges_proved"),  # of Figure 1
)


class PackedRecords:
    """Records of runs out of packed files."""

    def __init__(self, files: Iterable[Path]) -> None:
        self.contents: list[Content] = []
        for path in files:
            self.contents += _read(path)
        self._by_key = {_without_versions(content["key"]): content for content in self.contents}

    def load(self, key: Key) -> Content | None:
        """The record of a key, by whichever versions it was made."""
        return self._by_key.get(_without_versions(key))


def pack(folder: Path, file: Path, build: str | None = None) -> int:
    """Write the runs among the records of a folder into one file; how many there are.

    Records in the file of runs that the folder has not are left out. `build` says by which
    version of the code the runs were done that do not say so themselves.
    """
    contents = []
    for path in (*folder.glob("run-*.json"), *folder.glob("figure1-*.json")):
        content = read_json(path, "this record")
        if not is_complete(content):
            raise InputError("this is not the record of a run", path)
        contents.append(content if build is None else {"build": build, **content})
    _write(file, contents)
    return len(contents)


def current_build() -> str | None:
    """The commit of the code, which records and pages name."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or None


def add(file: Path, contents: Iterable[Content]) -> None:
    """Add records to a file, in place of those that it has under the same keys."""
    known = _read(file) if file.exists() else []
    by_key = {_without_versions(content["key"]): content for content in (*known, *contents)}
    _write(file, by_key.values())


def _write(file: Path, contents: Iterable[Content]) -> None:
    kept = [{name: content[name] for name in _KEPT if name in content} for content in contents]
    kept.sort(key=lambda content: _without_versions(content["key"]))
    write_file(file, "".join(f"{_line(content)}\n" for content in kept))


def _read(path: Path) -> list[Content]:
    found: list[Content] = []
    text = read_text(path, "these records").removesuffix("\n")
    for number, line in enumerate(text.split("\n") if text else [], start=1):
        try:
            content = parse_json(line, path)
        except InputError:
            content = None
        if not is_complete(content):
            raise InputError("this is no file of packed records", path, number)
        found.append(content)
    return found


def _without_versions(key: Key) -> str:
    return _line({name: value for name, value in key.items() if name not in VERSIONED})


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))

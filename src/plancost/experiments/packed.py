"""Records of many runs in one small file: a line of JSON each.

What a report needs of them is kept, the rest is left out. Versions are kept too, but are no part
of the question any more: the file is there to be read by later versions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plancost.errors import InputError
from plancost.experiments.record_content import Content, is_complete
from plancost.experiments.records import Key, versions
from plancost.files.input_files import parse_json, read_json, read_text
from plancost.files.output_files import write_file

_KEPT = (
    *("key", "status", "reason", "plans", "optimal_plans", "upper_bound", "proved"),
    *("secondary", "seconds", "stages"),
)


class PackedRecords:
    """Records of runs out of packed files."""

    def __init__(self, files: Iterable[Path]) -> None:
        self.contents: list[Content] = []
        for path in files:
            self.contents += _read(path)
        self._by_key = {_question(content["key"]): content for content in self.contents}

    def load(self, key: Key) -> Content | None:
        """The record of a key, by whichever versions it was made."""
        return self._by_key.get(_question(key))


def pack(folder: Path, file: Path) -> int:
    """Write the runs among the records of a folder into one file; how many there are."""
    contents = [_record(path) for path in folder.glob("run-*.json")]
    contents.sort(key=lambda content: _question(content["key"]))
    lines = [_line({name: item[name] for name in _KEPT if name in item}) for item in contents]
    write_file(file, "".join(f"{line}\n" for line in lines))
    return len(lines)


def _record(path: Path) -> Content:
    content = read_json(path, "this record")
    if not is_complete(content):
        raise InputError("this is not the record of a run", path)
    return content


def _read(path: Path) -> list[Content]:
    found: list[Content] = []
    lines = read_text(path, "these records").removesuffix("\n").split("\n")
    for number, line in enumerate(lines if lines != [""] else [], start=1):
        try:
            content = parse_json(line, path)
        except InputError:
            content = None
        if not is_complete(content):
            raise InputError("this is no file of packed records", path, number)
        found.append(content)
    return found


def _question(key: Key) -> str:
    return _line({name: value for name, value in key.items() if name not in versions()})


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))

"""The files that a command will read, as far as its arguments, folders and manifests name them.

Nothing here raises errors: a wrong file is reported when the command itself reads it.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError
from plancost.files.input_files import csv_rows, read_json, read_text
from plancost.files.overwriting import identity

_PDDL = re.compile(r".*\.pddl", re.IGNORECASE | re.DOTALL)
_OF_A_CASE = re.compile(r".*\.(pddl|soln|plan|plan\.[0-9]+)", re.IGNORECASE | re.DOTALL)
_MANIFESTS = ("case", "training", "calibration", "observations")
"""Arguments that may name a CSV manifest."""


@dataclass(frozen=True)
class Input:
    """A file that is read."""

    path: Path
    is_pddl: bool


def inputs_of(arguments: argparse.Namespace, outputs: Collection[str]) -> Iterator[Input]:
    """Every path among the arguments that is no output, and the files of the cases there."""
    for name, value in vars(arguments).items():
        if name not in outputs and isinstance(value, Path):
            yield Input(value, is_pddl=name in ("domain", "problem"))
            if value.is_dir():
                yield from _in_folder(value)
            elif name in _MANIFESTS and identity(value) is not None:  # a pipe is read only once
                yield from _in_manifest(value)
            elif name == "result" and identity(value) is not None:
                domain: Path | None = getattr(arguments, "domain", None)
                yield from _in_result(value, [value.parent, *([domain.parent] if domain else [])])


def _in_folder(folder: Path) -> Iterator[Input]:
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError:
        return
    for name in names:
        if _OF_A_CASE.fullmatch(name):
            yield Input(folder / name, _PDDL.fullmatch(name) is not None)


def _in_manifest(path: Path) -> Iterator[Input]:
    named: set[tuple[str, str]] = set()
    try:
        _, rows = csv_rows(read_text(path), path)
        for _, row in rows:
            named |= {(column, (row.get(column) or "").strip()) for column in ("problem", "plan")}
    except InputError:
        pass
    for column, name in named:
        if name:
            yield Input(path.parent / name, is_pddl=column == "problem")


def _in_result(path: Path, folders: Collection[Path]) -> Iterator[Input]:
    """The plans that a RESULT.json names; `monitor` reads them beside it or beside the domain."""
    try:
        content = read_json(path)
    except InputError:
        return
    listed = content.get("observations") if isinstance(content, dict) else None
    for item in listed if isinstance(listed, list) else ():
        for key in ("problem", "plan"):
            name = item.get(key) if isinstance(item, dict) else None
            if isinstance(name, str) and name:
                for folder in folders:
                    yield Input(folder / name, is_pddl=key == "problem")

"""Which plan was observed on which problem: case folders and manifests.

A case folder holds ``domain.pddl``, problems ``NAME.pddl`` and observed plans ``NAME.plan``,
``NAME.*.plan``, ``NAME.plan.N`` or ``NAME.soln`` (endings in any case); where the names of two
problems fit a plan, the longer one wins. A manifest is a CSV file with the columns
``problem,plan`` and perhaps those of `KNOWN`; its paths are relative to it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plancost.case.tables import KNOWN, known_of, read_table
from plancost.errors import InputError
from plancost.values import at, shown

_PDDL = ".pddl"
_PLAN = re.compile(r"(?P<stem>.*)\.(?:plan|plan\.\d+|soln)", re.DOTALL | re.IGNORECASE)
_PLAN_NAMES = "a plan of NAME.pddl is called NAME.plan, NAME.*.plan, NAME.plan.N or NAME.soln"


@dataclass(frozen=True)
class SeenPlan:
    """An observed plan that is still to be read."""

    name: str
    problem: str
    plan: Path | str | Sequence[str]
    """Its file, its text, or the names of its actions."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """What else is known of it, by the names of `Observation`."""

    @property
    def place(self) -> Path | str:
        """What messages call it."""
        return self.plan if isinstance(self.plan, Path) else self.name


def plans_of_folder(
    folder: Path, problems: Sequence[Path], allowed: Sequence[Path]
) -> list[SeenPlan]:
    """The plans in a case folder, each of one of these problems."""
    named = {path.name[: -len(_PDDL)]: path for path in problems}
    plans = []
    for plan in _files_in(folder):
        match = _PLAN.fullmatch(plan.name)
        if match is not None:
            problem = _problem_of(match["stem"], plan, named)
            for file in (problem, plan):
                check_inside(file, allowed)
            plans.append(SeenPlan(plan.name, problem.name, plan))
    if not plans:
        raise InputError(f"no observed plans here; {_PLAN_NAMES}", folder)
    return plans


def plans_of_manifest(path: Path, allowed: Sequence[Path]) -> list[SeenPlan]:
    """The plans that a manifest lists."""
    plans = []
    for line, row in read_table(path, "the manifest", ("problem", "plan"), KNOWN).rows:
        with at(path, line):
            files = path.parent / row["plan"], path.parent / row["problem"]
            for file in files:
                if not os.path.isfile(file):  # noqa: PTH113 (False for what can be no path)
                    raise InputError(f"there is no file {shown(str(file), 200)}")
                check_inside(file, allowed)
            name, problem = (str(file).removeprefix(f"{path.parent}/") for file in files)
            plans.append(SeenPlan(name, problem, files[0], known_of(row)))
    return plans


def problems_in(place: Path, domain: Path | None = None) -> list[Path]:
    """A problem file, or all problems of a folder in the order of their names."""
    if place.is_file():
        return [place]
    own = (domain or place / "domain.pddl").resolve()
    found = [path for path in _files_in(place) if path.name.lower().endswith(_PDDL)]
    problems = [path for path in found if path.resolve() != own]
    if not problems:
        raise InputError("there is no problem (NAME.pddl) in this folder", place)
    return problems


def folders_of(*places: Path, allow_outside: bool) -> list[Path]:
    """The folders that the user has named, below which files are read; or all."""
    named = [(place if place.is_dir() else place.parent).resolve() for place in places]
    return [Path(path.anchor) if allow_outside else path for path in named]


def check_inside(file: Path, folders: Sequence[Path]) -> None:
    """Refuse a file that is below none of these folders, be it through links."""
    really = Path(os.path.realpath(file))
    if not any(really.is_relative_to(folder) for folder in folders):
        message = f"this leads to {really}, which is outside of {folders[0]}"
        raise InputError(f"{message}; add --allow-outside if it may be read", file)


def _files_in(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir(), key=_natural_order)
    except OSError as error:
        raise InputError(f"cannot look into this folder ({error.strerror})", folder) from error


def _natural_order(path: Path) -> list[tuple[int, str]]:
    """A sort key that puts p2 before p10."""
    parts = re.split(r"(\d+)", path.name)
    return [(len(part) if part.isdecimal() else 0, part) for part in parts]


def _problem_of(stem: str, plan: Path, problems: Mapping[str, Path]) -> Path:
    """The longest problem name that fits: p.1.plan belongs to p.1.pddl before p.pddl."""
    parts = stem.split(".")
    shortest = 1 if plan.name.lower().endswith(".plan") else len(parts)
    for count in range(len(parts), shortest - 1, -1):
        found = problems.get(".".join(parts[:count]))
        if found is not None:
            return found
    message = f"no problem fits this plan; expected {stem}{_PDDL} beside it"
    raise InputError(f"{message}; {_PLAN_NAMES}", plan)

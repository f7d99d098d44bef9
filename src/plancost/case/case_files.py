"""Which plan was observed on which problem: case folders and manifests.

A case folder holds ``domain.pddl``, problems ``NAME.pddl`` and observed plans ``NAME.plan``,
``NAME.*.plan``, ``NAME.plan.N`` or ``NAME.soln`` (endings in any case); where the names of two
problems fit a plan, the longer one wins.

A manifest is a CSV file with the columns ``problem,plan`` and perhaps ``count``, ``cost``,
``suboptimality``, ``group`` and ``time``; its paths are relative to it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from plancost.case.tables import Row, read_table
from plancost.case.values import LARGEST_COUNT, LARGEST_GIVEN, ratio, shown, whole_text
from plancost.errors import InputError

_PDDL = ".pddl"
_PLAN = re.compile(r"(?P<stem>.*)\.(?:plan|plan\.\d+|soln)", re.DOTALL | re.IGNORECASE)
_PLAN_NAMES = "a plan of NAME.pddl is called NAME.plan, NAME.*.plan, NAME.plan.N or NAME.soln"
_OPTIONAL = ("count", "cost", "suboptimality", "group", "time")


@dataclass(frozen=True)
class ObservedFile:
    """One observed plan, by its files, and what a manifest says of it."""

    problem: Path
    plan: Path
    count: int = 1
    total: int | None = None
    factor: Fraction | None = None
    group: str | None = None
    time: str | None = None


@dataclass(frozen=True)
class CaseFiles:
    """The files of a case, and remarks about them for the user."""

    root: Path
    domain: Path
    observed: tuple[ObservedFile, ...]
    notes: tuple[str, ...] = ()

    def name(self, path: Path) -> str:
        """How results name a file: by its path from the root on."""
        return str(path).removeprefix(f"{self.root}/")


def files_of_folder(folder: Path, domain: Path | None, *, allow_outside: bool) -> CaseFiles:
    """The plans and problems of a case folder."""
    folders = _named(allow_outside, folder, *([domain.parent] if domain else []))
    domain = domain or folder / "domain.pddl"
    _check_inside(domain, folders, "this link", domain)
    if not domain.is_file():
        raise InputError("there is no PDDL domain (or name it with --domain)", domain)
    problems = _problems(folder, domain)
    observed = []
    for plan in _files_in(folder):
        match = _PLAN.fullmatch(plan.name)
        if match is not None:
            problem = _problem_of(match["stem"], plan, problems)
            for file in (problem, plan):
                _check_inside(file, folders, "this link", file)
            observed.append(ObservedFile(problem, plan))
    if not observed:
        raise InputError(f"no observed plans here; {_PLAN_NAMES}", folder)
    used = {item.problem for item in observed}
    unused = [path.name for path in problems.values() if path not in used]
    notes = tuple(f"{name} has no observed plan and is not used" for name in unused)
    return CaseFiles(folder, domain, tuple(observed), notes)


def files_of_manifest(path: Path, domain: Path, *, allow_outside: bool) -> CaseFiles:
    """The plans and problems that a manifest lists."""
    folders = _named(allow_outside, path.parent, domain.parent)
    rows = read_table(path, ("problem", "plan"), _OPTIONAL)
    return CaseFiles(path.parent, domain, tuple(_listed(row, path, folders) for row in rows))


def problems_in(place: Path, domain: Path | None = None) -> list[Path]:
    """A problem file, or all problems of a folder in the order of their names."""
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise InputError(f"there is no such file or folder{similar_name(place)}", place)
    found = list(_problems(place, domain or place / "domain.pddl").values())
    if not found:
        raise InputError("there is no problem in this folder", place)
    return found


def similar_name(path: Path) -> str:
    """A hint at a file beside the path that has nearly its name, or nothing."""
    names = [item.name for item in _files_in(path.parent)] if path.parent.is_dir() else []
    near = difflib.get_close_matches(path.name, names, n=1, cutoff=0.75)
    return f"; did you mean {path.with_name(near[0])}?" if near else ""


def _named(allow_outside: bool, *paths: Path) -> list[Path]:
    """The folders that the user has named; without links, since a case may come from others."""
    return [Path(path.anchor) if allow_outside else path for path in (p.resolve() for p in paths)]


def _check_inside(
    file: Path, folders: Sequence[Path], words: str, place: Path, line: int | None = None
) -> None:
    try:
        really = file.resolve()
    except (OSError, RuntimeError):  # links in a circle: reading it will fail
        return
    if not any(really.is_relative_to(folder) for folder in folders):
        message = f"{words} leads to {really}, which is outside of {folders[0]}"
        raise InputError(f"{message}; add --allow-outside if it may be read", place, line)


def _listed(row: Row, path: Path, folders: Sequence[Path]) -> ObservedFile:
    files = []
    for column in ("problem", "plan"):
        file = path.parent / row[column]
        _check_inside(file, folders, f"the {column} {shown(row[column])}", path, row.line)
        if not file.is_file():
            message = f"there is no file {shown(str(file), 200)}{similar_name(file)}"
            raise InputError(message, path, row.line)
        files.append(file)
    place = {"path": path, "line": row.line}
    given = {name: row[name] for name in _OPTIONAL if row.get(name)}
    count = whole_text(given.get("count", 1), "count", least=1, most=LARGEST_COUNT, **place)
    total = factor = None
    if "cost" in given:
        total = whole_text(given["cost"], "cost", most=LARGEST_GIVEN, **place)
    if "suboptimality" in given:
        factor = ratio(given["suboptimality"], "suboptimality", path=path, line=row.line)
    group, time = given.get("group"), given.get("time")
    return ObservedFile(files[0], files[1], count, total, factor, group, time)


def _files_in(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir(), key=_natural_order)
    except OSError as error:
        raise InputError(f"cannot look into this folder ({error.strerror})", folder) from error


def _natural_order(path: Path) -> list[tuple[int, str]]:
    """A sort key that puts p2 before p10."""
    parts = re.split(r"(\d+)", path.name)
    return [(len(part) if part.isdecimal() else 0, part) for part in parts]


def _problems(folder: Path, domain: Path) -> dict[str, Path]:
    """The problems by what stands before the ending."""
    found = [path for path in _files_in(folder) if path.name.lower().endswith(_PDDL)]
    own = domain.resolve()
    return {path.name[: -len(_PDDL)]: path for path in found if path.resolve() != own}


def _problem_of(stem: str, plan: Path, problems: Mapping[str, Path]) -> Path:
    """The longest problem name that fits: p.1.plan belongs to p.1.pddl before p.pddl."""
    parts = stem.split(".")
    shortest = 1 if plan.name.lower().endswith(".plan") else len(parts)
    for count in range(len(parts), shortest - 1, -1):
        found = problems.get(".".join(parts[:count]))
        if found is not None:
            return found
    near = difflib.get_close_matches(parts[0], problems, n=1, cutoff=0.75)
    hint = f"; did you mean a plan of {near[0]}{_PDDL}?" if near else f"; {_PLAN_NAMES}"
    raise InputError(f"no problem fits this plan; expected {stem}{_PDDL} beside it{hint}", plan)

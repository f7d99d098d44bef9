"""Which plan was observed on which problem: case folders and CSV manifests.

A case folder holds ``domain.pddl``, problems ``NAME.pddl`` and observed plans
``NAME.plan``, ``NAME.*.plan``, ``NAME.plan.N`` or ``NAME.soln`` (endings in any case); where the
names of two problems fit a plan, the longer one wins. Whatever is called so counts, also a link
to nowhere or a folder: reading it fails with its name, so that no plan is passed over.

A manifest is a CSV file with the columns ``problem,plan`` and optionally ``count``, ``cost``,
``time``, ``group`` and ``suboptimality``; its paths are relative to the manifest. Neither may
lead out of the folders that the user named (see `outside`).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plancost.errors import InputError, UsageError
from plancost.files.input_files import (
    BLANKS,
    CsvRow,
    csv_rows,
    read_text,
    reason,
    similar_name,
)
from plancost.observations.outside import NamedFolders

MOST_COUNT = 10**9
"""How often a plan may have been seen: sums of counts stay far below 2**53."""
_PDDL = ".pddl"
_PLAN = re.compile(r"(?P<stem>.*)\.(?:plan|plan\.\d+|soln)", re.DOTALL | re.IGNORECASE)
_NEARLY_A_PLAN = re.compile(r"\.(?:plan|soln)(?![a-z])", re.IGNORECASE)
_PLAN_NAMES = "NAME.plan, NAME.*.plan, NAME.plan.N or NAME.soln"
_MANIFEST_COLUMNS = ("problem", "plan", "count", "cost", "time", "group", "suboptimality")


@dataclass(frozen=True)
class ObservedFile:
    """One observed plan, by its files."""

    problem: Path
    plan: Path
    count: int = 1
    cost: str | None = None
    time: str | None = None
    group: str | None = None
    suboptimality: str | None = None
    place: tuple[Path, int] | None = field(default=None, compare=False)
    """The manifest and the line of it, for messages."""


@dataclass(frozen=True)
class CaseFiles:
    """The files of a learning task, and remarks about them for the user."""

    root: Path
    domain: Path
    observed: tuple[ObservedFile, ...]
    notes: tuple[str, ...]


def find_case_files(
    case: Path, domain: Path | None = None, *, allow_outside: bool = False
) -> CaseFiles:
    """Read a case folder or a CSV manifest (which needs `domain`).

    Files must be in the folder of the case or of the domain, unless `allow_outside`.
    """
    if case.is_dir():
        folders = [case] if domain is None else [case, domain.parent]
        return _folder(case, domain, NamedFolders(folders, allow_outside=allow_outside))
    if not case.exists():
        raise InputError(f"there is no such folder or manifest{similar_name(case)}", case)
    if domain is None:
        raise UsageError(
            f"{case} is a file, so it is read as a CSV manifest: add --domain FILE "
            "(or name a case folder)"
        )
    named = NamedFolders.of(case, domain, allow_outside=allow_outside)
    observed = read_manifest(case, named)
    if not observed:
        raise InputError("this manifest lists no plans", case)
    return CaseFiles(case.parent, domain, observed, ())


def problems_in(folder: Path, domain: Path) -> list[Path]:
    """The problems of a folder, in the order of their names."""
    if not folder.is_dir():
        raise InputError(f"there is no such folder{similar_name(folder)}", folder)
    return list(_problems(folder, _names_in(folder), domain).values())


def natural_order(text: str) -> tuple[tuple[int, int | str], ...]:
    """A sort key that puts p2 before p10."""
    return tuple(
        (0, int(part)) if part.isdecimal() else (1, part)
        for part in re.split(r"(\d+)", text)
        if part
    )


def name_within(root: Path, path: Path) -> str:
    """How results name a file of a case: by its path from the root on."""
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def _folder(folder: Path, domain: Path | None, folders: NamedFolders) -> CaseFiles:
    if domain is None:
        domain = folder / "domain.pddl"
        folders.check(domain, "this link", domain)
    if not domain.is_file():
        raise InputError(
            "a case folder needs its PDDL domain under this name (or name it with --domain)", domain
        )
    names = _names_in(folder)
    problems = _problems(folder, names, domain)
    observed = []
    for name in names:
        stem = _plan_stem(name)
        if stem is None:
            continue
        problem = _problem_of(stem, name, problems)
        if problem is None:
            parts = stem.split(".")
            tried = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
            hints = (similar_name(folder / f"{name}{_PDDL}", (_PDDL,)) for name in tried)
            hint = next(filter(None, hints), "")
            raise InputError(
                f"no problem fits this plan; expected {stem}.pddl beside it "
                f"(a plan of NAME.pddl is called {_PLAN_NAMES}){hint}",
                folder / name,
            )
        item = ObservedFile(problems[problem], folder / name)
        for file in (item.problem, item.plan):
            folders.check(file, "this link", file)
        observed.append(item)
    if not observed:
        raise InputError(
            f"no observed plans here; a plan of NAME.pddl is called {_PLAN_NAMES}", folder
        )
    with_plans = {item.problem for item in observed}
    notes = [
        f"{path.name} has no observed plan and is not used"
        for path in problems.values()
        if path not in with_plans
    ]
    notes += [
        f"{name} is not read: a plan is called {_PLAN_NAMES}"
        for name in names
        if _NEARLY_A_PLAN.search(name) and _plan_stem(name) is None
    ]
    return CaseFiles(folder, domain, tuple(observed), tuple(notes))


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted((path.name for path in folder.iterdir()), key=natural_order)
    except OSError as error:
        raise InputError(f"cannot look into this folder ({reason(error)})", folder) from error


def _problems(folder: Path, names: Sequence[str], domain: Path) -> dict[str, Path]:
    """The problems by what stands before the ending."""
    problems: dict[str, Path] = {}
    for name in names:
        path = folder / name
        if not name.lower().endswith(_PDDL) or _is_same(path, domain):
            continue
        stem = name[: -len(_PDDL)]
        if stem in problems:
            raise InputError(f"{problems[stem].name} is called the same; rename one of them", path)
        problems[stem] = path
    return problems


def _is_same(path: Path, domain: Path) -> bool:
    try:
        return path.samefile(domain)
    except OSError:  # a link to nowhere
        return False


def _plan_stem(name: str) -> str | None:
    """What stands before the ending of a plan file, or None for another file."""
    match = _PLAN.fullmatch(name)
    return None if match is None else match["stem"]


def _problem_of(stem: str, name: str, problems: dict[str, Path]) -> str | None:
    """The longest problem name that fits: p.1.plan belongs to p.1.pddl before p.pddl."""
    while stem not in problems:
        if "." not in stem or not name.lower().endswith(".plan"):
            return None
        stem = stem.rpartition(".")[0]
    return stem


def read_manifest(path: Path, folders: NamedFolders) -> tuple[ObservedFile, ...]:
    """The rows of a CSV manifest, of which there may be none yet.

    The files that they name must be in one of the folders.
    """
    text = read_text(path, "this manifest")
    columns, rows = csv_rows(text, path)
    missing = [name for name in ("problem", "plan") if name not in columns]
    if missing:
        raise InputError(
            f"the first line must name the columns problem,plan; missing: {', '.join(missing)}",
            path,
            1,
        )
    unknown = [name for name in columns if name not in _MANIFEST_COLUMNS]
    if unknown:
        raise InputError(
            f"unknown column '{unknown[0][:40]}'; known are {', '.join(_MANIFEST_COLUMNS)}", path, 1
        )
    found: dict[str, Path] = {}
    return tuple(_manifest_row(row, path, line, folders, found) for line, row in rows)


def _manifest_row(
    row: CsvRow, path: Path, line: int, folders: NamedFolders, found: dict[str, Path]
) -> ObservedFile:
    """One row; `found` are the files that rows before it name, and it is added to."""
    if None in row:
        raise InputError("this line has more fields than the first line has columns", path, line)
    fields = {name: (value or "").strip(BLANKS) for name, value in row.items() if name is not None}
    files = []
    for column in ("problem", "plan"):
        if not fields[column]:
            raise InputError(f"the {column} is missing", path, line)
        name = fields[column]
        if name not in found:
            file = path.parent / name
            folders.check(file, f"the {column} {name}", path, line)
            if not _is_file(file):
                raise InputError(f"there is no file {_shown(str(file), 200)}", path, line)
            found[name] = file
        files.append(found[name])
    count = fields.get("count") or "1"
    short = count.isdecimal() and len(count) <= len(str(MOST_COUNT))
    number = checked_count(int(count) if short else count, path, line)
    cost, time, group, factor = (fields.get(name) or None for name in _MANIFEST_COLUMNS[3:])
    problem, plan = files
    return ObservedFile(problem, plan, number, cost, time, group, factor, (path, line))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name too long, or a folder that may not be looked into
        return False


def checked_count(count: object, path: Path | None, line: int | None = None) -> int:
    """How often a plan was seen, if that is such a number."""
    try:
        number = 0 if isinstance(count, bool) else operator.index(count)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if not 1 <= number <= MOST_COUNT:
        text = f"count must be a whole number from 1 to {MOST_COUNT}, not '{_shown(str(count))}'"
        raise InputError(text, path, line)
    return number


def _shown(text: str, most: int = 40) -> str:
    """The beginning of a text on one line, for messages."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}..."

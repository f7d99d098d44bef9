"""Which plan was observed on which problem: case folders and manifests.

A case folder holds ``domain.pddl``, problems ``NAME.pddl`` and observed plans ``NAME.plan``,
``NAME.*.plan``, ``NAME.plan.N`` or ``NAME.soln`` (endings in any case); where the names of two
problems fit a plan, the longer one wins. Whatever is called so counts, also a link to nowhere or a
folder: reading it fails with its name, so that no plan is passed over in silence.

A manifest is a CSV file with the columns ``problem,plan`` and perhaps ``count``, ``cost``,
``suboptimality``, ``group`` and ``time``; its paths are relative to it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from plancost.case.tables import Row, read_table
from plancost.case.values import LARGEST_COUNT, LARGEST_GIVEN, ratio, shown, whole_text
from plancost.errors import InputError

_PDDL = ".pddl"
_PLAN = re.compile(r"(?P<stem>.*)\.(?:plan|plan\.\d+|soln)", re.DOTALL | re.IGNORECASE)
_NEARLY_A_PLAN = re.compile(r"\.(?:plan|soln)(?![a-z])", re.IGNORECASE)
_PLAN_NAMES = "NAME.plan, NAME.*.plan, NAME.plan.N or NAME.soln"
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
    named = _NamedFolders([folder, *([] if domain is None else [domain.parent])], allow_outside)
    if domain is None:
        domain = folder / "domain.pddl"
        named.check(domain, "this link", domain)
    if not domain.is_file():
        raise InputError(
            "a case folder needs its PDDL domain under this name (or name it with --domain)", domain
        )
    names = _names_in(folder)
    problems = _problems(folder, names, domain)
    observed = []
    for name in names:
        stem = _plan_stem(name)
        if stem is not None:
            item = ObservedFile(_problem_of(stem, folder / name, problems), folder / name)
            for file in (item.problem, item.plan):
                named.check(file, "this link", file)
                _check_is_file(file)
            observed.append(item)
    if not observed:
        raise InputError(
            f"no observed plans here; a plan of NAME.pddl is called {_PLAN_NAMES}", folder
        )
    used = {item.problem for item in observed}
    unused = [path.name for path in problems.values() if path not in used]
    strange = [n for n in names if _NEARLY_A_PLAN.search(n) and _plan_stem(n) is None]
    notes = [f"{name} has no observed plan and is not used" for name in unused]
    notes += [f"{name} is not read: a plan is called {_PLAN_NAMES}" for name in strange]
    return CaseFiles(folder, domain, tuple(observed), tuple(notes))


def files_of_manifest(path: Path, domain: Path, *, allow_outside: bool) -> CaseFiles:
    """The plans and problems that a manifest lists."""
    named = _NamedFolders([path.parent, domain.parent], allow_outside)
    if not domain.is_file():
        raise InputError("there is no such file", domain)
    rows = read_table(path, ("problem", "plan"), _OPTIONAL)
    return CaseFiles(path.parent, domain, tuple(_listed(row, path, named) for row in rows))


def problems_in(place: Path, domain: Path | None = None) -> list[Path]:
    """A problem file, or all problems of a folder in the order of their names."""
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise InputError(f"there is no such file or folder{similar_name(place)}", place)
    found = list(_problems(place, _names_in(place), domain or place / "domain.pddl").values())
    if not found:
        raise InputError("there is no problem in this folder", place)
    return found


def similar_name(path: Path) -> str:
    """A hint at a file beside the path that has nearly its name, or nothing."""
    try:
        names = [item.name for item in path.parent.iterdir() if item.name != path.name]
    except OSError:
        return ""
    near = difflib.get_close_matches(path.name, names, n=1, cutoff=0.75)
    return f"; did you mean {path.with_name(near[0])}?" if near else ""


class _NamedFolders:
    """Folders that the user has named: a case may not lead to files outside of them.

    A case may come from somebody else. A file counts as what it really is, without links.
    """

    def __init__(self, folders: Iterable[Path], allow_outside: bool) -> None:
        self._folders = list(dict.fromkeys(folders))
        self._really = [folder.resolve() for folder in self._folders]
        self._allow_outside = allow_outside

    def check(self, file: Path, words: str, place: Path, line: int | None = None) -> None:
        try:
            if file.parent in self._folders and not file.is_symlink():
                return
            really = file.resolve()
        except (OSError, RuntimeError):  # links in a circle: reading it will fail
            return
        if self._allow_outside or any(really.is_relative_to(folder) for folder in self._really):
            return
        folders = " and ".join(map(str, self._folders))
        message = f"{words} leads to {really}, which is outside of {folders}"
        raise InputError(f"{message}; add --allow-outside if it may be read", place, line)


def _listed(row: Row, path: Path, named: _NamedFolders) -> ObservedFile:
    files = []
    for column in ("problem", "plan"):
        file = path.parent / row[column]
        named.check(file, f"the {column} {shown(row[column])}", path, row.line)
        if not _is_file(file):
            message = f"there is no file {shown(str(file), 200)}{similar_name(file)}"
            raise InputError(message, path, row.line)
        files.append(file)
    line = row.line
    given = {name: row[name] for name in _OPTIONAL if row.get(name)}
    count, cost, factor = given.get("count"), given.get("cost"), given.get("suboptimality")
    return ObservedFile(
        files[0],
        files[1],
        1
        if count is None
        else whole_text(count, "count", least=1, most=LARGEST_COUNT, path=path, line=line),
        None
        if cost is None
        else whole_text(cost, "cost", most=LARGEST_GIVEN, path=path, line=line),
        None if factor is None else ratio(factor, "suboptimality", path=path, line=line),
        given.get("group"),
        given.get("time"),
    )


def _check_is_file(path: Path) -> None:
    if _is_file(path):
        return
    if path.is_symlink() and not path.exists():
        raise InputError("this link leads nowhere", path)
    kind = "folder" if path.is_dir() else "pipe or device"
    raise InputError(f"this is a {kind}, not a file; rename it if it is none of the case", path)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or a folder that may not be looked into
        return False


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted((path.name for path in folder.iterdir()), key=_natural_order)
    except OSError as error:
        raise InputError(f"cannot look into this folder ({error.strerror})", folder) from error


def _natural_order(text: str) -> tuple[tuple[int, int | str], ...]:
    """A sort key that puts p2 before p10."""
    parts = re.split(r"(\d+)", text)
    return tuple((0, int(p)) if p.isdecimal() and len(p) < 100 else (1, p) for p in parts if p)


def _problems(folder: Path, names: Sequence[str], domain: Path) -> dict[str, Path]:
    """The problems by what stands before the ending."""
    problems: dict[str, Path] = {}
    for name in names:
        path = folder / name
        if not name.lower().endswith(_PDDL) or (path.exists() and _is_same(path, domain)):
            continue
        stem = name[: -len(_PDDL)]
        if stem in problems:
            raise InputError(f"{problems[stem].name} is called the same; rename one of them", path)
        problems[stem] = path
    return problems


def _is_same(path: Path, other: Path) -> bool:
    return other.exists() and path.samefile(other)


def _plan_stem(name: str) -> str | None:
    """What stands before the ending of a plan file, or None for another file."""
    match = _PLAN.fullmatch(name)
    return None if match is None else match["stem"]


def _problem_of(stem: str, plan: Path, problems: dict[str, Path]) -> Path:
    """The longest problem name that fits: p.1.plan belongs to p.1.pddl before p.pddl."""
    parts = stem.split(".")
    shortest = 1 if plan.name.lower().endswith(".plan") else len(parts)
    for count in range(len(parts), shortest - 1, -1):
        found = problems.get(".".join(parts[:count]))
        if found is not None:
            return found
    near = difflib.get_close_matches(parts[0], problems, n=1, cutoff=0.75)
    hint = f"; did you mean a plan of {near[0]}{_PDDL}?" if near else ""
    raise InputError(
        f"no problem fits this plan; expected {stem}{_PDDL} beside it "
        f"(a plan of NAME.pddl is called {_PLAN_NAMES}){hint}",
        plan,
    )

"""The one door: a folder, a manifest or tables of streets become a `Case`.

A case folder holds ``domain.pddl``, problems ``NAME.pddl`` and observed plans ``NAME.plan``,
``NAME.*.plan``, ``NAME.plan.N`` or ``NAME.soln`` (endings in any case); where the names of two
problems fit a plan, the longer one wins. A manifest is a CSV file with the columns
``problem,plan`` and perhaps those of `KNOWN`; its paths are relative to it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plancost.case.grounding import Request, ground
from plancost.case.model import Case, Observation, Strips
from plancost.case.plans import Simulator, is_path, steps_of, text_of_pddl
from plancost.case.streets import street_case
from plancost.case.tables import KNOWN, check_total, known_of, read_table
from plancost.case.unified import is_unified, written
from plancost.clock import Clock
from plancost.errors import InputError, InvalidPlanError, LimitError, UnsolvableError, UsageError
from plancost.files import read_text
from plancost.values import at, check_on_invalid, first_of, path_of, shown

_PDDL = ".pddl"
_PLAN = re.compile(r"(?P<stem>.*)\.(?:plan|plan\.\d+|soln)", re.DOTALL | re.IGNORECASE)
_PLAN_NAMES = "a plan of NAME.pddl is called NAME.plan, NAME.*.plan, NAME.plan.N or NAME.soln"
_UNKNOWN = -1
"""The number of an action that no problem has."""


@dataclass(frozen=True)
class _SeenPlan:
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


def read_case(
    path: Path | str,
    *,
    domain: Path | str | None = None,
    links: Path | str | None = None,
    on_invalid: str = "error",
    allow_outside: bool = False,
    clock: Clock | None = None,
    memory_limit: int | None = None,
) -> Case:
    """A case folder of PDDL or streets, a manifest (with `domain`) or trips (with `links`).

    `on_invalid` "skip" leaves out, with a note, plans that do not solve their problem. Files
    outside of the folders of the case and of the domain are read only with `allow_outside`.
    """
    place = path_of(path, "a case")
    if domain is not None and links is not None:
        raise UsageError("a case is either PDDL (domain) or streets (links)")
    if not place.exists():
        raise InputError("there is no such folder or file", place)
    has_domain = domain is not None or os.path.lexists(place / "domain.pddl")
    if links is not None or (not has_domain and os.path.lexists(place / "links.csv")):
        network = path_of(links or place / "links.csv", "`links`")
        return _read_streets(place, network, on_invalid, allow_outside)
    if not has_domain and not place.is_dir():
        raise UsageError(
            f"{place} is a file: name its `domain` if it is a manifest of plans, or its `links` if "
            "it is a table of trips"
        )
    if not has_domain:
        words = "there is neither domain.pddl (or name a `domain`) nor links.csv of streets"
        raise InputError(words, place)
    own_domain = path_of(domain or place / "domain.pddl", "`domain`")
    allowed = _folders_of(place, own_domain, allow_outside=allow_outside)
    _check_inside(own_domain, allowed)
    if not own_domain.is_file():
        raise InputError("there is no such file of a PDDL domain", own_domain)
    if place.is_dir():
        problems = _problems_in(place, own_domain)
        root, name, plans = place, place.resolve().name, _plans_of_folder(place, problems, allowed)
    else:
        problems = []
        root, name, plans = place.parent, place.stem, _plans_of_manifest(place, allowed)
    used = dict.fromkeys(plan.problem for plan in plans)
    texts = {problem: read_text(root / problem) for problem in used}
    text, clock = read_text(own_domain), clock or Clock()
    request = Request(text, texts, own_domain, root, clock, memory_limit)
    case = _case(request, plans, [problem.name for problem in problems], on_invalid)
    return replace(case, name=name)


def pddl_case(
    problems: Mapping[str, Any],
    plans: Mapping[str, Any],
    *,
    domain: Path | str | None = None,
    on_invalid: str = "error",
    clock: Clock | None = None,
    memory_limit: int | None = None,
) -> Case:
    """A case of PDDL that is in files, texts or objects: problems by name, and plans for each.

    Problems are paths or texts of PDDL, which need the `domain`, or problems of unified-planning.
    Plans are paths, texts, sequences of the names of actions, or plans of unified-planning. A text
    is told from a path by its first bracket.
    """
    for given, what in ((problems, "problems"), (plans, "plans")):
        if not isinstance(given, Mapping):
            raise InputError(f"{what} must be given by the names of problems, not {shown(given)}")
    pairs = []
    for name, own in plans.items():
        is_one = is_unified(own) or isinstance(own, Path | str) or not isinstance(own, Iterable)
        pairs += [(name, plan) for plan in ([own] if is_one else own)]
        if name not in problems:
            raise InputError(f"a plan is given for the problem {name!r}, which is not given")
    used = {name: problem for name, problem in problems.items() if name in dict(pairs)}
    if any(map(is_unified, used.values())):
        text, texts, pairs = written(used, pairs)
    elif domain is None:
        raise UsageError("problems of PDDL need their `domain`, a path or a text")
    else:
        text, texts = text_of_pddl(domain), {n: text_of_pddl(own) for n, own in used.items()}
    place = domain if domain is not None and is_path(domain) else "the domain"
    request = Request(text, texts, place, None, clock or Clock(), memory_limit)
    numbers = dict.fromkeys(used, 0)
    seen = []
    for name, plan in pairs:
        numbers[name] += 1
        called = str(plan) if is_path(plan) else f"{name}.{numbers[name]}.plan"
        seen.append(_SeenPlan(called, name, plan))
    return _case(request, seen, problems, on_invalid)


def other_problems(case: Case, place: Path, clock: Clock, memory_limit: int | None = None) -> Case:
    """A case of other problems of the same domain (a file, or a folder of them), without plans."""
    assert case.pddl is not None
    files = _problems_in(place)
    texts = {file.name: read_text(file) for file in files}
    domain, domain_place = case.pddl.domain, case.pddl.domain_place
    request = Request(domain, texts, domain_place, files[0].parent, clock, memory_limit)
    found, unsolvable = ground(request)
    return replace(found, name=case.name, notes=tuple(map(str, unsolvable.values())))


def _read_streets(place: Path, network: Path, on_invalid: str, allow_outside: bool) -> Case:
    """A folder, or a table of trips; nodes.csv and turns.csv may be beside the links."""
    trips = place / "trips.csv" if place.is_dir() else place
    others = (network.parent / name for name in ("nodes.csv", "turns.csv"))
    nodes, turns = (other if os.path.lexists(other) else None for other in others)
    if place.is_dir():
        allowed = _folders_of(place, network, allow_outside=allow_outside)
        for file in filter(None, (trips, network, nodes, turns)):
            _check_inside(file, allowed)
    case = street_case(network, trips, nodes=nodes, turns=turns, on_invalid=on_invalid)
    return replace(case, name=place.resolve().name if place.is_dir() else place.stem)


def _case(
    request: Request, seen: Sequence[_SeenPlan], problems: Iterable[str], on_invalid: str
) -> Case:
    """Ground the problems and replay the plans; a note names each problem without plans."""
    check_on_invalid(on_invalid)
    if not seen:
        raise InputError("there are no observed plans")
    case, unsolvable = ground(request)
    observation = _reader(request, case, unsolvable)
    valid, observations, wrong = [], [], []
    for plan in seen:
        if request.clock.is_over:
            raise LimitError(f"{plan.place}: this plan could not be read within the time limit")
        try:
            observations.append(observation(plan))
            valid.append(plan)
        except InputError as error:
            wrong.append(error)
    if wrong and not (valid and on_invalid == "skip"):  # one error of the kind of the first
        said = first_of(list(dict.fromkeys(map(str, wrong))))
        raise type(wrong[0])(f"{said} (`on_invalid` skip leaves these plans out)")
    kept = {plan.problem for plan in valid}
    if kept < request.problems.keys():  # actions of the others would be in the case
        texts = {name: text for name, text in request.problems.items() if name in kept}
        case = _case(replace(request, problems=texts), valid, (), on_invalid)
    else:
        case = replace(case, observations=tuple(observations))
    unused = [name for name in problems if name not in request.problems]
    notes = [f"{name} has no observed plan and is not used" for name in unused]
    return replace(case, notes=(*notes, *(f"left out: {error}" for error in wrong)))


def _reader(
    request: Request, case: Case, unsolvable: Mapping[str, UnsolvableError]
) -> Callable[[_SeenPlan], Observation]:
    """What makes an observation of a plan, and raises unless it solves its problem."""
    simulators = [Simulator(world) for world in case.worlds if isinstance(world, Strips)]
    number = {action: number for number, action in enumerate(case.actions)}
    tasks = {task.name: place for place, task in enumerate(case.tasks)}
    pddl = case.pddl
    assert pddl is not None

    def observation(plan: _SeenPlan) -> Observation:
        if plan.problem in unsolvable:
            raise unsolvable[plan.problem]
        steps = steps_of(plan.plan, plan.place)
        actions = tuple(number.get(step, _UNKNOWN) for step in steps)
        task = case.tasks[tasks[plan.problem]]
        failure = simulators[task.world].failure(task, steps, actions, pddl)
        if failure is not None:
            raise InvalidPlanError(failure, plan.place)
        check_total(plan.known, len(steps), plan.place)
        name = plan.name.encode("utf-8", "backslashreplace").decode()  # if it is no text
        return Observation(name, tasks[plan.problem], actions, **plan.known)

    return observation


# Which plan belongs to which problem


def _plans_of_folder(
    folder: Path, problems: Sequence[Path], allowed: Sequence[Path]
) -> list[_SeenPlan]:
    """The plans in a case folder, each of one of these problems."""
    named = {path.name[: -len(_PDDL)]: path for path in problems}
    plans = []
    for plan in _files_in(folder):
        match = _PLAN.fullmatch(plan.name)
        if match is not None:
            problem = _problem_of(match["stem"], plan, named)
            for file in (problem, plan):
                _check_inside(file, allowed)
            plans.append(_SeenPlan(plan.name, problem.name, plan))
    if not plans:
        raise InputError(f"no observed plans here; {_PLAN_NAMES}", folder)
    return plans


def _plans_of_manifest(path: Path, allowed: Sequence[Path]) -> list[_SeenPlan]:
    """The plans that a manifest lists."""
    plans = []
    for line, row in read_table(path, "the manifest", ("problem", "plan"), KNOWN).rows:
        with at(path, line):
            files = path.parent / row["plan"], path.parent / row["problem"]
            for file in files:
                if not os.path.isfile(file):  # noqa: PTH113 (False for what can be no path)
                    raise InputError(f"there is no file {shown(str(file), 200)}")
                _check_inside(file, allowed)
            name, problem = (str(file).removeprefix(f"{path.parent}/") for file in files)
            plans.append(_SeenPlan(name, problem, files[0], known_of(row)))
    return plans


def _problems_in(place: Path, domain: Path | None = None) -> list[Path]:
    """A problem file, or all problems of a folder in the order of their names."""
    if place.is_file():
        return [place]
    own = (domain or place / "domain.pddl").resolve()
    found = [path for path in _files_in(place) if path.name.lower().endswith(_PDDL)]
    problems = [path for path in found if path.resolve() != own]
    if not problems:
        raise InputError("there is no problem (NAME.pddl) in this folder", place)
    return problems


def _folders_of(*places: Path, allow_outside: bool) -> list[Path]:
    """The folders that the user has named, below which files are read; or all."""
    named = [(place if place.is_dir() else place.parent).resolve() for place in places]
    return [Path(path.anchor) if allow_outside else path for path in named]


def _check_inside(file: Path, folders: Sequence[Path]) -> None:
    """Refuse a file that is below none of these folders, be it through links."""
    really = Path(os.path.realpath(file))
    if not any(really.is_relative_to(folder) for folder in folders):
        message = f"this leads to {really}, which is outside of {folders[0]}"
        raise InputError(f"{message}; `allow_outside` lets it be read", file)


def _files_in(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise InputError(f"cannot look into this folder ({error.strerror})", folder) from error


def _problem_of(stem: str, plan: Path, problems: Mapping[str, Path]) -> Path:
    """The longest problem name that fits: p.1.plan belongs to p.1.pddl before p.pddl."""
    parts = stem.split(".")
    shortest = 1 if plan.name.lower().endswith(".plan") else len(parts)
    for count in range(len(parts), shortest - 1, -1):
        found = problems.get(".".join(parts[:count]))
        if found is not None:
            return found
    message = f"no problem fits this plan; expected {'.'.join(parts[:shortest])}{_PDDL} beside it"
    raise InputError(f"{message}; {_PLAN_NAMES}", plan)

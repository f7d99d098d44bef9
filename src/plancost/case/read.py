"""The one door: a folder, a manifest or tables of streets become a `Case`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from plancost.case.case_files import (
    CaseFiles,
    ObservedFile,
    files_of_folder,
    files_of_manifest,
    similar_name,
)
from plancost.case.cost_models import plain_model
from plancost.case.grounding import Grounding, Request, ground
from plancost.case.model import Case, Observation
from plancost.case.pddl_costs import pddl_texts
from plancost.case.plans import Simulator, action_name, parse_plan, read_plan, replay, why_unknown
from plancost.case.streets import read_streets
from plancost.case.tables import read_text
from plancost.clock import Clock
from plancost.errors import InputError, InvalidPlanError, LimitError, UsageError

_MOST_NAMED = 5

Plan = Path | str | Sequence[str]
"""A file, its text, or the names of its actions."""


def read_case(
    path: Path | str,
    *,
    domain: Path | str | None = None,
    links: Path | str | None = None,
    on_invalid: str = "error",
    allow_outside: bool = False,
    clock: Clock | None = None,
    memory_limit: int | None = None,
    jobs: int | None = None,
) -> Case:
    """A case folder of PDDL or streets, a manifest (with `domain`) or trips (with `links`).

    `on_invalid` "skip" leaves out, with a note, plans that do not solve their problem. Files
    outside of the folders of the case and of the domain are read only with `allow_outside`.
    """
    place = Path(path)
    if on_invalid not in ("error", "skip"):
        raise UsageError(f"on_invalid must be 'error' or 'skip', not {on_invalid!r}")
    if domain is not None and links is not None:
        raise UsageError("a case is either PDDL (domain) or streets (links)")
    if not place.exists():
        raise InputError(f"there is no such folder or file{similar_name(place)}", place)
    if _is_streets(place, domain, links):
        return read_streets(place, links=links, on_invalid=on_invalid, allow_outside=allow_outside)
    own_domain = None if domain is None else Path(domain)
    if place.is_dir():
        files = files_of_folder(place, own_domain, allow_outside=allow_outside)
    elif own_domain is None:
        raise UsageError(
            f"{place} is a file: add --domain FILE if it is a manifest of plans, or --links FILE "
            "if it is a table of trips"
        )
    else:
        files = files_of_manifest(place, own_domain, allow_outside=allow_outside)
    limits = _Limits(clock or Clock(), memory_limit, jobs)
    name = place.resolve().name if place.is_dir() else place.stem
    return _from_files(name, files, on_invalid == "skip", limits)


def pddl_case(
    problems: Mapping[str, Path | str],
    plans: Mapping[str, Sequence[Plan]] | Iterable[tuple[str, Plan]],
    *,
    domain: Path | str,
    on_invalid: str = "error",
    clock: Clock | None = None,
    memory_limit: int | None = None,
    jobs: int | None = None,
) -> Case:
    """A case of PDDL that is in files or texts: problems by name, and plans for each.

    A text of PDDL or of a plan is told from a path by its first bracket. A plan may also be the
    sequence of the names of its actions.
    """
    pairs = _pairs(plans)
    known = {str(name): _text(problem) for name, problem in problems.items()}
    numbers: dict[str, int] = {}
    seen = []
    for name, plan in pairs:
        if name not in known:
            raise InputError(f"a plan is given for the problem {name!r}, which is not given")
        numbers[name] = numbers.get(name, 0) + 1
        is_path = isinstance(plan, Path) or (isinstance(plan, str) and _is_path(plan))
        called = str(plan) if is_path else f"{name}.{numbers[name]}.plan"
        seen.append(_Seen(called, name, partial(_steps, plan, called)))
    used = {name: text for name, text in known.items() if name in numbers}
    notes = tuple(
        f"{name} has no observed plan and is not used" for name in known if name not in used
    )
    place = domain if isinstance(domain, Path) or _is_path(domain) else "the domain"
    limits = _Limits(clock or Clock(), memory_limit, jobs)
    request = limits.request(_text(domain), used, place, {})
    return _build("", request, seen, notes, on_invalid == "skip")


# Texts and files


@dataclass(frozen=True)
class _Limits:
    clock: Clock
    memory_limit: int | None
    jobs: int | None

    def request(
        self,
        domain: str,
        problems: Mapping[str, str],
        place: Path | str,
        places: Mapping[str, Path | str],
    ) -> Request:
        return Request(domain, problems, place, places, self.clock, self.memory_limit, self.jobs)


@dataclass(frozen=True)
class _Seen:
    """A plan that is to be read."""

    name: str
    problem: str
    steps: Callable[[], tuple[str, ...]]
    file: ObservedFile | None = None

    @property
    def place(self) -> Path | str:
        return self.name if self.file is None else self.file.plan


def _is_streets(path: Path, domain: Path | str | None, links: Path | str | None) -> bool:
    if links is not None:
        return True
    if domain is not None or not path.is_dir():
        return False
    return (path / "links.csv").exists() and not (path / "domain.pddl").exists()


def _from_files(name: str, files: CaseFiles, skip: bool, limits: _Limits) -> Case:
    places = {files.name(item.problem): item.problem for item in files.observed}
    texts = {called: read_text(path) for called, path in places.items()}
    request = limits.request(read_text(files.domain), texts, files.domain, places)
    seen = [
        _Seen(files.name(item.plan), files.name(item.problem), partial(read_plan, item.plan), item)
        for item in files.observed
    ]
    return _build(name, request, seen, files.notes, skip)


def _pairs(
    plans: Mapping[str, Sequence[Plan]] | Iterable[tuple[str, Plan]],
) -> list[tuple[str, Plan]]:
    if not isinstance(plans, Mapping):
        return [(str(name), plan) for name, plan in plans]
    return [
        (str(name), plan)
        for name, own in plans.items()
        for plan in ([own] if isinstance(own, Path | str) else own)
    ]


def _is_path(given: str) -> bool:
    return "(" not in given and bool(given.strip()) and "\n" not in given.strip()


def _text(given: Path | str) -> str:
    if isinstance(given, str) and not _is_path(given):
        return given
    return read_text(Path(given))


def _steps(plan: Plan, called: str) -> tuple[str, ...]:
    if isinstance(plan, Path | str):
        return parse_plan(_text(plan), called)
    return tuple(action_name(str(step)) for step in plan)


# Case


def _build(
    name: str, request: Request, seen: Sequence[_Seen], notes: Sequence[str], skip: bool
) -> Case:
    """Ground the problems and replay the plans; tasks without a valid plan are left out."""
    if not seen:
        raise InputError("there are no observed plans")
    grounding = ground(request)
    plans = _Plans(request, grounding)
    valid: list[tuple[_Seen, tuple[str, ...]]] = []
    wrong: list[InputError] = []
    for item in seen:
        if request.clock.is_over:
            raise LimitError(f"{item.place}: this plan could not be read within the time limit")
        try:
            valid.append((item, plans.steps(item)))
        except InputError as error:
            wrong.append(error)
    if wrong and not (skip and valid):
        raise _all_of(wrong)
    chosen = {item.problem for item, _ in valid}
    names = [problem for problem in request.problems if problem in chosen]
    found = plans.all if len(names) == len(plans.all.tasks) else grounding.assembled(names)
    number = {action: place for place, action in enumerate(found.actions)}
    task = {problem: place for place, problem in enumerate(names)}
    observations = tuple(
        _observation(item, task[item.problem], tuple(number[step] for step in steps))
        for item, steps in valid
    )
    return Case(
        name,
        found.actions,
        found.worlds,
        found.tasks,
        observations,
        plain_model(found.actions),
        (*notes, *(f"left out: {error}" for error in wrong), *plans.notes()),
        pddl_texts(request, grounding, names, found.actions),
    )


class _Plans:
    """Reads plans and replays them in all tasks that are grounded."""

    def __init__(self, request: Request, grounding: Grounding) -> None:
        self._request = request
        self._grounding = grounding
        self.all = grounding.assembled(grounding.problems)
        self._number = {action: place for place, action in enumerate(self.all.actions)}
        self._tasks = {task.name: task for task in self.all.tasks}
        self._simulators = [Simulator(world) for world in self.all.worlds]
        self._known: dict[tuple[str, tuple[str, ...]], str | None] = {}
        self._twice: list[str] = []

    def steps(self, item: _Seen) -> tuple[str, ...]:
        """The actions of a plan; raise unless it solves its problem."""
        if item.problem in self._grounding.unsolvable:
            raise self._grounding.unsolvable[item.problem]
        steps = item.steps()
        key = item.problem, steps
        if key not in self._known:
            self._known[key] = self._wrong(item, steps)
        wrong = self._known[key]
        if wrong is not None:
            raise InvalidPlanError(wrong, item.place)
        return steps

    def notes(self) -> tuple[str, ...]:
        """Which plans visit a state twice."""
        if not self._twice:
            return ()
        names = ", ".join(self._twice[:_MOST_NAMED])
        more = f" and {len(self._twice) - _MOST_NAMED} more" * (len(self._twice) > _MOST_NAMED)
        return (f"plans that visit a state twice, so that others are cheaper: {names}{more}",)

    def _wrong(self, item: _Seen, steps: tuple[str, ...]) -> str | None:
        """Why a plan does not solve its problem."""
        task = self._tasks[item.problem]
        done = replay(self._simulators[task.world], task, [self._number.get(s) for s in steps])
        if done.failed is None:
            if done.visits_a_state_twice:
                self._twice.append(item.name)
            return None
        if done.failed == len(steps):
            return f"the plan ends outside the goal: {done.reason} at its end"
        step = f"step {done.failed + 1} {steps[done.failed]}"
        if done.reason:
            return f"{step} cannot be applied: {done.reason} before it"
        schemas = {name: schema.parameters for name, schema in self._grounding.schemas.items()}
        place = self._request.place(item.problem)
        return f"{step} is unknown: {why_unknown(steps[done.failed], schemas, place)}"


def _observation(item: _Seen, task: int, actions: tuple[int, ...]) -> Observation:
    file = item.file
    if file is None:
        return Observation(item.name, task, actions)
    return Observation(
        item.name, task, actions, file.count, file.total, file.factor, file.group, file.time
    )


def _all_of(wrong: Sequence[InputError]) -> InputError:
    """One error for all, of their kind if they are of one."""
    kinds = {type(error) for error in wrong}
    kind = kinds.pop() if len(kinds) == 1 else InputError
    texts = list(dict.fromkeys(map(str, wrong)))
    more = f"; and {len(texts) - _MOST_NAMED} more" if len(texts) > _MOST_NAMED else ""
    hint = " (--on-invalid skip leaves these plans out)"
    return kind("; ".join(texts[:_MOST_NAMED]) + more + hint)

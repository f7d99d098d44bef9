"""The one door: a folder, a manifest or tables of streets become a `Case`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from plancost.case.case_files import ObservedFile, files_of_folder, files_of_manifest, similar_name
from plancost.case.cost_models import plain_model
from plancost.case.grounding import Grounding, Request, ground
from plancost.case.model import Case, Observation
from plancost.case.pddl_costs import pddl_texts
from plancost.case.plans import Simulator, action_name, parse_plan, replay, why_unknown
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
    places = {files.name(item.problem): item.problem for item in files.observed}
    texts = {name: read_text(path) for name, path in places.items()}
    text, clock = read_text(files.domain), clock or Clock()
    request = Request(text, texts, files.domain, places, clock, memory_limit)
    seen = [
        _Seen(files.name(item.plan), files.name(item.problem), partial(_steps, item.plan), item)
        for item in files.observed
    ]
    name = place.resolve().name if place.is_dir() else place.stem
    return _build(name, request, seen, files.notes, on_invalid == "skip")


def pddl_case(
    problems: Mapping[str, Path | str],
    plans: Mapping[str, Sequence[Plan]] | Iterable[tuple[str, Plan]],
    *,
    domain: Path | str,
    on_invalid: str = "error",
    clock: Clock | None = None,
    memory_limit: int | None = None,
) -> Case:
    """A case of PDDL that is in files or texts: problems by name, and plans for each.

    A text of PDDL or of a plan is told from a path by its first bracket. A plan may also be the
    sequence of the names of its actions.
    """
    numbers: dict[str, int] = {}
    seen = []
    for name, plan in _pairs(plans):
        if name not in problems:
            raise InputError(f"a plan is given for the problem {name!r}, which is not given")
        numbers[name] = numbers.get(name, 0) + 1
        called = str(plan) if _is_path(plan) else f"{name}.{numbers[name]}.plan"
        seen.append(_Seen(called, name, partial(_steps, plan, called)))
    texts = {name: _text(problem) for name, problem in problems.items() if name in numbers}
    unused = [name for name in problems if name not in numbers]
    notes = [f"{name} has no observed plan and is not used" for name in unused]
    place = domain if _is_path(domain) else "the domain"
    request = Request(_text(domain), texts, place, {}, clock or Clock(), memory_limit)
    return _build("", request, seen, notes, on_invalid == "skip")


# Texts and files


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


def _pairs(
    plans: Mapping[str, Sequence[Plan]] | Iterable[tuple[str, Plan]],
) -> Iterable[tuple[str, Plan]]:
    if not isinstance(plans, Mapping):
        return plans
    return [(name, plan) for name, own in plans.items() for plan in _listed(own)]


def _listed(plans: Sequence[Plan]) -> Sequence[Plan]:
    return [plans] if isinstance(plans, Path | str) else plans


def _is_path(given: Plan) -> bool:
    if isinstance(given, str):
        return "(" not in given and bool(given.strip()) and "\n" not in given.strip()
    return isinstance(given, Path)


def _text(given: Path | str) -> str:
    return read_text(Path(given)) if _is_path(given) else str(given)


def _steps(plan: Plan, called: Path | str | None = None) -> tuple[str, ...]:
    if isinstance(plan, Path | str):
        return parse_plan(_text(plan), called or plan)
    return tuple(map(action_name, plan))


# Case


def _build(
    name: str, request: Request, seen: Sequence[_Seen], notes: Sequence[str], skip: bool
) -> Case:
    """Ground the problems and replay the plans."""
    if not seen:
        raise InputError("there are no observed plans")
    grounding = ground(request)
    plans = _Plans(request, grounding)
    valid, wrong = [], []
    for item in seen:
        if request.clock.is_over:
            raise LimitError(f"{item.place}: this plan could not be read within the time limit")
        try:
            valid.append((item, plans.actions(item)))
        except InputError as error:
            wrong.append(error)
    if wrong and not (skip and valid):
        raise _all_of(wrong)
    notes = [*notes, *(f"left out: {error}" for error in wrong)]
    used = {item.problem for item, _ in valid}
    if len(used) < len(request.problems):  # their actions would be in the case
        problems = {name: text for name, text in request.problems.items() if name in used}
        request = replace(request, problems=problems)
        return _build(name, request, [item for item, _ in valid], notes, skip)
    number = {task.name: place for place, task in enumerate(grounding.tasks)}
    return Case(
        name,
        grounding.actions,
        grounding.worlds,
        grounding.tasks,
        tuple(_observation(item, number[item.problem], actions) for item, actions in valid),
        plain_model(grounding.actions),
        (*notes, *plans.notes()),
        pddl_texts(request, grounding),
    )


class _Plans:
    """Reads plans and replays them."""

    def __init__(self, request: Request, grounding: Grounding) -> None:
        self._request = request
        self._grounding = grounding
        self._number = {action: place for place, action in enumerate(grounding.actions)}
        self._tasks = {task.name: task for task in grounding.tasks}
        self._simulators = [Simulator(world) for world in grounding.worlds]
        self._twice: list[str] = []

    def actions(self, item: _Seen) -> tuple[int, ...]:
        """The actions of a plan; raise unless it solves its problem."""
        if item.problem in self._grounding.unsolvable:
            raise self._grounding.unsolvable[item.problem]
        steps = item.steps()
        wrong = self._wrong(item, steps)
        if wrong:
            raise InvalidPlanError(wrong, item.place)
        return tuple(self._number[step] for step in steps)

    def notes(self) -> tuple[str, ...]:
        """Which plans visit a state twice."""
        if not self._twice:
            return ()
        names = _first(self._twice, ", ")
        return (f"plans that visit a state twice, so that others are cheaper: {names}",)

    def _wrong(self, item: _Seen, steps: tuple[str, ...]) -> str:
        """Why a plan does not solve its problem, or nothing."""
        task = self._tasks[item.problem]
        done = replay(self._simulators[task.world], task, [self._number.get(s) for s in steps])
        if done.failed is None:
            if done.visits_a_state_twice:
                self._twice.append(item.name)
            return ""
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
    return kind(f"{_first(texts, '; ')} (--on-invalid skip leaves these plans out)")


def _first(texts: Sequence[str], separator: str) -> str:
    more = [f"and {len(texts) - _MOST_NAMED} more"] if len(texts) > _MOST_NAMED else []
    return separator.join([*texts[:_MOST_NAMED], *more])

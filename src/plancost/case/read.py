"""The one door: a folder, a manifest or tables of streets become a `Case`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plancost.case import unified
from plancost.case.case_files import SeenPlan, files_of_folder, files_of_manifest, hint_at
from plancost.case.cost_models import plain_model
from plancost.case.grounding import Grounding, Request, ground
from plancost.case.model import Case, Observation
from plancost.case.plans import Simulator, is_path, replay, steps_of, text_of_pddl, why_unknown
from plancost.case.streets import read_streets
from plancost.case.tables import read_text
from plancost.clock import Clock
from plancost.errors import InputError, InvalidPlanError, LimitError, UsageError

_MOST_NAMED = 5


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
    if domain is not None and links is not None:
        raise UsageError("a case is either PDDL (domain) or streets (links)")
    if not place.exists():
        raise InputError(f"there is no such folder or file{hint_at(place)}", place)
    if links is not None or (domain is None and _holds_streets(place)):
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
    names = dict.fromkeys(plan.problem for plan in files.plans)
    texts = {name: read_text(files.root / name) for name in names}
    text, clock = read_text(files.domain), clock or Clock()
    request = Request(text, texts, files.domain, files.root, clock, memory_limit)
    case = _case(request, files.plans, on_invalid)
    name = place.resolve().name if place.is_dir() else place.stem
    return replace(case, name=name, notes=(*files.notes, *case.notes))


def pddl_case(
    problems: Mapping[str, Any],
    plans: Mapping[str, Any] | Iterable[tuple[str, Any]],
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
    pairs = list(_pairs(plans))
    for name, _ in pairs:
        if name not in problems:
            raise InputError(f"a plan is given for the problem {name!r}, which is not given")
    used = {name: problem for name, problem in problems.items() if name in dict(pairs)}
    place = domain if domain is not None and is_path(domain) else "the domain"
    if any(map(unified.is_object, used.values())):
        text, texts, pairs = unified.written(used, pairs)
    elif domain is None:
        raise UsageError("problems of PDDL need their `domain`, a path or a text")
    else:
        text, texts = text_of_pddl(domain), {n: text_of_pddl(own) for n, own in used.items()}
    request = Request(text, texts, place, None, clock or Clock(), memory_limit)
    numbers = dict.fromkeys(used, 0)
    seen = []
    for name, plan in pairs:
        numbers[name] += 1
        called = str(plan) if is_path(plan) else f"{name}.{numbers[name]}.plan"
        seen.append(SeenPlan(called, name, plan))
    case = _case(request, seen, on_invalid)
    unused = [f"{n} has no observed plan and is not used" for n in problems if n not in used]
    return replace(case, notes=(*unused, *case.notes))


def _holds_streets(path: Path) -> bool:
    return (path / "links.csv").exists() and not (path / "domain.pddl").exists()


def _pairs(plans: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    if not isinstance(plans, Mapping):
        yield from plans
        return
    for name, own in plans.items():
        is_one = isinstance(own, Path | str) or unified.is_object(own)
        yield from ((name, plan) for plan in ([own] if is_one else own))


def _case(request: Request, seen: Sequence[SeenPlan], on_invalid: str) -> Case:
    """Ground the problems and replay the plans."""
    if on_invalid not in ("error", "skip"):
        raise UsageError(f"on_invalid must be 'error' or 'skip', not {on_invalid!r}")
    if not seen:
        raise InputError("there are no observed plans")
    grounding = ground(request)
    reader = _Reader(request, grounding)
    valid, observations, wrong = [], [], []
    for plan in seen:
        if request.clock.is_over:
            raise LimitError(f"{plan.place}: this plan could not be read within the time limit")
        try:
            observations.append(reader.observation(plan))
            valid.append(plan)
        except InputError as error:
            wrong.append(error)
    if wrong and not (valid and on_invalid == "skip"):
        raise _all_of(wrong)
    used = {plan.problem for plan in valid}
    if len(used) < len(request.problems):  # actions of the others would be in the case
        texts = {name: text for name, text in request.problems.items() if name in used}
        case = _case(replace(request, problems=texts), valid, on_invalid)
    else:
        case = Case(
            "",
            grounding.actions,
            grounding.worlds,
            grounding.tasks,
            tuple(observations),
            plain_model(grounding.actions),
            reader.notes(),
            grounding.texts,
        )
    return replace(case, notes=(*(f"left out: {error}" for error in wrong), *case.notes))


class _Reader:
    """Reads plans and replays them."""

    def __init__(self, request: Request, grounding: Grounding) -> None:
        self._request = request
        self._grounding = grounding
        self._number = {action: place for place, action in enumerate(grounding.actions)}
        self._tasks = {task.name: number for number, task in enumerate(grounding.tasks)}
        self._simulators = [Simulator(world) for world in grounding.worlds]
        self._twice: list[str] = []

    def observation(self, plan: SeenPlan) -> Observation:
        """A plan as it was observed; raise unless it solves its problem."""
        if plan.problem in self._grounding.unsolvable:
            raise self._grounding.unsolvable[plan.problem]
        steps = steps_of(plan.plan, plan.place)
        wrong = self._wrong(plan, steps)
        if wrong:
            raise InvalidPlanError(wrong, plan.place)
        actions = tuple(self._number[step] for step in steps)
        return Observation(plan.name, self._tasks[plan.problem], actions, **plan.known)

    def notes(self) -> tuple[str, ...]:
        """Which plans visit a state twice."""
        if not self._twice:
            return ()
        names = _first(self._twice, ", ")
        return (f"plans that visit a state twice, so that others are cheaper: {names}",)

    def _wrong(self, plan: SeenPlan, steps: Sequence[str]) -> str:
        """Why a plan does not solve its problem, or nothing."""
        task = self._grounding.tasks[self._tasks[plan.problem]]
        done = replay(self._simulators[task.world], task, [self._number.get(s) for s in steps])
        if done.failed is None:
            if done.visits_a_state_twice:
                self._twice.append(plan.name)
            return ""
        if done.failed == len(steps):
            return f"the plan ends outside the goal: {done.reason} at its end"
        step = f"step {done.failed + 1} {steps[done.failed]}"
        if done.reason:
            return f"{step} cannot be applied: {done.reason} before it"
        schemas, place = self._grounding.texts.schemas, self._request.place(plan.problem)
        return f"{step} is unknown: {why_unknown(steps[done.failed], schemas, place)}"


def _all_of(wrong: Sequence[InputError]) -> InputError:
    """One error for all, of their kind if they are of one."""
    kinds = {type(error) for error in wrong}
    kind = kinds.pop() if len(kinds) == 1 else InputError
    texts = list(dict.fromkeys(map(str, wrong)))
    return kind(f"{_first(texts, '; ')} (--on-invalid skip leaves these plans out)")


def _first(texts: Sequence[str], separator: str) -> str:
    more = [f"and {len(texts) - _MOST_NAMED} more"] if len(texts) > _MOST_NAMED else []
    return separator.join([*texts[:_MOST_NAMED], *more])

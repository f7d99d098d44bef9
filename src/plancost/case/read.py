"""The one door: a folder, a manifest or tables of streets become a `Case`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plancost.case import unified
from plancost.case.case_files import (
    SeenPlan,
    check_inside,
    folders_of,
    plans_of_folder,
    plans_of_manifest,
    problems_in,
)
from plancost.case.grounding import Request, ground
from plancost.case.model import Case, Observation, Strips
from plancost.case.plans import Simulator, is_path, steps_of, text_of_pddl, why_unknown
from plancost.case.streets import read_streets
from plancost.case.tables import check_total
from plancost.clock import Clock
from plancost.errors import InputError, InvalidPlanError, LimitError, UnsolvableError, UsageError
from plancost.files import read_text
from plancost.values import check_on_invalid, first_of, path_of, shown

_UNKNOWN = -1
"""The number of an action that no problem has."""


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
    is_streets = (place / "links.csv").exists() and not (place / "domain.pddl").exists()
    if links is not None or (domain is None and is_streets):
        return read_streets(place, links=links, on_invalid=on_invalid, allow_outside=allow_outside)
    if domain is None and not place.is_dir():
        raise UsageError(
            f"{place} is a file: add --domain FILE if it is a manifest of plans, or --links FILE "
            "if it is a table of trips"
        )
    own_domain = path_of(domain or place / "domain.pddl", "`domain`")
    if domain is None and not os.path.lexists(own_domain):
        words = "there is neither domain.pddl (or name one with --domain) nor links.csv of streets"
        raise InputError(words, place)
    allowed = folders_of(place, own_domain, allow_outside=allow_outside)
    check_inside(own_domain, allowed)
    if not own_domain.is_file():
        raise InputError("there is no such file of a PDDL domain", own_domain)
    if place.is_dir():
        problems = problems_in(place, own_domain)
        root, name, plans = place, place.resolve().name, plans_of_folder(place, problems, allowed)
    else:
        problems = []
        root, name, plans = place.parent, place.stem, plans_of_manifest(place, allowed)
    texts = {problem: read_text(root / problem) for problem in _problems_of(plans)}
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
    pairs = [(name, plan) for name, own in plans.items() for plan in _listed(own)]
    for name, _ in pairs:
        if name not in problems:
            raise InputError(f"a plan is given for the problem {name!r}, which is not given")
    used = {name: problem for name, problem in problems.items() if name in dict(pairs)}
    if any(map(unified.is_object, used.values())):
        text, texts, pairs = unified.written(used, pairs)
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
        seen.append(SeenPlan(called, name, plan))
    return _case(request, seen, problems, on_invalid)


def other_problems(case: Case, place: Path, clock: Clock, memory_limit: int | None = None) -> Case:
    """A case of other problems of the same domain (a file, or a folder of them), without plans."""
    assert case.pddl is not None
    files = problems_in(place)
    texts = {file.name: read_text(file) for file in files}
    domain, domain_place = case.pddl.domain, case.pddl.domain_place
    request = Request(domain, texts, domain_place, files[0].parent, clock, memory_limit)
    found, unsolvable = ground(request)
    return replace(found, name=case.name, notes=tuple(map(str, unsolvable.values())))


def _listed(plans: Any) -> Iterable[Any]:
    """The plans of a problem, or its only one."""
    is_one = unified.is_object(plans) or isinstance(plans, Path | str)
    return [plans] if is_one or not isinstance(plans, Iterable) else plans


def _problems_of(plans: Iterable[SeenPlan]) -> dict[str, None]:
    return dict.fromkeys(plan.problem for plan in plans)


def _case(
    request: Request, seen: Sequence[SeenPlan], problems: Iterable[str], on_invalid: str
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
    if wrong and not (valid and on_invalid == "skip"):
        raise _all_of(wrong)
    used, kept = _problems_of(seen), _problems_of(valid)
    if len(kept) < len(used):  # actions of the others would be in the case
        texts = {name: text for name, text in request.problems.items() if name in kept}
        case = _case(replace(request, problems=texts), valid, (), on_invalid)
    else:
        case = replace(case, observations=tuple(observations))
    notes = [
        f"{name} has no observed plan and is not used" for name in problems if name not in used
    ]
    return replace(case, notes=(*notes, *(f"left out: {error}" for error in wrong)))


def _reader(
    request: Request, case: Case, unsolvable: Mapping[str, UnsolvableError]
) -> Callable[[SeenPlan], Observation]:
    """What makes an observation of a plan, and raises unless it solves its problem."""
    simulators = [Simulator(world) for world in case.worlds if isinstance(world, Strips)]
    number = {action: number for number, action in enumerate(case.actions)}
    tasks = {task.name: place for place, task in enumerate(case.tasks)}
    pddl = case.pddl
    assert pddl is not None

    def observation(plan: SeenPlan) -> Observation:
        if plan.problem in unsolvable:
            raise unsolvable[plan.problem]
        steps = steps_of(plan.plan, plan.place)
        actions = tuple(number.get(step, _UNKNOWN) for step in steps)
        task = case.tasks[tasks[plan.problem]]
        failure = simulators[task.world].failure(task, actions)
        if failure is None:
            check_total(plan.known, len(steps), plan.place)
            return Observation(plan.name, tasks[plan.problem], actions, **plan.known)
        failed, reason = failure
        if failed == len(steps):
            words = f"the plan ends outside the goal: {reason} at its end"
        elif reason:
            words = f"step {failed + 1} {steps[failed]} cannot be applied: {reason} before it"
        else:
            why = why_unknown(steps[failed], pddl, plan.problem)
            words = f"step {failed + 1} {steps[failed]} is unknown: {why}"
        raise InvalidPlanError(words, plan.place)

    return observation


def _all_of(wrong: Sequence[InputError]) -> InputError:
    """One error for all, of their kind if they are of one."""
    kinds = {type(error) for error in wrong}
    kind = kinds.pop() if len(kinds) == 1 else InputError
    texts = list(dict.fromkeys(map(str, wrong)))
    return kind(f"{first_of(texts)} (--on-invalid skip leaves these plans out)")

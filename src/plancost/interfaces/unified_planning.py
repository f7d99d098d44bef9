"""Costs for problems of unified-planning, from plans that were observed on them.

    from plancost.interfaces.unified_planning import learn_from_unified_planning

    learned = learn_from_unified_planning([(problem, plan), ...])
    learned.result.optimal_plans, learned.problems[0].quality_metrics

Problems go in as the PDDL that unified-planning itself writes. It renames what PDDL cannot
spell, so all problems are written with one table of names, which also leads back. Costs come
out as a quality metric over fluents that never change: ``plancost-drive(van, a, b)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from plancost.api.learn import learn
from plancost.errors import InputError, UsageError
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import Case
from plancost.observations.pddl import split_action
from plancost.observations.strings import case_from_strings
from plancost.results.result import Result
from plancost.system.progress import Progress, no_progress

if TYPE_CHECKING:
    from unified_planning.io import PDDLWriter
    from unified_planning.model import Action, Object, PlanQualityMetric, Problem
    from unified_planning.plans import ActionInstance, SequentialPlan

Pair = tuple["Problem", "SequentialPlan"]
GroundAction = tuple[str, tuple[str, ...]]
"""The name of an action and of its objects, as unified-planning spells them."""

_UNKNOWN_COST = 1
"""What an action costs that is in no observed problem: the least that plancost gives."""


@dataclass(frozen=True)
class LearnedProblems:
    """Learned costs, and the problems with them."""

    result: Result
    """All that is known, as `plancost.learn` returns it."""
    costs: Mapping[GroundAction, int]
    """The cost of each ground action, by the names of unified-planning."""
    pairs: tuple[Pair, ...]

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """The problem of each pair, with the learned costs as its quality metric."""
        priced = {id(problem): self.apply_to(problem) for problem, _ in self.pairs}
        return tuple(priced[id(problem)] for problem, _ in self.pairs)

    def cost(self, step: ActionInstance) -> int:
        """What a step of a plan costs."""
        objects = tuple(parameter.object().name for parameter in step.actual_parameters)
        return self.costs.get((step.action.name, objects), _UNKNOWN_COST)

    def apply_to(self, problem: Problem) -> Problem:
        """A copy of any problem of the domain with the learned costs as its quality metric.

        The metric takes the place of the problem's own. An action whose ground actions differ
        in cost gets a fluent over its parameters with the costs as initial values; ground
        actions that are in none of the observed problems cost 1.
        """
        from unified_planning.model import MinimizeActionCosts

        copy = problem.clone()
        copy.clear_quality_metrics()
        by_action: dict[str, dict[tuple[str, ...], int]] = {}
        for (name, arguments), cost in self.costs.items():
            if all(copy.has_object(argument) for argument in arguments):
                by_action.setdefault(name, {})[arguments] = cost
        terms = {
            action: _cost_term(copy, action, by_action.get(action.name, {}))
            for action in copy.actions
        }
        copy.add_quality_metric(MinimizeActionCosts(terms, environment=copy.environment))
        return copy


def learn_from_unified_planning(
    pairs: Sequence[Pair],
    options: LearnOptions = LearnOptions(),  # noqa: B008 (frozen)
    *,
    progress: Progress = no_progress,
) -> LearnedProblems:
    """Learn costs from problems of one domain and the plans that were observed on them.

    Each pair is one observation; problems and plans may occur several times. With
    `LearnOptions(refine=True)` the action costs that the problems have are changed as little
    as possible.
    """
    written = _Written.of(pairs, keep_costs=options.refine)
    case = written.case(skip_invalid=options.skip_invalid, jobs=options.jobs)
    result = learn(case, options, progress=progress)
    return LearnedProblems(result, written.original(result.costs), tuple(pairs))


def case_from_unified_planning(
    pairs: Sequence[Pair], *, keep_costs: bool = False, skip_invalid: bool = False, jobs: int = 1
) -> Case:
    """The case of these problems and plans, for `plancost.learn` and `plancost.verify`.

    Its actions have the names of the PDDL that unified-planning writes. With `keep_costs` it
    has the action costs of the problems, for refinement.
    """
    return _Written.of(pairs, keep_costs=keep_costs).case(skip_invalid=skip_invalid, jobs=jobs)


@dataclass(frozen=True)
class _Written:
    """Problems and plans as PDDL, and what the names in it stand for."""

    domain: str
    problems: dict[str, str]
    plans: list[tuple[str, str]]
    writer: PDDLWriter

    @staticmethod
    def of(pairs: Sequence[Pair], *, keep_costs: bool) -> _Written:
        """Write the problems and plans."""
        _check_installed()
        names = _check(pairs)
        distinct = {id(problem): problem for problem, _ in pairs}
        with _one_sentence():
            whole = _together(list(distinct.values()), keep_costs)
            domain_writer = _writer(whole, None)
            domain = domain_writer.get_domain()
            writers = {
                key: _writer(_plain(problem, keep_costs), domain_writer)
                for key, problem in distinct.items()
            }
            problems = {}
            for key, writer in writers.items():
                writer.get_domain()  # which objects are constants is found out here
                problems[names[key]] = writer.get_problem()
            plans = [(names[id(problem)], writers[id(problem)].get_plan(p)) for problem, p in pairs]
        return _Written(domain, problems, plans, domain_writer)

    def case(self, *, skip_invalid: bool, jobs: int) -> Case:
        """Ground the problems and replay the plans."""
        return case_from_strings(
            self.domain,
            self.problems,
            self.plans,
            domain_label="domain (unified-planning)",
            skip_invalid=skip_invalid,
            jobs=jobs,
        )

    def original(self, costs: Mapping[str, int]) -> dict[GroundAction, int]:
        """Costs by the names that unified-planning has."""
        found = {}
        for name, cost in costs.items():
            action, arguments = split_action(name)
            words = [self.writer.get_item_named(word).name for word in (action, *arguments)]
            found[words[0], tuple(words[1:])] = cost
        return found


def _check_installed() -> None:
    try:
        import unified_planning.io  # noqa: F401
    except ModuleNotFoundError as error:
        raise UsageError(
            "unified-planning is not installed: run 'pip install plancost[unified-planning]'"
        ) from error


def _check(pairs: Sequence[Pair]) -> dict[int, str]:
    """A name for each distinct problem; raise unless all share a domain."""
    from unified_planning.plans import SequentialPlan

    if not pairs:
        raise InputError("there is no plan to learn from")
    first = pairs[0][0]
    names: dict[int, str] = {}
    for number, (problem, plan) in enumerate(pairs, start=1):
        if id(problem) not in names:
            name = wanted = problem.name or "problem"
            tries = 1
            while name in names.values():
                tries += 1
                name = f"{wanted} ({tries})"
            names[id(problem)] = name
        difference = _difference(first, problem)
        if difference is not None:
            raise InputError(
                f"the problems '{names[id(first)]}' and '{names[id(problem)]}' are not of one "
                f"domain: {difference}"
            )
        if not isinstance(plan, SequentialPlan):
            kind = type(plan).__name__
            raise InputError(f"plan {number} is a {kind}; plancost reads a SequentialPlan")
        for step, instance in enumerate(plan.actions, start=1):
            if instance.action not in problem.actions:
                raise InputError(
                    f"step {step} of plan {number} is the action '{instance.action.name}', which "
                    f"the problem '{names[id(problem)]}' does not have"
                )
    return names


def _difference(one: Problem, other: Problem) -> str | None:
    """Why two problems are not of one domain."""
    if one.environment != other.environment:
        return "they were made in two environments"
    for what, ours, theirs in (
        ("action", one.actions, other.actions),
        ("fluent", one.fluents, other.fluents),
    ):
        for item in [*ours, *theirs]:
            if item not in ours or item not in theirs:
                return f"the {what} '{item.name}' is not the same in both"
    objects = {item.name: item for item in one.all_objects}
    for item in other.all_objects:
        if objects.get(item.name, item) != item:
            return f"the object '{item.name}' has two types"
    return None


@contextmanager
def _one_sentence() -> Iterator[None]:
    """Say in one sentence why unified-planning could not write a problem."""
    from unified_planning.exceptions import UPException

    try:
        yield
    except (UPException, AssertionError, NotImplementedError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(
            f"unified-planning cannot write this as PDDL ({reason.rstrip('.')}); "
            "one of its compilers may help"
        ) from error


def _together(problems: Sequence[Problem], keep_costs: bool) -> Problem:
    """One problem with the objects and goals of all, so that its domain serves them all."""
    whole = _plain(problems[0], keep_costs)
    for problem in problems[1:]:
        if keep_costs and _costs_of(problem) != _costs_of(problems[0]):
            raise InputError(
                f"the problems '{problems[0].name}' and '{problem.name}' have different action "
                "costs; give them the same quality metric"
            )
        known = {item.name for item in whole.all_objects}
        whole.add_objects(item for item in problem.all_objects if item.name not in known)
        for goal in problem.goals:
            whole.add_goal(goal)
    return whole


def _plain(problem: Problem, keep_costs: bool) -> Problem:
    """A copy under the common name, with action costs as its only metric or with none."""
    copy = problem.clone()
    copy.name = "plancost"
    copy.clear_quality_metrics()
    costs = _costs_of(problem) if keep_costs else None
    if costs is not None:
        copy.add_quality_metric(costs)
    return copy


def _costs_of(problem: Problem) -> PlanQualityMetric | None:
    """The metric that says what actions cost, checked to speak of each action."""
    for metric in problem.quality_metrics:
        if metric.is_minimize_action_costs():
            for action in problem.actions:
                if metric.get_action_cost(action) is None:
                    raise InputError(
                        f"the quality metric of '{problem.name}' gives no cost to the action "
                        f"'{action.name}'"
                    )
            return metric
    return None


def _writer(problem: Problem, names: PDDLWriter | None) -> PDDLWriter:
    """A writer, which takes over the names that another has given."""
    from unified_planning.io import PDDLWriter

    writer = PDDLWriter(problem)
    if names is not None:
        writer.otn_renamings = names.otn_renamings
        writer.nto_renamings = names.nto_renamings
    return writer


def _cost_term(problem: Problem, action: Action, costs: Mapping[tuple[str, ...], int]) -> object:
    """The cost of an action as an expression; may add a fluent to the problem."""
    from unified_planning.model import Fluent

    manager = problem.environment.expression_manager
    different = set(costs.values())
    if len(different) < 2:
        return manager.Int(different.pop() if different else _UNKNOWN_COST)
    fluent = Fluent(
        _free_name(problem, f"plancost-{action.name}"),
        problem.environment.type_manager.IntType(),
        action.parameters,
        problem.environment,
    )
    problem.add_fluent(fluent, default_initial_value=_UNKNOWN_COST)
    for arguments, cost in costs.items():
        if cost != _UNKNOWN_COST:
            objects: list[Object] = [problem.object(name) for name in arguments]
            problem.set_initial_value(fluent(*objects), cost)
    return fluent(*action.parameters)


def _free_name(problem: Problem, wanted: str) -> str:
    name, number = wanted, 1
    while problem.has_name(name):
        number += 1
        name = f"{wanted}-{number}"
    return name

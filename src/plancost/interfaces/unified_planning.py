"""Costs for problems of unified-planning, from plans that were observed on them.

    from plancost.interfaces.unified_planning import learn_from_unified_planning

    learned = learn_from_unified_planning([(problem, plan), ...])
    learned.result.optimal_plans, learned.problems[0].quality_metrics

Problems go in as the PDDL that unified-planning itself writes. It renames what PDDL cannot
spell, so all problems are written with one table of names, which also leads back. Costs come
out as a quality metric over fluents that never change: ``plancost-drive(van, a, b)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from plancost.api.learn import learn
from plancost.errors import InputError
from plancost.interfaces.unified_planning_pddl import GroundAction, Pair, Written, original
from plancost.learning.problem.keywords import learn_options
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import Case
from plancost.observations.grounding import ground
from plancost.observations.pddl import split_action
from plancost.observations.planfile import parse_plan
from plancost.planning.new_costs import median_costs, new_costs
from plancost.results.claims import LearnedCosts
from plancost.results.result import Result
from plancost.system.processes import Limits
from plancost.system.progress import Progress

if TYPE_CHECKING:
    from unified_planning.io import PDDLWriter
    from unified_planning.model import Action, Object, Problem
    from unified_planning.plans import ActionInstance


@dataclass(frozen=True)
class LearnedProblems:
    """Learned costs, and the problems with them."""

    result: Result
    """All that is known, as `plancost.learn` returns it."""
    costs: Mapping[GroundAction, int]
    """The cost of each ground action, by the names of unified-planning."""
    pairs: tuple[Pair, ...]
    _written: Written = field(repr=False)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """The problem of each pair, with the learned costs as its quality metric."""
        priced = {id(problem): self._priced(problem, self.costs) for problem, _ in self.pairs}
        return tuple(priced[id(problem)] for problem, _ in self.pairs)

    def cost(self, step: ActionInstance, problem: Problem | None = None) -> int:
        """What a step of a plan costs, as `apply_to` has it.

        The problem of the plan is needed where costs are linear and it was not observed, for
        its own numbers.
        """
        from unified_planning.plans import SequentialPlan

        objects = tuple(parameter.object().name for parameter in step.actual_parameters)
        known = self.costs.get((step.action.name, objects))
        if known is not None and (problem is None or not self.result.linear):
            return known
        asked = self.pairs[0][0] if problem is None else problem
        domain, the_problem, writer = self._written.another(asked, [step])
        name = parse_plan(writer.get_plan(SequentialPlan([step])))[0]
        if problem is None and split_action(name)[0] in (self.result.linear or ()):
            raise InputError(
                f"the cost of '{step.action.name}' depends on numbers of the problem; "
                "say cost(step, problem)"
            )
        return new_costs(self._learned, domain, [name], problem=the_problem).costs[name]

    def apply_to(self, problem: Problem) -> Problem:
        """A copy of any problem of the domain with the learned costs as its quality metric.

        The metric takes the place of the problem's own. An action whose ground actions differ
        in cost gets a fluent over its parameters with the costs as initial values. Ground
        actions that are in none of the observed problems cost what `plancost apply` gives
        them: what the weights say where costs are linear, the cost of their class where
        costs are shared, or else the median of their action, or 1.
        """
        domain, the_problem, writer = self._written.another(problem)
        names = ground(domain, the_problem, Limits()).operators_by_name
        found = new_costs(self._learned, domain, names, problem=the_problem)
        return self._priced(problem, original(writer, found.costs))

    @property
    def _learned(self) -> LearnedCosts:
        result = self.result
        return LearnedCosts(result.costs, result.shared or {}, result.linear or {})

    def _priced(self, problem: Problem, costs: Mapping[GroundAction, int]) -> Problem:
        """A copy of a problem with these costs, which are those of all its ground actions."""
        from unified_planning.model import MinimizeActionCosts

        copy = problem.clone()
        copy.clear_quality_metrics()
        by_action: dict[str, dict[tuple[str, ...], int]] = {}
        for (name, arguments), cost in costs.items():
            if all(copy.has_object(argument) for argument in arguments):
                by_action.setdefault(name, {})[arguments] = cost
        medians = _original_schemas(self._written.writer, median_costs(self.result.costs))
        terms = {
            action: _cost_term(
                copy, action, by_action.get(action.name, {}), medians.get(action.name, 1)
            )
            for action in copy.actions
        }
        copy.add_quality_metric(MinimizeActionCosts(terms, environment=copy.environment))
        return copy


def learn_from_unified_planning(
    pairs: Sequence[Pair],
    options: LearnOptions | None = None,
    *,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> LearnedProblems:
    """Learn costs from problems of one domain and the plans that were observed on them.

    Args:
        pairs: Problems and plans, each pair one observation; both may occur several times.
        options: What to learn and how; with `refine` the action costs that the problems have are
            changed as little as possible.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            what is being done and how far it is.
        keywords: Single options, such as ``time_limit_s=60``.

    Returns:
        The learned costs, by the names of unified-planning, and the problems with them.

    Raises:
        InputError: A plan does not solve its problem.
        UsageError: The options are wrong.
    """
    options = learn_options(options, keywords)
    written = Written.of(pairs, keep_costs=options.refine)
    case = written.case(skip_invalid=options.skip_invalid, jobs=options.jobs)
    result = learn(case, options, progress=progress)
    costs = original(written.writer, result.costs)
    return LearnedProblems(result, costs, tuple(pairs), written)


def case_from_unified_planning(
    pairs: Sequence[Pair], *, keep_costs: bool = False, skip_invalid: bool = False, jobs: int = 1
) -> Case:
    """The case of these problems and plans, for `plancost.learn` and `plancost.verify`.

    Its actions have the names of the PDDL that unified-planning writes.

    Args:
        pairs: Problems and plans, each pair one observation; both may occur several times.
        keep_costs: Whether it has the action costs of the problems, for refinement.
        skip_invalid: Whether to leave out, with a note, plans that do not solve their problem.
        jobs: How many problems to ground at the same time.

    Returns:
        The tasks, the observed plans, and all ground actions.

    Raises:
        InputError: The problems differ in more than objects, initial values and goals, or cannot
            be written as PDDL.
        InvalidPlanError: A plan does not solve its problem.
    """
    return Written.of(pairs, keep_costs=keep_costs).case(skip_invalid=skip_invalid, jobs=jobs)


def _original_schemas(writer: PDDLWriter, costs: Mapping[str, int]) -> dict[str, int]:
    return {writer.get_item_named(schema).name: cost for schema, cost in costs.items()}


def _cost_term(
    problem: Problem, action: Action, costs: Mapping[tuple[str, ...], int], default: int
) -> object:
    """The cost of an action as an expression; may add a fluent to the problem."""
    from unified_planning.model import Fluent

    manager = problem.environment.expression_manager
    different = set(costs.values())
    if len(different) < 2:
        return manager.Int(different.pop() if different else default)
    fluent = Fluent(
        _free_name(problem, f"plancost-{action.name}"),
        problem.environment.type_manager.IntType(),
        action.parameters,
        problem.environment,
    )
    problem.add_fluent(fluent, default_initial_value=default)
    for arguments, cost in costs.items():
        if cost != default:
            objects: list[Object] = [problem.object(name) for name in arguments]
            problem.set_initial_value(fluent(*objects), cost)
    return fluent(*action.parameters)


def _free_name(problem: Problem, wanted: str) -> str:
    name, number = wanted, 1
    while problem.has_name(name):
        number += 1
        name = f"{wanted}-{number}"
    return name

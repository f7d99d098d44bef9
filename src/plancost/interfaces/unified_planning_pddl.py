"""Problems and plans of unified-planning as PDDL, in words that lead back.

unified-planning writes PDDL itself, and renames what PDDL cannot spell. All problems are written
with one table of names, so that a thing has the same word in all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.errors import InputError, UsageError
from plancost.observations.case import Case
from plancost.observations.pddl import Domain as PddlDomain
from plancost.observations.pddl import Problem as PddlProblem
from plancost.observations.pddl import parse_domain, parse_problem, split_action
from plancost.observations.strings import case_from_strings

if TYPE_CHECKING:
    from unified_planning.io import PDDLWriter
    from unified_planning.model import Action, Fluent, Object, PlanQualityMetric, Problem
    from unified_planning.plans import ActionInstance, SequentialPlan

Pair = tuple["Problem", "SequentialPlan"]
GroundAction = tuple[str, tuple[str, ...]]
"""The name of an action and of its objects, as unified-planning spells them."""

_DOMAIN = Path("domain (unified-planning)")
"""What messages call the domain."""


@dataclass(frozen=True)
class Written:
    """Problems and plans as PDDL, and what the names in it stand for."""

    domain: str
    problems: dict[str, str]
    plans: list[tuple[str, str]]
    writer: PDDLWriter

    @staticmethod
    def of(pairs: Sequence[Pair], *, keep_costs: bool) -> Written:
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
        return Written(domain, problems, plans, domain_writer)

    def case(self, *, skip_invalid: bool, jobs: int) -> Case:
        """Ground the problems and replay the plans."""
        return case_from_strings(
            self.domain,
            self.problems,
            self.plans,
            domain_label=str(_DOMAIN),
            skip_invalid=skip_invalid,
            jobs=jobs,
        )

    def another(
        self, problem: Problem, steps: Sequence[ActionInstance] = ()
    ) -> tuple[PddlDomain, PddlProblem, PDDLWriter]:
        """Any problem as PDDL, in the same words, and the writer that knows them.

        `steps` are of the problem, with objects that it need not have.
        """
        called = Path(f"problem '{problem.name or 'problem'}'")
        copy = _plain(problem, keep_costs=False)
        writer = _writer(copy, None)
        writer.otn_renamings = dict(self.writer.otn_renamings)
        writer.nto_renamings = dict(self.writer.nto_renamings)
        mentioned = [step.action for step in steps]
        mentioned += [item.object() for step in steps for item in step.actual_parameters]
        _call_alike(writer, [*copy.actions, *copy.fluents, *copy.all_objects, *mentioned])
        with _one_sentence():
            domain, text = writer.get_domain(), writer.get_problem()
        return (
            parse_domain(domain, _DOMAIN, "domain.pddl"),
            parse_problem(text, called, "problem.pddl"),
            writer,
        )


def original(writer: PDDLWriter, costs: Mapping[str, int]) -> dict[GroundAction, int]:
    """Costs by the names that unified-planning has."""
    found = {}
    for name, cost in costs.items():
        action, arguments = split_action(name)
        words = [writer.get_item_named(word).name for word in (action, *arguments)]
        found[words[0], tuple(words[1:])] = cost
    return found


def _call_alike(writer: PDDLWriter, items: Sequence[Action | Fluent | Object]) -> None:
    """Give things of another problem the words of what has the same name and is of one kind.

    Costs are known by name: an object keeps it with another type, an action with another
    precondition.
    """
    known = {
        (_kind(item), item.name): word for item, word in writer.otn_renamings.items() if _kind(item)
    }
    for item in items:
        word = known.get((_kind(item), item.name))
        if word is not None:
            writer.otn_renamings.setdefault(item, word)


def _kind(item: object) -> object:
    from unified_planning.model import Action, Fluent, Object

    if isinstance(item, Action):
        return "action", len(item.parameters)
    return "fluent" if isinstance(item, Fluent) else "object" if isinstance(item, Object) else None


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
            while Path(name) in map(Path, names.values()):  # labels of texts are paths
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

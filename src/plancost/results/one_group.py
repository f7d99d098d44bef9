"""One of several groups, as a result and a case of its own: to look at, to draw, to report."""

from __future__ import annotations

from dataclasses import replace

from plancost.errors import UsageError
from plancost.observations.case import Case
from plancost.observations.parts import part_of_case
from plancost.results.assemble import ASSIGNMENT, BY_COLUMN
from plancost.results.result import Result


def one_group(result: Result, case: Case, name: str | None) -> tuple[Result, Case]:
    """The result and the case of one group; all of it where there are no groups."""
    alone = group_alone(result, name)
    if alone is result:
        return result, case
    (chosen,) = {item.group for item in alone.observations}
    part = part_of_case(
        case, [n for n, item in enumerate(result.observations) if item.group == chosen]
    )
    initial = None if alone.initial_costs is None else _of_part(alone.initial_costs, part)
    costs = _of_part(alone.costs, part)
    return replace(alone, costs=costs, initial_costs=initial, case=part), part


def _of_part(costs: dict[str, int], part: Case) -> dict[str, int]:
    return {name: costs[name] for name in part.actions if name in costs}


def group_alone(result: Result, name: str | None, what: str = "plans") -> Result:
    """The result of one group; all of it where there are no groups.

    If only one group has plans, it need not be named. Where a column says which plans are in a
    group, groups have nothing to do with each other: so the bound of all of them bounds each. Where
    the search divided the plans, how many of one group could be optimal at most is not known.
    """
    groups = {group.name: group for group in result.groups if group.plans}
    if not groups:
        if name is not None:
            raise UsageError(f"there are no groups in this result, so none is called '{name}'")
        return result
    if name is None and len(groups) == 1:
        (name,) = groups
    if name is None or name not in groups:
        asked = "this result has several groups" if name is None else f"there is no group '{name}'"
        raise UsageError(f"{asked}; choose one with --group: {', '.join(groups)}")
    group = groups[name]
    together = f"{result.optimal_plans} of {result.plans} {what} are optimal in all groups together"
    bound = group.plans
    if result.options.get(ASSIGNMENT) == BY_COLUMN:
        others = result.optimal_plans - group.optimal_plans
        bound = min(bound, result.upper_bound - others)
    most = "proven most" if result.proved else f"at most {result.upper_bound}"
    return replace(
        result,
        plans=group.plans,
        optimal_plans=group.optimal_plans,
        believed_optimal=group.optimal_plans,
        upper_bound=bound,
        proved=group.optimal_plans == bound,
        secondary=group.secondary,
        costs=group.costs,
        observations=tuple(item for item in result.observations if item.group == name),
        notes=(*result.notes, f"this is the group {name}; {together} ({most})"),
        groups=(),
        history=(),
        secondary_history=(),
        trips=None,
        options={key: value for key, value in result.options.items() if key != "answer_from"},
    )

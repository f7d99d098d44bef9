"""One of several groups, as a result and a case of its own: to look at, to draw, to report."""

from __future__ import annotations

from dataclasses import replace

from plancost.errors import UsageError
from plancost.observations.case import Case
from plancost.observations.parts import part_of_case
from plancost.results.result import GroupResult, Result


def one_group(result: Result, case: Case, name: str | None) -> tuple[Result, Case]:
    """The result and the case of one group; all of it where there are no groups."""
    names = [group.name for group in result.groups if group.plans]
    if not result.groups:
        if name is not None:
            raise UsageError(f"there are no groups in this result, so none is called '{name}'")
        return result, case
    if name not in names:
        asked = "this result has several groups" if name is None else f"there is no group '{name}'"
        raise UsageError(f"{asked}; choose one with --group: {', '.join(names)}")
    group = next(item for item in result.groups if item.name == name)
    members = [n for n, item in enumerate(result.observations) if item.group == name]
    part = part_of_case(case, members)
    return _only(result, group, part, members), part


def _only(result: Result, group: GroupResult, part: Case, members: list[int]) -> Result:
    """What is known of one group. How many of its plans could be optimal at most is not."""
    together = f"{result.optimal_plans} of {result.plans} plans are optimal in all groups together"
    most = "proven most" if result.proved else f"at most {result.upper_bound}"
    return replace(
        result,
        plans=group.plans,
        optimal_plans=group.optimal_plans,
        believed_optimal=group.optimal_plans,
        upper_bound=group.plans,
        proved=group.optimal_plans == group.plans,
        secondary=group.secondary,
        costs={name: group.costs[name] for name in part.actions},
        initial_costs=_of_part(result.initial_costs, part),
        observations=tuple(result.observations[number] for number in members),
        notes=(*result.notes, f"this is the group {group.name}; {together} ({most})"),
        groups=(),
        options={key: value for key, value in result.options.items() if key != "answer_from"},
        case=part,
    )


def _of_part(costs: dict[str, int] | None, part: Case) -> dict[str, int] | None:
    return None if costs is None else {name: costs[name] for name in part.actions if name in costs}

"""The groups of a RESULT.json: several cost functions, and which plan belongs to which."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from plancost.errors import InputError
from plancost.observations.case import Case
from plancost.observations.cost_files import LARGEST_LEARNED_COST, costs_of
from plancost.observations.files import name_within
from plancost.results.assemble import ASSIGNMENT, BY_COLUMN
from plancost.results.claims import Claims


@dataclass(frozen=True)
class GivenGroups:
    """Cost functions by the name of their group, and the group of each observation."""

    names: tuple[str, ...]
    costs: tuple[tuple[int, ...], ...]
    group_of: tuple[int, ...]
    by_column: bool
    """Whether the groups were named in the manifest, and not found by learning."""

    def members(self) -> dict[str, list[int]]:
        """The observations of each group, in order."""
        found: dict[str, list[int]] = {name: [] for name in self.names}
        for number, group in enumerate(self.group_of):
            found[self.names[group]].append(number)
        return found


def read_groups(case: Case, claims: Claims, *, default: int | None) -> GivenGroups | None:
    """The groups in a file of costs; None if it has one cost function for all plans."""
    if not claims.groups:
        return None
    names = tuple(item.name for item in claims.groups)
    if len(set(names)) < len(names):
        raise InputError("two groups in this file have the same name", claims.path)
    costs = tuple(
        costs_of(
            case,
            item.costs,
            least=1,
            default=default,
            path=claims.path,
            largest=LARGEST_LEARNED_COST,
        )
        for item in claims.groups
    )
    by_column = claims.options.get(ASSIGNMENT) == BY_COLUMN
    return GivenGroups(names, costs, _assignment(case, claims, names), by_column)


def _assignment(case: Case, claims: Claims, names: tuple[str, ...]) -> tuple[int, ...]:
    """The group of each observation: as the file says, else as the group column says."""
    said: dict[tuple[str, str], deque[str]] = {}
    for item in claims.observations or ():
        if item.group in names:
            said.setdefault((item.problem, item.plan), deque()).append(item.group)
    found = []
    for observation in case.observations:
        problem = name_within(case.root, observation.problem_file)
        plan = name_within(case.root, observation.plan_file)
        # A plan file that was listed twice may be in two groups, in the order of the case.
        waiting = said.get((problem, plan))
        name = waiting.popleft() if waiting else observation.source.group
        if name not in names:
            raise InputError(
                f"this file does not say which group {plan} belongs to; learn again with this "
                "plan, or name one of its groups in the manifest's group column",
                claims.path,
            )
        found.append(names.index(name))
    return tuple(found)

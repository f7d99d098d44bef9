"""The groups of a RESULT.json: several cost functions, and which plan belongs to which."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plancost.errors import InputError
from plancost.observations.case import Case
from plancost.observations.cost_files import (
    LARGEST_LEARNED_COST,
    checked_costs,
    costs_of,
    read_json,
)
from plancost.observations.files import name_within


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


def read_groups(case: Case, path: Path, *, default: int | None) -> GivenGroups | None:
    """The groups in a file of costs; None if it has one cost function for all plans."""
    content = read_json(path)
    if not isinstance(content, dict) or not content.get("groups"):
        return None
    listed = content["groups"]
    if not isinstance(listed, list) or not all(
        isinstance(item, dict) and isinstance(item.get("name"), str) and "costs" in item
        for item in listed
    ):
        raise InputError("each of the groups in this file needs a name and costs", path)
    names = tuple(item["name"] for item in listed)
    if len(set(names)) < len(names):
        raise InputError("two groups in this file have the same name", path)
    costs = tuple(
        costs_of(
            case,
            checked_costs(item["costs"], path),
            least=1,
            default=default,
            path=path,
            largest=LARGEST_LEARNED_COST,
        )
        for item in listed
    )
    options = content.get("options")
    by_column = isinstance(options, dict) and options.get("assignment") == "column"
    return GivenGroups(names, costs, _assignment(case, content, names, path), by_column)


def _assignment(
    case: Case, content: dict[str, Any], names: tuple[str, ...], path: Path
) -> tuple[int, ...]:
    """The group of each observation: as the file says, else as the group column says."""
    said: dict[tuple[str, str], deque[str]] = {}
    listed = content.get("observations")
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, dict) and item.get("group") in names:
            key = (str(item.get("problem")), str(item.get("plan")))
            said.setdefault(key, deque()).append(item["group"])
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
                path,
            )
        found.append(names.index(name))
    return tuple(found)

"""Costs that a caller gives: a `Result`, a mapping, or a file of either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plancost.case.costs import TURNS
from plancost.case.model import Case, Observation
from plancost.case.streets import with_turns
from plancost.errors import InputError
from plancost.files import read_json
from plancost.result.model import Result, read_result
from plancost.values import shown

NO_GROUP = "(none)"
"""What the group of observations is called that name none where others do."""
GivenCosts = Path | str | Result | Mapping[str, Any]


class CostsOfFile(dict[str, Any]):
    """Costs by action, and the file that messages name."""

    def __init__(self, costs: Mapping[str, Any], path: Path | str) -> None:
        super().__init__(costs)
        self.path = Path(path)


def read_costs(given: GivenCosts) -> Result | Mapping[str, Any]:
    """A result, or else costs by action, which are checked when the case is known."""
    if isinstance(given, Result | Mapping):
        return given
    if not isinstance(given, Path | str):
        raise InputError(f"costs must be a result, a file or a mapping, not {shown(given)}")
    content = read_json(Path(given))
    if not isinstance(content, dict):
        raise InputError('this is neither RESULT.json nor costs such as {"(drive a b)": 3}', given)
    return read_result(given) if "format" in content else CostsOfFile(content, given)


def fitting(case: Case, given: Result | Mapping[str, Any]) -> Case:
    """The case with turns, if these costs are of turns too and it is without them."""
    if case.streets is None or len(case.actions) > len(case.streets.rows):
        return case
    if isinstance(given, Result):
        are_of_turns = TURNS in given.options.get("features", ())
    else:
        known = set(case.actions)
        are_of_turns = any(">" in name and name not in known for name in given)
    return with_turns(case) if are_of_turns else case


def divided(case: Case, groups: Sequence[Result]) -> list[tuple[str, Case, Result]]:
    """The observations of each group with its costs, as the case says, or else as the result does;
    what was in none is an error.
    """
    named = {group.group: place for place, group in enumerate(groups)}
    known: dict[tuple[str, str], int] = {}
    for place, group in enumerate(groups):
        for item in group.observations:
            known.setdefault(item.key, place)
    parts: list[list[Observation]] = [[] for _ in groups]
    for observation in case.observations:
        found = named.get(observation.group or NO_GROUP, known.get(case.key(observation)))
        if found is None:
            raise InputError(f"{shown(observation.name)} is in none of the groups of this result")
        parts[found].append(observation)
    return [
        (group.group or "", replace(case, observations=tuple(own)), group)
        for group, own in zip(groups, parts, strict=True)
        if own
    ]

"""Learned costs of a network, read back from RESULT.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from plancost.errors import InputError, UsageError
from plancost.files.input_files import read_json
from plancost.results.document import decode
from plancost.results.reading import result_in
from plancost.results.result import LearnedCost, Result
from plancost.routes.network import Network
from plancost.routes.prediction import RouteCosts
from plancost.routes.turns import FROM_COORDINATES, PREFIX, Turns, turns_from_coordinates
from plancost.system.values import PathLike, as_path


@dataclass(frozen=True)
class LearnedRoutes:
    """Costs of links and turns: one cost function, or one for each group."""

    costs: Mapping[str, int]
    groups: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    initial: Mapping[str, int] | None = None
    """The costs that decide between equally cheap routes: those that say which is the most likely,
    or that these were refined from."""
    turns: Turns | None = None
    turns_from: str | None = None
    """Where turns came from when these costs were learned; None: turns have no costs."""
    path: Path | None = None

    def __repr__(self) -> str:
        """In short: how much of what there is."""
        groups = f", {len(self.groups)} groups" if self.groups else ""
        return f"<LearnedRoutes: costs of {len(self.costs)} links and turns{groups}>"

    @classmethod
    def of(cls, result: Result, path: Path | None = None) -> LearnedRoutes:
        """The costs of a result.

        Args:
            result: What `learn_routes` returned.
            path: Where it was read, for messages.

        Returns:
            The costs of all its groups.
        """
        groups = {group.name: group.costs for group in result.groups if group.plans}
        from_what = result.options.get("turns")
        said = from_what if isinstance(from_what, str) else None
        second = result.tie_break or result.initial_costs
        return cls(result.costs, groups, second, None, said, path)

    def with_turns(self, turns: Turns | None, network: Network) -> LearnedRoutes:
        """The same with the turns of a network, which must be given if turns have costs.

        Args:
            turns: The turns that these costs were learned with; None: there are none.
            network: The streets.

        Returns:
            Costs that predict with turns.

        Raises:
            UsageError: Turns have costs, and which turns there are is not said.
        """
        has_costs = self.turns_from is not None or any(
            name.startswith(PREFIX) and name not in network.by_name for name in self.costs
        )
        if turns is None and has_costs:
            if self.turns_from != FROM_COORDINATES:
                raise UsageError(
                    "turns have costs in this result: add --turns with the turns it was learned "
                    "with"
                )
            turns = turns_from_coordinates(network)
        return replace(self, turns=turns)

    def group(self, name: str | None) -> RouteCosts:
        """The costs of a group; without groups those that there are.

        Args:
            name: The group; None: there are no groups.

        Returns:
            The costs of links and turns.

        Raises:
            InputError: There is no such group.
        """
        if not self.groups:
            return RouteCosts(self.costs, self.initial, self.turns)
        if name is None or name not in self.groups:
            asked = "a trip has no group" if name is None else f"there is no group '{name}'"
            raise InputError(
                f"{asked}; choose one of {', '.join(self.groups)} with --group", self.path
            )
        return RouteCosts(self.groups[name], self.initial, self.turns)


def read_costs(path: PathLike) -> LearnedRoutes:
    """Read a RESULT.json, or a plain object of costs by link.

    Args:
        path: A JSON file.

    Returns:
        The costs, for prediction.

    Raises:
        InputError: The file cannot be read, or holds no costs.
    """
    path = as_path(path, "path")
    content = read_json(path, "these costs")
    if isinstance(content, dict) and "format" in content:
        return LearnedRoutes.of(result_in(content, path), path)
    found = decode(content, dict[str, LearnedCost], path, "the cost of ")
    return LearnedRoutes(found, path=path)

"""What every action of a new problem costs, given costs that were learned elsewhere.

An action with a learned cost keeps it. For all others there is one rule: the cost that the
caller gives, or else the median of the learned costs of the same action schema, rounded up
and at least 1; or 1 if no action of that schema was learned. What got which is kept, so that
nobody takes a default for something that was learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError, UsageError
from plancost.observations.cost_files import LARGEST_COST, read_costs
from plancost.observations.pddl import Domain, split_action
from plancost.observations.planfile import action_name

GivenCosts = Path | Mapping[str, int]
"""A RESULT.json, a plain file of costs, or costs by action name."""
_UNKNOWN = 1
"""The cost of an action whose schema was never seen."""


@dataclass(frozen=True)
class NewCosts:
    """The cost of every action of a problem, by name, and where each comes from."""

    costs: dict[str, int]
    learned: frozenset[str]
    from_schema: frozenset[str]
    """Not learned; the median of their schema."""
    fixed: frozenset[str]
    """Not learned; the cost that was given for such actions, or 1."""

    @property
    def defaults(self) -> dict[str, int]:
        """The actions that were not learned, by name, and what they got."""
        return {name: cost for name, cost in self.costs.items() if name not in self.learned}

    def to_json(self) -> dict[str, object]:
        """For ``--json``."""
        return {
            "actions": len(self.costs),
            "learned": len(self.learned),
            "median_of_schema": len(self.from_schema),
            "fixed": len(self.fixed),
            "defaults": self.defaults,
        }


def new_costs(
    given: GivenCosts, domain: Domain, actions: Iterable[str], default_cost: int | None = None
) -> NewCosts:
    """Costs for these ground actions of a domain."""
    if default_cost is not None and not 0 <= default_cost <= LARGEST_COST:
        raise UsageError(f"--default-cost takes a whole number from 0 to {LARGEST_COST}")
    learned = _checked(given, domain)
    medians = _medians(learned)
    costs: dict[str, int] = {}
    from_schema, fixed = set(), set()
    for name in sorted(actions):
        schema, _ = split_action(name)
        if name in learned:
            costs[name] = learned[name]
        elif default_cost is None and schema in medians:
            costs[name] = medians[schema]
            from_schema.add(name)
        else:
            costs[name] = _UNKNOWN if default_cost is None else default_cost
            fixed.add(name)
    known = frozenset(costs) - from_schema - fixed
    return NewCosts(costs, known, frozenset(from_schema), frozenset(fixed))


def _checked(given: GivenCosts, domain: Domain) -> dict[str, int]:
    """The learned costs by name, once they are known to be costs of this domain."""
    path = given if isinstance(given, Path) else None
    costs = read_costs(given) if isinstance(given, Path) else _by_name(given)
    for name, cost in costs.items():
        if not 0 <= cost <= LARGEST_COST:
            raise InputError(
                f"the cost of {name} is {cost}; it must be from 0 to {LARGEST_COST}", path
            )
    if not any(split_action(name)[0] in domain.schemas for name in costs):
        raise InputError(
            f"no action of the domain {domain.name} has a cost here; "
            "are these costs of another domain?",
            path,
        )
    return costs


def _by_name(given: Mapping[str, int]) -> dict[str, int]:
    return {action_name(name): cost for name, cost in given.items()}


def _medians(costs: Mapping[str, int]) -> dict[str, int]:
    """For each schema the median of its costs, rounded up and at least 1."""
    by_schema: dict[str, list[int]] = {}
    for name, cost in costs.items():
        by_schema.setdefault(split_action(name)[0], []).append(cost)
    return {schema: max(1, _median(values)) for schema, values in by_schema.items()}


def _median(values: list[int]) -> int:
    ordered = sorted(values)
    lower, upper = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return -(-(lower + upper) // 2)

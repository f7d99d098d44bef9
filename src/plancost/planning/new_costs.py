"""What every action of a new problem costs, given costs that were learned elsewhere.

Where the costs of an action schema are linear, every action costs what the weights and the
problem's own numbers say (at least 1). Otherwise an action with a learned cost keeps it, and one
that was never seen has the cost of its class, where costs are shared. For all others there is one
rule: the cost that the caller gives, or else the median of the learned costs of the same action
schema, rounded up and at least 1; or 1 if no action of that schema was learned. What got which is
kept, so that nobody takes a default for something that was learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median_high, median_low

from plancost.errors import InputError, UsageError
from plancost.observations.cost_files import LARGEST_COST, LARGEST_LEARNED_COST
from plancost.observations.features import feature_values, features_of, linear_cost
from plancost.observations.pddl import Domain, Problem, split_action
from plancost.observations.shares import ClassCosts
from plancost.results.claims import Claims, GivenCosts, LearnedCosts, claims_of
from plancost.system.values import whole_number

_KINDS = ("learned", "from_schema", "fixed", "from_class", "from_weights")
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
    from_class: frozenset[str] = frozenset()
    """Never seen; the learned cost of their class."""
    from_weights: frozenset[str] = frozenset()
    """Never seen with these numbers; the learned weights say what they cost."""

    @property
    def defaults(self) -> dict[str, int]:
        """The actions of which nothing was learned, by name, and what they got."""
        guessed = self.from_schema | self.fixed
        return {name: cost for name, cost in self.costs.items() if name in guessed}

    def to_json(self) -> dict[str, object]:
        """For ``--json``."""
        return {
            "actions": len(self.costs),
            "learned": len(self.learned),
            "cost_of_class": len(self.from_class),
            "from_weights": len(self.from_weights),
            "median_of_schema": len(self.from_schema),
            "fixed": len(self.fixed),
            "defaults": self.defaults,
        }


def new_costs(
    given: GivenCosts,
    domain: Domain,
    actions: Iterable[str],
    default_cost: int | None = None,
    problem: Problem | None = None,
) -> NewCosts:
    """Costs for these ground actions of a domain; linear costs need the problem."""
    if default_cost is not None:
        number = whole_number(default_cost)
        if number is None or not 0 <= number <= LARGEST_COST:
            raise UsageError(f"--default-cost takes a whole number from 0 to {LARGEST_COST}")
        default_cost = number
    claims = claims_of(given)
    path = claims.path
    learned = _checked(claims, domain)
    medians = median_costs(learned.costs)
    classes = ClassCosts(learned.shared)
    names = sorted(actions)
    linear = _linear_costs(learned, domain, problem, names, default_cost, path)
    costs: dict[str, int] = {}
    origin: dict[str, set[str]] = {kind: set() for kind in _KINDS}
    for name in names:
        schema, _ = split_action(name)
        of_class = classes.cost(name)
        if name in linear:
            costs[name], kind = linear[name], "from_weights"
            if learned.costs.get(name) == costs[name]:
                kind = "learned"
        elif name in learned.costs:
            costs[name], kind = learned.costs[name], "learned"
        elif of_class is not None:
            costs[name], kind = of_class, "from_class"
        elif default_cost is None and schema in medians:
            costs[name], kind = medians[schema], "from_schema"
        else:
            costs[name], kind = _UNKNOWN if default_cost is None else default_cost, "fixed"
        origin[kind].add(name)
    return NewCosts(costs, **{kind: frozenset(members) for kind, members in origin.items()})


def _linear_costs(
    learned: LearnedCosts,
    domain: Domain,
    problem: Problem | None,
    names: Iterable[str],
    default_cost: int | None,
    path: Path | None,
) -> dict[str, int]:
    """What the weights say; actions without numbers are left out if something else is known."""
    if not learned.weights or problem is None:
        return {}
    features = features_of(learned.weights, domain, path)
    found = {}
    for name in names:
        schema, _ = split_action(name)
        if schema not in features:
            continue
        try:
            values = feature_values(features, domain, problem, name)
        except InputError:
            if name not in learned.costs and default_cost is None:
                raise
            continue
        found[name] = linear_cost(learned.weights[schema], features[schema], values)
        if found[name] > LARGEST_LEARNED_COST:
            raise InputError(
                f"{name} would cost {found[name]}, more than {LARGEST_LEARNED_COST}", path
            )
    return found


def _checked(claims: Claims, domain: Domain) -> LearnedCosts:
    """The learned costs by name, once they are known to be costs of this domain."""
    path = claims.path
    learned = claims.learned()
    for name, cost in learned.costs.items():
        if not 0 <= cost <= LARGEST_LEARNED_COST:
            raise InputError(
                f"the cost of {name} is {cost}; it must be from 0 to {LARGEST_LEARNED_COST}", path
            )
    if not any(split_action(name)[0] in domain.schemas for name in learned.costs):
        raise InputError(
            f"no action of the domain {domain.name} has a cost here; "
            "are these costs of another domain?",
            path,
        )
    return learned


def median_costs(costs: Mapping[str, int]) -> dict[str, int]:
    """For each schema the median of its costs, rounded up and at least 1."""
    by_schema: dict[str, list[int]] = {}
    for name, cost in costs.items():
        by_schema.setdefault(split_action(name)[0], []).append(cost)
    return {
        schema: max(1, -(-(median_low(values) + median_high(values)) // 2))
        for schema, values in by_schema.items()
    }

"""Several actions with one cost: fewer numbers to learn.

The learners think in *parameters*: numbers that costs are made of. Without sharing each action
has its own. With it, a plan is a vector of counts over parameters, rows are differences of
those, and nothing else changes: an action is priced out only together with all that share its
cost, and the second objective counts a parameter as often as there are actions that have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plancost.errors import InputError
from plancost.observations.shares import Kept, class_name


@dataclass(frozen=True)
class Sharing:
    """The parameters by name, and for each action of A the number of its parameter."""

    parameters: tuple[str, ...]
    parameter_of: tuple[int, ...]

    @classmethod
    def of(cls, actions: Sequence[str], kept: Kept) -> Sharing:
        """One parameter for each class of actions."""
        return cls.by_names([class_name(action, kept) for action in actions])

    @classmethod
    def by_names(cls, classes: Sequence[str]) -> Sharing:
        """From the class of each action."""
        names = tuple(sorted(set(classes)))
        numbers = {name: number for number, name in enumerate(names)}
        return cls(names, tuple(numbers[name] for name in classes))

    def names(self) -> list[str]:
        """The class of each action."""
        return [self.parameters[number] for number in self.parameter_of]

    def members(self) -> tuple[tuple[int, ...], ...]:
        """For each parameter the actions that have it."""
        found: list[list[int]] = [[] for _ in self.parameters]
        for action, parameter in enumerate(self.parameter_of):
            found[parameter].append(action)
        return tuple(map(tuple, found))

    def gathered(self, actions: Sequence[str], costs: Sequence[int]) -> tuple[int, ...]:
        """Costs of actions as costs of parameters; they must agree where actions share one."""
        found: list[int] = []
        for name, members in zip(self.parameters, self.members(), strict=True):
            values = {costs[action] for action in members}
            if len(values) > 1:
                first = members[0]
                other = next(a for a in members if costs[a] != costs[first])
                raise InputError(
                    f"{actions[first]} costs {costs[first]} and {actions[other]} {costs[other]}, "
                    f"but both share the cost of {name}"
                )
            found.append(values.pop())
        return tuple(found)

"""What costs are made of: each is a sum of parameters, taken whole numbers of times.

The learners think in *parameters*: the numbers that are learned. Unless told otherwise, each action
has its own. Actions that share one cost have one parameter together. A cost that is linear in
features has a constant and a weight for each feature, and takes the weight as many times as the
value of the feature says. In all cases the costs of actions are a matrix of whole numbers of at
least 0 times the parameters, so a plan is a vector of counts over parameters, rows are differences
of those, and nothing else changes: an action is priced out together with all that have the
parameter, and the second objective counts a parameter as often as actions have it.

Refinement measures how far costs are from C̄, action by action. Where a cost is made of several
parameters, it gets a parameter of its own besides (a *link*), which is required to be equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from plancost.learning.problem.rows import Counts
from plancost.observations.features import CONSTANT, Features
from plancost.observations.pddl import split_action
from plancost.observations.shares import Kept, class_name

_LARGEST_PRODUCT = 2**62


@dataclass(frozen=True)
class Weight:
    """A parameter of a linear cost; its name is that of a feature, or `CONSTANT`."""

    schema: str
    name: str
    parameter: int


@dataclass(frozen=True)
class CostModel:
    """The parameters by name, and for each action of A what its cost is made of."""

    parameters: tuple[str, ...]
    parts: tuple[Counts, ...]
    classes: tuple[str, ...]
    """For each action what its cost is called: the action itself, or a class with ``*``."""
    weights: tuple[Weight, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    """Parameters that are equal to the cost of an action."""

    @classmethod
    def by_names(cls, classes: Sequence[str]) -> CostModel:
        """One parameter for each class, from the class of each action."""
        names = tuple(sorted(set(classes)))
        numbers = {name: number for number, name in enumerate(names)}
        return cls(names, tuple(((numbers[name], 1),) for name in classes), tuple(classes))

    @classmethod
    def of(
        cls,
        actions: Sequence[str],
        kept: Kept,
        features: Features | None = None,
        values: Mapping[str, Sequence[int]] | None = None,
    ) -> CostModel:
        """Shared costs as `kept` says, and linear ones with the values of their features."""
        features, values = features or {}, values or {}
        classes = tuple(class_name(action, kept) for action in actions)
        names = sorted({c for a, c in zip(actions, classes, strict=True) if a not in values})
        numbers = {name: number for number, name in enumerate(names)}
        first: dict[str, int] = {}
        weights: list[Weight] = []
        for schema, own in features.items():
            first[schema] = len(numbers) + len(weights)
            for name in (CONSTANT, *map(str, own)):
                weights.append(Weight(schema, name, len(numbers) + len(weights)))
        parts: list[Counts] = []
        for action, name in zip(actions, classes, strict=True):
            if action not in values:
                parts.append(((numbers[name], 1),))
                continue
            start = first[split_action(action)[0]]
            terms = enumerate((1, *values[action]), start)
            parts.append(tuple((parameter, value) for parameter, value in terms if value))
        said = (f"{weight.schema}: {weight.name}" for weight in weights)
        return cls((*names, *said), tuple(parts), classes, tuple(weights))

    def only(self, actions: Sequence[int]) -> CostModel:
        """The same for some of the actions, with the parameters that these have."""
        used = sorted({parameter for action in actions for parameter, _ in self.parts[action]})
        number = {parameter: place for place, parameter in enumerate(used)}
        return CostModel(
            tuple(self.parameters[parameter] for parameter in used),
            tuple(tuple((number[p], times) for p, times in self.parts[a]) for a in actions),
            tuple(self.classes[action] for action in actions),
            tuple(
                replace(weight, parameter=number[weight.parameter])
                for weight in self.weights
                if weight.parameter in number
            ),
        )

    @cached_property
    def is_plain(self) -> bool:
        """Whether every cost is one parameter."""
        return not self.weights and not self.links

    def with_links(self) -> CostModel:
        """The same with a link for each cost that is made of several parameters."""
        found = [members[0] for parts, members in self.kinds if not _is_unit(parts)]
        links = tuple(enumerate(found, len(self.parameters)))
        names = (f"cost of {self.classes[action]}" for action in found)
        return replace(self, parameters=(*self.parameters, *names), links=links)

    @cached_property
    def kinds(self) -> tuple[tuple[Counts, tuple[int, ...]], ...]:
        """Actions that cost the same whatever the parameters are, with what that is made of."""
        found: dict[Counts, list[int]] = {}
        for action, parts in enumerate(self.parts):
            found.setdefault(parts, []).append(action)
        return tuple((parts, tuple(members)) for parts, members in found.items())

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """For each parameter the actions that cost just that."""
        found: list[tuple[int, ...]] = [()] * len(self.parameters)
        for parts, members in self.kinds:
            if _is_unit(parts):
                found[parts[0][0]] = members
        return tuple(found)

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """How often each parameter is in the sum of all costs."""
        total: Counter[int] = Counter()
        for parts, members in self.kinds:
            for parameter, times in parts:
                total[parameter] += times * len(members)
        return tuple(total[parameter] for parameter in range(len(self.parameters)))

    @cached_property
    def constants(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The constants of linear costs, each with the actions that have it."""
        found: dict[int, list[int]] = {
            weight.parameter: [] for weight in self.weights if weight.name == CONSTANT
        }
        for action, parts in enumerate(self.parts):
            if parts[0][0] in found:
                found[parts[0][0]].append(action)
        return tuple((number, tuple(members)) for number, members in found.items() if members)

    def counts(self, actions: Iterable[int]) -> Counts:
        """How often each parameter is in the cost of some actions together."""
        if self.is_plain:
            return tuple(sorted(Counter(map(self._first.__getitem__, actions)).items()))
        total: Counter[int] = Counter()
        for action, count in Counter(actions).items():
            for parameter, times in self.parts[action]:
                total[parameter] += count * times
        return tuple(sorted(total.items()))

    def cost(self, action: int, parameters: Sequence[int]) -> int:
        """The cost of an action."""
        return sum(times * parameters[parameter] for parameter, times in self.parts[action])

    def sum_of(self, actions: Iterable[int], parameters: Sequence[int]) -> int:
        """The cost of some actions together, where each cost is one parameter."""
        return sum(map(parameters.__getitem__, map(self._first.__getitem__, actions)))

    def costs(self, parameters: Sequence[int]) -> list[int]:
        """The cost of each action."""
        if self.is_plain:
            return [parameters[parameter] for parameter in self._first]
        return [self.cost(action, parameters) for action in range(len(self.parts))]

    def exceeds(self, parameters: Sequence[int], largest: int) -> bool:
        """Whether some action costs more than that."""
        if max(parameters, default=0) * self._most_parts <= largest:
            return False
        return max(self.costs(parameters), default=0) > largest

    def completed(self, parameters: Sequence[int]) -> tuple[int, ...]:
        """The same parameters, with the links as they follow from the others."""
        found = list(parameters)
        for parameter, action in self.links:
            found[parameter] = self.cost(action, parameters)
        return tuple(found)

    @cached_property
    def _most_parts(self) -> int:
        """How many parameters, each as often as it counts, a cost consists of at most."""
        return max((sum(times for _, times in own) for own in self.parts), default=0)

    @cached_property
    def _first(self) -> tuple[int, ...]:
        """The parameter of each action, where each cost is one."""
        return tuple(parts[0][0] for parts in self.parts)


class CostVector:
    """The costs of some actions as an array, for parameters given as an array."""

    def __init__(self, composition: CostModel, actions: Sequence[int]) -> None:
        parts = [composition.parts[action] for action in actions]
        self._first: np.ndarray | None = None
        if composition.is_plain:
            self._first = np.array([own[0][0] for own in parts], dtype=np.int64)
            return
        starts = np.cumsum([0, *map(len, parts)])
        entries = np.array([entry for own in parts for entry in own], dtype=np.int64)
        entries = entries.reshape(-1, 2)
        shape = (len(parts), len(composition.parameters))
        self._matrix = csr_array((entries[:, 1], entries[:, 0], starts), shape=shape)
        self._most = max((sum(times for _, times in own) for own in parts), default=0)

    def __call__(self, parameters: np.ndarray) -> np.ndarray:
        """The costs; `OverflowError` if integers get too large to be exact."""
        if self._first is not None:
            return np.asarray(parameters[self._first])
        is_exact = np.issubdtype(parameters.dtype, np.integer)
        if is_exact and self._most * int(parameters.max(initial=0)) >= _LARGEST_PRODUCT:
            raise OverflowError("these costs are beyond exact arithmetic")
        return np.asarray(self._matrix @ parameters)


def _is_unit(parts: Counts) -> bool:
    return len(parts) == 1 and parts[0][1] == 1

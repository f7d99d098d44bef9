"""The second objective as a sum of terms, and what each cost may be.

It is a sum over actions. Where each cost is one parameter, it is a sum over parameters as well,
with a term for each (`terms`). The sum of linear costs is one too: a weight is in it as often as
the values of its feature add up to. Distances from C̄ are not; there links stand in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from plancost.errors import InputError
from plancost.learning.problem.cost_model import CostModel
from plancost.learning.problem.rows import Counts
from plancost.learning.problem.terms import Term
from plancost.observations.bounds_files import Range


@dataclass(frozen=True)
class SecondObjective:
    """The sum of costs, or of distances from C̄ (`initial`), and the bounds of each cost."""

    structure: CostModel
    actions: tuple[str, ...]
    initial: tuple[int, ...] | None
    ranges: tuple[Range, ...] | None

    def value(self, costs: Sequence[int]) -> int:
        """Of these costs, one for each parameter."""
        return sum(term.value(cost) for term, cost in zip(self.terms, costs, strict=True))

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The term of each parameter, with its bounds; a weight may be 0."""
        terms = []
        for members, total in zip(self.structure.members, self.structure.totals, strict=True):
            least, greatest = self._range(members) if members else (0, None)
            values = self._initial(members)
            terms.append(Term(values, total if values is None else len(values), least, greatest))
        for parameter, action in self.structure.links:
            own = self.kind_terms[self.structure.parts[action]]
            terms[parameter] = replace(own, least=0, greatest=None)
        return tuple(terms)

    @cached_property
    def kind_terms(self) -> dict[Counts, Term]:
        """The same for the costs of actions: one term for those that always cost the same."""
        return {
            parts: Term(self._initial(members), len(members), *self._range(members))
            for parts, members in self.structure.kinds
        }

    @cached_property
    def floor(self) -> int:
        """No cost function has less."""
        return sum(term.value(term.baseline) for term in self.kind_terms.values())

    @cached_property
    def origin(self) -> tuple[int, ...]:
        """Where every term is least; these need not be costs (weights of 0)."""
        return tuple(term.baseline for term in self.terms)

    @cached_property
    def least(self) -> npt.NDArray[np.float64]:
        """The least that each parameter may be."""
        return np.array([float(term.least) for term in self.terms])

    @cached_property
    def at_origin(self) -> int:
        """The value there."""
        return self.value(self.origin)

    @cached_property
    def baseline(self) -> tuple[int, ...]:
        """All 1, or C̄ raised to at least 1: also the costs of unconstrained actions.

        With bounds, the nearest costs within them. Linear costs begin with their constants alone,
        at what is usual in their schema and no less than their bounds ask.
        """
        found = list(self.origin)
        for parameter, members in self.structure.constants:
            terms = [self.kind_terms[self.structure.parts[action]] for action in members]
            usual = sorted(term.baseline for term in terms)[(len(terms) - 1) // 2]
            found[parameter] = max(usual, *(term.least for term in terms))
        return self.structure.completed(found)

    def greatest(self, parameter: int, most: int) -> int | None:
        """How large a parameter can be if the whole objective is at most that; None: any."""
        ends = [self.terms[parameter].greatest_with(most)]
        for link, times in self._links_of.get(parameter, ()):
            end = self.terms[link].greatest_with(most)
            ends.append(None if end is None else end // times)
        return min((end for end in ends if end is not None), default=None)

    @cached_property
    def _links_of(self) -> dict[int, list[tuple[int, int]]]:
        """The links that each parameter is part of, and how often."""
        found: dict[int, list[tuple[int, int]]] = {}
        for link, action in self.structure.links:
            for parameter, times in self.structure.parts[action]:
                found.setdefault(parameter, []).append((link, times))
        return found

    def _initial(self, members: Sequence[int]) -> tuple[int, ...] | None:
        initial = self.initial
        return None if initial is None else tuple(initial[action] for action in members)

    def _range(self, members: Sequence[int]) -> Range:
        """Of a cost that several actions have: within the bounds of all of them."""
        if self.ranges is None:
            return 1, None
        least = max(self.ranges[action][0] for action in members)
        ends = [end for end in (self.ranges[action][1] for action in members) if end is not None]
        greatest = min(ends, default=None)
        if greatest is not None and least > greatest:
            names = ", ".join(self.actions[action] for action in members[:3])
            raise InputError(
                f"the actions {names} share one cost, but by their bounds it must be "
                f"at least {least} and at most {greatest}"
            )
        return least, greatest

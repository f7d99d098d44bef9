"""A question: what a person has changed since the result was learned."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plancost.learning.problem.options import LearnOptions
from plancost.observations.bounds_files import CostBound
from plancost.observations.patterns import ANY

_HERE = "a bound set on the page"


@dataclass(frozen=True)
class Question:
    """Bounds of single costs, plans that are left out, and plans that must be optimal."""

    bounds: tuple[tuple[str, int, int | None], ...] = ()
    """Actions with their least and greatest cost (None: no limit)."""
    dropped: tuple[str, ...] = ()
    """Plan files, as RESULT.json calls them."""
    required: tuple[str, ...] = ()

    @classmethod
    def of(cls, options: LearnOptions) -> tuple[Question, LearnOptions]:
        """What options say that can be changed here, and the options without it.

        Bounds of several actions stay where they are.
        """
        own = [bound for bound in options.bounds if ANY not in bound.pattern]
        asked = cls(
            tuple((bound.pattern, bound.least, bound.greatest) for bound in own),
            options.drop,
            options.require,
        )
        rest = tuple(bound for bound in options.bounds if bound not in own)
        return asked, replace(options, bounds=rest, drop=(), require=())

    def options(self, base: LearnOptions) -> LearnOptions:
        """The options that ask this."""
        own = tuple(
            CostBound(action, least, greatest, _HERE) for action, least, greatest in self.bounds
        )
        return replace(base, bounds=base.bounds + own, drop=self.dropped, require=self.required)

    def with_bound(self, action: str, least: int, greatest: int | None) -> Question:
        """The same with other bounds of a cost; from 1 to anything is none."""
        others = tuple(bound for bound in self.bounds if bound[0] != action)
        is_free = least <= 1 and greatest is None
        return replace(self, bounds=others if is_free else (*others, (action, least, greatest)))

    def with_plan(self, plan: str, *, dropped: bool = False, required: bool = False) -> Question:
        """The same with a plan left out, required, or neither."""
        return replace(
            self,
            dropped=(*_without(self.dropped, plan), *([plan] if dropped else [])),
            required=(*_without(self.required, plan), *([plan] if required else [])),
        )

    def without_each(self) -> list[Question]:
        """For each thing that it says the question without it: bounds, left out, required."""
        plans = (*self.dropped, *self.required)
        freed = [self.with_bound(action, 1, None) for action, _, _ in self.bounds]
        return [*freed, *(self.with_plan(plan) for plan in plans)]


def _without(plans: tuple[str, ...], plan: str) -> tuple[str, ...]:
    return tuple(name for name in plans if name != plan)

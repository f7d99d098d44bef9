"""Plans whose total cost is known, and what that demands of the costs.

A known cost is an interval in which the cost of one observed plan lies (a point, without a
tolerance). It holds whichever plans are optimal. *Hard* known costs are two rows each. *Soft*
ones may be missed, but by no more in total than is necessary: first the least total deviation
is found, and then required. That the sum of the deviations is at most D says, for every choice
of a side for each plan, that the deviations to those sides add up to at most D. There is a row
for each choice, far too many to list, and the worst for given costs is easy to find.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, inf, lcm

from plancost.errors import InputError, LimitError
from plancost.learning.problem.rows import Counts, Row
from plancost.learning.problem.terms import Term
from plancost.solver import highs
from plancost.solver.model import Model, Status
from plancost.system.clock import Deadline

MOST_SOFT_COPIES = 10**6
"""How often plans of soft known cost may have been seen in all, in their common unit."""


@dataclass(frozen=True)
class PlanCostConstraint:
    """The interval in which the cost of an observed plan lies, and how often it was observed."""

    observation: int
    counts: Counts
    count: int
    least: Fraction
    greatest: Fraction

    def rows(self) -> tuple[Row, Row]:
        """What it demands of integer costs, as at most and as at least."""
        return (
            (self.counts, -floor(self.greatest)),
            (tuple((action, -count) for action, count in self.counts), ceil(self.least)),
        )

    def deviation(self, costs: Sequence[int]) -> Fraction:
        """How far integer costs are outside, each copy counted."""
        cost = sum(costs[action] * count for action, count in self.counts)
        return self.count * max(self.least - cost, cost - self.greatest, Fraction(0))


def total_deviation(known: Iterable[PlanCostConstraint], costs: Sequence[int]) -> Fraction:
    """How far integer costs are outside in all."""
    return sum((item.deviation(costs) for item in known), Fraction(0))


def deviation_row(
    known: Sequence[PlanCostConstraint], most: Fraction, costs: Sequence[float]
) -> Row | None:
    """The row that costs break if their total deviation is more than `most`; it may hold.

    None if no plan is outside its interval.
    """
    unit = lcm(most.denominator, *(_unit(item) for item in known))
    total: Counter[int] = Counter()
    margin = -most * unit
    for item in known:
        cost = sum(costs[action] * count for action, count in item.counts)
        side = 1 if cost > item.greatest else -1 if cost < item.least else 0
        end = item.greatest if side > 0 else item.least
        margin -= side * item.count * unit * end
        for action, count in item.counts:
            total[action] += side * item.count * unit * count
    shared = gcd(*total.values()) or 1
    coefficients = tuple(
        sorted((action, value // shared) for action, value in total.items() if value)
    )
    # Whole costs make the left side a whole number, so the margin may be rounded up.
    return (coefficients, ceil(margin / shared)) if coefficients or margin > 0 else None


def least_deviation(
    known: Sequence[PlanCostConstraint],
    terms: Sequence[Term],
    deadline: Deadline,
    limits: Iterable[Row] = (),
) -> Fraction:
    """The least total deviation of any integer costs, by the solver's word.

    `limits` are rows that costs have to satisfy besides their bounds. Each copy of a plan counts,
    and solvers cannot tell large sums apart: so these must be small.
    """
    shared = gcd(*(item.count for item in known)) or 1
    total = sum(item.count for item in known)
    if total // shared > MOST_SOFT_COPIES:
        raise InputError(
            f"plans of known cost were seen {total} times in all, more than {MOST_SOFT_COPIES}, "
            "beyond which soft known costs are not added up exactly; divide the counts, or leave "
            "out --soft-costs"
        )
    model = Model()
    rows = list(limits)
    counted = [*(item.counts for item in known), *(coefficients for coefficients, _ in rows)]
    actions = sorted({action for counts in counted for action, _ in counts})
    columns = {
        action: model.add_column(terms[action].least, terms[action].greatest or inf, integer=True)
        for action in actions
    }
    for item in known:
        outside = model.add_column(objective=item.count // shared)
        line = {columns[action]: float(count) for action, count in item.counts}
        model.add_row({**line, outside: -1.0}, upper=float(item.greatest))
        model.add_row({**line, outside: 1.0}, lower=float(item.least))
    for coefficients, margin in rows:
        line = {columns[action]: float(coefficient) for action, coefficient in coefficients}
        model.add_row(line, upper=float(-margin))
    outcome = highs.solve(model, time_limit_s=deadline.remaining())
    if outcome.status is Status.INFEASIBLE:
        raise InputError("no whole-number weights of the linear costs keep to the bounds given")
    if outcome.status is not Status.OPTIMAL or outcome.values is None:
        raise LimitError("the time limit ended the search for the least deviation of known costs")
    costs = [term.baseline for term in terms]
    for action, column in columns.items():
        costs[action] = round(outcome.values[column])
    return total_deviation(known, costs)


def _unit(item: PlanCostConstraint) -> int:
    return lcm(item.least.denominator, item.greatest.denominator)

"""The second objective over all sets of as many plans, by Benders conflicts in the master.

What a set costs at least rests on few rows. All sets that demand those rows cost as much, so they
are excluded together as soon as that is no better than the incumbent. When the master has no set
left, the incumbent is proven.
"""

from __future__ import annotations

from plancost.clock import Clock, OutOfTimeError
from plancost.learn.conflict import Conflict
from plancost.learn.least_costs import Least, LeastCosts
from plancost.learn.master import heaviest_set
from plancost.learn.most_plans import MostPlans


def over_all_sets(
    search: MostPlans, least_costs: LeastCosts, least: Least, second: int, clock: Clock
) -> None:
    """Improve the incumbent's second objective until no set of its weight can be better.

    `least` is of its set, `second` what it has. The search knows Benders conflicts ever after.
    """
    incumbent = search.incumbent
    while least.bound >= second:
        plans = None
        if least.classes:  # else no set is better
            search.cuts.learn(Conflict(least.classes, None))
            plans = _next_set(search, clock)
        if plans is None:
            incumbent.second_bound = second
            incumbent.say("least costs")
            return
        least = least_costs.of(plans)
        if least.values is not None and least.value < second:
            second = least.value
            incumbent.take_second(plans, least.values, least=least.is_least)


def _next_set(search: MostPlans, clock: Clock) -> list[int] | None:
    """A set of the incumbent's weight that can be had; None if conflicts leave none."""
    while True:
        clock.check()
        proposal = heaviest_set(search.task.weights, search.cuts, clock)
        if proposal.bound < search.incumbent.weight:
            return None
        if not proposal.is_best:
            raise OutOfTimeError
        decided = search.feasibility.decide(proposal.plans)
        if not isinstance(decided, Conflict):
            return proposal.plans
        search.learn(decided)

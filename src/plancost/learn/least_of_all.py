"""The second objective over all sets of as many plans, by Benders conflicts in the master.

What a set costs at least rests on few rows. All sets that demand those rows cost as much, so they
are excluded together as soon as that is no better than the incumbent. When the master has no set
left, the incumbent is proven.
"""

from __future__ import annotations

from plancost.clock import Clock
from plancost.learn.conflict import Conflict
from plancost.learn.least_costs import Least, LeastCosts, benders
from plancost.learn.master import Cuts, heaviest_set
from plancost.learn.most_plans import MostPlans


def over_all_sets(search: MostPlans, least: LeastCosts, first: Least, clock: Clock) -> None:
    """Improve the incumbent's second objective until no set of its weight can be better."""
    incumbent, task = search.incumbent, search.task
    cuts = Cuts(len(task.plans))
    for conflict in search.index.conflicts:
        cuts.learn(conflict)
    cuts.impossible |= search.cuts.impossible
    cuts.found.update(search.cuts.found)
    answer: Least | None = first
    known = 0
    while not clock.is_over and incumbent.second is not None:
        if answer is not None:
            if answer.bound < incumbent.second:
                return  # whole numbers were not proven
            known_bound = benders(answer, incumbent.second)
            if known_bound is None:
                break
            cuts.learn(known_bound)
        near = cuts.impossible.astype(float) * 0
        proposal = heaviest_set(task.weights, cuts, (), near, clock)
        if proposal.bound < incumbent.weight:
            break
        if not proposal.is_best:
            return
        known = len(search.index.conflicts)
        decided = search.feasibility.decide(proposal.plans)
        if isinstance(decided, Conflict):
            search.learn(decided)
            for conflict in search.index.conflicts[known:]:
                cuts.learn(conflict)
            answer = None
            continue
        answer = least.of(proposal.plans)
        if answer.values is not None and answer.value < incumbent.second:
            incumbent.take_second(proposal.plans, answer.values, least=answer.is_least)
    else:
        return
    incumbent.second_bound = incumbent.second or 0
    incumbent.say("least costs")

"""Fast Downward: optimal plans, and any plan below a bound.

Its search starts in milliseconds. What was measured on tasks of the paper (processor
seconds, costs drawn from 1 to 10):

* A*, pattern databases of at most 50,000 states: transport 0.06, elevators 0.3 to 1,
  barman 17. Blind: 0.24, more than 60, 32. LM-cut: 3.6, more than 60, more than 60.
  Larger databases, the planner's default, take longer to build than they save.
* A bound cuts off by the cost so far, not by the estimate of the whole. To prove that
  nothing costs less than b, A* must be allowed to reach a plan that costs b; without one
  to stop at it walks through all that can be reached for less than b.
* Exit code 13 says "proven: no plan below the bound". Greedy search says so too, but it
  never comes back to a state that it first reached on an expensive way, so it is not true: with
  edges a-c 3, a-b 1, b-c 1, c-d 1 and bound 4 it denies the plan a-b-c-d. Searches that
  reopen states under the real costs (here, all) are right.
"""

from __future__ import annotations

import re
from dataclasses import replace
from threading import Event

from plancost.errors import PlannerError
from plancost.observations.sas import LARGEST_PLANNER_COST
from plancost.oracles.downward_family import Planner
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.system import binaries
from plancost.system.processes import Limits

FAST_DOWNWARD = Planner(
    name="Fast Downward",
    package="up_fast_downward",
    binary_path="downward/builds/release/bin/downward",
    distribution="up-fast-downward",
    exit_codes={0: Verdict.FOUND, 11: Verdict.NONE, 12: Verdict.GAVE_UP, 13: Verdict.NONE},
    variable=binaries.FAST_DOWNWARD,
)

PATTERNS = "ipdb(max_time=10,pdb_max_size=50000,collection_max_size=500000)"
BLIND = "blind()"
"""The one heuristic that knows axioms and conditional effects."""

_ANY_PLAN = "let(h,ff(),eager_wastar([h],preferred=[h],w=2,reopen_closed=true,bound={bound}))"
"""Weight 2 found plans close to the optimum 1 to 10 times as fast as 1 or 3, and where
greedy search (no weight on the cost so far) found none in 20 s."""

_FIRST_PLAN = (
    "let(l,landmark_sum(lm_rhw()),let(h,ff(),lazy_greedy([h,l],preferred=[h,l],cost_type=one)))"
)
"""One barman problem (3 cocktails, 4 shots), once, on a busy machine: a plan that costs 118
after 0.2 to 0.4 s; without landmarks 125 after 5 s; the search above 74 after 19 s."""
_FIRST_PLAN_WITH_AXIOMS = "let(h,ff(),lazy_greedy([h],preferred=[h],cost_type=one))"

_LARGEST_BOUND = LARGEST_PLANNER_COST // 2
_CONDITIONAL_EFFECT = re.compile(r"^[1-9]\d*(?: -?\d+){3,}$", re.MULTILINE)
"""Lines of four numbers and more are effects; the first is the number of conditions."""


def optimal_plan(
    sas: str, *, limits: Limits, stop: Event | None = None, heuristic: str | None = None
) -> SearchOutcome:
    """A cheapest plan, by A*. The heuristic must be admissible; None: a good one."""
    search = f"astar({heuristic or _heuristic(sas)})"
    return FAST_DOWNWARD.search(sas, search, limits=limits, stop=stop).outcome


def first_plan(sas: str, *, limits: Limits, stop: Event | None = None) -> SearchOutcome:
    """Any plan, soon and at any cost. That there is none is never proven by this."""
    search = _FIRST_PLAN_WITH_AXIOMS if _has_axioms(sas) else _FIRST_PLAN
    outcome = FAST_DOWNWARD.search(sas, search, limits=limits, stop=stop).outcome
    if outcome.verdict is Verdict.NONE:
        return replace(outcome, verdict=Verdict.GAVE_UP)
    return outcome


def any_plan_below(
    sas: str, bound: int, *, limits: Limits, stop: Event | None = None
) -> SearchOutcome:
    """A plan that costs less than the bound, soon, or NONE if there is proven to be none.

    The proof takes long where the optimum is close to the bound: see `optimal_plan_below`.
    """
    if bound <= 0:
        return _none()
    search = _ANY_PLAN.format(bound=_checked(bound))
    outcome = FAST_DOWNWARD.search(sas, search, limits=limits, stop=stop).outcome
    if outcome.verdict is Verdict.NONE and _has_axioms(sas):
        # The heuristic may then see dead ends where there are none.
        return replace(outcome, verdict=Verdict.GAVE_UP)
    return outcome


def optimal_plan_below(
    sas: str, bound: int, *, limits: Limits, stop: Event | None = None
) -> SearchOutcome:
    """A cheapest plan if it costs less than the bound; NONE is a proof that it does not.

    Fast if there is a plan that costs exactly as much as the bound: it is the `witness` then.
    """
    if bound <= 0:
        return _none()
    search = f"astar({_heuristic(sas)},bound={_checked(bound) + 1})"
    run = FAST_DOWNWARD.search(sas, search, limits=limits, stop=stop)
    if run.outcome.verdict is Verdict.FOUND and run.plan_costs[0] >= bound:
        return replace(run.outcome, verdict=Verdict.NONE, plans=(), witness=run.outcome.plans[0])
    return run.outcome


def _heuristic(sas: str) -> str:
    return BLIND if _has_axioms(sas) or _CONDITIONAL_EFFECT.search(sas) else PATTERNS


def _has_axioms(sas: str) -> bool:
    return "\nbegin_rule\n" in sas


def _none() -> SearchOutcome:
    """No cost is negative, so no plan is below such a bound."""
    return SearchOutcome(Verdict.NONE, (), 0.0, FAST_DOWNWARD.name)


def _checked(bound: int) -> int:
    if bound > _LARGEST_BOUND:
        raise PlannerError(
            f"{FAST_DOWNWARD.name} counts in 32 bits: a bound of {bound} is too large"
        )
    return bound

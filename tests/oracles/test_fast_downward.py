"""The real Fast Downward on tasks whose answers are known."""

from __future__ import annotations

import pytest

from plancost.errors import PlannerError
from plancost.oracles.fast_downward import (
    BLIND,
    FAST_DOWNWARD,
    any_plan_below,
    optimal_plan,
    optimal_plan_below,
)
from plancost.oracles.search import Verdict
from plancost.system.processes import Limits
from support.sas_texts import TRIANGLE, graph_sas, route

LIMITS = Limits(time_s=20, memory_mb=2000)
SAS = graph_sas(TRIANGLE, 0, 2)
"""The cheapest plan costs 2; the other one 3."""
GOAL_AT_START = graph_sas(TRIANGLE, 1, 1)
UNSOLVABLE = graph_sas([(0, 1, 1), (2, 1, 1)], 0, 2)

AXIOM = """begin_version
3
end_version
begin_metric
1
end_metric
2
begin_variable
var0
-1
2
Atom lit()
NegatedAtom lit()
end_variable
begin_variable
var1
0
2
Atom bright()
NegatedAtom bright()
end_variable
0
begin_state
1
1
end_state
begin_goal
1
1 0
end_goal
1
begin_operator
light
0
1
0 0 1 0
3
end_operator
1
begin_rule
1
0 0
1 1 0
end_rule
"""

CONDITIONAL_EFFECT = """begin_version
3
end_version
begin_metric
1
end_metric
2
begin_variable
var0
-1
2
Atom warm()
NegatedAtom warm()
end_variable
begin_variable
var1
-1
2
Atom lit()
NegatedAtom lit()
end_variable
0
begin_state
1
1
end_state
begin_goal
1
1 0
end_goal
1
begin_operator
press
0
2
0 0 -1 0
1 0 0 1 1 0
3
end_operator
0
"""


@pytest.mark.parametrize("heuristic", [None, BLIND, "lmcut()"])
def test_an_optimal_plan(heuristic: str | None) -> None:
    outcome = optimal_plan(SAS, limits=LIMITS, heuristic=heuristic)
    assert outcome.verdict is Verdict.FOUND
    assert outcome.plans == (route(0, 1, 2),)
    assert outcome.planner == "Fast Downward"
    assert 0 < outcome.seconds < 20


def test_the_empty_plan() -> None:
    assert optimal_plan(GOAL_AT_START, limits=LIMITS).plans == ((),)
    assert any_plan_below(GOAL_AT_START, 1, limits=LIMITS).plans == ((),)
    assert optimal_plan_below(GOAL_AT_START, 1, limits=LIMITS).plans == ((),)


def test_no_plan_costs_less_than_nothing() -> None:
    for below in (any_plan_below, optimal_plan_below):
        outcome = below(GOAL_AT_START, 0, limits=LIMITS)
        assert (outcome.verdict, outcome.plans) == (Verdict.NONE, ())


def test_an_unsolvable_task() -> None:
    assert optimal_plan(UNSOLVABLE, limits=LIMITS).verdict is Verdict.NONE
    assert any_plan_below(UNSOLVABLE, 100, limits=LIMITS).verdict is Verdict.NONE
    assert optimal_plan_below(UNSOLVABLE, 100, limits=LIMITS).verdict is Verdict.NONE


def test_the_bound_itself_is_not_below_it() -> None:
    assert any_plan_below(SAS, 2, limits=LIMITS).verdict is Verdict.NONE
    assert any_plan_below(SAS, 3, limits=LIMITS).plans == (route(0, 1, 2),)
    outcome = optimal_plan_below(SAS, 2, limits=LIMITS)
    assert (outcome.verdict, outcome.plans) == (Verdict.NONE, ())
    assert optimal_plan_below(SAS, 3, limits=LIMITS).plans == (route(0, 1, 2),)


EXPENSIVE_WAY_FIRST = graph_sas([(0, 2, 3), (0, 1, 1), (1, 2, 1), (2, 3, 1)], 0, 3)
"""Node 2 is first reached on a way that is too expensive for the bound 4."""


def test_a_state_first_reached_on_an_expensive_way() -> None:
    assert any_plan_below(EXPENSIVE_WAY_FIRST, 4, limits=LIMITS).plans == (route(0, 1, 2, 3),)
    assert any_plan_below(EXPENSIVE_WAY_FIRST, 3, limits=LIMITS).verdict is Verdict.NONE


def test_what_greedy_search_calls_proven_is_not() -> None:
    # If this fails, Fast Downward has changed, and greedy search may be worth another look.
    run = FAST_DOWNWARD.search(EXPENSIVE_WAY_FIRST, "lazy_greedy([ff()],bound=4)", limits=LIMITS)
    assert run.outcome.verdict is Verdict.NONE


def test_axioms() -> None:
    assert optimal_plan(AXIOM, limits=LIMITS).plans == (("(light)",),)
    assert any_plan_below(AXIOM, 4, limits=LIMITS).plans == (("(light)",),)
    assert any_plan_below(AXIOM, 3, limits=LIMITS).verdict is Verdict.GAVE_UP
    assert optimal_plan_below(AXIOM, 3, limits=LIMITS).verdict is Verdict.NONE


def test_conditional_effects() -> None:
    twice = ("(press)", "(press)")
    assert optimal_plan(CONDITIONAL_EFFECT, limits=LIMITS).plans == (twice,)
    assert any_plan_below(CONDITIONAL_EFFECT, 7, limits=LIMITS).plans == (twice,)
    assert optimal_plan_below(CONDITIONAL_EFFECT, 6, limits=LIMITS).verdict is Verdict.NONE


def test_a_heuristic_that_does_not_know_axioms() -> None:
    with pytest.raises(PlannerError, match=r"does not support a feature .*\(exit code 34\)"):
        optimal_plan(AXIOM, limits=LIMITS, heuristic="lmcut()")


def test_a_broken_task() -> None:
    with pytest.raises(PlannerError, match=r"rejects the task .*\(exit code 33\)"):
        optimal_plan("begin_version\n", limits=LIMITS)


def test_too_little_memory() -> None:
    outcome = optimal_plan(_wide(), limits=Limits(time_s=20, memory_mb=12), heuristic=BLIND)
    assert outcome.verdict is Verdict.OUT_OF_MEMORY


def test_too_little_time() -> None:
    outcome = optimal_plan(_wide(), limits=Limits(time_s=0.3), heuristic=BLIND)
    assert outcome.verdict is Verdict.OUT_OF_TIME
    assert outcome.plans == ()


def test_a_bound_beyond_32_bits() -> None:
    with pytest.raises(PlannerError, match="counts in 32 bits"):
        any_plan_below(SAS, 2**30, limits=LIMITS)
    with pytest.raises(PlannerError, match="counts in 32 bits"):
        optimal_plan_below(SAS, 2**30, limits=LIMITS)


def _wide() -> str:
    """A counter of 40 bits: far too many states to walk through."""
    bits = 40
    variables = "".join(
        f"begin_variable\nvar{bit}\n-1\n2\nAtom off({bit})\nAtom on({bit})\nend_variable\n"
        for bit in range(bits)
    )
    operators = ""
    for bit in range(bits):
        carried = "".join(f"0 {lower} 1 0\n" for lower in range(bit))
        operators += (
            f"begin_operator\ncarry b{bit}\n0\n{bit + 1}\n{carried}0 {bit} 0 1\n1\nend_operator\n"
        )
    state = "0\n" * bits
    goal = "".join(f"{bit} 1\n" for bit in range(bits))
    return (
        "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n"
        f"{bits}\n{variables}0\nbegin_state\n{state}end_state\n"
        f"begin_goal\n{bits}\n{goal}end_goal\n{bits}\n{operators}0\n"
    )

"""The real SymK on tasks whose plans are known, and its proofs on invented output."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plancost.errors import PlannerError
from plancost.observations.planfile import plan_cost
from plancost.observations.sas import SasTask, sas_text
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.oracles.symk import LEAST_MEMORY_MB, SYMK, optimal_plan, top_plans
from plancost.system.processes import Limits
from support.sas_texts import TRIANGLE, fake_planner, graph_sas, route
from support.small_tasks import graph_tasks, simple_plans, switch_tasks

LIMITS = Limits(time_s=30, memory_mb=2000)
SHORT = Limits(time_s=2, memory_mb=2000)
FORKS = [(0, 1, 1), (1, 2, 1), (0, 2, 3), (2, 3, 2), (1, 3, 9)]
"""From 0 to 3: 0-1-2-3 costs 4, 0-2-3 5 and 0-1-3 10."""
PLANS = [route(0, 1, 2, 3), route(0, 2, 3), route(0, 1, 3)]
SAS = graph_sas(FORKS, 0, 3)
UNSOLVABLE_EDGES = [(0, 1, 1), (2, 1, 1)]
MANY_IDLE = 40
"""So many that (number of states) x (cost) does not fit 32 bits."""

TWO_SWITCHES = """begin_version
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
Atom on(a)
NegatedAtom on(a)
end_variable
begin_variable
var1
-1
2
Atom on(b)
NegatedAtom on(b)
end_variable
0
begin_state
1
1
end_state
begin_goal
2
0 0
1 0
end_goal
2
begin_operator
press a
0
1
0 0 1 0
1
end_operator
begin_operator
press b
0
1
0 1 1 0
2
end_operator
0
"""


CREEPING = [(0, 1, 30_000), (1, 0, 1), (1, 2, 10_000), (0, 3, 1), (3, 0, 2)]
"""From 0 to 2 there is one plan, and loops of cost 3, so that SymK's bound rises by 3 or less; it
ends at (number of states - 1) x 30,000."""


def test_only_plans_below_a_bound() -> None:
    """That there are no more of them is found out without a look at all that cost more."""
    below = {bound: top_plans(SAS, 9, limits=LIMITS, below=bound) for bound in (4, 5, 6, 99)}
    assert all(outcome.complete for outcome in below.values())
    assert set(below[5].plans) >= set(PLANS[:1])
    assert set(below[6].plans) >= set(PLANS[:2])
    assert set(below[99].plans) == set(PLANS)
    sas = graph_sas(CREEPING, 0, 2, idle_variables=6)
    outcome = top_plans(sas, 2, limits=LIMITS, below=40_001)
    assert (outcome.verdict, outcome.complete) == (Verdict.FOUND, True)
    assert outcome.plans == (route(0, 1, 2),)


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from([graph_tasks, switch_tasks]).flatmap(lambda tasks: tasks(8)),
    st.sampled_from([(1, 2, 3, 70), (5, 7, 12, 70)]),
    st.booleans(),
    st.data(),
)
def test_no_plan_below_a_bound_is_missing(
    tasks: list[SasTask], prices: tuple[int, ...], ordered: bool, data: st.DataObject
) -> None:
    task = tasks[0]
    names = sorted(task.action_names)
    costs = {name: data.draw(st.sampled_from(prices), label=name) for name in names}
    below = data.draw(st.integers(1, 150), label="below")
    found = top_plans(sas_text(task, costs), 500, limits=SHORT, below=below, ordered=ordered)
    assume(found.complete)  # it runs in a circle now and then, with a bound too
    listed = {plan if ordered else tuple(sorted(plan)) for plan in found.plans}
    wanted = {plan for plan in simple_plans(task) if plan_cost(plan, costs) < below}
    assert listed >= {plan if ordered else tuple(sorted(plan)) for plan in wanted}


def test_the_two_directions_meet() -> None:
    """No action costs less than 5, and the last plan below the bound is still found."""
    edges = [(0, 1, 10), (0, 2, 12), (1, 3, 5), (3, 4, 20), (2, 4, 21)]
    outcome = top_plans(graph_sas(edges, 0, 4), 9, limits=LIMITS, below=34)
    assert outcome.complete
    assert route(0, 2, 4) in outcome.plans


def test_the_cheapest_plans_first() -> None:
    outcome = top_plans(SAS, 2, limits=LIMITS)
    assert outcome.verdict is Verdict.FOUND
    assert list(outcome.plans) == PLANS[:2]
    assert not outcome.complete
    assert outcome.planner == "SymK"


def test_one_plan_only() -> None:
    # SymK then writes `sas_plan` instead of `sas_plan.1`.
    assert list(top_plans(SAS, 1, limits=LIMITS).plans) == PLANS[:1]


@pytest.mark.parametrize("count", [None, 4])
@pytest.mark.parametrize("idle", [0, MANY_IDLE])
def test_all_plans(count: int | None, idle: int) -> None:
    outcome = top_plans(graph_sas(FORKS, 0, 3, idle_variables=idle), count, limits=LIMITS)
    assert outcome.verdict is Verdict.FOUND
    assert list(outcome.plans) == PLANS
    assert outcome.complete


def test_as_many_as_there_are_is_no_proof_that_these_are_all() -> None:
    outcome = top_plans(SAS, 3, limits=LIMITS)
    assert outcome.verdict is Verdict.FOUND
    assert not outcome.complete


def test_plans_without_loops_on_a_graph_with_loops() -> None:
    outcome = top_plans(graph_sas(TRIANGLE, 0, 2), None, limits=LIMITS)
    assert outcome.complete
    assert list(outcome.plans) == [route(0, 1, 2), route(0, 2)]


def test_the_goal_holds_at_the_start() -> None:
    sas = graph_sas(FORKS, 0, 0)
    outcome = top_plans(sas, None, limits=LIMITS)
    assert (outcome.verdict, outcome.plans, outcome.complete) == (Verdict.FOUND, ((),), True)
    assert top_plans(sas, 1, limits=LIMITS).plans == ((),)
    assert optimal_plan(sas, limits=LIMITS).plans == ((),)


@pytest.mark.parametrize("idle", [0, MANY_IDLE])
def test_an_unsolvable_task(idle: int) -> None:
    sas = graph_sas(UNSOLVABLE_EDGES, 0, 2, idle_variables=idle)
    outcome = top_plans(sas, 5, limits=LIMITS)
    assert (outcome.verdict, outcome.plans, outcome.complete) == (Verdict.NONE, (), True)
    assert optimal_plan(sas, limits=LIMITS).verdict is Verdict.NONE


def test_one_ordering_or_all() -> None:
    ab, ba = ("(press a)", "(press b)"), ("(press b)", "(press a)")
    outcome = top_plans(TWO_SWITCHES, None, limits=LIMITS)
    assert outcome.complete
    assert outcome.plans in ((ab,), (ba,))
    outcome = top_plans(TWO_SWITCHES, None, limits=LIMITS, ordered=True)
    assert outcome.complete
    assert set(outcome.plans) == {ab, ba}


def test_operators_of_one_name_make_no_proof() -> None:
    # Two operators "move n0 n1": SymK counts two plans, and there is a third.
    sas = graph_sas([(0, 1, 1), (0, 1, 1), (0, 2, 2), (2, 1, 2)], 0, 1)
    outcome = top_plans(sas, 2, limits=LIMITS)
    assert outcome.verdict is Verdict.FOUND
    assert outcome.plans == (route(0, 1),)
    assert not outcome.complete
    outcome = top_plans(sas, None, limits=LIMITS)
    assert outcome.complete
    assert outcome.plans == (route(0, 1), route(0, 2, 1))


def test_an_optimal_plan() -> None:
    outcome = optimal_plan(SAS, limits=LIMITS)
    assert (outcome.verdict, list(outcome.plans)) == (Verdict.FOUND, PLANS[:1])


def test_the_least_memory() -> None:
    enough = Limits(time_s=30, memory_mb=LEAST_MEMORY_MB)
    assert top_plans(SAS, 2, limits=enough).verdict is Verdict.FOUND
    too_little = Limits(time_s=30, memory_mb=300)
    assert top_plans(SAS, 2, limits=too_little).verdict is Verdict.OUT_OF_MEMORY


def test_no_plans_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match="cannot ask for 0 plans"):
        top_plans(SAS, 0, limits=LIMITS)


def pretend(
    tmp_path: Path, bounds: str, *, plans: int = 0, said: int | None = None, code: int = 0
) -> SearchOutcome:
    """Ask for five plans; SymK answers with these lines."""
    files = "".join(
        f"printf '(move n0 n{number})\\n; cost = {2 * number - 1}\\n' > sas_plan.{number}; "
        for number in range(1, plans + 1)
    )
    count = plans if said is None else said
    script = f"cat <<END\n{bounds}\nNumber of plans: {count}\nEND\n{files} exit {code}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SYMK.variable, str(fake_planner(tmp_path, script)))
        return top_plans(SAS, 5, limits=LIMITS)


BEGINNING = "[t=0.1s, 9 KB] reading input...\n"
JUMP = "BOUND: 7 < 2147483647 [0/5 plans], dir: FW\nBOUND: 2147483647 < 2147483647 [1/5 plans]"


@pytest.mark.parametrize(
    ("bounds", "proven"),
    [
        ("BOUND: 28 < 28 [2/5 plans]", True),
        ("BOUND: 2147483647 < 28 [2/5 plans]", True),
        ("BOUND: 27 < 28 [2/5 plans]", False),
        ("BOUND: 27 < 28 [2/5 plans]\nActive silent mode.", True),
        (JUMP, True),
        ("BOUND: 2147483640 < 2147483647 [0/5 plans]\n" + JUMP.splitlines()[1], False),
        (JUMP.splitlines()[1], False),
        (BEGINNING + JUMP.splitlines()[1], True),
        (JUMP + "\nActive silent mode.", False),
        ("", False),
    ],
)
def test_what_proves_that_all_plans_are_listed(bounds: str, proven: bool, tmp_path: Path) -> None:
    outcome = pretend(tmp_path, bounds, plans=2)
    assert outcome.complete is proven
    assert outcome.verdict is (Verdict.FOUND if proven else Verdict.GAVE_UP)
    assert len(outcome.plans) == 2
    outcome = pretend(tmp_path, bounds, code=12)
    assert outcome.verdict is (Verdict.NONE if proven else Verdict.GAVE_UP)


def test_plans_that_are_not_accounted_for(tmp_path: Path) -> None:
    with pytest.raises(PlannerError, match="SymK does not account for the 2 plans it wrote"):
        pretend(tmp_path, JUMP, plans=2, said=3)


def test_a_search_that_runs_in_a_circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plancost.oracles.symk._SILENCE_S", 0.3)
    script = "printf '(move n0 n1)\\n; cost = 1\\n' > sas_plan.1; echo BOUND; exec sleep 60"
    monkeypatch.setenv(SYMK.variable, str(fake_planner(tmp_path, script)))
    outcome = top_plans(SAS, 5, limits=Limits())
    assert (outcome.verdict, outcome.plans) == (Verdict.OUT_OF_TIME, (route(0, 1),))
    assert outcome.seconds < 10
    patient = top_plans(SAS, 5, limits=Limits(time_s=4.0))
    assert 1.9 < patient.seconds < 4.0  # half of the time there is

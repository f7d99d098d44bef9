"""How much of an answer is forced, against all cost functions up to a largest cost."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import WriteGraphCase, graph_problem
from plancost.api.learn import learn
from plancost.learning.diagnose.ranges import Ranges, find_ranges
from plancost.learning.exact import second_objective, tie_break
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.subproblem.integer_costs import Preference
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline, TimeIsUp
from support.brute_force import LARGEST_COST, is_optimal
from support.learned import learned
from support.small_tasks import learning_tasks


@settings(max_examples=60, deadline=None)
@given(learning_tasks(most_actions=5))
def test_ranges_over_all_optimal_answers(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, plans = example
    task = LearningTask(task.case, task.concept, None)
    result = learn(task.case, LearnOptions(task.concept, ranges=True))
    assert result.ranges is not None
    chosen = [number for number, item in enumerate(result.observations) if item.optimal]
    names = task.case.actions
    equally_good = [
        costs
        for costs in itertools.product(range(1, LARGEST_COST + 1), repeat=len(names))
        if sum(costs) == result.secondary.value
        and all(
            is_optimal(task, number, costs, plans[task.case.observations[number].task])
            for number in chosen
        )
    ]
    for position, name in enumerate(names):
        found = result.ranges[name]
        assert found.proved
        assert found.least <= result.costs[name] <= found.greatest
        tried = [costs[position] for costs in equally_good]
        if result.secondary.value - len(names) < LARGEST_COST:
            # No cost can be larger, so brute force has seen all answers.
            assert (found.least, found.greatest) == (min(tried), max(tried))
        elif tried:
            assert found.least <= min(tried)
            assert max(tried) <= found.greatest


@settings(max_examples=40, deadline=None)
@given(learning_tasks(most_actions=5), st.data())
def test_ranges_with_large_initial_costs(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    """Both ends are straight lines in K, where K times some costs are the initial ones."""
    task = example[0]
    shape = [data.draw(st.integers(0, 4)) for _ in task.case.actions]
    found = []
    for times in (2, 3, data.draw(st.sampled_from([10**5, 2**20, 99_000_001]))):
        large = replace(task, initial_costs=tuple(2520 * times * c for c in shape))
        answer = learned(large)
        assert answer.full is not None
        assert answer.secondary_bound == large.secondary(answer.costs)
        chosen = frozenset(
            number
            for number, candidate in enumerate(large.candidates)
            if is_optimal(
                large, candidate.observations[0], answer.costs, example[1][candidate.task]
            )
        )
        widened = Ranges(large, answer.costs)
        find_ranges(answer.full, chosen, widened, Deadline.after(60))
        ranges = widened.all()
        assert all(item.proven for item in ranges)
        found.append((times, chosen, [(item.least, item.greatest) for item in ranges]))
    (x1, chosen, one), (x2, second, two), (x3, third, three) = found
    if chosen == second == third:
        for low, middle, high in zip(one, two, three, strict=True):
            for y1, y2, y3 in zip(low, middle, high, strict=True):
                assert y3 - y1 == (y2 - y1) * (x3 - x1) // (x2 - x1)


@pytest.mark.slow
def test_ranges_with_initial_costs_near_2_to_31(write_graph_case: WriteGraphCase) -> None:
    """The integer programs of HiGHS did not end there."""
    large = 2**31
    lengths = {"ab": -1, "ac": 1, "ae": 1, "bc": 1, "bd": 1, "ca": 1, "cb": 1, "cd": 1}
    lengths |= {"da": -1, "de": 0, "ea": 1, "ec": -1}
    one = {(pair[0], pair[1]): large + more for pair, more in lengths.items()}
    case = write_graph_case(one, ["bcdea", "bda", "decb"])
    other = {"ab": -1, "ac": 1, "ad": 0, "bc": 1, "bd": 1, "ca": 1, "cb": 1, "cd": 1}
    other |= {"da": -1, "db": 0, "dc": 0}
    two = {(pair[0], pair[1]): large + more for pair, more in other.items()}
    (case / "p4.pddl").write_text(graph_problem("p4", "abcd", two, "a", "d"))
    (case / "p4.plan").write_text("(move a b)\n(move b c)\n(move c d)\n")
    result = learn(case, LearnOptions(ranges=True, refine=True, time_limit_s=60))
    assert (result.optimal_plans, result.secondary.proved) == (4, True)
    assert result.secondary.value == 8589934595
    assert result.ranges is not None
    assert all(item.proved for item in result.ranges.values())
    found = result.ranges["(move a b)"]
    assert (found.least, found.greatest) == (1, large - 1)
    assert result.notes == ()


def test_ranges_where_time_runs_out(example_1: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found stays, and a note says that it is not all."""
    asked = Subproblem.best_integers
    calls = itertools.count()

    def only_first(
        self: Subproblem,
        chosen: PlanSet,
        deadline: Deadline,
        preference: Preference,
    ) -> Costs | None:
        if next(calls) > 2:
            raise TimeIsUp
        return asked(self, chosen, deadline, preference)

    monkeypatch.setattr(
        tie_break, "preferred_costs", lambda subproblem, chosen, value, deadline: None
    )
    monkeypatch.setattr(Subproblem, "best_integers", only_first)
    result = learn(example_1, LearnOptions(ranges=True))
    assert result.ranges is not None
    proved = [item.proved for item in result.ranges.values()]
    assert proved[0]
    assert not any(proved[1:])
    (note,) = result.notes
    assert note.startswith(f"{len(proved) - 1} of {len(proved)} ranges are not proven: the time")


def test_example_1(example_1: Path) -> None:
    """A-C-B is optimal iff A-B costs what A-C and C-B do; the rest is 1 in any case."""
    result = learn(example_1, LearnOptions(ranges=True))
    assert result.ranges is not None
    forced = {name: (r.least, r.greatest) for name, r in result.ranges.items() if r.greatest > 1}
    assert list(forced.values()) == [(2, 2)]
    assert all(r.proved for r in result.ranges.values())


def test_an_answer_that_is_not_proven_has_no_ranges(
    example_1: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All plans are optimal, but nobody has looked for the least sum."""
    monkeypatch.setattr(second_objective, "find_least_costs", lambda *_, **__: None)
    result = learn(example_1, LearnOptions(ranges=True))
    assert result.proved
    assert not result.secondary.proved
    assert result.ranges is None
    (note,) = result.notes
    assert note.startswith("no ranges: they need --alternatives exact and an answer that is proven")

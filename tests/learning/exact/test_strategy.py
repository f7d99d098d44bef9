"""The exact learner against brute force and against LACFIP at k = all.

Both objectives, all concepts and options, on hundreds of random small tasks; and every
proof that it leaves is checked again by an independent linear program.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import TABLE_1, WriteGraphCase, graph_problem
from plancost.api.learn import learn
from plancost.learning.exact import first_objective
from plancost.learning.exact.strategy import learn_exactly
from plancost.learning.incumbent import Incumbent
from plancost.learning.lacfip.algorithm import lacfip
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Oracles, Run
from plancost.observations.cost_files import LARGEST_COST as MOST_INITIAL
from plancost.observations.files import MOST_COUNT
from plancost.observations.planfile import Plan
from plancost.oracles.graph_limits import GraphLimits
from plancost.solver import highs
from plancost.solver.model import Model, Outcome
from plancost.system.clock import Deadline
from support.brute_force import (
    LARGEST_COST,
    assert_no_worse_than_brute_force,
    best_by_brute_force,
    is_optimal,
)
from support.learned import weight_under
from support.linear import is_infeasible
from support.patience import patience_if_any
from support.small_tasks import CONCEPTS, learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


def learned(task: LearningTask, deadline: Deadline = Deadline()) -> Incumbent:  # noqa: B008
    answer = Incumbent.baseline(task)
    options = LearnOptions(concept=task.concept)
    searchers = Oracles.of(task.case, options)
    learn_exactly(Run(options, searchers, deadline), task, answer)
    return answer


@settings(max_examples=300, deadline=None)
@given(learning_tasks())
def test_optimal_in_both_objectives(example: Example) -> None:
    task, plans = example
    answer = learned(task)
    weight = weight_under(task, answer.costs, plans)
    secondary = task.secondary(answer.costs)
    assert min(answer.costs) >= 1
    assert weight == answer.weight == answer.upper_bound, "claimed, and proven the most"
    assert secondary == answer.secondary_bound, "proven the least"
    assert_no_worse_than_brute_force(task, answer.costs, weight, plans)


@pytest.mark.parametrize(("refine", "distance"), [(False, 10), (True, 300_000_000)])
def test_a_billion_copies_of_a_plan(
    write_graph_case: WriteGraphCase, refine: bool, distance: int
) -> None:
    """A set that weighs 1 of 2,000,000,000 less is not as good, and the search ends."""
    million = 10**6
    lengths = {"ab": 1000 * million, "ac": 1000 * million + 1, "ad": 1000 * million}
    lengths |= {"bc": 1000 * million + 1, "be": 1000 * million + 1, "ce": 300 * million}
    lengths |= {"da": 1000 * million, "db": 1000 * million + 1}
    case = write_graph_case(
        {(pair[0], pair[1]): length for pair, length in lengths.items()}, ["abce", "dbe", "dace"]
    )
    for number in (2, 3):
        (case / f"again{number}.plan").write_text((case / f"p{number}.plan").read_text())
    (case / "seen.csv").write_text(
        "problem,plan,count\np1.pddl,p1.plan,2\n"
        f"p2.pddl,p2.plan,{MOST_COUNT}\np2.pddl,again2.plan,{MOST_COUNT - 1}\n"
        f"p3.pddl,p3.plan,{MOST_COUNT}\np3.pddl,again3.plan,{MOST_COUNT}\n"
    )
    options = LearnOptions(Concept(Solution.SCF), refine=refine, time_limit_s=60)
    result = learn(case / "seen.csv", options, domain=case / "domain.pddl")
    assert result.optimal_plans == result.upper_bound == 2 * MOST_COUNT
    assert (result.secondary.value, result.secondary.proved) == (distance, True)


@settings(max_examples=100, deadline=None)
@given(learning_tasks(5), st.data())
def test_large_initial_costs(example: Example, data: st.DataObject) -> None:
    """The least distance from K times some costs is a straight line in K, but for rounding.

    It is a linear program whose right sides are; and multiples of a number with many divisors are
    all rounded alike. So small K, where the other tests hold, say what a large K has to give.
    """
    task, plans = example
    shape = [data.draw(st.integers(0, 4)) for _ in task.case.actions]
    offset = [data.draw(st.integers(0, 2)) for _ in task.case.actions]
    found = []
    for times in (2, 3, data.draw(st.sampled_from([10**5, 2**20, 99_000_001]))):
        initial = tuple(2520 * times * c + more for c, more in zip(shape, offset, strict=True))
        assert max(initial) <= MOST_INITIAL
        large = replace(task, initial_costs=initial)
        answer = learned(large, Deadline.after(60))
        weight = weight_under(large, answer.costs, plans)
        assert weight == answer.weight == answer.upper_bound
        secondary = large.secondary(answer.costs)
        assert secondary == answer.secondary_bound, "proven the least"
        found.append((times, weight, secondary))
    (x1, weight, y1), (x2, _, y2), (x3, other, y3) = found
    assert weight == other
    assert y3 - y1 == (y2 - y1) * (x3 - x1) // (x2 - x1)


@settings(max_examples=100, deadline=None)
@given(learning_tasks(most_actions=8))
def test_equal_to_lacfip_with_all_alternatives(example: Example) -> None:
    """Somewhat larger tasks than brute force can do."""
    task, plans = example

    def solve(model: Model, time_limit_s: float | None, start: list[float] | None) -> Outcome:
        return highs.solve(model, time_limit_s=time_limit_s, start=start)

    answer, other = learned(task), Incumbent.baseline(task)
    lacfip(other, plans, solve, Deadline())
    assert answer.upper_bound == other.upper_bound == weight_under(task, other.costs, plans)
    assert answer.weight == weight_under(task, answer.costs, plans) == answer.upper_bound
    assert task.secondary(answer.costs) == task.secondary(other.costs)
    assert answer.secondary_bound == other.secondary_bound


@settings(max_examples=150, deadline=None)
@given(learning_tasks())
def test_certificates_hold(example: Example) -> None:
    task, _ = example
    for conflict in learned(task).conflicts:
        if conflict.secondary:
            continue
        assert conflict.certificate is not None, "the first objective rests on checked proofs"
        assert conflict.certificate.is_valid()
        assert is_infeasible(conflict.certificate.rows, len(task.case.actions))


@settings(max_examples=150, deadline=None)
@given(learning_tasks(most_actions=5))
def test_plans_in_conflict_are_never_optimal_together(example: Example) -> None:
    """One plan from every class: no costs up to a largest one make them all optimal."""
    task, plans = example
    conflicts = [conflict for conflict in learned(task).conflicts if not conflict.secondary]
    sizes = range(1, LARGEST_COST)
    for costs in itertools.product(sizes, repeat=len(task.case.actions)):
        chosen = frozenset(
            number
            for number, candidate in enumerate(task.candidates)
            if is_optimal(task, candidate.observations[0], costs, plans[candidate.task])
        )
        assert not any(conflict.contains(chosen) for conflict in conflicts)


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.sampled_from([0.0, 0.001, 0.003, 0.01]))
def test_out_of_time_nothing_false_is_claimed(example: Example, seconds: float) -> None:
    """Wherever the time ends, and whether all graphs were built by then or not."""
    task, plans = example
    answer = learned(task, Deadline.after(seconds))
    weight = weight_under(task, answer.costs, plans)
    best = best_by_brute_force(task, plans)
    assert min(answer.costs) >= 1
    assert answer.upper_bound >= best.weight
    assert answer.weight <= weight
    if weight == answer.upper_bound == best.weight:
        assert answer.secondary_bound <= best.secondary


@settings(max_examples=60, deadline=None)
@given(learning_tasks())
def test_the_answer_does_not_depend_on_the_run(example: Example) -> None:
    task, _ = example
    assert learned(task).costs == learned(task).costs


@pytest.mark.parametrize(
    "concept", [CONCEPTS[0], *(pytest.param(c, marks=pytest.mark.slow) for c in CONCEPTS[1:3])]
)
def test_graphs_for_some_tasks_and_planners_for_others(
    write_graph_case: WriteGraphCase, concept: Concept
) -> None:
    """A limit that the small world keeps and the large one does not."""
    case = write_graph_case(TABLE_1, ["abd", "acef"])
    small = {("x", "y"): 1, ("y", "z"): 1, ("x", "z"): 1}
    (case / "small.pddl").write_text(graph_problem("small", "xyz", small, "x", "z"))
    (case / "small.plan").write_text("(move x y)\n(move y z)\n")
    everything, mixed = (
        learn(case, LearnOptions(concept, graph_limits=GraphLimits(states=states)))
        for states in (1000, 4)
    )
    assert "planners for 2 tasks" in mixed.options["oracle_second_objective"]
    assert mixed.costs == everything.costs
    for result in (everything, mixed):
        assert (result.optimal_plans, result.proved, result.secondary.proved) == (3, True, True)


@pytest.mark.parametrize(
    ("options", "ends"),
    [
        (LearnOptions(), True),
        (LearnOptions(prove=True), False),
        (LearnOptions(time_limit_s=60.0), False),
    ],
)
def test_a_first_objective_that_gets_no_better_is_given_up_and_a_note_says_so(
    example_1: Path, monkeypatch: pytest.MonkeyPatch, options: LearnOptions, ends: bool
) -> None:
    monkeypatch.setattr(first_objective, "patience_of", partial(patience_if_any, 0.0))
    result = learn(example_1, options)
    assert result.verified
    assert result.optimal_plans == 1
    assert result.upper_bound == (2 if ends else 1)
    assert result.proved is not ends
    assert (first_objective.STOPPED.format(0.0) in result.notes) is ends

"""Costs that can be used, whatever ends a run: lowered beside the search, and said if not.

Time is counted in looks at the clock, so that a run with a time limit takes the same way every
time, and one with twice the limit the same way for longer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import count, pairwise

import pytest

from plancost.api.from_options import learning_task
from plancost.api.learn import learn
from plancost.learning.exact import hitting_set, maximal_sets, price_steps, second_objective
from plancost.learning.exact.all_action_graphs import AllActionGraphs
from plancost.learning.exact.least_costs import Lowering, _OneSet, improve_costs
from plancost.learning.exact.second_objective import (
    NOT_LOWERED,
    PARTLY_LOWERED,
    STOPPED,
    SecondObjective,
)
from plancost.learning.exact.subproblems import first_subproblem, full_subproblem
from plancost.learning.exact.waiting import Patience
from plancost.learning.incumbent import CostFunction
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import BASELINE, LearnOptions, OracleName
from plancost.learning.run import Run
from plancost.learning.subproblem import feasibility
from plancost.learning.subproblem.conflict import Possible, Undecided
from plancost.learning.subproblem.more_cuts import broken_cuts
from plancost.observations.case import Case
from plancost.results.result import Result
from plancost.system.clock import Deadline, TimeIsUp
from plancost.system.schedule import SCHEDULE
from support.grid_walks import grid_case, random_walks
from support.patience import patience_if_any

_TICK_S = 0.02
STOPPED_BEGINS = STOPPED.partition(":")[0]


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A clock that moves on by a fixed time whenever somebody looks at it."""
    looks = count()
    monkeypatch.setattr(time, "monotonic", lambda: _TICK_S * next(looks))
    yield
    monkeypatch.undo()


def walks(side: int, plans: int, ends: int, seed: int) -> Case:
    return grid_case(side, random_walks(side, plans, ends, seed))


def learned_within(case: Case, seconds: float, solution: Solution = Solution.MCF) -> Result:
    return learn(case, LearnOptions(Concept(solution), time_limit_s=seconds, jobs=1))


Shape = tuple[int, int, int, int]
CASES = [(4, 12, 4, 0), (5, 30, 8, 1), (6, 40, 10, 2), (6, 40, 6, 3)]
LARGER = [(7, 60, 12, 6), (8, 80, 16, 7), (8, 100, 10, 8)]


@pytest.mark.parametrize(
    ("shape", "solution"),
    [
        *((shape, Solution.MCF) for shape in CASES[:2]),
        (CASES[0], Solution.SCF),
        pytest.param(CASES[1], Solution.SCF, marks=pytest.mark.slow),
        *(pytest.param(s, Solution.MCF, marks=pytest.mark.slow) for s in (*CASES[2:], *LARGER)),
    ],
)
@pytest.mark.usefixtures("ticking")
def test_more_time_is_never_worse(shape: Shape, solution: Solution) -> None:
    """More plans, or as many at no higher cost: from T/2 to T, over and over."""
    case = walks(*shape)
    limits = (16, 32, 64, 128) if shape in LARGER else (4, 8, 16, 32, 64)
    results = [learned_within(case, seconds, solution) for seconds in limits]
    for half, whole in pairwise(results):
        assert whole.optimal_plans >= half.optimal_plans
        if whole.optimal_plans == half.optimal_plans:
            assert whole.secondary.value <= half.secondary.value


def test_the_time_for_graphs_is_not_taken_for_that_of_lowering(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They take 50 s, and lowering the costs beside the search a second."""
    real, graphs_s = time.monotonic, [0.0]
    build, lower = AllActionGraphs.build, SecondObjective._lower
    lowered: list[SecondObjective] = []

    def slow(self: AllActionGraphs, deadline: Deadline) -> bool:
        if not self.is_decided:
            graphs_s[0] += 50.0
            self.spent_s += 50.0
        return build(self, deadline)

    def noted(self: SecondObjective, run: Run, patience: Patience) -> None:
        lowered.append(self)
        graphs_s[0] += 1.0
        lower(self, run, patience)

    monkeypatch.setattr(time, "monotonic", lambda: real() + graphs_s[0])
    monkeypatch.setattr(AllActionGraphs, "build", slow)
    monkeypatch.setattr(SecondObjective, "_lower", noted)
    monkeypatch.setattr(SecondObjective, "_try_baseline", lambda self: None)
    at_once = replace(SCHEDULE, lowering_after_s=0.0)  # the search may take less than a second
    monkeypatch.setattr(second_objective, "SCHEDULE", at_once)
    learned_within(walks(6, 40, 10, 2), 600)
    assert graphs_s[0] > 50
    assert 1 <= lowered[0]._spent_s < 50
    assert 1 <= lowered[0]._longest_s < 50


@pytest.mark.parametrize(
    ("shape", "seconds"),
    [((7, 120, 16, 4), 60), pytest.param((7, 200, 20, 4), 120, marks=pytest.mark.slow)],
)
@pytest.mark.usefixtures("ticking")
def test_out_of_time_with_costs_that_are_lowered(shape: Shape, seconds: float) -> None:
    """The first objective is still open, and the costs are those of the set found."""
    result = learned_within(walks(*shape), seconds)
    assert not result.proved
    assert result.secondary.value > len(result.costs), "not only plans that need no learning"
    bound = result.options["secondary_bound_of_set"]
    assert isinstance(bound, int)
    assert result.secondary.value <= 1.1 * bound
    assert max(result.costs.values()) < 30
    assert NOT_LOWERED not in result.notes


def test_costs_that_could_not_be_lowered_are_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SecondObjective, "keep_up", lambda self: Deadline())
    monkeypatch.setattr(SecondObjective, "conclude", lambda self: None)
    result = learn(walks(5, 20, 5, 5))
    assert result.notes.count(NOT_LOWERED) == 1
    assert not result.secondary.proved


def test_costs_that_planners_had_no_time_for_are_called_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That the search went on for a while does not make them lower."""
    monkeypatch.setattr(second_objective, "lower_in_steps", lambda *_: False)
    monkeypatch.setattr(_OneSet, "examine", lambda *_: Undecided("out of time"))
    result = learn(walks(4, 8, 3, 5), LearnOptions(oracle=OracleName.FAST_DOWNWARD))
    assert result.verified
    assert NOT_LOWERED in result.notes


def test_costs_that_were_lowered_in_part_are_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """By planners, who have time for the first step and no more."""
    monkeypatch.setattr(price_steps, "_DIVISORS", (2,))  # and not down to 1
    monkeypatch.setattr(second_objective, "improve_costs", lambda *_: False)
    monkeypatch.setattr(second_objective, "find_least_costs", lambda *_: None)
    result = learn(walks(4, 8, 3, 5), LearnOptions(oracle=OracleName.FAST_DOWNWARD))
    bound = result.options["secondary_bound_of_set"]
    assert result.verified
    assert PARTLY_LOWERED.format(bound) in result.notes
    assert NOT_LOWERED not in result.notes


def test_a_run_ends_when_there_is_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a time limit, and what was found is the same that a proof would confirm or beat."""
    case = walks(5, 20, 5, 5)
    monkeypatch.setattr(second_objective, "patience_of", partial(patience_if_any, 1e-6))
    ended = learn(case)
    assert ended.proved
    assert not ended.secondary.proved
    assert sum(note.startswith(STOPPED_BEGINS) for note in ended.notes) == 1
    proven = learn(case, LearnOptions(prove=True))
    assert proven.secondary.proved
    assert NOT_LOWERED not in proven.notes
    assert not any(note.startswith(STOPPED_BEGINS) for note in proven.notes)
    assert proven.optimal_plans == ended.optimal_plans
    assert proven.secondary.value <= ended.secondary.value
    assert ended.secondary.value <= 2 * proven.secondary.value, "the costs of its set were lowered"


def test_a_time_limit_is_used_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience is for runs that nobody has limited."""
    monkeypatch.setattr(second_objective, "patience_of", partial(patience_if_any, 1e-6))
    result = learn(walks(5, 20, 5, 5), LearnOptions(time_limit_s=120))
    assert result.secondary.proved


def test_a_run_that_ends_early_costs_no_more_than_the_baseline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its first set is what needs no learning."""

    def is_up(self: object) -> None:
        raise TimeIsUp

    monkeypatch.setattr(hitting_set._Search, "find_infeasible_alone", is_up)
    case = walks(5, 30, 8, 1)
    result = learned_within(case, 600)
    plain = learn(case, LearnOptions(alternatives=BASELINE))
    assert result.optimal_plans == plain.optimal_plans > 0
    assert result.secondary.value == plain.secondary.value
    assert NOT_LOWERED not in result.notes


def test_sets_of_few_plans_need_no_program_with_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    case = walks(5, 10, 5, 3)
    asked: list[object] = []
    monkeypatch.setattr(maximal_sets, "most_violation", lambda *asks: asked.append(asks))
    quick = learn(case)
    assert quick.secondary.proved
    assert not asked
    monkeypatch.undo()
    monkeypatch.setattr(maximal_sets, "_FEW", 0)
    assert learn(case).costs == quick.costs


def test_the_bound_of_all_sets_does_not_wait_for_the_integers_of_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_OneSet, "examine", lambda *_: Undecided("out of time"))
    result = learn(walks(5, 20, 5, 5))
    assert result.proved
    assert len(result.costs) < result.secondary.lower_bound <= result.secondary.value


@pytest.mark.parametrize(
    "options", [LearnOptions(time_limit_s=1000.0), LearnOptions(prove=True), LearnOptions()]
)
def test_the_choice_among_equal_answers_does_not_take_all_the_time(
    options: LearnOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[float | None] = []

    def canonical(*arguments: object) -> None:
        deadline = arguments[-1]
        assert isinstance(deadline, Deadline)
        left.append(deadline.remaining())

    monkeypatch.setattr(second_objective, "canonical_answer", canonical)
    result = learn(walks(3, 4, 3, 0), options)
    assert result.secondary.proved and result.options["canonical"] is False
    (seconds,) = left
    assert seconds is not None and seconds <= SCHEDULE.tie_break_s


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_linear_program_that_does_not_end_has_a_bound_and_costs(
    seed: int, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = walks(6, 8, 4, seed)
    run = Run.of(case, LearnOptions())
    task = learning_task(case, LearnOptions(), Deadline())
    first, full = first_subproblem(run, task), full_subproblem(run, task)
    chosen, costs = frozenset[int](), task.baseline
    for number in range(len(task.candidates)):
        found = first.decide(chosen | {number}, Deadline())
        if isinstance(found, Possible):
            chosen, costs = chosen | {number}, found.costs
    least = CostFunction(task, chosen, costs, task.secondary_floor)
    assert improve_costs(full_subproblem(run, task), least, Deadline())
    left, separate = iter(range(rounds)), broken_cuts
    monkeypatch.setattr(
        feasibility,
        "broken_cuts",
        lambda *given: None if next(left, None) is None else separate(*given),
    )
    assert isinstance(full.relax(chosen, Deadline()), Undecided)
    best = CostFunction(task, chosen, costs, task.secondary_floor)
    search = _OneSet(full, best, Lowering())
    search._note_bound_so_far(chosen)
    search._take_costs_so_far(chosen, Deadline())
    assert task.secondary_floor < best.bound_of_set <= least.value
    assert least.value <= best.value < task.secondary(costs)
    assert full.check(best.costs, chosen, Deadline())

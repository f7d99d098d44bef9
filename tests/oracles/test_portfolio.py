"""Which planner is asked whether there is a cheaper plan; real planners are asked elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from conftest import TABLE_1, WriteGraphCase
from plancost.observations.case import Case, load_case
from plancost.oracles import portfolio
from plancost.oracles.portfolio import PlannerPortfolio
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.system.clock import Deadline
from plancost.system.processes import Limits

FD, SYMK, BOTH = "fast-downward", "symk", None
NAMES = {FD: "Fast Downward", SYMK: "SymK"}


@pytest.fixture
def case(write_graph_case: WriteGraphCase) -> Case:
    return load_case(write_graph_case(TABLE_1, ["abd", "acef", "bd", "ce"]))


class Scripted:
    """Says who wins a race, or that time is up, and notes who was asked."""

    width = 1

    def __init__(self, *winners: str | None, most_programs: int = 2) -> None:
        self._winners = list(winners)
        self.most_programs = most_programs
        self.asked: list[str | None] = []

    def run(self, work: partial[Any], limits: Limits, *, programs: int = 1) -> SearchOutcome:
        if work.func is not portfolio.exhaust:
            return SearchOutcome(Verdict.OUT_OF_TIME, (), 0.1, NAMES[FD])
        only = work.args[2]
        assert programs == (2 if only is None else 1)
        self.asked.append(only)
        winner = self._winners.pop(0)
        if winner is None:
            return SearchOutcome(Verdict.OUT_OF_TIME, (), 0.1, NAMES[only or FD])
        assert only in (None, winner)
        return SearchOutcome(Verdict.NONE, (), 0.1, NAMES[winner])


def asked(case: Case, executor: Scripted, questions: Sequence[tuple[int, int]]) -> list[str | None]:
    """Who is asked: each question is about a task, with all actions at some cost and bound 12."""
    planners = PlannerPortfolio(case.tasks, None, None, executor)  # type: ignore[arg-type]
    for number, (task, cost) in enumerate(questions):
        # The costs differ a little, so that no proof is remembered.
        costs = dict.fromkeys(case.actions, cost) | {case.actions[0]: cost + number}
        planners.below(task, costs, 12, Deadline())
    return executor.asked


def test_the_winner_of_a_task_is_asked_alone(case: Case) -> None:
    executor = Scripted(SYMK, SYMK, SYMK)
    assert asked(case, executor, [(0, 1), (0, 1), (0, 1)]) == [BOTH, SYMK, SYMK]


def test_who_has_won_more_races_is_asked_about_other_tasks(case: Case) -> None:
    executor = Scripted(SYMK, FD, FD, FD, SYMK)
    questions = [(0, 1), (1, 1), (2, 1), (3, 1), (0, 1)]
    assert asked(case, executor, questions) == [BOTH, BOTH, BOTH, FD, SYMK]
    executor = Scripted(SYMK, SYMK, SYMK)
    assert asked(case, executor, questions[:3]) == [BOTH, BOTH, SYMK]


def test_a_deeper_search_is_another_race(case: Case) -> None:
    """At cost 5 two actions fit below the bound, at cost 1 twelve."""
    executor = Scripted(SYMK, SYMK, SYMK, FD, FD, FD, SYMK)
    questions = [(0, 5), (1, 5), (2, 5), (0, 1), (1, 1), (2, 1), (0, 5)]
    assert asked(case, executor, questions) == [BOTH, BOTH, SYMK, BOTH, BOTH, FD, SYMK]


def test_both_are_asked_after_one_that_did_not_end(case: Case) -> None:
    executor = Scripted(FD, FD, None, SYMK, SYMK)
    questions = [(0, 1), (1, 1), (2, 1), (2, 1)]
    assert asked(case, executor, questions) == [BOTH, BOTH, FD, BOTH, SYMK]


def test_where_one_program_may_run_there_is_no_race(case: Case) -> None:
    executor = Scripted(FD, None, FD, most_programs=1)
    assert asked(case, executor, [(0, 1), (1, 1), (1, 1)]) == [FD, FD, FD]


def test_a_planner_asked_for_by_name_is_asked(case: Case) -> None:
    executor = Scripted(SYMK, SYMK)
    planners = PlannerPortfolio(case.tasks, None, SYMK, executor)  # type: ignore[arg-type]
    for task in (0, 1):
        assert planners.below(task, dict.fromkeys(case.actions, 1), 12, Deadline()).proven
    assert executor.asked == [SYMK, SYMK]

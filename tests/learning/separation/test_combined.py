"""Each candidate is asked about where its task belongs, and nothing open is called decided."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from conftest import TABLE_1, WriteGraphCase, graph_problem
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.options import LearnOptions, OracleName
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.separation.combined import CombinedSeparator, build_separator
from plancost.learning.separation.protocol import NoSeparator
from plancost.observations.case import Case, load_case
from plancost.oracles.graph_limits import GraphLimits
from plancost.system.clock import Deadline
from support.grid_walks import grid_case, random_walks

COSTS = np.array([1])


class Scripted(NoSeparator):
    """Answers for each candidate with a cut of its own, with nothing, or not at all."""

    def __init__(self, cutting: Sequence[int] = (), silent: Sequence[int] = ()) -> None:
        self.asked: list[int] = []
        self._cutting, self._silent = frozenset(cutting), frozenset(silent)

    def effort(self, chosen: Sequence[int]) -> int:
        return 10 * len(chosen)

    def undecided(self) -> PlanSet:
        return self._silent & frozenset(self.asked)

    def violated(  # type: ignore[override]
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Cut] | None:
        self.asked = list(chosen)
        if self._silent & frozenset(chosen):
            return None
        return [Cut(number, ((), 1), ()) for number in chosen if number in self._cutting]


@pytest.fixture
def task() -> LearningTask:
    return LearningTask(grid_case(3, random_walks(3, 6, 3, seed=2)), Concept(), None)


def test_each_candidate_is_asked_about_once(task: LearningTask) -> None:
    tasks = range(len(task.case.tasks))
    one, other = Scripted(cutting=[0]), Scripted(cutting=range(99))
    evens = frozenset(number for number in tasks if number % 2 == 0)
    both = CombinedSeparator(task, [(evens, one), (frozenset(tasks) - evens, other)], "both")
    everything = range(len(task.candidates))
    found = both.violated(COSTS, everything, exact=True, deadline=Deadline())
    assert sorted(one.asked + other.asked) == list(everything)
    assert all(task.candidates[number].task in evens for number in one.asked)
    assert found is not None
    assert {cut.candidate for cut in found} == {*other.asked, *({0} & set(one.asked))}
    assert both.effort(everything) == 10 * len(everything)
    assert one.asked and other.asked


def test_one_open_answer_leaves_all_open_unless_a_cut_is_found(task: LearningTask) -> None:
    tasks = frozenset(range(len(task.case.tasks)))
    first, last = task.candidates[0].task, len(task.candidates) - 1
    silent = Scripted(silent=range(99))
    nothing = CombinedSeparator(
        task, [(frozenset([first]), silent), (tasks - {first}, Scripted())], "nothing"
    )
    assert nothing.violated(COSTS, [0, last], exact=True, deadline=Deadline()) is None
    assert nothing.undecided() == {0}
    assert nothing.violated(COSTS, [last], exact=True, deadline=Deadline()) == []
    some = CombinedSeparator(
        task, [(frozenset([first]), silent), (tasks - {first}, Scripted([last]))], "some"
    )
    found = some.violated(COSTS, [0, last], exact=True, deadline=Deadline())
    assert found is not None
    assert [cut.candidate for cut in found] == [last]


@pytest.fixture
def two_worlds(write_graph_case: WriteGraphCase) -> Case:
    """Two tasks on a map of six places, and one on a map of three."""
    folder = write_graph_case(TABLE_1, ["abd", "acef"])
    small = {("x", "y"): 1, ("y", "z"): 1, ("x", "z"): 1}
    (folder / "small.pddl").write_text(graph_problem("small", "xyz", small, "x", "z"))
    (folder / "small.plan").write_text("(move x y)\n(move y z)\n")
    return load_case(folder)


@pytest.mark.parametrize(
    ("oracle", "states", "said", "has_graphs", "has_paths"),
    [
        ("auto", 1000, "state graphs for 3 tasks (9 states)", True, True),
        ("auto", 4, "state graphs for 1 tasks (3 states), planners for 2 tasks (", False, True),
        ("fast-downward", 1000, "planners for 3 tasks", False, False),
    ],
)
def test_graphs_where_they_fit_and_planners_elsewhere(
    two_worlds: Case, oracle: str, states: int, said: str, has_graphs: bool, has_paths: bool
) -> None:
    task = LearningTask(two_worlds, Concept(), None)
    options = LearnOptions(oracle=OracleName(oracle), graph_limits=GraphLimits(states=states))
    separator = build_separator(Run.of(two_worlds, options), task, None)
    assert separator.description.startswith(said)
    assert (separator.graphs() is not None) is has_graphs
    assert (separator.paths() is not None) is has_paths

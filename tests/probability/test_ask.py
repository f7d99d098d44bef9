"""Which problems to look at next: of a folder or of the case, with samples given or drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

import plancost
from conftest import WriteGraphCase, graph_problem
from plancost.api.learn import learn
from plancost.errors import InputError, UsageError
from plancost.learning.problem.options import LearnOptions
from plancost.probability.ask import AskOptions, ask
from plancost.results.claims import Claims
from support.drawn import write

ROADS = {("a", "b"): 1, ("b", "d"): 1, ("a", "c"): 1, ("c", "d"): 1, ("d", "e"): 1}
NAMES = [f"(move {a} {b})" for a, b in ROADS]


@pytest.fixture
def case(write_graph_case: WriteGraphCase) -> Path:
    """Somebody went from d to e, which says nothing of the two ways from a to d."""
    return write_graph_case(ROADS, ["de"])


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """Problems: one way only, two ways, two ways again, and none."""
    folder = tmp_path / "tasks"
    folder.mkdir()
    ends = {"one-way": "be", "again": "ae", "two-ways": "ad", "z-none": "ea"}
    for name, pair in ends.items():
        text = graph_problem(name, "abcde", ROADS, pair[0], pair[1])
        (folder / f"{name}.pddl").write_text(text)
    return folder


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """By b or by c."""
    rows = [dict.fromkeys(NAMES, 1.0) | {NAMES[n]: 5.0} for n in (0, 2)]
    return write(tmp_path / "samples.npz", rows)


def test_a_folder_of_problems(case: Path, tasks: Path, samples: Path) -> None:
    costs = dict.fromkeys(NAMES, 1)
    found = ask(case, costs, tasks=tasks, samples=samples)
    assert [task.name for task in found.tasks] == ["again.pddl", "two-ways.pddl", "one-way.pddl"]
    assert [task.score for task in found.tasks] == [1.0, 1.0, 0.0]
    assert [task.plans for task in found.tasks] == [2, 2, 1]
    assert found.candidates == 3
    assert "z-none.pddl" in found.notes[0]
    best = ask(case, costs, AskOptions(tasks, samples, budget=2))
    assert [task.name for task in best.tasks] == ["again.pddl", "two-ways.pddl"]
    assert best.tasks[1].score == pytest.approx(0.2)
    assert plancost.ask is ask


def test_samples_are_drawn_if_there_are_none(case: Path, tasks: Path) -> None:
    """Nothing is known of the two ways, so the samples disagree on them."""
    found = ask(case, learn(case), tasks=tasks)
    assert (found.samples, found.searched) == (200, 200)
    assert found.tasks[0].score == 1.0
    assert 0.2 < found.tasks[0].probability < 0.9


def test_a_problem_whose_plan_was_seen_teaches_nothing(case: Path, samples: Path) -> None:
    found = ask(case, dict.fromkeys(NAMES, 1), samples=samples)
    assert [(task.name, task.score, task.observed) for task in found.tasks] == [("p1.pddl", 0.0, 1)]


def test_wrong_questions(case: Path, tasks: Path, samples: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="another result"):
        ask(case, {"(move a b)": 1}, tasks=tasks, samples=samples)
    with pytest.raises(UsageError, match="budget"):
        AskOptions(budget=0)
    with pytest.raises(InputError, match="no such folder"):
        ask(case, dict.fromkeys(NAMES, 1), tasks=tmp_path / "nowhere", samples=samples)
    refined = Claims(
        costs=dict.fromkeys(NAMES, 1),
        refined=True,
        options={"initial_costs": "old.json"},
        format=1,
        optimal_plans=1,
        path=None,
    )
    with pytest.raises(UsageError, match="refined from a file"):
        ask(case, refined, tasks=tasks)


def test_no_samples_can_be_drawn_in_no_time(case: Path, tasks: Path) -> None:
    result = learn(case)
    with pytest.raises(plancost.PlancostError):
        ask(case, result, tasks=tasks, learning=LearnOptions(time_limit_s=0.01))

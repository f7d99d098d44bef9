"""Loading a case: which plans are accepted, and the sentence for each that is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import DOMAIN, FOUR_BLOCKS, both_ways, graph_problem
from plancost.errors import InputError, InvalidPlanError
from plancost.observations.case import Case, load_case

ONE_WAY = {edge: 1 for edge in both_ways({"ab": 1, "bc": 1, "ac": 1}) if edge != ("a", "c")}
PROBLEM = graph_problem("p", "abc", ONE_WAY, "a", "c")
VALID = "(move a b)\n(move b c)\n"

Load = Callable[..., Case]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Write files beside a domain and load the folder as a case."""

    def write_and_load(
        files: dict[str, str], domain: str = DOMAIN, *, skip_invalid: bool = False
    ) -> Case:
        folder = tmp_path / "case"
        folder.mkdir(exist_ok=True)
        for name, text in {"domain.pddl": domain, **files}.items():
            (folder / name).write_text(text)
        return load_case(folder, skip_invalid=skip_invalid, jobs=2)

    return write_and_load


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (
            "(move b c)\n",
            "p.plan: step 1 (move b c) cannot be applied: (at b) does not hold before it",
        ),
        (
            "; to c\n\n(move a b)\n(move c b)\n",
            "p.plan: step 2 (move c b) cannot be applied: (at c) does not hold before it",
        ),
        (
            "(move a c)\n",
            "p.plan: step 1 (move a c) does not exist in {case}/p.pddl: (edge a c) does not hold",
        ),
        (
            "(MOVE A B)\n(moev b c)\n",
            "p.plan: step 2 (moev b c) does not exist in {case}/p.pddl: "
            "the domain has no action 'moev' (did you mean 'move'?)",
        ),
        (
            "(move a bb)\n",
            "p.plan: step 1 (move a bb) does not exist in {case}/p.pddl: "
            "there is no object 'bb' (did you mean 'b'?)",
        ),
        (
            "(move a)\n",
            "p.plan: step 1 (move a) does not exist in {case}/p.pddl: "
            "'move' takes 2 arguments, not 1",
        ),
        (
            "(move a b)\n",
            "p.plan: the plan ends outside the goal: (at c) does not hold at its end",
        ),
        ("", "p.plan: the plan ends outside the goal: (at c) does not hold at its end"),
    ],
)
def test_invalid_plans(load: Load, tmp_path: Path, plan: str, message: str) -> None:
    with pytest.raises(InvalidPlanError) as caught:
        load({"p.pddl": PROBLEM, "p.plan": plan})
    case = tmp_path / "case"
    assert str(caught.value) == f"{case}/{message.format(case=case)}"


def test_several_open_goals_are_all_named(example_2: Path) -> None:
    (example_2 / "four.plan").write_text("(unstack d c)\n")
    with pytest.raises(InvalidPlanError) as caught:
        load_case(example_2)
    assert "(on-table b)" in str(caught.value)
    assert "(on a b)" in str(caught.value)
    assert str(caught.value).endswith("do not hold at its end")


def test_every_unmet_precondition_is_named(example_2: Path) -> None:
    (example_2 / "four.plan").write_text("(stack a c)\n")
    with pytest.raises(InvalidPlanError, match=r"step 1 \(stack a c\) cannot be applied") as caught:
        load_case(example_2)
    assert "(holding a)" in str(caught.value)
    assert "(clear c)" in str(caught.value)
    assert str(caught.value).endswith(" do not hold before it")


def test_skipping_invalid_plans(load: Load) -> None:
    files = {
        "p.pddl": PROBLEM,
        "p.1.plan": "(move b c)\n",
        "p.2.plan": VALID,
        "p.3.plan": "0.0: (move a b) [1]\n",
        "q.pddl": graph_problem("q", "abcde", {**ONE_WAY, ("d", "e"): 1}, "a", "b"),
        "q.plan": "(move a e)\n",
    }
    case = load(files, skip_invalid=True)
    assert [item.plan_file.name for item in case.observations] == ["p.2.plan"]
    assert [problem.path.name for problem, _ in case.problems] == ["p.pddl"]
    assert len(case.tasks) == 1, "a problem without a valid plan adds nothing to A"
    assert len(case.notes) == 3
    assert all(note.startswith("left out: ") for note in case.notes)
    assert "p.1.plan: step 1 (move b c) cannot be applied" in case.notes[0]
    assert "temporal plan" in case.notes[1]
    with pytest.raises(InvalidPlanError):
        load(files)


def test_a_plan_that_is_a_link_to_nowhere(load: Load, tmp_path: Path) -> None:
    """Never a result over fewer plans without a word."""
    files = {"p.pddl": PROBLEM, "p.monday.plan": VALID}
    load(files)
    (tmp_path / "case" / "p.tuesday.plan").symlink_to(tmp_path / "case" / "gone")
    with pytest.raises(InputError, match=r"p\.tuesday\.plan: .*this link leads nowhere"):
        load(files)
    case = load(files, skip_invalid=True)
    assert len(case.observations) == 1
    assert "p.tuesday.plan" in case.notes[0]


def test_nothing_left_after_skipping(load: Load) -> None:
    with pytest.raises(InputError, match="no valid plan is left"):
        load({"p.pddl": PROBLEM, "p.plan": "(move b c)\n"}, skip_invalid=True)


def test_an_unsolvable_problem_is_named(load: Load) -> None:
    unsolvable = graph_problem("p", "abc", {("a", "b"): 1}, "a", "c")
    with pytest.raises(InputError, match=r"p\.pddl: the goal cannot be reached"):
        load({"p.pddl": unsolvable, "p.plan": "(move a b)\n"})


def test_an_empty_plan_where_the_goal_holds_at_the_start(load: Load) -> None:
    case = load({"p.pddl": graph_problem("p", "abc", ONE_WAY, "a", "a"), "p.plan": "; none\n"})
    assert case.observations[0].plan == ()
    assert not case.observations[0].visits_a_state_twice


def test_a_goal_that_always_holds(load: Load) -> None:
    """Whatever can be executed solves it, and its actions are part of A."""
    static_goal = PROBLEM.replace("(:goal (at c))", "(:goal (edge a b))")
    case = load({"p.pddl": static_goal, "p.1.plan": "", "p.2.plan": "(move a b)\n"})
    assert [item.plan for item in case.observations] == [(), ("(move a b)",)]
    assert len(case.actions) == len(ONE_WAY)
    with pytest.raises(InvalidPlanError, match=r"step 1 \(move b c\) cannot be applied"):
        load({"p.pddl": static_goal, "p.plan": "(move b c)\n"})


def test_a_problem_of_another_domain(load: Load) -> None:
    with pytest.raises(InputError) as caught:
        load({"p.pddl": FOUR_BLOCKS, "p.plan": VALID})
    message = str(caught.value)
    assert "p.pddl:1: this problem belongs to the domain 'blocks', but" in message
    assert message.endswith("domain.pddl defines 'graph'")


def test_a_plan_that_visits_a_state_twice_is_accepted_and_noted(load: Load) -> None:
    case = load({"p.pddl": PROBLEM, "p.plan": "(move a b)\n(move b a)\n" + VALID})
    assert case.observations[0].visits_a_state_twice
    assert case.remarks == ("p.plan visits a state twice",)


def test_actions_are_the_union_by_name(load: Load) -> None:
    """Problems may differ in objects and in static facts."""
    case = load(
        {
            "p.pddl": graph_problem("p", "abc", {("a", "b"): 1, ("b", "c"): 1}, "a", "c"),
            "p.plan": VALID,
            "q.pddl": graph_problem("q", "acd", {("a", "c"): 1, ("c", "d"): 1}, "a", "d"),
            "q.plan": "(move a c)\n(move c d)\n",
            "r.pddl": graph_problem("r", "acd", {("a", "c"): 1, ("c", "d"): 1}, "c", "d"),
            "r.plan": "(move c d)\n",
        }
    )
    assert case.actions == ("(move a b)", "(move a c)", "(move b c)", "(move c d)")
    assert sorted(case.tasks[0].actions) == ["(move a b)", "(move b c)"]
    first, second, third = (task.world for task in case.tasks)
    assert first != second == third, "a state space is shared by the same objects and facts"


def test_equal_problem_files_are_one_task(load: Load) -> None:
    other = "; the same\n" + PROBLEM.replace("(problem p)", "(problem Q)").replace(
        "(edge a b)", "(EDGE a  b)"
    )
    case = load({"p.pddl": PROBLEM, "p.plan": VALID, "q.pddl": other, "q.plan": VALID})
    assert len(case.tasks) == 1
    assert [task for _, task in case.problems] == [0, 0]
    assert case.observations_of_task == ((0, 1),)
    assert [item.problem_file.name for item in case.observations] == ["p.pddl", "q.pddl"]


def test_copies_of_a_plan_count(load: Load, tmp_path: Path) -> None:
    load({"p.pddl": PROBLEM, "p.1.plan": VALID, "p.2.plan": VALID})
    manifest = tmp_path / "case" / "trips.csv"
    manifest.write_text("problem,plan,count\np.pddl,p.1.plan,3\np.pddl,p.2.plan,\n")
    case = load_case(manifest, domain=tmp_path / "case" / "domain.pddl")
    assert [item.count for item in case.observations] == [3, 1]
    assert case.plan_count == 4


def test_a_domain_file_that_is_no_pddl(load: Load) -> None:
    with pytest.raises(InputError, match=r"domain\.pddl:1: expected '\(define \.\.\.\)'"):
        load({"p.pddl": PROBLEM, "p.plan": VALID}, domain="hello\n")


def test_all_plans_that_are_wrong_are_named_at_once(load: Load) -> None:
    files = {
        "p.pddl": PROBLEM,
        "p.1.plan": "(move b c)\n",
        "p.2.plan": "(move a b)\n",
        "p.3.plan": "x",
    }
    with pytest.raises(InvalidPlanError) as found:
        load(files)
    words = str(found.value)
    assert words.startswith("3 plans are wrong (skip_invalid=True leaves them out): ")
    assert all(f"p.{n}.plan" in words for n in (1, 2, 3)) and words.count("; ") == 2
    with pytest.raises(
        InputError, match=r"no valid plan is left to learn from: 3 plans are wrong: "
    ):
        load(files, skip_invalid=True)

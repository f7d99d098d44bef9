"""Planners that fail while plancost learns, checks or solves: no wrong claim, best answer kept.

The case is a triangle with two plans of which one can be optimal at most; the truth is what
learning on state graphs says, where no planner is asked.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import plancost
from plancost import Case, LearnOptions, Result
from plancost.errors import ClusterError, PlannerError
from plancost.learning.problem.options import OracleName
from plancost.oracles.graph_limits import GraphLimits
from plancost.planning.solve import SolveOptions, SolveStatus, solve
from plancost.system.executors import LocalExecutor, Work
from plancost.system.processes import Limits
from support.command import in_process
from support.faults import FakeProgram, fake_program

PATIENCE_S = 60.0
CRASH = "segmentation fault"
WRONG = (
    *(CRASH, "binary", "plan that is not applicable", "plan that misses the goal"),
    *("cost too high", "plan, but denied", "exit 11"),
)
"""Faults that an oracle can have at every call, and that end by themselves."""


@pytest.fixture(autouse=True)
def temporary_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A place of our own, to see that nothing is left in it."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield
    assert list(place.iterdir()) == []


LOADED: list[Case] = []


@pytest.fixture
def case(example_1: Path) -> Case:
    """Loaded once: grounding takes longer than the tests."""
    if not LOADED:
        LOADED.append(plancost.load_case(example_1))
    return LOADED[0]


def options(oracle: str = "fast-downward", **more: object) -> LearnOptions:
    given = {"oracle": OracleName(oracle), "time_limit_s": PATIENCE_S, **more}
    return LearnOptions(**given)  # type: ignore[arg-type]


def broken(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    program: str,
    fault: str,
    calls: list[int] | None = None,
) -> FakeProgram:
    """Put a fake in the place of a program."""
    fake = fake_program(tmp_path / "fakes", program, fault, calls=calls)
    monkeypatch.setenv(fake.variable, str(fake.path))
    return fake


def assert_nothing_wrong_is_claimed(result: Result, truth: Result) -> None:
    """Whatever failed: no more than the truth is called optimal or proven."""
    assert result.optimal_plans <= truth.optimal_plans <= result.upper_bound
    assert result.optimal_plans == sum(item.count for item in result.observations if item.optimal)
    if result.proved:
        assert result.optimal_plans == truth.optimal_plans
        assert result.secondary.lower_bound <= truth.secondary.value
    under = dict(result.costs)
    for item in result.observations:  # what is decided is decided as on state graphs
        least = min(
            sum(under[name] for name in plan) for plan in PLANS[item.problem.removesuffix(".pddl")]
        )
        assert item.optimal in (None, item.cost == least)
        assert item.optimal_cost in (None, least)


PLANS = {
    "p1": [("(move a b)",), ("(move a c)", "(move c b)")],
    "p2": [("(move a c)",), ("(move a b)", "(move b c)")],
}
"""All simple plans of the two tasks."""


@pytest.mark.parametrize(
    "fault", [*WRONG[:3], *(pytest.param(fault, marks=pytest.mark.slow) for fault in WRONG[3:])]
)
def test_an_oracle_that_always_fails(
    fault: str, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = plancost.learn(case, options("graph"))
    assert (truth.optimal_plans, truth.proved) == (1, True)
    fake = broken(tmp_path, monkeypatch, "fast-downward", fault)
    result = plancost.learn(case, options())
    assert_nothing_wrong_is_claimed(result, truth)
    assert not result.verified and not result.is_complete
    assert result.failures
    assert fake.calls <= 100 and fake.running() == []


@pytest.mark.parametrize(
    ("call", "fault"), [(1, CRASH), (4, CRASH), (8, CRASH), (4, "plan that misses the goal")]
)
def test_an_oracle_that_fails_once(
    call: int, fault: str, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = plancost.learn(case, options("graph"))
    broken(tmp_path, monkeypatch, "fast-downward", fault, calls=[call])
    assert_nothing_wrong_is_claimed(plancost.learn(case, options()), truth)


@pytest.mark.parametrize("fault", [CRASH, "exit 11"])
def test_symk_as_an_oracle_that_fails(
    fault: str, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = plancost.learn(case, options("graph"))
    fake = broken(tmp_path, monkeypatch, "symk", fault)
    result = plancost.learn(case, options("symk"))
    assert_nothing_wrong_is_claimed(result, truth)
    assert result.failures and not result.verified
    assert fake.running() == []


@pytest.mark.parametrize("fault", ["hang", "ignore SIGTERM"])
def test_an_oracle_that_hangs_until_the_time_is_up(
    fault: str, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = plancost.learn(case, options("graph"))
    fake = broken(tmp_path, monkeypatch, "fast-downward", fault)
    result = plancost.learn(case, options(time_limit_s=3.0))
    assert_nothing_wrong_is_claimed(result, truth)
    assert not result.verified
    assert fake.running() == []


@pytest.mark.parametrize("fault", ["killed", "exit 12"])
def test_an_oracle_that_gives_up_at_once(
    fault: str, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Out of memory and "gave up" are no failures, and no answers either."""
    truth = plancost.learn(case, options("graph"))
    fake = broken(tmp_path, monkeypatch, "fast-downward", fault)
    result = plancost.learn(case, options(alternatives="baseline"))
    assert_nothing_wrong_is_claimed(result, truth)
    assert not result.verified and not result.failures
    assert fake.running() == []


def test_side_by_side_the_other_planner_answers(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = plancost.learn(case, options("graph"))
    broken(tmp_path, monkeypatch, "symk", CRASH)
    no_graphs = GraphLimits(states=1)
    result = plancost.learn(case, options("auto", graph_limits=no_graphs))
    assert result.is_complete
    assert (result.optimal_plans, result.secondary) == (truth.optimal_plans, truth.secondary)
    assert all("SymK was killed by signal 11" in said for said in result.failures)


def test_the_command_keeps_the_best_answer_and_says_what_failed(
    example_1: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken(tmp_path, monkeypatch, "fast-downward", CRASH)
    output = tmp_path / "RESULT.json"
    words = (example_1, "--oracle", "fast-downward", "--output", output)
    done = in_process(capsys, "learn", *words)
    assert done.returncode == 7
    assert done.stderr == "plancost: Fast Downward was killed by signal 11: about to end\n"
    content = json.loads(output.read_text())
    assert content["failures"] == ["Fast Downward was killed by signal 11: about to end"]
    assert (content["optimal_plans"], content["verified"], content["proved"]) == (0, False, False)
    assert plancost.read_result(output).failures == tuple(content["failures"])
    for command in ("verify", "explain"):
        done = in_process(capsys, command, example_1, output, "--oracle", "fast-downward")
        assert done.returncode == 7
    monkeypatch.undo()
    assert in_process(capsys, "verify", example_1, output).returncode == 0


def test_alternatives_that_cannot_be_listed(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = plancost.learn(case, options("graph"))
    broken(tmp_path, monkeypatch, "symk", CRASH)
    result = plancost.learn(case, options("graph", alternatives="3", use_cache=False))
    assert result.failures == ("SymK was killed by signal 11: about to end",)
    assert result.verified
    assert_nothing_wrong_is_claimed(result, truth)


def test_groups_with_an_oracle_that_fails(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(tmp_path, monkeypatch, "fast-downward", CRASH)
    result = plancost.learn(case, options(groups=2))
    assert result.failures and result.optimal_plans == 0 and not result.verified


@pytest.mark.parametrize(("fault", "status"), [(CRASH, 7), ("killed", 4), ("binary", 7)])
def test_a_translator_that_fails(
    fault: str,
    status: int,
    example_1: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken(tmp_path, monkeypatch, "translator", fault)
    output = tmp_path / "RESULT.json"
    done = in_process(capsys, "learn", example_1, "--output", output)
    assert done.returncode == status
    assert done.stderr.startswith("plancost: ") and done.stderr.count("\n") == 1
    assert str(example_1 / "p1.pddl") in done.stderr
    assert not output.exists()


def test_a_translator_that_leaves_out_an_action_is_found_out(
    example_1: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(tmp_path, monkeypatch, "translator", "action left out")
    with pytest.raises(plancost.PlancostError, match=r"step 1 .move a b. does not exist"):
        plancost.load_case(example_1)


def test_a_cluster_that_is_lost_while_it_works(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    class Lost(LocalExecutor):
        """Works for a while."""

        def run(self, work: Work[object], limits: Limits, *, programs: int = 1) -> object:  # type: ignore[override]
            nonlocal calls
            calls += 1
            if calls > 3:
                raise ClusterError("the scheduler has gone away")
            return work(limits=limits)

    truth = plancost.learn(case, options("graph"))
    monkeypatch.setattr("plancost.api.from_options.LocalExecutor", Lost)
    result = plancost.learn(case, options())
    assert result.failures == ("the scheduler has gone away",)
    assert calls == 4
    assert_nothing_wrong_is_claimed(result, truth)


def test_a_problem_without_plans_can_be_skipped(
    example_1: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hopeless = (example_1 / "p1.pddl").read_text().replace("(:goal (at b))", "(:goal (edge a a))")
    (example_1 / "p3.pddl").write_text(hopeless)
    (example_1 / "p3.plan").write_text("(move a b)\n")
    done = in_process(capsys, "learn", example_1)
    assert done.returncode == 1 and "p3.pddl: the goal cannot be reached" in done.stderr
    done = in_process(capsys, "learn", example_1, "--on-invalid", "skip", "--json")
    assert done.returncode == 0
    content = json.loads(done.stdout)
    assert (content["plans"], content["optimal_plans"]) == (2, 1)
    assert any("p3.plan" in note and "cannot be reached" in note for note in content["notes"])


def test_solving_with_planners_that_fail(
    example_1: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = SolveOptions(time_limit_s=PATIENCE_S)

    def ask() -> plancost.SolveResult:
        return solve(example_1 / "p1.pddl", domain=example_1 / "domain.pddl", options=limits)

    # The first call finds any plan, the second should prove it: by then only SymK works.
    broken(tmp_path, monkeypatch, "fast-downward", CRASH, calls=[2])
    by_symk = ask()
    assert by_symk.status is SolveStatus.PROVEN and by_symk.plans[0].cost == 1
    broken(tmp_path, monkeypatch, "symk", CRASH)
    broken(tmp_path / "2", monkeypatch, "fast-downward", CRASH, calls=[2, 3, 4])
    found = ask()
    assert found.status is SolveStatus.FOUND and found.plans[0].cost == 1
    assert any("was killed by signal 11" in said for said in found.failures)
    broken(tmp_path / "3", monkeypatch, "fast-downward", CRASH)
    with pytest.raises(PlannerError, match="was killed by signal 11"):
        ask()

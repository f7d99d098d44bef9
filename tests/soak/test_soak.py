"""The soak itself: its reference is right, it finds what is wrong, and a few runs are clean."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

from benchmarks.soak import ROOT
from benchmarks.soak.checks import check_result
from benchmarks.soak.commands import Sandbox
from benchmarks.soak.findings import Wrong
from benchmarks.soak.reference import Known, Reference
from benchmarks.soak.runs import Run
from benchmarks.soak.tally import Tally
from hypothesis import given, settings

from plancost.cli import exit_codes
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan
from support.brute_force import LARGEST_COST, best_by_brute_force
from support.factor_tasks import factor_tasks
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


def reference_of(example: Example, known: tuple[Known, ...] = ()) -> Reference:
    task, plans = example
    return Reference(task, plans, {name: {name: 1} for name in task.case.actions}, known)


def check(example: Example) -> None:
    """No less than brute force finds, and no more where its costs are within reach."""
    task, plans = example
    reference = reference_of(example)
    weight, secondary = reference.best
    best = best_by_brute_force(task, plans)
    assert weight >= best.weight
    if weight == best.weight:
        assert secondary <= best.secondary
    if secondary <= LARGEST_COST:  # then no cost of the best answer is beyond brute force
        assert (weight, secondary) == (best.weight, best.secondary)
    assert reference.ideal == (weight == task.case.plan_count)


@settings(max_examples=25, deadline=None)
@given(learning_tasks(4))
def test_the_reference_agrees_with_brute_force(example: Example) -> None:
    check(example)


@settings(max_examples=15, deadline=None)
@given(factor_tasks())
def test_the_reference_agrees_with_factors_and_bounds(example: Example) -> None:
    check(example)


@settings(max_examples=15, deadline=None)
@given(learning_tasks(4))
def test_the_reference_knows_known_costs(example: Example) -> None:
    """A plan of n steps costs at least n: less is missed by the difference, copies counted."""
    task, _ = example
    first = task.case.observations[0]
    less = Fraction(len(first.plan) - 1)
    reference = reference_of(example, (Known(0, less, less),))
    assert reference.least_deviation == first.count
    assert reference.is_contradictory


def test_the_reference_is_exact_with_large_numbers(tmp_path: Path) -> None:
    """A solver may stop within a small part of the optimum: this run was called wrong."""
    run = Run(1010, 336, tmp_path)
    run.prepare()
    drives = [f"(drive {there})" for there in ("x y", "y x")]
    rest = [
        f"({name} {o} {at})" for name in ("load", "unload") for o in ("o1", "o2") for at in "xy"
    ]
    assert run.question.reference([*drives, *rest]).best == (0, 219976)


def numbers(folder: Path, *kinds: Callable[[Run], bool]) -> list[int]:
    """The first run of each kind, by what is drawn before anything is run."""
    found: dict[Callable[[Run], bool], int] = {}
    for number in range(1, 1000):
        run = Run(1, number, folder)
        run.prepare()
        for fits in kinds:
            if run.question.concept.solution != "icf" and fits(run):
                found.setdefault(fits, number)
        if len(found) == len(kinds):
            return [found[fits] for fits in kinds]
    raise AssertionError("no such runs")


def test_a_spoilt_result_is_found_out(tmp_path: Path) -> None:
    """Whatever a result claims that is not so."""

    def is_plain(run: Run) -> bool:
        exact = run.record.in_process and run.record.kind == "exact"
        exact = exact and not run.question.is_refused and run.question.limit_s is None
        return exact and "--ranges" not in run.words  # ranges of a spoilt result mean nothing

    (number,) = numbers(tmp_path, is_plain)
    run = Run(1, number, tmp_path / "again")
    run.prepare()
    assert run.sandbox.run_here(run.words).status == 0
    right = json.loads((run.sandbox.out / "RESULT.json").read_text())

    def findings(**changes: object) -> list[Wrong]:
        result = {**right, **changes}
        found = check_result(run.question, result, Random(0), expect_proof=True)
        return [finding.kind for finding in found]

    assert findings() == []
    some = right["observations"][0]
    assert Wrong.ANSWER in findings(upper_bound=right["upper_bound"] - 1)
    assert Wrong.ANSWER in findings(optimal_plans=right["optimal_plans"] + 1)
    assert Wrong.ANSWER in findings(costs={**right["costs"], "(fly away)": 1})
    assert Wrong.ANSWER in findings(observations=[{**some, "optimal": not some["optimal"]}])
    assert Wrong.ANSWER in findings(secondary={**right["secondary"], "lower_bound": 10**6})
    unproven = {**right["secondary"], "proved": False}
    assert findings(secondary=unproven) == [Wrong.WEAK]


def test_leftovers_are_found(tmp_path: Path) -> None:
    """Also a process that has left the session."""
    sandbox = Sandbox(tmp_path)
    with sandbox.here():
        process = subprocess.Popen(["sleep", "600"], start_new_session=True)
    while not Path(f"/proc/{process.pid}/environ").read_bytes():
        time.sleep(0.01)  # the kernel fills it in a moment after the program has begun
    (left,) = sandbox.processes_left(0.1)
    assert "sleep 600" in left
    assert process.wait(timeout=60) != 0, "it is ended"
    assert sandbox.processes_left() == []
    (sandbox.temporary / "forgotten").mkdir()
    assert sandbox.temporary_files() == ["forgotten"]


IN_THE_BACKGROUND = """
import subprocess, sys
from benchmarks.soak.commands import mind_interrupts
look = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
subprocess.run([sys.executable, "-c", look])
mind_interrupts()
subprocess.run([sys.executable, "-c", look])
"""


def test_interrupts_reach_commands_of_a_soak_in_the_background() -> None:
    """Where a shell has told it to ignore them."""
    words = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-c", IN_THE_BACKGROUND]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


def test_a_few_runs(tmp_path: Path) -> None:
    """One in this process, and one command that cannot write its result."""

    def is_quick(run: Run) -> bool:
        plain = run.question.limit_s is None and not run.question.concept.is_strict
        return run.record.in_process and plain

    def is_unwritable(run: Run) -> bool:
        return run.record.injection == "unwritable output"

    tally = Tally(1)
    for number in numbers(tmp_path / "drawn", is_quick, is_unwritable):
        tally.add(Run(1, number, tmp_path / "soak").go())
    assert tally.failed == []
    assert list((tmp_path / "soak").iterdir()) == [], "what went well is removed"
    content = json.loads(json.dumps(tally.to_json()))
    assert (content["runs"], content["faults"]) == (2, 1)
    assert "| runs | 2 |" in tally.markdown()


def test_actions_of_no_plan_decide_too(tmp_path: Path) -> None:
    """A road of length 0 that no plan takes: its cost is the constant, so that is at least 1."""
    run = Run(1013, 802, tmp_path)
    run.prepare()
    words = " ".join(run.words)
    assert "--solution icf --linear drive (length ?from ?to)" in words, "other draws: take another"
    reference = run.question.reference(run.question.case.useful_actions)
    assert reference.ideal, "as far as actions of plans tell"
    assert Run(1013, 802, tmp_path / "again").go().findings == []
    assert run.sandbox.run_here(run.words).status == exit_codes.NO_IDEAL

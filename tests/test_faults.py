"""What goes wrong around plancost: nothing wrong is proven, nothing is left behind, and one
sentence says what happened. docs/reliability.md has the same as a table.
"""

from __future__ import annotations

import errno
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import highspy
import numpy as np
import pytest
from pyscipopt import Model, quicksum

from agreement import wrong_in
from brute_force import BruteForce
from fake_planner import fake
from plancost import processes
from plancost.clock import Clock
from plancost.errors import PlannerError, SolverError
from plancost.learn import most_plans
from plancost.learn.incumbent import Incumbent
from plancost.learn.master import Proposal
from plancost.learn.run import Run, learn_costs
from plancost.learn.solvers import quiet_highs, run_at_once, run_scip
from plancost.learn.task import LearningTask
from plancost.options import LearnOptions
from plancost.progress import silent
from plancost.result.model import Result, read_result
from plancost.search.downward import Verdict
from plancost.search.planners import Planners
from random_tasks import draw_case, draw_options
from search.test_planners import FD, SYMK, one_link
from small import small_case
from test_processes import ends_soon
from towns import PDDL, STREETS, Done, command, write

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: Patch) -> Iterator[Path]:
    """Where temporary files live; none is left at the end."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    processes._remove_abandoned.cache_clear()
    yield folder
    assert list(folder.iterdir()) == []


def learned(capsys: Capture, folder: Path, *words: object) -> tuple[Done, Result | None]:
    """Learn from the streets of the town, and what is written."""
    case, output = write(folder / "case", STREETS), folder / "RESULT.json"
    done = command(capsys, "learn", case, *words, "--output", output, "--quiet")
    assert list(folder.glob(".writing-*")) == []
    return done, read_result(output) if output.exists() else None


WRONG = ("garbage", "no such action", "wrong plan", "wrong cost", "half a plan", "plan and no plan")
DENIED = ("found nothing", "no plan", "none below")
PLANNERS = {
    **dict.fromkeys((*WRONG, *DENIED, "crash", "critical", "unknown code", "failed"), "failed"),
    **dict.fromkeys(("memory killer", "out of memory"), "out of memory"),
    **dict.fromkeys(("out of time", "gave up", "child"), "gave up"),
    **dict.fromkeys(("hang", "prints without end"), "time limit"),
}


@pytest.mark.parametrize("mode", PLANNERS)
def test_a_planner_fails(
    mode: str, tmp_path: Path, capsys: Capture, monkeypatch: Patch, temporary: Path
) -> None:
    """No answer that is wrong is believed, and none at all is no answer."""
    monkeypatch.setenv("CHILD_NOTE", str(tmp_path / "child"))
    for variable in (FD, SYMK):
        monkeypatch.setenv(variable, fake(tmp_path, mode))
    seconds = 1 if PLANNERS[mode] == "time limit" else 30
    done, result = learned(capsys, tmp_path, "--oracle", "planners", "--time-limit", seconds)
    assert result is not None
    assert (result.ending, result.proved, result.verified) == (PLANNERS[mode], False, False)
    assert (done.status, done.err) == (7 if result.ending == "failed" else 4, "")
    assert len(set(result.notes)) == len(result.notes) > 1
    if mode == "child":
        assert ends_soon(int((tmp_path / "child").read_text(encoding="ascii")))


@pytest.mark.parametrize("mode", ["crash", "wrong plan", "no plan", "gave up", "out of memory"])
def test_the_other_planner_answers(mode: str, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv(FD, fake(tmp_path, mode))
    found = Planners(one_link()).cheapest(0, [1], clock=Clock(60), most=0)
    assert found.verdict is Verdict.NONE


TRANSLATORS = {
    "crash": ("import os; os.kill(os.getpid(), 11)", 4, "memory"),
    "hang": ("import time; time.sleep(600)", 4, "time limit"),
    "garbage": ("import sys; open(sys.argv[4], 'w').write('{]')", 7, "no answer that can be read"),
    "no answer": ("", 7, "no answer that can be read"),
    "wrong exit code": ("import sys; sys.exit(77)", 7, "exit code 77"),
    "memory": ("raise MemoryError", 4, "memory"),
    "child": ("import os, time; os.fork() or time.sleep(600); os._exit(3)", 7, "exit code 3"),
}


@pytest.mark.parametrize("mode", TRANSLATORS)
def test_the_translator_fails(
    mode: str, tmp_path: Path, capsys: Capture, monkeypatch: Patch, temporary: Path
) -> None:
    code, status, words = TRANSLATORS[mode]
    monkeypatch.setattr("plancost.case.grounding._START", code)
    seconds = 1 if mode == "hang" else 60
    case = write(tmp_path / "case", PDDL)
    done = command(capsys, "learn", case, "--time-limit", seconds)
    assert (done.status, done.out, done.err.count("\n")) == (status, "", 1), done
    assert words in done.err


@pytest.mark.parametrize("name", ["pyscipopt", "highspy", "cbcbox", "fast_downward", "planners"])
def test_something_is_not_installed(
    name: str, tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    if name == "planners":
        monkeypatch.setenv(FD, str(tmp_path / "nothing"))
        monkeypatch.setenv(SYMK, str(tmp_path / "nothing"))
    if name == "fast_downward":
        done = command(capsys, "learn", write(tmp_path / "case", PDDL))
    elif name == "highspy":  # other tests have loaded it here
        lines = f"import sys; sys.modules['{name}'] = None; from plancost.cli.main import main; "
        words: list[str] = [sys.executable, "-c", lines + "sys.exit(main())", "learn"]
        ran = subprocess.run(
            [*words, str(write(tmp_path / "case", STREETS))],
            capture_output=True,
            text=True,
            check=False,
        )
        done = Done(ran.returncode, ran.stdout, ran.stderr)
    else:
        solver = ["--solver", "cbc"] if name == "cbcbox" else []
        words = ["--oracle", "planners"] if name == "planners" else ["--alternatives", "2", *solver]
        done, result = learned(capsys, tmp_path, *words)
        assert result is not None
        assert result.ending == "failed"
        assert done.err == ""
    assert done.status == 7, done


@pytest.mark.parametrize("lie", ["infeasible", "nothing", "not a number", "wrong values"])
def test_highs_lies(lie: str, monkeypatch: Patch) -> None:
    """Whatever it says, bounds and verdicts are true."""
    real = highspy.Highs.getSolution

    def solution(self: highspy.Highs) -> Any:
        found = real(self)
        values = np.asarray(found.col_value)
        wrong = {"nothing": values[:0], "not a number": values * math.nan}
        found.col_value = wrong.get(lie, np.zeros(len(values))).tolist()
        return found

    if lie == "infeasible":
        infeasible = highspy.HighsModelStatus.kInfeasible
        monkeypatch.setattr(highspy.Highs, "getModelStatus", lambda _: infeasible)
    else:
        monkeypatch.setattr(highspy.Highs, "getSolution", solution)
    for seed in (501, 507, 511, 519, 523):
        case = draw_case(seed)
        if not case.costs.is_plain or any(o.total is not None for o in case.observations):
            continue
        force = BruteForce(case, draw_options(seed, case))
        answer = learn_costs(case, force.options, Clock(20))
        wrong = wrong_in(force, answer) if answer.ending != "done" else []
        assert [words for words in wrong if not words.startswith("ended by")] == []


def test_scip_lies(monkeypatch: Patch) -> None:
    case = small_case()
    run = Run(Incumbent(LearningTask(case, LearnOptions()), Clock(), silent), LearnOptions())
    search, plans = run.prepared(Clock())
    search.insert(plans)
    search.incumbent.bound = 5
    monkeypatch.setattr(most_plans, "heaviest_set", lambda *_: Proposal([], 2, is_enough=True))
    with pytest.raises(SolverError, match="SCIP says"):
        search._propose()
    assert search.incumbent.bound == 5


def hard_scip(seconds: float = 20.0) -> tuple[Any, Any]:
    """Takes minutes."""
    chance, model = random.Random(1), Model()
    columns = [model.addVar(vtype="B", obj=-chance.randint(50, 99)) for _ in range(120)]
    for _ in range(30):
        weights = [chance.randint(1, 99) for _ in columns]
        terms = zip(weights, columns, strict=True)
        model.addCons(quicksum(weight * column for weight, column in terms) <= 1500)
    return lambda: run_scip(model, Clock(seconds)), model.getNSols


def hard_highs() -> tuple[Any, Any]:
    """The same program."""
    chance, highs = random.Random(1), quiet_highs(mip_rel_gap=0.0)
    every = np.arange(120, dtype=np.int32)
    for column in every.tolist():
        highs.addVar(0, 1)
        highs.changeColCost(column, -chance.randint(50, 99))
        highs.changeColIntegrality(column, highspy.HighsVarType.kInteger)
    for _ in range(30):
        weights = np.array([float(chance.randint(1, 99)) for _ in every])
        highs.addRow(-highspy.kHighsInf, 1500.0, len(every), every, weights)
    return lambda: run_at_once(highs, 20.0), lambda: highs.getInfo().primal_solution_status


@pytest.mark.parametrize("hard", [hard_scip, hard_highs])
def test_ctrl_c_ends_a_solver(hard: Any) -> None:
    run, solutions = hard()
    began = time.monotonic()
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        run()
    assert time.monotonic() - began < 10
    assert solutions() > 0


def test_scip_keeps_to_the_clock() -> None:
    run, solutions = hard_scip(0.5)
    began = time.monotonic()
    run()
    assert time.monotonic() - began < 5
    assert solutions() > 0


SLOW_END = """
from plancost import processes
from plancost.cli.main import program
processes._GRACE_S = {}
program()
"""
"""The command, with another time between SIGTERM and SIGKILL."""


def started(folder: Path, temporary: Path, grace_s: float = 0.5) -> subprocess.Popen[str]:
    """The command while a planner hangs, which does not heed SIGTERM."""
    variables = {name: fake(folder, "hang") for name in (FD, SYMK)}
    case, output = write(folder / "case", STREETS), folder / "RESULT.json"
    words = ["learn", case, "--oracle", "planners", "--time-limit", 100, "--output", output]
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_END.format(grace_s), *map(str, words)],
        env={**os.environ, **variables}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    for _ in range(1000):
        if list(temporary.glob("*/task.sas")):
            break
        time.sleep(0.02)
    return process


@pytest.mark.parametrize(
    ("number", "times", "status"),
    [(signal.SIGINT, 1, 130), (signal.SIGTERM, 1, 143), (signal.SIGINT, 2, 130)],
)
def test_signals(
    number: signal.Signals, times: int, status: int, tmp_path: Path, temporary: Path
) -> None:
    """The first keeps the answer, the second ends at once."""
    process = started(tmp_path, temporary, grace_s=0.5 if times == 1 else 25)
    for _ in range(times):
        process.send_signal(number)
        time.sleep(1.2 * times)  # those that come together are one
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (status, "")
    output = tmp_path / "RESULT.json"
    assert output.exists() is (times == 1)
    assert times == 2 or read_result(output).ending == "interrupted"


def test_kill_leaves_nothing_for_long(tmp_path: Path, temporary: Path) -> None:
    process = started(tmp_path, temporary)
    process.kill()
    process.communicate(timeout=30)
    for left in temporary.iterdir():
        os.utime(left, (0, 0))
    with processes.private_directory() as directory:
        assert list(temporary.iterdir()) == [directory]


def fail(error: BaseException) -> NoReturn:
    raise error


@pytest.mark.parametrize(
    ("place", "error", "words", "status"),
    [
        ("plancost.files:os.fsync", OSError(errno.ENOSPC, "No space left"), [], 1),
        ("plancost.processes:tempfile.TemporaryDirectory", OSError(errno.ENOSPC, "No space left"),
         ["--oracle", "planners"], 7),
        ("plancost.learn.run:Run._least_costs", MemoryError(), [], 0),
        ("plancost.learn.run:Run._most_plans", MemoryError(), [], 0),
        ("plancost.learn.verify:Check.run", MemoryError(), [], 4),
        ("plancost.learn.verify:Check.run", KeyboardInterrupt(), [], 130),
        ("plancost.learn.run:Run._least_costs", KeyboardInterrupt(), [], 130),
        ("plancost.learn.verify:Check.run", KeyboardInterrupt(), ["--alternatives=baseline"], 130),
        ("plancost.learn.verify:Check.run", PlannerError("no"), ["--alternatives=baseline"], 7),
        ("plancost.learn.task:LearningTask.__init__", MemoryError(), [], 4),
    ],
)  # fmt: skip
def test_disk_memory_and_patience_run_out(
    place: str, error: BaseException, words: list[str], status: int,
    tmp_path: Path, capsys: Capture, monkeypatch: Patch,
) -> None:  # fmt: skip
    module, _, names = place.partition(":")
    *outer, name = names.split(".")
    owner = reduce(getattr, outer, import_module(module))
    monkeypatch.setattr(owner, name, lambda *_, **__: fail(error))
    done, result = learned(capsys, tmp_path, *words)
    assert done.status == status, done
    if result is None:
        assert done.err.count("\n") == 1, done.err
    else:
        assert result.ending in ("failed", "interrupted", "out of memory")
        assert result.notes


def test_a_damaged_proof_proves_nothing_wrong(tmp_path: Path, capsys: Capture) -> None:
    case, output = write(tmp_path / "case", PDDL), tmp_path / "RESULT.json"
    words = ("learn", case, "--solution", "scf", "--output", output, "--quiet")
    proof, chance = tmp_path / "RESULT.proof.json", random.Random(1)
    assert command(capsys, *words).status == 0
    whole = proof.read_bytes()
    assert json.loads(whole)["conflicts"]
    for number in range(30):
        damaged = bytearray(whole)
        for _ in range(1 + number // 6):
            damaged[chance.randrange(12, len(damaged))] = chance.choice(b'0123456789-,[]{}":e')
        proof.write_bytes(damaged[: len(damaged) if number % 4 else chance.randrange(12, 200)])
        assert command(capsys, *words).status == 0
        result = read_result(output)
        assert (result.optimal_plans, result.upper_bound, result.proved) == (2, 2, True)

"""The checks find what is there, and what is not."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from plancost.doctor import checks, programs, system
from plancost.doctor.extras import declared_extras, extras
from plancost.doctor.finding import Finding, State, check
from plancost.observations import grounding
from plancost.oracles import fast_downward, symk
from plancost.oracles.downward_family import Planner
from plancost.solver import highs
from plancost.solver.model import Outcome, Status
from plancost.system.processes import Ending, Finished

NAMES = (
    *("Python", "platform", "cores", "temporary directory", "cache", "ending programs"),
    *("memory limit", "translator", "Fast Downward", "SymK", "HiGHS"),
)


@pytest.mark.parametrize(("name", "checked"), list(zip(NAMES, checks.CHECKS, strict=True)))
def test_here_everything_works(name: str, checked: Callable[[], Finding]) -> None:
    finding = checked()
    assert finding.name == name
    assert finding.state is State.OK, finding
    assert finding.mend == ""


def fake(tmp_path: Path, script: str) -> Planner:
    """A planner that is a shell script, in a package of its own."""
    package = tmp_path / "fake_planner"
    package.mkdir()
    binary = package / "planner"
    binary.write_text(f"#!/bin/sh\n{script}\n")
    binary.chmod(0o755)
    return replace(fast_downward.FAST_DOWNWARD, package="fake_planner", binary_path="planner")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 99", "exit code 99"),
        ("kill -SEGV $$", "killed by signal"),
        ("exit 12", "gave up"),
        ("printf '(move a c)\\n; cost = 3 (general cost)\\n' > sas_plan", "wrongly"),
    ],
)
def test_a_broken_planner(
    script: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planner = fake(tmp_path, script)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(fast_downward, "FAST_DOWNWARD", planner)
    monkeypatch.setattr(programs, "FAST_DOWNWARD", planner)
    finding = programs.planner_fast_downward()
    assert finding.state is State.BROKEN
    assert said in finding.said
    assert "up-fast-downward" in finding.mend


def test_a_planner_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = replace(symk.SYMK, package="no_such_package")
    monkeypatch.setattr(programs, "SYMK", missing)
    finding = programs.planner_symk()
    assert finding.state is State.MISSING
    assert "pip install up-symk" in finding.said


def test_a_translator_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grounding, "_BUNDLED", (sys.executable, "-c", "raise SystemExit(77)"))
    finding = programs.translator()
    assert finding.state is State.BROKEN
    assert "77" in finding.said
    assert "fast-downward.translate" in finding.mend


def test_a_solver_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Outcome(Status.OPTIMAL, (1.0, 1.0), 2.0, 2.0)
    monkeypatch.setattr(highs, "solve", lambda *_, **__: wrong)
    assert programs.solver_highs().state is State.BROKEN


def test_a_check_that_fails_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    @check("x")
    def fails() -> str:
        raise RuntimeError("a\nb")

    monkeypatch.setattr(checks, "CHECKS", (fails,))
    first = next(checks.all_checks())
    assert (first.name, first.state, first.said) == ("x", State.BROKEN, "RuntimeError: a b")


# The machine


def test_a_temporary_directory_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    finding = system.temporary_directory()
    assert finding.state is State.BROKEN
    assert "TMPDIR" in finding.mend


def test_a_cache_below_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PLANCOST_CACHE", str(tmp_path / "file" / "cache"))
    finding = system.cache_directory()
    assert (finding.state, finding.required) == (State.BROKEN, False)
    assert "PLANCOST_CACHE" in finding.mend


def test_a_cache_that_is_still_to_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANCOST_CACHE", str(tmp_path / "a" / "b"))
    assert system.cache_directory().state is State.OK
    assert not any(tmp_path.iterdir()), "looking makes nothing"


@pytest.mark.parametrize(("small", "large"), [(0, 0), (1, 1), (None, 1)])
def test_a_memory_limit_that_does_not_hold(
    small: int | None, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = iter([small, large])
    monkeypatch.setattr(system, "_python", lambda *_: next(codes))
    assert system.memory_limit().state is State.BROKEN


def test_programs_that_cannot_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own process stands for a grandchild that goes on."""
    alive = Finished(Ending.OUT_OF_TIME, None, None, f"{os.getpid()}\n", 0.5)
    monkeypatch.setattr(system, "run", lambda *_, **__: alive)
    assert "not what it had started" in system.process_groups().said
    on_its_own = replace(alive, ending=Ending.EXITED)
    monkeypatch.setattr(system, "run", lambda *_, **__: on_its_own)
    assert system.process_groups().state is State.BROKEN


def test_an_old_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "_LEAST_PYTHON", (4, 0))
    assert system.python().state is State.BROKEN


# Extras


def test_extras_are_read_from_the_package() -> None:
    assert declared_extras(
        [
            "numpy>=2.1",
            'cbcbox>=2.935; extra == "cbc"',
            "pandas>=2 ; python_version > '3' and extra == 'pandas'",
            'mypy==2; extra == "dev"',
            'plancost[cbc]; extra == "all"',
        ]
    ) == {"cbc": ["cbcbox"], "pandas": ["pandas"]}
    assert {"cbc", "cluster"} <= set(declared_extras())


def test_an_extra_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plancost.doctor.extras.declared_extras", lambda: {"x": ["no-such-thing"]})
    (finding,) = extras()
    assert (finding.state, finding.required) == (State.MISSING, False)
    assert finding.mend == "run 'pip install \"plancost[x]\"'"

"""Systems other than Linux on x86-64, by taking away what they do not have.

Calls of Linux are removed from `os`, files below ``/proc`` cannot be read, and the planners are
not installed. The core must do its work all the same. ``pytest --elsewhere FOLDER`` runs any other
tests without these calls.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from plancost.api.check import explain, verify
from plancost.api.learn import learn
from plancost.doctor import system
from plancost.doctor.finding import State
from plancost.files.atomic import write_atomically
from plancost.report.page import write_report
from plancost.system import cgroups, processes
from plancost.system.memory import holding_this_process
from plancost.system.processes import Ending, Limits, run, usable_cores
from support.elsewhere import EVERYTHING, take_away

EXAMPLE = Path(__file__).parents[1] / "examples" / "avoid-the-centre"


@pytest.fixture(params=[*EVERYTHING, "all of them"])
def elsewhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without one of these, or without all."""
    take_away(EVERYTHING if request.param == "all of them" else [request.param], monkeypatch)


@pytest.mark.usefixtures("elsewhere")
def test_programs_run_and_end(tmp_path: Path) -> None:
    shell = ["/bin/sh", "-c"]
    done = run([*shell, "echo out; exit 7"], directory=tmp_path)
    assert (done.ending, done.exit_code, done.output) == (Ending.EXITED, 7, "out\n")
    killed = run([*shell, "kill -KILL $$"], directory=tmp_path)
    assert (killed.ending, killed.signal) == (Ending.KILLED, 9)
    late = run([*shell, "sleep 60 & wait"], directory=tmp_path, limits=Limits(0.1, 2000))
    assert late.ending is Ending.OUT_OF_TIME and late.seconds < 30


@pytest.mark.usefixtures("elsewhere")
def test_files_cores_and_memory(tmp_path: Path) -> None:
    for content in (b"one", b"two"):
        write_atomically(tmp_path / "file", content)
        assert (tmp_path / "file").read_bytes() == content
    assert [item.name for item in tmp_path.iterdir()] == ["file"]
    assert usable_cores() >= 1
    with holding_this_process(10**6), cgroups.limited(10**6, own=tmp_path / "none") as group:
        assert group is None


@pytest.mark.parametrize("elsewhere", ["all of them"], indirect=True)
def test_learning(elsewhere: None, tmp_path: Path) -> None:
    result = learn(EXAMPLE)
    assert (result.optimal_plans, result.proved, result.verified) == (4, True, True)
    assert verify(EXAMPLE, result).optimal_plans == 4
    assert explain(EXAMPLE, result).verified
    assert result.case is not None
    write_report(result, result.case, tmp_path / "report.html")


@pytest.mark.parametrize(
    ("platform", "machine", "state", "said"),
    [
        ("linux", "x86_64", State.OK, "x86_64"),
        ("linux", "aarch64", State.OK, "no wheels of the planners"),
        ("darwin", "arm64", State.OK, "arm64"),
        ("darwin", "x86_64", State.OK, "no wheels of the planners"),
        ("win32", "amd64", State.BROKEN, "amd64"),
    ],
)
def test_what_doctor_says_of_platforms(
    platform: str, machine: str, state: State, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr("platform.machine", lambda: machine)
    finding = system.system()
    assert finding.state is state and finding.said.endswith(said)
    assert ("WSL" in finding.mend) == (state is State.BROKEN)


def _without_planners(folder: Path) -> None:
    """Links to all that is installed but the planners."""
    for place in {*sys.path, sysconfig.get_path("purelib")}:
        for item in Path(place).iterdir() if Path(place).is_dir() else ():
            is_wanted = "site-packages" in item.parts and not item.name.startswith(
                ("up_", "plancost")
            )
            if is_wanted and not (folder / item.name).exists():
                (folder / item.name).symlink_to(item)


SCRIPT = """
import importlib.util, sys
from plancost.cli.main import main
assert not [n for n in ("up_symk", "up_fast_downward") if importlib.util.find_spec(n)]
for words in (
    ["learn", sys.argv[1], "--output", "r.json", "--jobs", "1", "--quiet"],
    ["verify", sys.argv[1], "r.json", "--quiet"],
    ["explain", sys.argv[1], "r.json", "--quiet"],
    ["report", sys.argv[1], "r.json", "--output", "r.html", "--quiet"],
):
    assert main(words) == 0, words
sys.exit(main(["solve", sys.argv[1] + "/" + sys.argv[2], "--domain", sys.argv[1] + "/domain.pddl"]))
"""


@pytest.mark.slow
def test_without_the_planners(tmp_path: Path) -> None:
    """The bundled example is learned, checked, explained and reported; solve needs a planner."""
    _without_planners(tmp_path)
    source = str(Path(processes.__file__).parents[2])
    problem = next(path.name for path in EXAMPLE.glob("*.pddl") if path.name != "domain.pddl")
    done = subprocess.run(
        [sys.executable, "-S", "-c", SCRIPT, str(EXAMPLE), problem],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([source, str(tmp_path)])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 7, done.stderr
    assert "is not installed: run 'pip install up-" in done.stderr
    assert (tmp_path / "r.html").exists()

"""The PDDL that ``plancost learn --pddl-out`` writes, read by the planners themselves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from plancost.oracles.downward_family import Planner
from plancost.oracles.fast_downward import FAST_DOWNWARD
from plancost.oracles.symk import SYMK
from support.command import learned, plancost


def cheapest_cost(planner: Planner, search: str, domain: Path, problem: Path, work: Path) -> int:
    """What a planner finds on PDDL files, with nothing of plancost in between."""
    work.mkdir(exist_ok=True)
    translator = [sys.executable, "-m", "fast_downward.translate", str(domain), str(problem)]
    subprocess.run(translator, cwd=work, check=True, capture_output=True)
    for old in work.glob("sas_plan*"):
        old.unlink()
    with (work / "output.sas").open() as task:
        command = [str(planner.binary()), "--search", search]
        done = subprocess.run(command, cwd=work, stdin=task, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
    (plan,) = work.glob("sas_plan*")
    last = plan.read_text().splitlines()[-1]
    assert last.startswith("; cost = ")
    return int(last.split()[3])


@pytest.mark.parametrize("name", ["table_1", "example_1", "example_2"])
def test_planners_find_the_same_costs_in_the_pddl(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The important one: what we report is what any planner finds on the files we write."""
    case: Path = request.getfixturevalue(name)
    pddl = tmp_path / "pddl"
    solution = "scf" if name == "table_1" else "mcf"
    content = learned(case, "--solution", solution, "--pddl-out", pddl)
    for item in content["observations"]:
        for planner, search in ((FAST_DOWNWARD, "astar(blind())"), (SYMK, "sym_bd()")):
            found = cheapest_cost(
                planner, search, pddl / "domain.pddl", pddl / item["problem"], tmp_path / "work"
            )
            assert found == item["optimal_cost"], planner.name


def test_pddl_is_never_written_over_the_input(table_1: Path) -> None:
    before = (table_1 / "domain.pddl").read_text()
    done = plancost("learn", table_1, "--pddl-out", table_1)
    assert done.returncode == 1
    assert "could overwrite the input" in done.stderr
    assert (table_1 / "domain.pddl").read_text() == before

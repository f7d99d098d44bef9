"""Planners on PDDL files, with nothing of plancost in between."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from plancost.oracles.downward_family import Planner


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

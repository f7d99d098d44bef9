"""The PDDL that ``plancost learn --pddl-out`` writes, read by the planners themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.oracles.fast_downward import FAST_DOWNWARD
from plancost.oracles.symk import SYMK
from support.command import learned, plancost
from support.planner_runs import cheapest_cost


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

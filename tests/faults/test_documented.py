"""docs/reliability.md: every fault has a row, and every test that a row names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from support.documents import ROOT
from support.fake_planner import FAULTS
from support.lying_highs import LIARS

PAGE = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", PAGE)))


def rows(heading: str) -> set[str]:
    """The first column of the tables of a section."""
    section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    cells = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")]
    return set(cells)


def test_every_fault_of_the_fake_planner_has_a_row() -> None:
    assert set(FAULTS) <= rows("Faulty planners")


def test_every_fault_of_the_fake_solver_has_a_row() -> None:
    assert set(LIARS) | {"fault"} == rows("Faulty solvers")


def test_every_row_about_programs_names_its_test() -> None:
    for heading in ("Faulty planners", "Faulty solvers"):
        section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
        lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
        assert lines and all(re.search(r"::test_\w+` \|$", line) for line in lines)


@pytest.mark.parametrize("name", NAMED)
def test_the_tests_that_it_names_exist(name: str) -> None:
    file, _, function = name.partition("::")
    tree = ast.parse((ROOT / Path(file)).read_text(encoding="utf-8"))
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert not function or function in functions

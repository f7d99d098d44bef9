"""The schedule adds up: no phase gets nothing, and none together more than there is."""

from __future__ import annotations

import ast
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import pytest

import plancost
from plancost.system.schedule import SCHEDULE, Schedule
from support.sources import as_written

ROOT = Path(plancost.__file__).parent
PARTS = (
    "api",
    "learning",
    "oracles",
    "planning",
    "evaluation",
    "monitoring",
    "experiments",
    "probability",
)
S = SCHEDULE
LEAST = 0.02
"""Of a time limit, what every phase of a run has even if all before it use up theirs."""


def split(whole: float, *parts: float) -> list[float]:
    """What phases in a row get if each uses up its part; the last gets the rest."""
    found = []
    for part in parts:
        found.append(whole * part)
        whole -= found[-1]
    return [*found, whole]


RUNS = {
    "learn": [*split(S.learning, S.graphs_for_separation, S.primary), 1 - S.learning],
    "learn, then write": split(1.0, S.before_writing),
    "learn, all tasks on graphs": [
        *split(S.learning, S.graphs_for_separation, S.crossings, S.primary_on_graphs),
        1 - S.learning,
    ],
    "learn, all tasks on graphs, where lowering costs takes long": [
        *split(S.learning, S.graphs_for_separation, 1 - S.most_for_lowering, S.linear_program),
        1 - S.learning,
    ],
    "lowering costs beside the search": split(1.0, S.first_lowering),
    "lowering costs by planners": split(1.0, S.price_steps, S.linear_program),
    "lowering costs on graphs": split(1.0, S.all_action_graphs, S.linear_program),
    "the second objective": split(1.0, S.own_set, S.necessary_rows),
    "learn, parts of the plans first": [
        *split(S.learning, S.graphs_for_separation, S.parts, S.primary),
        1 - S.learning,
    ],
    "learn with factors": [
        *split(S.learning, S.graphs_for_separation, S.without_factors, S.primary),
        1 - S.learning,
    ],
    "learn several cost functions": [
        *split(S.learning, S.graphs_for_separation, S.peeling, S.primary),
        1 - S.learning,
    ],
    "learn from k plans": [*split(S.learning, S.listing), 1 - S.learning],
    "learn and compare": split(1.0, S.compared_learning),
    "one pass of inserting": split(1.0, S.inserting),
    "check": split(1.0, S.graphs_for_checking, S.proving),
    "explain": split(1.0, S.checking_before_explaining),
    "solve": split(1.0, S.first_plan, S.proving),
    "solve, then samples": split(1.0, S.solving_before_samples, S.graphs_for_checking),
    "verify, then samples": split(1.0, S.checking_before_samples, S.graphs_for_checking),
    "ask": split(1.0, S.drawing_to_ask, S.graphs_for_checking),
    "one trial": split(1.0, S.trial_learning),
    "monitor": split(1.0, S.calibrating, S.monitor_graphs),
    "monitor, when the window is learned from": split(
        1.0, S.measuring, S.relearning, S.recalibrating
    ),
}


@pytest.mark.parametrize("run", RUNS)
def test_every_phase_gets_something_and_all_together_no_more_than_there_is(run: str) -> None:
    assert min(RUNS[run]) > LEAST
    assert sum(RUNS[run]) == pytest.approx(1.0)


def test_parts_are_parts_and_seconds_are_positive() -> None:
    for field in fields(Schedule):
        value = getattr(SCHEDULE, field.name)
        if field.name.endswith("_s"):
            numbers = value if isinstance(value, tuple) else (value,)
            assert min(numbers) > 0 and list(numbers) == sorted(numbers), field.name
        elif field.name.endswith("_times"):
            assert value >= 1.0, field.name
        else:
            assert 0.0 < value < 1.0, field.name
    assert S.mending_s <= S.master_s <= S.longest_master_s


def test_every_field_is_explained_and_used() -> None:
    tree = ast.parse((ROOT / "system/schedule.py").read_text(encoding="utf-8"))
    body = next(node for node in tree.body if isinstance(node, ast.ClassDef)).body
    for field, text in pairwise(body):
        if isinstance(field, ast.AnnAssign):
            assert isinstance(text, ast.Expr), f"{ast.unparse(field)} is not explained"
    sources = [path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")]
    for name in {field.name for field in fields(Schedule)}:
        assert any(f"SCHEDULE.{name}" in source for source in sources), name


def test_nobody_else_takes_a_fixed_part_of_the_time() -> None:
    for path in (path for part in PARTS for path in (ROOT / part).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and as_written(node.func).endswith(".share"):
                assert not isinstance(node.args[0], ast.Constant), f"{path}: {ast.unparse(node)}"

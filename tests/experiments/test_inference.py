"""Failures of larger k: inferred where that of a smaller one implies them, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plancost.experiments.inference import inferred
from plancost.experiments.plan import Run
from plancost.experiments.records import Records, run_key
from support.studies import record, tiny_study

STUDY = tiny_study(("baseline", "10", "100", "1000", "all", "exact"), tasks=2)
RUNS = {run.row: run for run in STUDY.runs() if run.task == 1}


def inferred_rows(tmp_path: Path, run: Run, content: dict[str, Any]) -> list[str]:
    records = Records(tmp_path)
    records.save(run_key(run), content)
    return [row for row, other in RUNS.items() if inferred(other, records) is not None]


@pytest.mark.parametrize(
    "reason", ["planner out of time", "planner out of memory", "grounding out of time or memory"]
)
def test_a_listing_that_failed_fails_for_more_plans(reason: str, tmp_path: Path) -> None:
    assert inferred_rows(tmp_path, RUNS["100"], record(None, reason)) == ["1000", "all"]


@pytest.mark.parametrize(
    "content",
    [
        record(1),
        record(None, "planner gave up"),
        record(None, "planner failed"),
        record(None, "out of memory"),
        record(1, "solver out of time", alternatives_complete=False),
        record(1, "verification out of time"),
    ],
)
def test_other_endings_imply_nothing(content: dict[str, Any], tmp_path: Path) -> None:
    assert inferred_rows(tmp_path, RUNS["10"], content) == []


def test_the_same_milp_fails_again(tmp_path: Path) -> None:
    content = record(1, "solver out of time", alternatives_complete=True)
    assert inferred_rows(tmp_path, RUNS["1000"], content) == ["all"]


def test_other_tasks_imply_nothing(tmp_path: Path) -> None:
    other = replace(RUNS["10"], task=2)
    assert inferred_rows(tmp_path, other, record(None, "planner out of time")) == []


def test_an_inferred_record_names_the_run_that_it_rests_on(tmp_path: Path) -> None:
    records = Records(tmp_path)
    records.save(run_key(RUNS["10"]), record(None, "planner out of time"))
    first = inferred(RUNS["100"], records)
    assert first is not None
    assert records.load(run_key(RUNS["100"])) is None
    records.save(run_key(RUNS["100"]), first)
    records.remove(run_key(RUNS["10"]))
    second = inferred(RUNS["1000"], records)
    assert second is not None and second["inferred_from"] == "10"


def test_another_concept_needs_the_same_listing(tmp_path: Path) -> None:
    other = "scf" if STUDY.solution == "mcf" else "mcf"
    run = replace(RUNS["100"], study=replace(STUDY, solution=other))
    assert inferred_rows(tmp_path, run, record(None, "planner out of time")) == [
        *("100", "1000", "all"),
    ]
    found = inferred(RUNS["1000"], Records(tmp_path))
    assert found is not None and found["inferred_from"] == f"100 of {other}"


def test_another_concept_has_another_milp(tmp_path: Path) -> None:
    run = replace(RUNS["100"], study=replace(STUDY, solution="scf", refine=STUDY.refine))
    content = record(1, "solver out of time", alternatives_complete=True)
    assert STUDY.solution != "scf"
    assert inferred_rows(tmp_path, run, content) == []


def test_other_costs_have_other_listings(tmp_path: Path) -> None:
    run = replace(RUNS["100"], study=replace(STUDY, solution="scf", refine=not STUDY.refine))
    assert inferred_rows(tmp_path, run, record(None, "planner out of time")) == []

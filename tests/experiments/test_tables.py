"""Tables and figures say what the records say, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.cells import contradictions
from experiments.figures import write_figures
from experiments.page import beside
from experiments.paper import published
from experiments.records import Records, append
from experiments.tables import csv_table, latex_table, markdown_table, shade
from written_runs import GRID, RECORDS, STUDY, TRANSPORT, failed, record


@pytest.fixture
def records(tmp_path: Path) -> Records:
    path = tmp_path / "records.jsonl"
    for one in RECORDS:
        append(path, one)
    return Records([path])


def test_markdown(records: Records) -> None:
    assert markdown_table(STUDY, records).splitlines()[4:] == [
        "|  | grid, 10 plans | transport, 10 plans |",
        "| --- | --- | --- |",
        "| baseline | 0.30 ± 0.10 (2) |  |",
        "| k = 10 | 0.50 ± 0.00 (1) | – |",
        "| k = 100 |  | – |",
        "| exact | 0.85 ± 0.05 (2) | 0.50 ± 0.00 (1)\\* |",
        "",
        "Runs that failed:",
        "",
        "- grid, 10 plans, k = 10: 1 × planner out of time",
        "- transport, 10 plans, k = 10: 1 × planner out of time",
        "- transport, 10 plans, k = 100: 1 × planner out of time (implied by a smaller k)",
    ]


def test_csv(records: Records) -> None:
    assert csv_table(STUDY, records).splitlines() == [
        "domain,plans,row,mean,deviation,tasks,seconds,proved,reasons",
        "grid,10,baseline,0.3,0.1,2,1.5,0,",
        "grid,10,10,0.5,0,1,1.5,0,1 × planner out of time",
        "grid,10,exact,0.85,0.05,2,1.5,2,",
        "transport,10,10,,,0,,0,1 × planner out of time",
        "transport,10,100,,,0,,0,1 × planner out of time",
        "transport,10,exact,0.5,0,1,1.5,0,",
    ]


def test_latex(records: Records) -> None:
    lines = latex_table(STUDY, records).splitlines()
    assert lines[1] == r"\begin{tabular}{|c|c|c|}"
    assert lines[5] == r"baseline & \cellcolor{YellowGreen!35}$0.30 \pm 0.10$ (2) &  \\ \hline"
    assert r"\cellcolor{gray!70}" in lines[6]
    assert r"$0.50 \pm 0.00^{*}$ (1)" in lines[8]


def test_shades_are_those_of_the_paper() -> None:
    shades = {0.0: 7, 0.05: 7, 0.08: 15, 0.27: 35, 0.46: 55, 0.37: 45, 0.81: 85, 1.0: 100}
    assert {mean: shade(mean) for mean in shades} == shades


def test_beside_the_paper(records: Records) -> None:
    assert beside(STUDY, records).splitlines()[4:] == [
        "| grid, 10 | 30±10 (27±10) | 50 P (43±16) | ? (54±25) | 85±5 | 0.6 s |",
        "| transport, 10 | ? (10±7) | P (18±8) | p (16±10) | 50 ≤60 | – |",
    ]


def test_a_contradiction_is_found(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    for one in (
        *(record(GRID, 1, "10", 9), record(GRID, 1, "exact", 8, at_most=8)),
        *(record(GRID, 2, "10", 9), failed(GRID, 2, "exact", at_most=0)),
    ):
        append(path, one)
    (found,) = contradictions([STUDY], Records([path]))
    assert found.endswith("/10/1/10: 9 of 8")


def test_figure_2(records: Records, tmp_path: Path) -> None:
    svg, png = write_figures([STUDY], records, tmp_path / "figures")
    text = svg.read_text(encoding="utf-8")
    assert all(f">{pool.world.name}<" in text for pool in (GRID, TRANSPORT))
    assert png.stat().st_size > 1000


def test_the_papers_numbers() -> None:
    assert published("table2")["grid", 10, "all"] == "55±24"
    assert published("mcf")["grid", 1000, "1000"] == "37±5"
    assert published("scfc")["transport", 1000, "10"] == "42±47"
    assert published("scf")["barman", 100, "baseline"] == "-"
    assert [len(published(name)) for name in ("table2", "mcf", "scf", "mcfc", "scfc")] == [
        *(5, 60, 60, 60, 60),
    ]

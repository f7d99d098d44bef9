"""The text of small tables."""

from __future__ import annotations

import csv
import io

import pytest

from plancost.experiments.comparison import comparison
from plancost.experiments.paper import DOMAINS, SIZES, published
from plancost.experiments.statistics import Results
from plancost.experiments.tables import (
    csv_table,
    latex_table,
    latex_text,
    markdown_table,
    shade,
)
from plancost.files.escape import markdown_text
from support.studies import failed, solved, tiny_study

STUDY = tiny_study(("baseline", "10", "100", "all", "exact"), tasks=2, sizes=(10, 100))
OUTCOMES = {
    ("grid", 10, 1, "baseline"): solved(0.0),
    ("grid", 10, 2, "baseline"): solved(0.2),
    ("grid", 10, 1, "10"): solved(0.5),
    ("grid", 10, 2, "10"): solved(0.7),
    ("grid", 10, 1, "100"): failed("planner out of time"),
    ("grid", 10, 2, "100"): failed("solver out of time"),
    ("grid", 10, 1, "exact"): solved(1.0),
    ("grid", 10, 2, "exact"): solved(0.8, proved=False),
}
RESULTS = Results(STUDY, OUTCOMES)


def test_markdown() -> None:
    lines = markdown_table(RESULTS).splitlines()
    assert lines[4:] == [
        "|  | grid, 10 plans | grid, 100 plans |",
        "| --- | --- | --- |",
        "| baseline | ▁ 0.10 ± 0.10 (2) |  |",
        "| k = 10 | ▅ 0.60 ± 0.10 (2) |  |",
        "| k = 100 | – |  |",
        "| k = ∞ |  |  |",
        "| exact | █ 0.90 ± 0.10 (2)\\* |  |",
        "| baseline, all tasks | ▁ 0.10 ± 0.10 (2) |  |",
        "| exact, all tasks | █ 0.90 ± 0.10 (2)\\* |  |",
        "",
        "Runs that failed:",
        "",
        "- grid, 10 plans, k = 100: 1 × planner out of time, 1 × solver out of time (of 2)",
    ]


def test_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_table(RESULTS))))
    assert len(rows) == 7 * 2
    found = {(row["size"], row["row"]): row for row in rows}
    ten = found["10", "10"]
    assert (ten["mean"], ten["deviation"], ten["tasks"]) == ("0.6000", "0.1000", "2")
    grey = found["10", "100"]
    assert (grey["mean"], grey["tasks"], grey["failed"]) == ("", "0", "2")
    assert grey["reasons"] == "1 planner out of time; 1 solver out of time"


def test_latex() -> None:
    text = latex_table(RESULTS)
    assert text.splitlines() == [
        r"% \usepackage[dvipsnames,table]{xcolor}",
        r"\begin{tabular}{|c|c|c|}",
        r"\hline",
        r" & \multicolumn{2}{c|}{\textsc{grid}} \\ \hline",
        r" & $10$ plans & $100$ plans \\ \hline",
        r"\textsc{baseline} & \cellcolor{YellowGreen!15}$0.10 \pm 0.10$ (2) &  \\ \hline",
        r"$k = 10^1$ & \cellcolor{YellowGreen!65}$0.60 \pm 0.10$ (2) &  \\ \hline",
        r"$k = 10^2$ & \cellcolor{gray!70} &  \\ \hline",
        r"$k = \infty$ &  &  \\ \hline",
        r"exact & \cellcolor{YellowGreen!95}$0.90 \pm 0.10^{*}$ (2) &  \\ \hline",
        r"baseline, all tasks & \cellcolor{YellowGreen!15}$0.10 \pm 0.10$ (2) &  \\ \hline",
        r"exact, all tasks & \cellcolor{YellowGreen!95}$0.90 \pm 0.10^{*}$ (2) &  \\ \hline",
        r"\end{tabular}",
    ]
    assert text.count("{") == text.count("}")


@pytest.mark.parametrize(
    ("mean", "per_cent"),
    [(0.0, 7), (0.03, 7), (0.1, 15), (0.18, 25), (0.27, 35), (0.43, 45), (0.49, 55), (0.81, 85),
     (1.0, 100)],
)  # fmt: skip
def test_shades_of_the_paper(mean: float, per_cent: int) -> None:
    assert shade(mean) == per_cent


def test_names_are_escaped() -> None:
    assert markdown_text("a|b_c*") == "a\\|b\\_c\\*"
    assert latex_text("a_b%\\~") == r"a\_b\%\textbackslash{}\textasciitilde{}"


def test_numbers_of_the_paper() -> None:
    table_2, table_3 = published("table2"), published("mcf")
    assert {row: cell.mean for (_, _, row), cell in table_2.items()} == {
        "baseline": 0.05, "10": 0.07, "100": 0.53, "1000": 0.55, "all": 0.55
    }  # fmt: skip
    assert (table_3["grid", 10, "1000"].mean, table_3["grid", 10, "1000"].deviation) == (0.81, 0.12)
    assert table_3["barman", 100, "baseline"].deviation == 0.3
    assert table_3["transport", 1000, "1000"].mean is None
    assert published("scf")["barman", 100, "baseline"].mean is None
    assert published("scf")["transport", 1000, "1000"].mean == 0.0
    assert published("mcfc")["barman", 10, "10000"].mean == 1.0
    assert published("scfc")["transport", 1000, "10"].deviation == 0.47
    for name in ("mcf", "scf", "mcfc", "scfc"):
        assert len(published(name)) == 5 * len(DOMAINS) * len(SIZES)


def test_the_comparison_says_where_and_why() -> None:
    page = comparison([RESULTS], "small")
    assert "| grid | 10 | baseline | 0.27 ± 0.10 | 0.10 ± 0.10 (2) | within the two" in page
    assert (
        "| grid | 10 | k = 100 | 0.54 ± 0.25 | – | grey here: 1 × planner out of time, "
        "1 × solver out of time |" in page
    )
    assert "| grid | 100 | k = 10 | 0.26 ± 0.00 | no record |  |" in page
    assert "| grid | 10 | exact | not in the paper | 0.90 ± 0.10 (2)\\* |  |" in page
    assert "Checked task by task where exact is proven and some k was solved (1 tasks)" in page
    wrong = OUTCOMES | {("grid", 10, 1, "exact"): solved(0.4)}
    assert "task 1, row 10: 0.500, exact 0.400" in comparison([Results(STUDY, wrong)], "paper")


def test_rows_that_no_k_is_beside() -> None:
    """Where no k solved a task, baseline and exact are over all of their own."""
    outcomes = {("grid", 10, 1, "baseline"): solved(0.3), ("grid", 10, 1, "exact"): solved(0.5)}
    page = comparison([Results(STUDY, outcomes)], "small")
    over_all = "over all tasks, since no k solved one |"
    within = "within the two deviations added"
    assert f"| baseline | 0.27 ± 0.10 | 0.30 ± 0.00 (1) | {within}; {over_all}" in page
    assert f"| grid | 10 | exact | not in the paper | 0.50 ± 0.00 (1) | {over_all}" in page
    # Here one was solved, and the answers of other tasks do not take the place of what failed.
    outcomes["grid", 10, 2, "10"] = solved(0.2)
    page = comparison([Results(STUDY, outcomes)], "small")
    assert "| grid | 10 | exact | not in the paper | – |  |" in page


@pytest.mark.parametrize(("task", "says_it"), [(1, True), (2, False)])
def test_exact_is_a_bound_only_on_the_same_tasks(task: int, says_it: bool) -> None:
    outcomes = {
        ("grid", 10, 1, "1000"): solved(0.4),
        ("grid", 10, task, "exact"): solved(0.5),
    }
    study = tiny_study(("baseline", "1000", "exact"), tasks=2, sizes=(10,))
    page = comparison([Results(study, outcomes)], "small")
    assert ("no costs reach the paper's mean on our tasks (exact: 0.50)" in page) == says_it

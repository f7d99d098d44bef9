"""docs/results.md and its figures, from the packed records in benchmarks/records.

    python -m benchmarks.results                      # write the page
    python -m benchmarks.results pack NAME DIR        # take over the records of a reproduction

The words of the page are in results.template.md, every number in it comes from the records.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from benchmarks.packed import PackedRecords, pack
from benchmarks.page_parts import (
    authors_words,
    builds,
    count_words,
    factors,
    figure1_words,
    in_short,
    low_k,
    seconds_table,
    slower,
    span,
    uneven,
    worst_gap,
)
from plancost.experiments.agenda import Agenda
from plancost.experiments.comparison import comparison
from plancost.experiments.figure1 import ROUTES, figure1_key
from plancost.experiments.figures import draw_alignment
from plancost.experiments.overview import draw_overview
from plancost.experiments.paper import DOMAINS, SIZES, published
from plancost.experiments.plan import ALL, EXACT, Study, row_title, study_of
from plancost.experiments.records import Content, run_key
from plancost.experiments.statistics import Results, mean_and_deviation
from plancost.experiments.tables import markdown_table

HERE = Path(__file__).parent
RECORDS = HERE / "records"
TEMPLATE = HERE / "results.template.md"
DOCS = HERE.parent / "docs"

LOAD = (
    "Runs by commits 3037fbc and 1abca1d had a core to themselves. During those by e147d24 (some "
    "rows of LACFIP^k) and 8608e4c (baselines of barman) other programs ran on the same core: "
    "identical listings took up to three times as long, so some that failed might not have. Table "
    "2: with other programs on the same cores. The authors' tasks and the exact rows by 71212fe: "
    "at times with other programs on the same core."
)
STUDIES = {
    "table2": study_of("table2", "paper"),
    "mcf": study_of("table3", "small"),
    "scf": study_of("scf", "small"),
    "mcfc": study_of("mcfc", "small"),
    "scfc": study_of("scfc", "small"),
}


def packed() -> PackedRecords:
    """All records in the repository."""
    return PackedRecords(sorted(RECORDS.glob("*.jsonl")))


def page(records: PackedRecords) -> str:
    """The whole page."""
    mcf, small = STUDIES["mcf"], [STUDIES[name] for name in ("mcf", "scf", "mcfc", "scfc")]
    parts = {
        "grey": grey_cells(mcf, records),
        "seconds": seconds_table(mcf, STUDIES["table2"], records),
        "builds": builds(small, records),
        "cells": _cells(small, records),
        "exact cells": _exact_cells(small, records),
        "uneven": uneven(small, records),
        "slower": slower(small, records),
        "low k": low_k(Results.load(mcf, records)),
        "load": LOAD,
        "in short": in_short(small, STUDIES["table2"], records),
        "figure1": figure1_words(records),
        "exact seconds": span(STUDIES["table2"], records, EXACT),
        "all seconds": span(STUDIES["table2"], records, ALL),
        "factors": factors(mcf, records, "1.1"),
        "gaps": worst_gap(Results.load(mcf, records), records),
    }
    for name, study in STUDIES.items():
        results = Results.load(study, records)
        parts[f"table {name}"] = _table(results)
        parts[f"paper {name}"] = _beside(results)
        parts[f"exact {name}"] = exact_table(study, records)
        parts[f"figure {name}"] = (
            f"![Optimal plans and seconds over k](pictures/overview-{name}.svg)"
            if results.outcomes
            else "No figure yet."
        )
        parts[f"missing {name}"] = _missing(study, records)
    text = TEMPLATE.read_text(encoding="utf-8")
    for name, content in parts.items():
        text = text.replace("{{" + name + "}}", content)
    return text


def exact_table(study: Study, records: PackedRecords) -> str:
    """What the exact learner did, cell by cell."""
    has_theirs = study.name != "table2"  # there are no tasks of the authors on small grids
    lines = [
        "| domain, plans | optimal, task by task | proven | seconds of the first objective "
        "| both proven |" + (" optimal on the authors' tasks | proven |" if has_theirs else ""),
        "|---|---|---|---|---|" + ("---|---|" if has_theirs else ""),
    ]
    for domain, size in Results(study, {}).columns:
        runs = _exact_runs(study, records, domain, size)
        if runs:
            theirs = f" {authors_words(study, domain, size, records)} |" if has_theirs else ""
            lines.append(f"| {domain}, {size} | {_exact_words(runs)} |{theirs}")
    return "\n".join(lines)


def grey_cells(study: Study, records: PackedRecords) -> str:
    """For each column that is grey in the paper from k = 1000 on, what exact does."""
    theirs = published(study.name)
    lines = [
        "| grey in the paper | ratio by exact | optimal, task by task | proven "
        "| seconds of the first objective | both proven |",
        "|---|---|---|---|---|---|",
    ]
    for domain in DOMAINS:
        for size in SIZES:
            grey = [k for k in ("1000", "10000") if theirs[domain, size, k].mean is None]
            if not grey:
                continue
            where = f"{domain}, {size} plans, k = {' and '.join(grey)}"
            runs = _exact_runs(study, records, domain, size)
            if not runs:
                lines.append(f"| {where} | not run | | | | |")
                continue
            ratios = [run["optimal_plans"] / run["plans"] for run in runs if run.get("plans")]
            mean, deviation = mean_and_deviation(ratios)
            lines.append(f"| {where} | {mean:.2f} ± {deviation:.2f} | {_exact_words(runs)} |")
    return "\n".join(lines)


def _exact_runs(study: Study, records: PackedRecords, domain: str, size: int) -> list[Content]:
    found = [
        records.load(run_key(run))
        for run in study.runs()
        if run.place[:2] == (domain, size) and run.row == EXACT
    ]
    return [content for content in found if content is not None]


def _exact_words(runs: list[Content]) -> str:
    answered = [run for run in runs if run.get("plans")]
    counts = ", ".join(map(count_words, answered))
    seconds = [run["stages"].get("first objective", 0.0) for run in answered]
    both = sum(run["proved"] and run["secondary"]["proved"] for run in answered)
    proven = sum(run["proved"] for run in answered)
    span = f"{min(seconds):.1f} to {max(seconds):.1f}, median {statistics.median(seconds):.1f}"
    return f"{counts} | {proven} of {len(runs)} | {span} | {both} of {len(runs)}"


def _table(results: Results) -> str:
    """The table without its heading and the words on how to read it."""
    return markdown_table(results).split("\n\n", maxsplit=2)[2].strip()


def _beside(results: Results) -> str:
    """The part of the comparison page between its heading and our own table."""
    whole = comparison([results], "paper")
    return whole.partition("## ")[2].partition("\n\n")[2].partition("All cells of ours:")[0].strip()


def _missing(study: Study, records: PackedRecords) -> str:
    """Which runs of a study were not done, or are not known to be wanted yet."""
    todo: dict[tuple[str, int], dict[str, list[int]]] = {}
    for run in Agenda(study, records).without_record():
        todo.setdefault(run.place[:2], {}).setdefault(run.row, []).append(run.task)
    if not todo:
        return "All runs were done."
    words = (
        f"{domain} with {size} plans ({', '.join(_runs_words(*item) for item in rows.items())})"
        for (domain, size), rows in todo.items()
    )
    return f"Not run: {'; '.join(words)}."


def _runs_words(row: str, tasks: list[int]) -> str:
    number = "task" if len(tasks) == 1 else "tasks"
    return f"{row_title(row)}: {number} {' and '.join(map(str, tasks))}"


def _cells(studies: list[Study], records: PackedRecords) -> str:
    """How many cells of the paper's tables have a record."""
    cells = {(study.name, *cell) for study in studies for cell in published(study.name)}
    filled = {
        (study.name, run.pool.domain, run.size, run.row)
        for study in studies
        for run in study.runs()
        if records.load(run_key(run)) is not None
    }
    return f"{len(cells & filled)} of the {len(cells)} cells"


def _exact_cells(studies: list[Study], records: PackedRecords) -> str:
    """How many cells of the exact learner have a record."""
    cells = [(study, place) for study in studies for place in Results(study, {}).columns]
    filled = sum(bool(_exact_runs(study, records, *place)) for study, place in cells)
    return f"{filled} of the {len(cells)} cells"


def draw(records: PackedRecords, folder: Path) -> None:
    """The figures of the page."""
    for name in ("table2", "mcf", "scf", "mcfc", "scfc"):
        results = Results.load(STUDIES[name], records)
        if results.outcomes:
            draw_overview(results, folder / f"overview-{name}")
            (folder / f"overview-{name}.png").unlink()
    contents = {side: records.load(figure1_key(side)) for side in ROUTES}
    sides = {side: content for side, content in contents.items() if content is not None}
    if len(sides) == len(ROUTES):
        draw_alignment(sides, folder / "figure1")
        (folder / "figure1.png").unlink()


def main(arguments: list[str]) -> None:
    """Pack records, or write the page."""
    if arguments[:1] == ["pack"]:
        name, folder = arguments[1:]
        RECORDS.mkdir(exist_ok=True)
        print(f"{pack(Path(folder) / 'records', RECORDS / f'{name}.jsonl')} runs packed")
        return
    records = packed()
    draw(records, DOCS / "pictures")
    (DOCS / "results.md").write_text(page(records), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Parts of docs/results.md that set the paper's words beside our records."""

from __future__ import annotations

from collections import Counter

from benchmarks.packed import PackedRecords
from benchmarks.paper_tasks import POOL, authors_answers
from plancost.experiments.figure1 import ROUTES, figure1_key
from plancost.experiments.paper import published
from plancost.experiments.plan import ALL, BASELINE, EXACT, Study, is_lacfip, row_title
from plancost.experiments.records import Content, run_key
from plancost.experiments.statistics import Results

_NONE = "no record"
EARLIER = "earlier"
"""What stands for the commits before those that records name."""


def seconds_table(mcf: Study, table2: Study, records: PackedRecords) -> str:
    """What the paper says of its seconds, and ours."""
    return "\n".join(
        [
            "| the paper | ours |",
            "|---|---|",
            f"| BASELINE takes less than 10 s in all cases | {span(mcf, records, BASELINE)} |",
            "| grid, 10 plans: all but two runs of LACFIP^k end in time | "
            f"{_ended(_of(mcf, records, 'grid', 10))} |",
            f"| grid, 100 plans: 12 runs do not | {_ended(_of(mcf, records, 'grid', 100))} |",
            "| for small k, most of the time is the MILP's | "
            f"{_shares(mcf, records, ('10', '100'))} |",
            "| from k = 1000 on, most of it is SymK's | "
            f"{_shares(mcf, records, ('1000', '10000'))} |",
            "| 5×5 grid: to list all plans of one problem takes several hundred seconds | "
            f"{_listing(table2, records)} |",
        ]
    )


def _of(
    study: Study,
    records: PackedRecords,
    domain: str | None = None,
    size: int | None = None,
    rows: tuple[str, ...] | None = None,
) -> list[Content]:
    """The records of some runs; by default of all rows of k."""
    found = [
        records.load(run_key(run))
        for run in study.runs()
        if domain in (None, run.pool.domain)
        and size in (None, run.size)
        and (is_lacfip(run.row) if rows is None else run.row in rows)
    ]
    return [content for content in found if content is not None]


def span(study: Study, records: PackedRecords, row: str) -> str:
    """The least and most seconds of a row, without the check of the answer."""
    seconds = [run["seconds"]["total"] for run in _of(study, records, rows=(row,))]
    return f"{min(seconds):.1f} to {max(seconds):.1f} s" if seconds else _NONE


def _ended(runs: list[Content]) -> str:
    if not runs:
        return _NONE
    solved = sum(run["status"] == "solved" for run in runs)
    implied = sum("inferred_from" in run for run in runs)
    words = f" ({implied} of the others inferred)" if implied else ""
    return f"{solved} of {len(runs)} runs end in time{words}"


def _shares(study: Study, records: PackedRecords, rows: tuple[str, ...]) -> str:
    """Which part of the seconds of solved runs the planner and the MILPs take."""
    parts = []
    for row in rows:
        runs = [run for run in _of(study, records, rows=(row,)) if run["status"] == "solved"]
        if runs:
            whole = sum(run["seconds"]["total"] for run in runs)
            shares = (
                f"{name} {100 * sum(run['seconds'][key] for run in runs) / whole:.0f} %"
                for name, key in (("SymK", "planner"), ("MILPs", "milp"))
            )
            parts.append(f"{row_title(row)}: {', '.join(shares)} ({len(runs)} solved runs)")
        else:
            parts.append(f"{row_title(row)}: no run was solved")
    return "; ".join(parts)


def _listing(study: Study, records: PackedRecords) -> str:
    runs = _of(study, records, rows=(ALL,))
    seconds = [run["seconds"]["planner"] for run in runs]
    if not seconds:
        return _NONE
    return f"{min(seconds):.0f} to {max(seconds):.0f} s for the ten problems of a task"


def builds(studies: list[Study], records: PackedRecords) -> str:
    """By which commits the runs of the page were done: exact ones, others, the authors' tasks."""
    ours = [
        (run.row == EXACT, content)
        for study in studies
        for run in study.runs()
        if (content := records.load(run_key(run))) is not None
    ]
    kinds = {
        "exact rows": [content for is_exact, content in ours if is_exact],
        "all other rows": [content for is_exact, content in ours if not is_exact],
        "the authors' tasks": [c for c in records.contents if c["key"].get("pool") == POOL],
    }
    return "; ".join(f"{title}: {_by_commit(found)}" for title, found in kinds.items())


def _by_commit(contents: list[Content]) -> str:
    """How many records there are of each commit."""
    found = (content.get("build", EARLIER) for content in contents)
    count = Counter("earlier commits" if b == EARLIER else f"commit {b}" for b in found)
    return ", ".join(f"{number} by {build}" for build, number in sorted(count.items())) or "none"


def in_short(small: list[Study], table2: Study, records: PackedRecords) -> str:
    """What the page shows, in a few sentences."""
    exact = [run for study in small for run in _of(study, records, rows=(EXACT,))]
    checked = [run for run in exact if run["status"] == "solved"]
    proven = sum(run["proved"] for run in checked)
    rows = [run for study in small for run in _of(study, records)]
    solved = [run for run in rows if run["status"] == "solved"]
    first, solved_first = (sum(run["key"]["task"] == 1 for run in runs) for runs in (rows, solved))
    inferred = sum("inferred_from" in run for run in rows)
    return (
        "On the paper's small grids the exact learner makes as many plans optimal as k = ∞ in each "
        f"task, in {span(table2, records, EXACT)} instead of {span(table2, records, ALL)}. In the "
        f"larger experiments it has a checked answer in {len(checked)} of {len(exact)} runs and "
        f"proved in {proven} of them that no costs make more plans optimal. Within the same 300 s "
        f"LACFIP^k solved the first task in {solved_first} of {first} cells. Of all its "
        f"{len(rows)} runs it solved {len(solved)}, {len(rows) - len(solved) - inferred} failed, "
        "and "
        f"{inferred} were not run because a listing had failed that they need. (Further tasks are "
        "only run where the first was solved.)"
    )


def uneven(studies: list[Study], records: PackedRecords) -> str:
    """In which cells exact has other tasks than the rows of k, if in any."""
    found = 0
    for study in studies:
        results = Results.load(study, records)
        for place in results.columns:
            wanted = set(results.counted_tasks(*place))
            found += not wanted <= set(results.by_task(*place, EXACT))
    if not found:
        return ""
    return (
        f"In {found} columns the exact row lacks a task that some k solved; the rows of such a "
        "column are not over the same tasks. "
    )


def slower(studies: list[Study], records: PackedRecords) -> str:
    """In how many cells the paper has a number and all our runs failed."""
    cells, total = Counter[str](), 0
    for study in studies:
        results = Results.load(study, records)
        for (domain, size, row), theirs in published(study.name).items():
            total += is_lacfip(row)
            ours = results.cell(domain, size, row)
            if is_lacfip(row) and theirs.mean is not None and ours.runs and ours.mean is None:
                cells[domain] += 1
    words = ", ".join(f"{number} of {domain}" for domain, number in cells.items())
    return (
        f"In {cells.total()} of the {total} cells of LACFIP^k in all four tables the paper has a "
        f"number within 1800 s where no run here ended within 300 s ({words}); for these it is not "
        "known whether LACFIP^k is slower here."
    )


def low_k(results: Results) -> str:
    """How the smallest k compares with all costs 1, cell by cell."""
    below = total = 0
    worst = None
    for place in results.columns:
        ten, first = results.cell(*place, "10"), results.cell(*place, BASELINE)
        if ten.mean is None or first.mean is None:
            continue
        total += 1
        below += ten.mean < first.mean
        if worst is None or ten.mean - first.mean < worst[0]:
            worst = ten.mean - first.mean, place, ten.mean, first.mean
    if worst is None:
        return _NONE
    _, (domain, size), own, baseline = worst
    return (
        "Table 3 above: k = 10 makes fewer plans optimal than all costs 1 in "
        f"{below} of {total} columns ({domain} with {size} plans: {own:.2f} against {baseline:.2f})"
    )


def count_words(run: Content, *, of_all: bool = False) -> str:
    """How many plans are optimal, and what is not proven or not checked of it."""
    bound = "" if run["proved"] else f"at most {run['upper_bound']}"
    check = "" if run["status"] == "solved" else "not all checked"
    notes = ", ".join(filter(None, (check, bound)))
    count = f"{run['optimal_plans']}" + (f" of {run['plans']}" if of_all else "")
    return count + (f" ({notes})" if notes else "")


def authors_words(study: Study, domain: str, size: int, records: PackedRecords) -> str:
    """Two columns of a table: optimal plans on the authors' tasks, and how many are proven."""
    runs = authors_answers(study, domain, size, records)
    counts = ", ".join(count_words(run, of_all=True) for run in runs if run.get("plans"))
    proven = sum(run.get("proved", False) for run in runs)
    return f"{counts} | {proven} of {len(runs)}" if runs else "– | –"


def factors(study: Study, records: PackedRecords, factor: str) -> str:
    """How many plans of the authors' small grid tasks are within a factor of optimal."""
    plain = authors_answers(study, "grid", 10, records)
    wider = authors_answers(study, "grid", 10, records, factor)
    if not wider:
        return "not measured yet"
    words = " ".join(
        f"{sum(run['optimal_plans'] for run in runs)} of {sum(run['plans'] for run in runs)}"
        f" plans {name}{'' if all(run['proved'] for run in runs) else ' (not proven)'},"
        for runs, name in ((plain[: len(wider)], "optimal"), (wider, f"within {factor} of optimal"))
    )
    return f"{words[:-1]} on {len(wider)} of the authors' grid tasks"


def worst_gap(results: Results, records: PackedRecords) -> str:
    """How far from its bound exact is at 1000 plans, over the domains where it is measured."""
    gaps = []
    for domain in dict.fromkeys(domain for domain, size in results.columns if size == 1000):
        runs = _of(results.study, records, domain, 1000, rows=("exact",))
        answered = [run for run in runs if run.get("plans")]
        if answered:
            optimal = sum(run["optimal_plans"] for run in answered)
            bound = sum(run["upper_bound"] for run in answered)
            gaps.append(f"{domain} {optimal} of at most {bound}")
    tasks = "tasks of 1000 plans, added up: "
    return tasks + "; ".join(gaps) if gaps else _NONE


def figure1_words(records: PackedRecords) -> str:
    """What is determined in the two tasks of Figure 1."""
    lines = [
        "| task | actions | cost more than 1 in the answer | can cost more than 1 "
        "| cost is determined | proven |",
        "|---|---|---|---|---|---|",
    ]
    for side in ROUTES:
        content = records.load(figure1_key(side))
        if content is None or "ranges" not in content:
            return "There are no records of Figure 1 with ranges yet."
        ranges = content["ranges"].values()
        free = sum(least < greatest for least, greatest in ranges)
        proven = "yes" if content["ranges_proved"] and content["proved"] else "no"
        lines.append(
            f"| {side} | {content['actions']} | {len(content['costs'])} | {len(ranges)} "
            f"| {content['actions'] - free} | {proven} |"
        )
    return "\n".join(lines)

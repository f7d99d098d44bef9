"""The page that sets the paper's numbers beside ours, cell by cell, and says why they differ."""

from __future__ import annotations

from collections.abc import Sequence

from plancost.experiments.paper import LIMIT_MB, LIMIT_S, TITLES, Published, published
from plancost.experiments.plan import EXACT, OVER_ALL, is_lacfip, row_title
from plancost.experiments.statistics import Cell, Results
from plancost.experiments.tables import (
    CAPTIONS,
    cell_text,
    failures_text,
    markdown_table,
)
from plancost.files.escape import markdown_text
from plancost.files.tables import markdown_row

_CAUSES = """Reasons why numbers can differ. Which of them it is in a cell is known only where
a failure of ours is named; "not explained" is what remains (tasks differ in any case):

- **Other tasks.** The paper does not publish its draws. Ours come from our own generators, with
  the same numbers of problems and plans at the scale `paper`; it gives the sizes of grid and
  barman only.
- **What counts as solved.** Here a run of LACFIP^k that ends before both its MILPs are solved has
  failed. The paper does not say; rows that do not change with k (grid with 1000 plans, barman)
  suggest that answers of a solver that was stopped are counted there.
- **Who counts.** Cells are over the tasks that some row of LACFIP^k solved (baseline and exact over
  all tasks, if there are none). The paper does not say
  how many those are; a deviation of 0.00 may mean a single task.
- **Solver and machine.** HiGHS in place of CBC; other processors; the limit on memory is one on
  address space.
- **The algorithm.** Observed plans of one problem count as alternatives of each other here, and
  the cap on costs grows until no cost reaches it.
"""


def comparison(studies: Sequence[Results], scale: str) -> str:
    """The whole page, as Markdown."""
    parts = [
        "# The paper's numbers and ours\n",
        f"Scale `{scale}`, read from the records in `records`. "
        "Ratio of plans turned optimal: mean ± population deviation (tasks).\n",
        _CAUSES,
    ]
    if scale != "paper":
        parts.append(
            f"**At the scale `{scale}` worlds, pools or numbers of tasks are smaller than in the "
            "paper**, so only the pattern can be compared, and only where a size or k is in both.\n"
        )
    return "\n".join([*parts, *map(_section, studies)])


def _section(results: Results) -> str:
    study = results.study
    theirs = published(study.name)
    lines = [
        f"## {markdown_text(CAPTIONS[study.name])}",
        "",
        f"Limits here: {study.bounds.time_s:g} s, {study.bounds.memory_mb} MB; in the paper: "
        f"{LIMIT_S} s, {LIMIT_MB} MB. Published in {TITLES[study.name]}.",
        "",
        "| domain | plans | row | paper | ours | where and why they differ |",
        "|---|---|---|---|---|---|",
    ]
    for domain, size in results.columns:
        for row in study.rows:
            ours, over_all = _ours(results, domain, size, row)
            shared = results.comparable(domain, size, row)
            best = results.cell(domain, size, EXACT) if shared else None
            paper = theirs.get((domain, size, row))
            ours_text = markdown_text(cell_text(ours, row)) or "no record"
            why = markdown_text(_why(row, paper, ours, best))
            if over_all:
                why = f"{why}; over all tasks, since no k solved one".removeprefix("; ")
            place = (markdown_text(domain), str(size), row_title(row))
            lines.append(markdown_row([*place, _paper_text(paper), ours_text, why]))
    table = markdown_table(results).partition("\n\n")[2]
    return "\n".join([*lines, "", *_checks(results), "", "All cells of ours:", "", table])


def _ours(results: Results, domain: str, size: int, row: str) -> tuple[Cell, bool]:
    """A cell of ours, and whether it is over all tasks: where no k solved any, if it can be."""
    whole = next((name for name, part in OVER_ALL.items() if part == row), row)
    if whole == row or results.counted_tasks(domain, size):
        return results.cell(domain, size, row), False
    cell = results.cell(domain, size, whole)
    return cell, cell.mean is not None


def _checks(results: Results) -> list[str]:
    """Whether the rows of each task fit together."""
    wrong = results.contradictions()
    if wrong:
        return [
            "**Contradictions with the proven optimum:**",
            "",
            *(f"- {markdown_text(line)}" for line in wrong),
        ]
    shared = results.tasks_with_proof()
    return [
        f"Checked task by task where exact is proven and some k was solved ({shared} tasks): no "
        "row has more optimal plans, and k = ∞, where it is a row and was solved, has as many. A "
        "mean can still be above that of exact where a row solved only the easier tasks."
    ]


def _paper_text(paper: Published | None) -> str:
    if paper is None:
        return "not in the paper"
    return "grey" if paper.mean is None else f"{paper.mean:.2f} ± {paper.deviation:.2f}"


def _why(row: str, paper: Published | None, ours: Cell, best: Cell | None) -> str:
    """Where one cell differs, and the reason as far as the records tell it."""
    if ours.runs == 0 or paper is None:
        return ""
    failures = failures_text(ours)
    if ours.mean is None or ours.deviation is None:
        where = "grey in both; here" if paper.mean is None else "grey here"
        return f"{where}: {failures or 'no row of LACFIP^k solved a task'}"
    if paper.mean is None or paper.deviation is None:
        if not is_lacfip(row):
            return "grey in the paper: there no k was solved"
        return f"the paper's runs failed, of ours {ours.tasks} did not"
    difference = ours.mean - paper.mean
    if abs(difference) <= paper.deviation + ours.deviation + 0.005:
        return "within the two deviations added" + (f"; here {failures}" if failures else "")
    words = f"{abs(difference):.2f} {'higher' if difference > 0 else 'lower'}: "
    if best and best.mean is not None and best.unproved == 0 and paper.mean > best.mean:
        words += f"no costs reach the paper's mean on our tasks (exact: {best.mean:.2f})"
    elif failures:
        words += f"not explained; here {failures}"
    elif difference > 0 and is_lacfip(row):
        words += "not explained; the paper may count answers of a solver that was stopped"
    else:
        words += "not explained"
    return words

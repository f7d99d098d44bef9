"""docs/results.md: every cell of the paper's tables beside ours, from the records that are kept.

Ratios are in per cent, ours first, the paper's in brackets.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from pathlib import Path

from experiments.cells import Cell, cell, columns, contradictions
from experiments.figures import write_figures
from experiments.kept import STUDIES, kept
from experiments.paper import GREY, published
from experiments.records import PLANNER_OUT_OF_TIME, Record, Records
from experiments.studies import BASELINE, EXACT, Study
from experiments.tables import CAPTIONS, row_title
from plancost.files import write_atomically

_HERE = Path(__file__).parent
_DOCS = _HERE.parent / "docs"
_TEMPLATE = _HERE / "data" / "results.template.md"
_LETTERS = {
    PLANNER_OUT_OF_TIME: "P",
    "solver out of time": "S",
    "not verified in time": "V",
    "out of memory": "M",
    "out of time": "T",
}
_OTHER_FAILURE = "F"


def write_page() -> None:
    """Write the page and its figures."""
    records = kept()
    write_atomically(_DOCS / "results.md", page(records))
    mcf = [study for study in STUDIES if study.name == "mcf"]
    for path in write_figures(mcf, records, _DOCS / "pictures"):
        if path.suffix == ".png":
            path.unlink()


def page(records: Records) -> str:
    """The whole page."""
    text = _TEMPLATE.read_text(encoding="utf-8")
    for study in STUDIES:
        text = text.replace(f"{{{study.name}}}", beside(study, records))
    return text.replace("{summary}", _summary(records))


def beside(study: Study, records: Records) -> str:
    """A table: one line for each domain and size, one column for each row of the paper's."""
    heads = ["plans", *map(row_title, study.rows), "proven after"]
    lines = [f"### {CAPTIONS[study.name]}", "", _line(heads), _line(["---"] * len(heads))]
    for pool, plans in columns(study):
        words = [f"{pool.world.name}, {plans}"]
        for row in study.rows:
            found = cell(study, (pool, plans), row, records)
            words.append(_exact(found) if row == EXACT else _other(study, found, row, words[0]))
        words.append(_proven_after(cell(study, (pool, plans), EXACT, records)))
        lines.append(_line(words))
    return "\n".join(lines)


def _other(study: Study, found: Cell, row: str, place: str) -> str:
    domain, plans = place.split(", ")
    theirs = published(study.name).get((domain, int(plans), row), "")
    shown = "–" if theirs == GREY else theirs
    return f"{_ours(found) or '?'} ({shown})"


def _ours(found: Cell) -> str:
    """Mean and deviation, or letters that say why runs failed."""
    letters = [_letter(record) for record in found.records if record.reason]
    if found.mean is None or found.deviation is None:
        return letters[0] if letters else ""
    text = _percent(found.mean)
    if len(found.solved) > 1:
        text += f"±{_percent(found.deviation)}"
    return text + "".join(f" {letter}" for letter in letters)


def _exact(found: Cell) -> str:
    text = _ours(found) or "not run"
    if found.solved and not found.is_proved:
        most = statistics.fmean(record.at_most / record.plans for record in found.solved)
        text += f" ≤{100 * most:.1f}".removesuffix(".0")
    return text


def _proven_after(found: Cell) -> str:
    """The median of the seconds until the number of optimal plans was proven."""
    seconds = [r.first_s for r in found.solved if r.is_proved and r.first_s is not None]
    return f"{statistics.median(seconds):.1f} s" if seconds else "–"


def _letter(record: Record) -> str:
    letter = _LETTERS.get(record.reason or "", _OTHER_FAILURE)
    return letter.lower() if record.implied_by else letter


def _percent(ratio: float) -> str:
    return f"{100 * ratio:.0f}"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _summary(records: Records) -> str:
    """What all runs say together."""
    runs = (run for study in STUDIES for run in study.runs())
    found = [record for run in runs if (record := records.get(run.key)) is not None]
    exact = [record for record in found if record.row == EXACT]
    baseline = [record for record in found if record.row == BASELINE]
    others = [record for record in found if record.row not in (EXACT, BASELINE)]
    solved = [record for record in others if record.reason is None]
    implied = sum(record.implied_by is not None for record in others)
    proved = sum(record.reason is None and record.is_proved for record in exact)
    wrong = contradictions(STUDIES, records)
    return (
        f"Exact proved in {proved} of {len(exact)} runs that no costs make more plans optimal. "
        f"Of {len(others)} runs of LACFIP^k {len(solved)} solved their task, "
        f"{len(others) - len(solved) - implied} failed, and {implied} were not done because SymK "
        f"had not even listed fewer plans. {len(baseline)} runs are baselines. "
        f"Runs above a proven bound: {len(wrong)}."
    )

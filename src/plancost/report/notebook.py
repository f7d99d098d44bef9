"""Results, cases and evaluations as pieces of HTML, for notebooks.

A piece needs nothing else: no script, no network. Names come from files of the user and are never
trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch

from plancost.errors import PlancostError
from plancost.evaluation.evaluate import Evaluation
from plancost.evaluation.tables import differences_table
from plancost.files.escape import html_text
from plancost.observations.case import Case
from plancost.observations.files import name_within
from plancost.pictures.maps import find_map, scene_of
from plancost.pictures.svg import stylesheet, svg
from plancost.report.sections import opening, proof
from plancost.results.result import ObservationResult, Result
from plancost.results.wording import verdict

_MOST_ROWS = 20
_ONE = 1
"""What every action costs on the map of a case, whose costs are not known."""


@singledispatch
def html_of(value: object) -> str:
    """A value as a piece of HTML."""
    raise TypeError(f"{type(value).__name__} is not shown in notebooks")


@html_of.register
def _result(result: Result) -> str:
    parts = [f"<h4>{html_text(opening(result))}</h4>", proof(result, list(result.notes))]
    if result.case is not None:
        parts.append(_map(result.case, result.costs))
    return _piece([*parts, _table(_PLAN_COLUMNS, map(_plan_row, result.observations))])


@html_of.register
def _case(case: Case) -> str:
    name = case.root.resolve().name
    said = (
        f"{name}: {case.plan_count} observed plans of {len(case.tasks)} tasks, "
        f"{len(case.actions)} actions"
    )
    notes = "".join(f"<li>{html_text(words)}</li>" for words in case.remarks)
    rows = [
        (
            name_within(case.root, item.plan_file),
            name_within(case.root, item.problem_file),
            item.count,
            len(item.plan),
        )
        for item in case.observations
    ]
    return _piece(
        [
            f"<h4>{html_text(said)}</h4>",
            f"<ul>{notes}</ul>" if notes else "",
            _map(case, dict.fromkeys(case.actions, _ONE)),
            _table(("plan", "problem", "count", "steps"), rows),
        ]
    )


@html_of.register
def _evaluation(evaluation: Evaluation) -> str:
    plans, tasks = evaluation.case.plan_count, len(evaluation.case.tasks)
    said = f"Held-out plans: {plans} plans of {tasks} tasks, {evaluation.options.split_by} held out"
    columns = ("method", "measured", "optimal", "mean regret", "overlap", "seconds", "")
    rows = [
        (
            item.method.value,
            item.plans,
            _share(item.optimal_share),
            _number(item.regret_mean),
            _number(item.overlap_mean),
            f"{item.seconds:.1f}",
            item.reason or (f"{item.unknown} not measured" if item.unknown else ""),
        )
        for item in evaluation.summaries
    ]
    pieces = [f"<h4>{html_text(said)}</h4>", _table(columns, rows)]
    differences = differences_table(evaluation)
    if differences is not None:
        pieces.append(_table(differences.headings, differences.rows))
    return _piece(pieces)


_PLAN_COLUMNS = ("plan", "problem", "count", "cost", "cheapest", "optimal")


def _plan_row(item: ObservationResult) -> tuple[object, ...]:
    cheapest = "?" if item.optimal_cost is None else item.optimal_cost
    return item.plan, item.problem, item.count, item.cost, cheapest, verdict(item)


def _map(case: Case, costs: dict[str, int]) -> str:
    """The map, if there is one; a notebook does without rather than fail."""
    try:
        found = find_map(case)
        if found is None:
            return ""
        picture = svg(scene_of(found, case, costs), alone=False)
    except PlancostError:
        return ""
    return (
        f"<style>{stylesheet()}</style>"
        f'<figure class="plancost-map" style="max-width:40em;margin:0">{picture}</figure>'
    )


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    listed = list(rows)
    head = "".join(f"<th>{html_text(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html_text(str(cell))}</td>" for cell in row) + "</tr>"
        for row in listed[:_MOST_ROWS]
    )
    more = len(listed) - _MOST_ROWS
    rest = f"<p>... and {more} more</p>" if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


def _piece(parts: Iterable[str]) -> str:
    return f'<div class="plancost">{"".join(parts)}</div>'


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"

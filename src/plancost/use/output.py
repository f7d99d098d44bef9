"""Predictions, comparisons and watched streams as short texts, and as files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from plancost.case.model import Case, Network
from plancost.errors import InputError
from plancost.files import check_place, make_folder, write_atomically, write_table
from plancost.result.tables import aligned
from plancost.use.evaluate import Evaluation
from plancost.use.monitor import Watch
from plancost.use.predict import SCORES, PredictedPlan, Prediction, Scores
from plancost.values import escaped

_MOST = 20
_WIDEST = 70
_TEXTS = ("", "method", "task", "group", "time", "plan", "with", "in")
_SCORES = tuple(name.replace("_", "-") for name in SCORES)
_UNLIKELY = 0.05
_SMALL = 0.001
_OF_STREETS = ("rank", "cost", "probability", "links")
_OF_PDDL = ("problem", "group", "rank", "cost", "probability", "plan")
_OF_METHODS = ("method", "than", "score", "value", "low", "high")
_INDEX = "predictions.csv"


def prediction_lines(found: Prediction) -> list[str]:
    """Plans, and how good they are."""
    rows = [("task", "group", "rank", "cost", "probability", "hits", "plan")]
    for p in found.plans[:_MOST]:
        text = " ".join(p.actions)
        text = text if len(text) <= _WIDEST else f"{text[:_WIDEST]} ..."
        chances = _number(p.probability), _number(p.hits)
        rows.append((p.task, p.group, f"{p.rank}", f"{p.cost}", *chances, text))
    lines = _table(rows)
    if len(found.plans) > _MOST:
        lines.append(f"and {len(found.plans) - _MOST} more")
    if found.scores is not None:
        lines += ["", f"{found.scores.plans} observed plans were predicted with"]
        lines += _table([_SCORES, _numbers(found.scores)])
    return [*lines, *_notes(found.notes)]


def evaluation_lines(found: Evaluation) -> list[str]:
    """Methods, and differences between the first and the others; which of them are no chance."""
    first = next(iter(found.scores))
    lines = [f"means over {found.scores[first].plans} plans that were held out"]
    means = [(name, *_numbers(own)) for name, own in found.scores.items()]
    lines += _table([("method", *_SCORES), *means])
    rows = [("with", "in", "difference", "95 % interval", "")]
    for d in found.differences:
        if d.method == first:
            clear = "" if d.low <= 0 <= d.high else "clear"
            interval = f"[{d.low:+.3f}, {d.high:+.3f}]"
            rows.append((d.than, d.score.replace("_", "-"), f"{d.mean:+.3f}", interval, clear))
    if len(rows) > 1:
        lines += ["", f"{first} on the same plans, compared", *_table(rows)]
    return [*lines, *_notes(found.notes)]


def watch_lines(found: Watch) -> list[str]:
    """The plans of the stream; how many are unlikely, and where something changed."""
    rows = [("plan", "task", "group", "time", "score", "p-value", "cusum", "")]
    for p in found.plans:
        numbers = f"{p.score:.3f}", f"{p.p_value:.4f}", f"{p.cusum:.2f}"
        changed = "CHANGED" if p.changed else ""
        rows.append((p.plan, p.task, p.group, p.time or "", *numbers, changed))
    unlikely = sum(p.p_value <= _UNLIKELY for p in found.plans)
    said = (
        f"{len(found.plans)} plans, compared with {found.calibration}; p-value at most "
        f"{_UNLIKELY}: {unlikely}; changes: {sum(p.changed for p in found.plans)}"
    )
    return [*_table(rows), said, *_notes(found.notes)]


def check_prediction_output(case: Case, output: Path) -> None:
    """Refuse a place that cannot be written, or that has something other than predictions.

    So no file of a case is ever overwritten, and no prediction becomes an observed plan.
    """
    if case.streets is None:
        make_folder(output)
        if any(output.iterdir()) and not (output / _INDEX).exists():
            raise InputError("this folder has other files; name one that is new or empty", output)
        output /= _INDEX
    check_place(output, b"rank,cost,probability,", "table of predictions")


def check_evaluation_output(output: Path) -> None:
    """The same for a table of methods."""
    check_place(output, ",".join(_OF_METHODS).encode(), "table of methods")


def write_prediction(case: Case, found: Prediction, output: Path) -> None:
    """Write predictions.csv into a folder of plans, or the CSV of streets."""
    check_prediction_output(case, output)
    if case.streets is not None:
        write_table(output, _street_rows(case, found))
        return
    rows = [[*_OF_PDDL]]
    for plan in found.plans:
        parts = filter(None, (plan.task.removesuffix(".pddl"), plan.group, f"{plan.rank}.plan"))
        name = re.sub(r"[^\w.-]", "_", ".".join(parts))
        write_atomically(output / name, "\n".join((*plan.actions, f"; cost = {plan.cost}", "")))
        rows.append([plan.task, plan.group, *_cells(plan), name])
    write_table(output / _INDEX, rows)


def write_evaluation(found: Evaluation, output: Path) -> None:
    """The mean scores of methods, and the differences of pairs (with `than`), as a CSV."""
    check_evaluation_output(output)
    rows: list[Sequence[str]] = [_OF_METHODS]
    for method, scores in found.scores.items():
        for score in SCORES:
            value = getattr(scores, score)
            rows.append((method, "", score, "" if value is None else f"{value:.6g}", "", ""))
    for d in found.differences:
        numbers = (f"{value:.6g}" for value in (d.mean, d.low, d.high))
        rows.append((d.method, d.than, d.score, *numbers))
    write_table(output, rows)


def _street_rows(case: Case, found: Prediction) -> Iterator[list[str]]:
    """A row for each trip that was observed, or else for each pair of places (and group)."""
    if case.observations:
        yield ["trip", *_OF_STREETS]
        for plan in found.plans:
            yield from ([trip, *_cells(plan), " ".join(plan.actions)] for trip in plan.observed)
        return
    network = case.worlds[0]
    assert isinstance(network, Network)
    ends = {
        task.name: [network.states[min(own)] for own in (task.initial, task.goal_states)]
        for task in case.tasks
    }
    grouped = any(plan.group for plan in found.plans)
    yield ["from", "to", *(["group"] if grouped else []), *_OF_STREETS]
    for plan in found.plans:
        group = [plan.group] if grouped else []
        yield [*ends[plan.task], *group, *_cells(plan), " ".join(plan.actions)]


def _cells(plan: PredictedPlan) -> list[str]:
    chance = "" if plan.probability is None else f"{plan.probability:.6g}"
    return [f"{plan.rank}", f"{plan.cost}", chance]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines, without the columns that are empty below the first row."""
    kept = [n for n in range(len(rows[0])) if any(row[n] for row in rows[1:])]
    numbers = [place for place, n in enumerate(kept) if rows[0][n] not in _TEXTS]
    return aligned([[row[n] for n in kept] for row in rows], right=numbers)


def _numbers(scores: Scores) -> list[str]:
    return [_number(getattr(scores, name)) for name in SCORES]


def _number(value: float | None) -> str:
    """Small ones with their first digits."""
    if value is None:
        return ""
    return f"{value:.1e}" if 0 < value < _SMALL else f"{value:.3f}"


def _notes(notes: Sequence[str]) -> list[str]:
    return [f"note: {escaped(note)}" for note in notes]

"""Predictions as files: a CSV, and for PDDL a folder of plans beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from plancost.case.model import Case, Network
from plancost.errors import InputError
from plancost.files import check_place, make_folder, write_atomically, write_table
from plancost.use.evaluate import Evaluation
from plancost.use.predict import SCORES, PredictedPlan, Prediction

_OF_STREETS = ("rank", "cost", "probability", "links")
_OF_PDDL = ("problem", "group", "rank", "cost", "probability", "plan")
_OF_METHODS = ("method", "than", "score", "value", "low", "high")
_OURS = tuple(",".join(columns) for columns in (_OF_STREETS, _OF_PDDL, _OF_METHODS))
"""How the first lines of our tables end."""
_INDEX = "predictions.csv"


def check_prediction_output(case: Case, output: Path) -> None:
    """Refuse a place that cannot be written, or that has something other than predictions.

    So no file of a case is ever overwritten, and no prediction becomes an observed plan.
    """
    if case.streets is not None:
        check_table_output(output)
        return
    make_folder(output)
    if any(output.iterdir()) and not (output / _INDEX).exists():
        raise InputError("this folder has other files; name one that is new or empty", output)
    check_table_output(output / _INDEX)


def check_table_output(output: Path) -> None:
    """The same for a table of predictions or of methods."""
    check_place(output)
    if output.exists():
        with output.open(encoding="utf-8", errors="replace") as file:
            if not file.readline().rstrip().endswith(_OURS):
                words = "this file is there already and has no predictions; name another"
                raise InputError(words, output)


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
        rows.append([plan.task, plan.group, f"{plan.rank}", f"{plan.cost}", _share(plan), name])
    write_table(output / _INDEX, rows)


def _street_rows(case: Case, found: Prediction) -> Iterator[list[str]]:
    """A row for each trip that was observed, or else for each pair of places (and group)."""
    if case.observations:
        yield ["trip", *_OF_STREETS]
        for plan in found.plans:
            yield from ([trip, *_cells(plan)] for trip in plan.observed)
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
        yield [*ends[plan.task], *([plan.group] if grouped else []), *_cells(plan)]


def _cells(plan: PredictedPlan) -> list[str]:
    return [f"{plan.rank}", f"{plan.cost}", _share(plan), " ".join(plan.actions)]


def _share(plan: PredictedPlan) -> str:
    return "" if plan.probability is None else f"{plan.probability:.6g}"


def write_evaluation(found: Evaluation, output: Path) -> None:
    """The mean scores of methods, and the differences of pairs (with `than`), as a CSV."""
    check_table_output(output)
    rows: list[Sequence[str]] = [_OF_METHODS]
    for method, scores in found.scores.items():
        for score in SCORES:
            value = getattr(scores, score)
            rows.append((method, "", score, "" if value is None else f"{value:.6g}", "", ""))
    for d in found.differences:
        numbers = (f"{value:.6g}" for value in (d.mean, d.low, d.high))
        rows.append((d.method, d.than, d.score, *numbers))
    write_table(output, rows)

"""Predictions as files: a CSV, and for PDDL a folder of plans beside it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from plancost.case.model import Case, Network
from plancost.errors import InputError
from plancost.files import write_atomically
from plancost.use.evaluate import SCORES, Evaluation
from plancost.use.predict import PredictedPlan, Prediction

_OURS = ("trip,", "from,to,", "problem,", "method,")


def write_prediction(case: Case, found: Prediction, output: Path) -> None:
    """Write predictions.csv into a folder of plans, or the CSV of streets."""
    if case.streets is not None:
        _write(output, _street_rows(case, found))
        return
    output.mkdir(exist_ok=True)
    rows = [["problem", "group", "rank", "cost", "probability", "plan"]]
    for plan in found.plans:
        stem = re.sub(r"[^\w.-]", "_", plan.task.removesuffix(".pddl"))
        name = ".".join(
            filter(None, (stem, re.sub(r"[^\w-]", "_", plan.group), f"{plan.rank}.plan"))
        )
        write_atomically(output / name, "\n".join((*plan.actions, f"; cost = {plan.cost}", "")))
        rows.append([plan.task, plan.group, f"{plan.rank}", f"{plan.cost}", _share(plan), name])
    _write(output / "predictions.csv", rows)


def _street_rows(case: Case, found: Prediction) -> list[list[str]]:
    """A row for each trip that was observed, or else for each pair of places."""
    end = ["rank", "cost", "probability", "links"]
    if case.observations:
        names = [task.name for task in case.tasks]
        trips: dict[tuple[str, str], list[str]] = {}
        groups = {plan.group for plan in found.plans}
        for o in case.observations:
            group = (o.group or "(none)") if groups != {""} else ""
            trips.setdefault((names[o.task], group), []).append(o.name)
        rows = [
            [trip, *_cells(plan)]
            for plan in found.plans
            for trip in trips.get((plan.task, plan.group), ())
        ]
        return [["trip", *end], *rows]
    return [["from", "to", *end], *_pairs(case, found)]


def _pairs(case: Case, found: Prediction) -> Iterator[list[str]]:
    network = case.worlds[0]
    assert isinstance(network, Network)
    ends = {
        task.name: [
            network.states[place] for own in (task.initial, task.goal_states) for place in own
        ]
        for task in case.tasks
    }
    for plan in found.plans:
        yield [*ends[plan.task], *_cells(plan)]


def _cells(plan: PredictedPlan) -> list[str]:
    return [f"{plan.rank}", f"{plan.cost}", _share(plan), " ".join(plan.actions)]


def _share(plan: PredictedPlan) -> str:
    return "" if plan.probability is None else f"{plan.probability:.6g}"


def _write(path: Path, rows: list[list[str]]) -> None:
    if path.is_dir():
        raise InputError("this is a folder; name a file", path)
    if path.exists() and not path.read_text("utf-8", "replace").startswith(_OURS):
        raise InputError("this file is there already and has no predictions; name another", path)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    write_atomically(path, text.getvalue())


def write_evaluation(found: Evaluation, output: Path) -> None:
    """The mean scores of each method as a CSV."""
    rows = [["method", "plans", *SCORES]]
    for row in found.rows:
        values = [getattr(row.scores, name) for name in SCORES]
        rows.append(
            [row.method, f"{row.scores.plans}", *("" if v is None else f"{v:.6g}" for v in values)]
        )
    _write(output, rows)

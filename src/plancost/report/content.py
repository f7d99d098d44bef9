"""The data for the script of the report: a result and its case as plain data.

Actions are numbered and plans are lists of these numbers, so that a thousand plans still
make a file of a few megabytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from plancost.errors import InputError, PlancostError
from plancost.observations.case import Case, Observation
from plancost.observations.cost_files import CostConflicts, initial_costs_from_pddl
from plancost.observations.planfile import Plan
from plancost.pictures.canvas import canvas_of
from plancost.pictures.maps import Map
from plancost.pictures.scene import Scene
from plancost.report.histogram import schema_of
from plancost.results.explaining import sentences
from plancost.results.result import ObservationResult, Result
from plancost.results.wording import (
    known_in_words,
    least_factor_in_words,
    range_in_words,
    ratio_in_words,
    rival_in_words,
    uncertainty_in_words,
    verdict,
)


def report_data(
    result: Result,
    case: Case,
    initial: Mapping[str, int] | None,
    the_map: Map | None,
    scene: Scene | None,
) -> dict[str, Any]:
    """All that the script shows on demand."""
    names = sorted(result.costs)
    number = {name: place for place, name in enumerate(names)}
    uses: Counter[str] = Counter()
    for observation in case.observations:
        for name in set(observation.plan):
            uses[name] += observation.count
    schemas = [schema_of(name) for name in names]
    all_schemas = sorted(set(schemas))
    ranges = {name: range_in_words(found) for name, found in (result.ranges or {}).items()}
    return {
        "actions": names,
        "schemas": all_schemas,
        "schema": [all_schemas.index(schema) for schema in schemas],
        "costs": [result.costs[name] for name in names],
        "initial": None if initial is None else [initial.get(name) for name in names],
        "ranges": None if result.ranges is None else [ranges.get(name, "") for name in names],
        "uncertainty": _uncertainty(result, names),
        "uses": [uses[name] for name in names],
        "plans": [
            _plan(item, observation, number, the_map, strict=result.strict)
            for item, observation in zip(result.observations, case.observations, strict=True)
        ],
        "map": None if scene is None else _map(scene),
    }


def _uncertainty(result: Result, names: Sequence[str]) -> dict[str, list[Any]] | None:
    """How well each cost is known: in words, in numbers, and whether plans say anything of it."""
    if result.uncertainty is None:
        return None
    known = [result.uncertainty[name] for name in names]
    return {
        "words": [uncertainty_in_words(item) for item in known],
        "mean": [round(item.mean, 1) for item in known],
        "sd": [round(item.sd, 1) for item in known],
        "observed": [item.observed for item in known],
    }


def initial_costs(result: Result, case: Case) -> tuple[dict[str, int] | None, str | None]:
    """The initial costs of a refinement, or a sentence that says why they are not known."""
    if not result.refined:
        return None, None
    known = result.initial_costs or {}
    if all(name in known for name in case.actions):
        return {name: known[name] for name in case.actions}, None
    try:
        if result.options.get("initial_costs") is not None:
            raise InputError("the result has none, and files that it names are not read")
        conflicts = CostConflicts(result.options.get("cost_conflicts", "error"))
        values = initial_costs_from_pddl(case, conflicts)
    except (PlancostError, ValueError) as error:
        return None, f"Changes are not shown, since the initial costs are not known: {error}"
    return dict(zip(case.actions, values, strict=True)), None


def same_steps(plan: Plan, other: Plan) -> list[tuple[int, int, int]]:
    """Where two plans agree: the first step in each of them, and the number of steps."""
    blocks = SequenceMatcher(None, plan, other, autojunk=False).get_matching_blocks()
    return [(block.a, block.b, block.size) for block in blocks if block.size]


def _plan(
    item: ObservationResult,
    observation: Observation,
    number: Mapping[str, int],
    the_map: Map | None,
    *,
    strict: bool,
) -> dict[str, Any]:
    known = (known_in_words(item), ratio_in_words(item), least_factor_in_words(item))
    content: dict[str, Any] = {
        "name": item.plan,
        "problem": item.problem,
        "count": item.count,
        "cost": item.cost,
        "best": item.optimal_cost,
        "optimal": item.optimal,
        "verdict": verdict(item),
        "near": item.suboptimality is not None,
        "words": [*_outcome(item, strict=strict), *filter(None, known)],
        "steps": [number[name] for name in observation.plan],
    }
    if item.rival is not None:
        content["rival"] = [number[name] for name in item.rival]
        content["rivalCost"] = item.rival_cost
        content["rivalWords"] = rival_in_words(item)
        content["same"] = same_steps(observation.plan, item.rival)
    if the_map is not None:
        content["route"] = the_map.terrain.route(observation.task, observation.plan)
        if item.rival is not None:
            content["rivalRoute"] = the_map.terrain.route(observation.task, item.rival)
    return content


def _outcome(item: ObservationResult, *, strict: bool) -> list[str]:
    """Whether a plan is optimal, and why not."""
    if item.optimal is None:
        return ["the check could not finish within the limits"]
    if item.optimal:
        if item.suboptimality is not None:
            return ["near enough to optimal"]
        if strict:
            return [f"optimal: every alternative costs more than {item.cost}"]
        return [f"optimal: no plan of {item.problem} costs less than {item.cost}"]
    if item.explanation is None:
        return ["the result file has no explanation; plancost explain looks for one"]
    return sentences(item.explanation)


def _map(scene: Scene) -> dict[str, Any]:
    """Where a chosen plan is drawn."""
    canvas = canvas_of(scene)
    return {
        "spots": [(round(spot.real, 1), round(spot.imag, 1)) for spot in canvas.spots],
        "line": round(canvas.line, 1),
        "end": round(canvas.end, 1),
        "coloured": {route.number: n for n, route in enumerate(scene.coloured, start=1)},
    }

"""Result: what is known now, with a field for each key of RESULT.json.

The file is a contract: docs/reference.md says what each key means, docs/result.schema.json is its
JSON Schema. Keys that nobody here knows are passed over on reading, so later versions may add some.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from plancost.errors import InputError
from plancost.files import read_json, write_atomically
from plancost.learn.outcome import Amount, Count, Ending, Point
from plancost.values import path_of

FORMAT: Literal[2] = 2

Cost = Annotated[int, Meta(ge=1)]


class Secondary(Struct, frozen=True, kw_only=True):
    """The sum of costs, or the distance from the known ones, over all sets of as many plans."""

    value: Count
    lower_bound: Count
    proved: bool


class ObservationResult(Struct, frozen=True, kw_only=True):
    """One observed plan; `optimal` and `optimal_cost` are None where the check could not finish.

    It has `problem` and `plan`, or for streets `trip`.
    """

    problem: str | UnsetType = UNSET
    plan: str | UnsetType = UNSET
    trip: str | UnsetType = UNSET
    group: str | UnsetType = UNSET
    count: Cost = 1
    total: Cost | UnsetType = UNSET
    """What the plan is known to cost."""
    optimal: bool | None
    cost: Count
    optimal_cost: Count | None

    @property
    def name(self) -> str:
        """The plan or trip."""
        return self.trip or self.plan or ""

    @property
    def key(self) -> tuple[str, str]:
        """Problem and plan, which tell the observations of a case apart."""
        return self.problem or "", self.name

    @property
    def verdict(self) -> str:
        """Whether it is optimal, in a word; a plan that is not may still cost as little as any."""
        if self.optimal is False and self.cost == self.optimal_cost:
            return "no (tied)"
        return {True: "yes", False: "no", None: "unknown"}[self.optimal]


class Likely(Struct, frozen=True, kw_only=True):
    """What most likely costs say besides: costs are in so many units of a nat."""

    log_likelihood: float | None
    """Of all plans; None: there is none, as the sum over all walks is infinite."""
    units_per_nat: Cost
    standard_errors: dict[str, Count]
    features: dict[str, float]
    """What a unit of each feature adds to a cost."""
    spreads: dict[str, Amount]


class Result(Struct, frozen=True, kw_only=True):
    """Costs, how many plans they make optimal, and what of this is proven.

    With several groups `costs` is empty, numbers are sums, and each of `groups` has its own costs.
    """

    format: Literal[2] = FORMAT
    group: str | UnsetType = UNSET
    solution: str
    refined: bool
    alternatives: str | int
    options: dict[str, Any]
    ending: Ending
    """Why the search ended; "none exists" is proven."""
    plans: Count
    optimal_plans: Count
    upper_bound: Count
    proved: bool
    claimed_optimal: Count
    secondary: Secondary | None
    costs: dict[str, Cost]
    observations: list[ObservationResult]
    verified: bool
    seconds: dict[str, Amount]
    memory_mb: Count | UnsetType = UNSET
    history: list[Point]
    notes: list[str]
    likely: Likely | UnsetType = UNSET
    groups: list[Result] | UnsetType = UNSET

    def to_json(self) -> str:
        """The text of RESULT.json; other than ASCII is escaped, as file names can be anything."""
        return json.dumps(msgspec.to_builtins(self), indent=1) + "\n"

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from plancost.result.tables import result_lines  # which imports this

        return f"<pre>{escape(chr(10).join(result_lines(self)))}</pre>"

    @property
    def parts(self) -> list[Result]:
        """The results of the groups, or this one if there are none."""
        return self.groups or [self]

    @property
    def noun(self) -> str:
        """What an observation is called."""
        return "trip" if any(item.trip for item in self.observations) else "plan"

    @property
    def every_note(self) -> list[str]:
        """The notes, and those of groups."""
        parts = self.groups or []
        return [*self.notes, *(f"group {p.group}: {note}" for p in parts for note in p.notes)]

    @property
    def bounded(self) -> str:
        """The costs that the bound speaks of."""
        totals = any(item.total for item in self.observations)
        many = self.options.get("groups") if self.groups else None
        costs = costs_allowed(self.options, totals=totals, groups=bool(self.groups) and not many)
        return costs.replace("costs", f"{many} cost functions", 1) if many else costs


def costs_allowed(asked: dict[str, Any], *, totals: bool, groups: bool = False) -> str:
    """Those that features, bounds, known totals of plans and a division into groups allow."""
    of = " and ".join(["groups"] * groups + ["features"] * bool(asked.get("features")))
    words = ["costs", f"of these {of}" if of else ""]
    words += ["within these bounds"] * bool(asked.get("bounds")) + ["with these totals"] * totals
    return " ".join(filter(None, words))


def read_result(path: Path | str) -> Result:
    """Read RESULT.json; raise `InputError` with what is wrong about the file."""
    content = read_json(path_of(path, "a result"))
    if not isinstance(content, dict) or "format" not in content:
        raise InputError('this is not a RESULT.json: it has no "format"', path)
    if content["format"] != FORMAT:
        words = f"this RESULT.json has the format {content['format']!r}, not {FORMAT}"
        raise InputError(f"{words}; learn again with this version", path)
    try:
        return msgspec.convert(content, Result)
    except (msgspec.ValidationError, RecursionError) as error:
        place = (
            str(error).replace("$.", "").replace("`", "'").replace("Object missing", "there is no")
        )
        raise InputError(f"this RESULT.json is damaged: {place}", path) from error


def write_result(result: Result, path: Path | str) -> None:
    """Write RESULT.json: whole, or not at all."""
    write_atomically(Path(path), result.to_json())


def result_schema() -> dict[str, Any]:
    """The JSON Schema of RESULT.json."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "plancost RESULT.json, format 2",
        **msgspec.json.schema(Result),
    }

"""From RESULT.json back to a `Result`, and whether a result belongs to a case.

Keys that are not known are passed over: later versions add keys. Whatever is known
must be as `docs/result.md` says, and a sentence names what is not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from plancost.errors import InputError
from plancost.files.input_files import read_json
from plancost.learning.diagnose.explanations import Reason
from plancost.learning.diagnose.least_factors import LeastFactor
from plancost.observations.case import Case
from plancost.observations.cost_files import LARGEST_LEARNED_COST
from plancost.observations.files import name_within
from plancost.observations.planfile import plan_cost
from plancost.observations.replay import replay
from plancost.results.result import (
    FORMAT,
    CostRange,
    GroupResult,
    ObservationResult,
    Result,
    Secondary,
    Unshared,
)

_Value = TypeVar("_Value")
_MOST_SHOWN = 40


def read_result(path: Path) -> Result:
    """Read a RESULT.json; the case is not part of it."""
    content = _Fields(_load(path), "", path)
    if content.whole("format") != FORMAT:
        raise InputError(f"this result has format {content.whole('format')}, not {FORMAT}", path)
    observations = content.each("observations", _observation)
    return Result(
        solution=content.text("solution"),
        strict=content.truth("strict"),
        refined=content.truth("refined"),
        alternatives=content.text("alternatives"),
        options=content.value("options", dict, "an object"),
        plans=content.whole("plans"),
        optimal_plans=content.whole("optimal_plans"),
        upper_bound=content.whole("upper_bound"),
        proved=content.truth("proved"),
        believed_optimal=content.whole("believed_optimal"),
        secondary=_secondary(content),
        costs=_costs(content, "costs", 1),
        observations=observations,
        verified=content.truth("verified"),
        seconds=_seconds(content),
        exists=content.optional("exists", content.truth),
        interrupted=bool(content.optional("interrupted", content.truth)),
        conflict=content.optional("conflict", content.texts) or (),
        conflict_certificate=content.optional("conflict_certificate", content.objects) or (),
        constrained=content.optional("constrained", content.texts),
        ranges=content.optional("ranges", lambda key: _ranges(content.fields(key))),
        history=content.optional("history", lambda key: content.each(key, _moment)) or (),
        deviation=content.optional("deviation", content.exact),
        shared=content.optional("shared", lambda key: _costs(content, key, 1)),
        unshared=content.optional("unshared", lambda key: _unshared(content.fields(key))),
        notes=content.optional("notes", content.texts) or (),
        failures=content.optional("failures", content.texts) or (),
        initial_costs=content.optional("initial_costs", lambda key: _costs(content, key, 0)),
        linear=content.optional("linear", lambda key: _weights(content.fields(key))),
        groups=content.optional("groups", lambda key: content.each(key, _group)) or (),
    )


def check_fits(result: Result, case: Case, path: Path) -> None:
    """Raise `InputError` unless the result was learned from this case, as it is now."""
    costs_of_group = {group.name: group.costs for group in result.groups}
    for costs in (result.costs, *costs_of_group.values()):
        _check_actions(costs, case, path)
    if len(result.observations) != len(case.observations):
        raise InputError(
            f"it speaks of {len(result.observations)} observed plans and the case has "
            f"{len(case.observations)}; learn again",
            path,
        )
    for item, observation in zip(result.observations, case.observations, strict=True):
        found = name_within(case.root, observation.plan_file)
        if item.plan != found:
            raise InputError(
                f"it speaks of the plan {item.plan} where the case has {found}; learn again", path
            )
        if result.groups and item.group not in costs_of_group:
            raise InputError(f"it does not say which of its groups {item.plan} belongs to", path)
        cost = plan_cost(observation.plan, costs_of_group.get(item.group or "", result.costs))
        if item.cost != cost:
            raise InputError(
                f"{item.plan} costs {cost} under these costs and not {item.cost}; it must have "
                "changed, so learn again",
                path,
            )
        if item.rival is not None:
            task = case.tasks[observation.task].sas
            if not replay(task, item.rival).is_valid:
                raise InputError(f"the rival of {item.plan} is no plan of {item.problem}", path)


def _check_actions(costs: Mapping[str, int], case: Case, path: Path) -> None:
    for name in case.actions:
        if name not in costs:
            raise InputError(f"there is no cost for {name}, so it belongs to another case", path)
    if len(costs) > len(case.actions):
        name = next(name for name in costs if name not in set(case.actions))
        raise InputError(f"there is no action {name} in the case, so it belongs to another", path)


def _load(path: Path) -> dict[str, Any]:
    content = read_json(path, "this result")
    if not isinstance(content, dict) or "format" not in content:
        raise InputError("this is not a RESULT.json of plancost learn --output", path)
    return content


class _Fields:
    """An object of the file, whose values are taken out by key and checked."""

    def __init__(self, content: dict[str, Any], place: str, path: Path) -> None:
        self._content = content
        self._place = place
        self.path = path

    def value(self, key: str, kind: type[_Value], words: str) -> _Value:
        """The value of a key that must be of a kind."""
        if key not in self._content:
            raise InputError(f"{self._name(key)} is missing", self.path)
        found = self._content[key]
        if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
            raise self.wrong(key, words)
        return found

    def wrong(self, key: str, words: str) -> InputError:
        """What is wrong with the value of a key."""
        found = json.dumps(self._content.get(key))
        shown = found if len(found) <= _MOST_SHOWN else f"{found[:_MOST_SHOWN]}..."
        return InputError(f"{self._name(key)} must be {words}, not {shown}", self.path)

    def optional(self, key: str, read: Callable[[str], _Value]) -> _Value | None:
        """The value of a key that may be missing or null."""
        return None if self._content.get(key) is None else read(key)

    def keys(self) -> list[str]:
        """All keys."""
        return list(self._content)

    def whole(self, key: str) -> int:
        """A whole number."""
        return self.value(key, int, "a whole number")

    def truth(self, key: str) -> bool:
        """True or false."""
        return self.value(key, bool, "true or false")

    def text(self, key: str) -> str:
        """A text."""
        return self.value(key, str, "a text")

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        found = self.value(key, list, "a list")
        if not all(isinstance(item, str) for item in found):
            raise self.wrong(key, "a list of texts")
        return tuple(found)

    def number(self, key: str) -> float:
        """Any number."""
        found = self.value(key, object, "a number")
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise self.wrong(key, "a number")
        return float(found)

    def exact(self, key: str) -> Fraction:
        """Any finite number, as it stands in the file."""
        found = self.number(key)
        if not isfinite(found):
            raise self.wrong(key, "a number")
        whole = self._content[key]
        return Fraction(whole) if isinstance(whole, int) else Fraction(repr(found))

    def fraction(self, key: str) -> Fraction:
        """A fraction as a text, from 1 on."""
        try:
            found = Fraction(self.text(key))
        except (ValueError, ZeroDivisionError) as error:
            raise self.wrong(key, "a fraction") from error
        if found < 1:
            raise self.wrong(key, "1 or more")
        return found

    def fields(self, key: str) -> _Fields:
        """An object."""
        found: dict[str, Any] = self.value(key, dict, "an object")
        return _Fields(found, self._name(key), self.path)

    def objects(self, key: str) -> tuple[dict[str, Any], ...]:
        """A list of objects."""
        found = self.value(key, list, "a list")
        if not all(isinstance(item, dict) for item in found):
            raise self.wrong(key, "a list of objects")
        return tuple(found)

    def each(self, key: str, read: Callable[[_Fields], _Value]) -> tuple[_Value, ...]:
        """A list of objects, read one by one."""
        return tuple(
            read(_Fields(item, f"{self._name(key)}[{number}]", self.path))
            for number, item in enumerate(self.objects(key))
        )

    def _name(self, key: str) -> str:
        return f"{self._place}.{key}" if self._place else key


def _costs(content: _Fields, key: str, least: int) -> dict[str, int]:
    costs = content.fields(key)
    found = _numbers(content, key)
    for name, cost in found.items():
        if not least <= cost <= LARGEST_LEARNED_COST:
            raise costs.wrong(name, f"from {least} to {LARGEST_LEARNED_COST}")
    return found


def _weights(weights: _Fields) -> dict[str, dict[str, int]]:
    return {schema: _costs(weights, schema, 0) for schema in weights.keys()}  # noqa: SIM118


def _seconds(content: _Fields) -> dict[str, float]:
    seconds = content.fields("seconds")
    return {name: seconds.number(name) for name in seconds.keys()}  # noqa: SIM118


def _ranges(ranges: _Fields) -> dict[str, CostRange]:
    found = {}
    for name in ranges.keys():  # noqa: SIM118
        item = ranges.fields(name)
        found[name] = CostRange(item.whole("least"), item.whole("greatest"), item.truth("proved"))
    return found


def _moment(item: _Fields) -> tuple[float, int, int]:
    return item.number("seconds"), item.whole("optimal"), item.whole("bound")


def _observation(item: _Fields) -> ObservationResult:
    return ObservationResult(
        item.text("problem"),
        item.text("plan"),
        item.whole("count"),
        item.optional("optimal", item.truth),
        item.whole("cost"),
        item.optional("optimal_cost", item.whole),
        item.optional("rival", item.texts),
        item.optional("rival_cost", item.whole),
        item.optional("explanation", lambda key: _explanation(item, key)),
        item.optional("group", item.text),
        item.optional("known_cost", item.exact),
        item.optional("suboptimality", item.fraction),
        item.optional("least_factor", lambda key: _least_factor(item.fields(key))),
    )


def _least_factor(item: _Fields) -> LeastFactor:
    return LeastFactor(
        item.optional("infimum", item.fraction),
        item.optional("attained", item.truth),
        item.optional("within_bounds", item.fraction),
    )


def _unshared(item: _Fields) -> Unshared:
    return Unshared(item.whole("optimal_plans"), item.whole("upper_bound"), item.truth("proved"))


def _group(item: _Fields) -> GroupResult:
    return GroupResult(
        item.text("name"),
        item.whole("plans"),
        item.whole("optimal_plans"),
        _costs(item, "costs", 1),
        _secondary(item),
    )


def _secondary(item: _Fields) -> Secondary:
    found = item.fields("secondary")
    return Secondary(found.whole("value"), found.whole("lower_bound"), found.truth("proved"))


def _explanation(item: _Fields, key: str) -> dict[str, Any]:
    """An explanation, with all that is needed to put it into words."""
    found = item.fields(key)
    reason = found.text("reason")
    if reason not in set(Reason):
        raise found.wrong("reason", "one of " + ", ".join(Reason))
    if reason == Reason.REDUNDANT:
        found.texts("redundant")
        found.value("redundant_steps", list, "a list")
    if reason == Reason.CONFLICT:
        found.texts("plans")
    found.optional("certificate", lambda name: found.each(name, _demand))
    return item.value(key, dict, "an object")


def _demand(item: _Fields) -> None:
    if item.optional("given", item.text) is not None:
        item.optional("plans", item.texts)
        item.whole("most")
        _numbers(item, "actions")
    else:
        item.text("plan")
        for key in ("alternative", "plan_only", "alternative_only"):
            item.texts(key)
        item.truth("strict")
        item.optional("suboptimality", item.fraction)
        item.optional("weights", lambda key: _numbers(item, key))
    if item.whole("times") < 1:
        raise item.wrong("times", "1 or more")


def _numbers(item: _Fields, key: str) -> dict[str, int]:
    """An object of whole numbers."""
    found = item.fields(key)
    return {name: found.whole(name) for name in found.keys()}  # noqa: SIM118 (not a dict)

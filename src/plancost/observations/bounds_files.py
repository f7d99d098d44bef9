"""What the user knows about single costs: fixed values and bounds.

A bound names an action or, with ``*`` in place of arguments, several: ``(drive * b)``. Bounds
come from ``--fix "(drive a b)=3"`` or ``=2..5``, from a JSON file such as ``{"(drive a b)": 3,
"(load *)": [1, 5]}`` (null: no limit), or from a CSV file with the columns
``action,least,greatest``. Where several speak of an action, all of them hold.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plancost.errors import InputError, UsageError
from plancost.files.input_files import csv_rows, parse_json, read_text
from plancost.observations.cost_files import LARGEST_COST
from plancost.observations.patterns import ANY, named_by
from plancost.observations.planfile import action_name
from plancost.system.values import shown, whole_number

Range = tuple[int, int | None]
"""The least and the greatest that a cost may be (None: no limit)."""

Entry = tuple[str, object, object, int | None]
"""A name, the least and the greatest, as they stand in a file, and the line if it is CSV."""

_LIMITS = ("least", "greatest")
_MOST_DIGITS = 30


@dataclass(frozen=True)
class CostBound:
    """The costs that some actions may have, and who says so."""

    pattern: str
    least: int = 1
    greatest: int | None = None
    source: str = ""
    is_name: bool = False
    """Whether the pattern is the name of one action, also if that is ``*``."""

    def named(self, actions: Collection[str]) -> list[str]:
        """Those of the actions that it speaks of."""
        if self.is_name:
            return [self.pattern] if self.pattern in actions else []
        return list(actions) if self.pattern == ANY else named_by(self.pattern, actions)

    def to_json(self) -> list[Any]:
        """As it stands in RESULT.json."""
        return [self.pattern, self.least, self.greatest]


def parse_fix(text: str) -> CostBound:
    """Read ``(drive a b)=3``, or a range such as ``=2..5``, ``=2..`` or ``=..5``."""
    name, equals, value = text.rpartition("=")
    least, greatest = map(_number, ends_of_range(value))
    costs = [cost for cost in (least, greatest) if cost is not None]
    if not equals or not name.strip() or not costs or not all(map(_is_cost, costs)):
        raise UsageError(
            f"--fix takes an action and a whole number from 1 to {LARGEST_COST}, such as "
            f"'(drive a b)=3', or two such as '(drive a b)=2..5', not '{text[:60]}'"
        )
    source = f"--fix '{text}'"
    return replace(checked_bound(name, least, greatest, None), source=source)


def ends_of_range(text: str) -> tuple[str, str]:
    """The two numbers of ``2..5``, of which one may be missing; one number stands for both."""
    least, dots, greatest = (part.strip() for part in text.partition(".."))
    return least, greatest if dots else least


def read_bounds(path: Path) -> tuple[CostBound, ...]:
    """Read a file of bounds, JSON or CSV."""
    entries = read_entries(path, "action")
    return tuple(checked_bound(*entry[:3], path, entry[3]) for entry in entries)


def read_entries(path: Path, what: str) -> list[Entry]:
    """What a file of bounds says, as it stands there; `what` is the CSV column of names."""
    text = read_text(path, "these bounds")
    is_json = text.lstrip().startswith("{")
    found = _read_json(text, path) if is_json else _read_csv(text, path, what)
    if not found:
        raise InputError("this file has no bounds", path)
    return found


def bounds_given(given: object) -> tuple[CostBound, ...]:
    """Bounds as a caller of the library gives them.

    They are a mapping as in a JSON file, its path, or bounds.
    """
    if isinstance(given, str | os.PathLike):
        return read_bounds(Path(given))
    if isinstance(given, Mapping):
        entries = entries_in(given, Path("bounds"))
        return tuple(checked_bound(*entry[:3], Path("bounds"), entry[3]) for entry in entries)
    if isinstance(given, Sequence) and all(isinstance(item, CostBound) for item in given):
        return tuple(given)
    raise UsageError(
        f"--bounds takes a mapping such as {{'(drive a b)': (1, 5)}} or a file, not {shown(given)}"
    )


def ranges_for(actions: Sequence[str], bounds: Iterable[CostBound]) -> tuple[Range, ...]:
    """The range of each action under all bounds."""
    ranges: dict[str, list[CostBound]] = {name: [] for name in actions}
    for bound in bounds:
        named = bound.named(ranges)
        if not named:
            raise InputError(_unknown(bound, actions))
        for name in named:
            ranges[name].append(bound)
    return tuple(_intersection(name, found) for name, found in ranges.items())


def _intersection(action: str, bounds: list[CostBound]) -> Range:
    lowest = max(bounds, key=lambda bound: bound.least, default=CostBound(ANY))
    limited = [bound for bound in bounds if bound.greatest is not None]
    if not limited:
        return lowest.least, None
    highest = min(limited, key=lambda bound: bound.greatest or 0)
    assert highest.greatest is not None
    if lowest.least > highest.greatest:
        raise InputError(
            f"{action} must cost at least {lowest.least} ({lowest.source}) "
            f"and at most {highest.greatest} ({highest.source}); change one of them"
        )
    return lowest.least, highest.greatest


def _unknown(bound: CostBound, actions: Sequence[str]) -> str:
    near = difflib.get_close_matches(bound.pattern, actions, n=1, cutoff=0.6)
    hint = f"; is {near[0]} meant?" if near else "; name an action, or several with * as argument"
    return f"{bound.source}: no action of this case is {bound.pattern}{hint}"


def _read_json(text: str, path: Path) -> list[Entry]:
    content = parse_json(text, path)
    if not isinstance(content, dict):
        raise InputError('expected an object such as {"(move a b)": [1, 5], ...}', path)
    return entries_in(content, path)


def entries_in(content: Mapping[str, Any], path: Path) -> list[Entry]:
    """What a mapping of bounds says, as it stands there; `path` is what messages call it."""
    found: list[Entry] = []
    for key, value in content.items():
        if isinstance(value, dict) and set(value) <= {"least", "greatest"}:
            pair = [value.get("least"), value.get("greatest")]
        else:
            pair = list(value) if isinstance(value, list | tuple) else [value, value]
        if len(pair) != 2:
            raise InputError(f"the bounds of {key} must be [least, greatest]", path)
        found.append((key, pair[0], pair[1], None))
    return found


def _read_csv(text: str, path: Path, what: str) -> list[Entry]:
    names = (what, *_LIMITS)
    columns, rows = csv_rows(text, path)
    if what not in columns or not set(columns) <= set(names):
        raise InputError(
            f"the first line must name the columns {','.join(names)} (or this must be JSON)",
            path,
            1,
        )
    found: list[Entry] = []
    for line, row in rows:
        fields = {name: (value or "").strip() for name, value in row.items() if name in names}
        if None in row or not fields[what]:
            article = "an" if what[0] in "aeiou" else "a"
            raise InputError(f"expected {article} {what}, least and greatest", path, line)
        least, greatest = (_number(fields.get(name, "")) for name in _LIMITS)
        found.append((fields[what], least, greatest, line))
    return found


def _number(text: str) -> int | str | None:
    if text.isdecimal() and len(text) <= _MOST_DIGITS:
        return int(text)
    return text or None


def _is_cost(value: object) -> bool:
    number = whole_number(value)
    return number is not None and 1 <= number <= LARGEST_COST


def checked_bound(
    pattern: str, least: object, greatest: object, path: Path | None, line: int | None = None
) -> CostBound:
    """A bound as it stands in a file, if it is one."""
    for value in (least, greatest):
        if value is not None and not _is_cost(value):
            raise InputError(
                f"the bounds of {pattern[:60]} must be whole numbers from 1 to {LARGEST_COST}, "
                f"not {shown(value)}",
                path,
                line,
            )
    low = 1 if least is None else whole_number(least) or 1
    high = None if greatest is None else whole_number(greatest)
    name = action_name(pattern)
    if high is not None and low > high:
        raise InputError(f"{name} has a least cost {low} above its greatest {high}", path, line)
    place = str(path or "bounds") if line is None else f"{path}:{line}"
    return CostBound(name, low, high, place)

"""The format of RESULT.json, from types: one reader, one writer and one JSON Schema.

A dataclass stands for an object of the file, and its fields for the keys in their order. Whoever
reads the file says with a dataclass what it needs: unknown keys are passed over, and a value of
the wrong type is one sentence that names its place. msgspec decodes and makes the schema.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from plancost.errors import InputError

_Value = TypeVar("_Value")
_WHEN = "when"
_MOST_SHOWN = 40
_TYPES = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "array": "a list",
    "object": "an object",
}
"""The types of JSON as msgspec calls them, for users."""
_FACTOR = r"[0-9]{1,400}([.][0-9]{1,400}|/0*[1-9][0-9]{0,400})?"
_COMPARISONS = {">=": "or more", "<=": "or less"}
_TOKEN = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_ANY_KEY = "..."
"""How msgspec calls the key of a mapping in a path."""


class Amount(Fraction):
    """An exact number that the file has as a number; any other `Fraction` is a text there."""

    def to_json(self) -> int | float:
        """Whole where it is."""
        return self.numerator if self.denominator == 1 else float(self)


class Moment(tuple[float, int, int]):
    """Seconds, plans thought to be optimal, and bound: an object in the file."""

    def to_json(self) -> dict[str, float]:
        """The entry of RESULT.json."""
        seconds, optimal, bound = self
        return {"seconds": round(seconds, 3), "optimal": optimal, "bound": bound}


@dataclasses.dataclass(frozen=True)
class SecondaryMoment:
    """The second objective and its bound from some second on, once the most plans are proven."""

    seconds: float
    value: int
    bound: int


@dataclasses.dataclass(frozen=True)
class _MomentKeys:
    seconds: float
    optimal: int
    bound: int


def written_if(condition: Callable[[Any], bool]) -> dict[str, Callable[[Any], bool]]:
    """Metadata of a field that is in the file under a condition on the object that has it."""
    return {_WHEN: condition}


def as_json(value: Any, kind: type | None = None) -> Any:  # noqa: ANN401 (JSON is anything)
    """A value as it stands in the file.

    Of an object of a `kind`, the fields that this class has: those that `written_if` says, and of
    all others those without a default or with another value.
    """
    if kind is not None:
        shown = (item for item in dataclasses.fields(kind) if _is_written(item, value))
        return {item.name: as_json(getattr(value, item.name)) for item in shown}
    if hasattr(value, "to_json"):
        return value.to_json()
    if dataclasses.is_dataclass(value):
        return {item.name: as_json(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {key: as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value] if isinstance(value, list | tuple) else value


def _is_written(item: dataclasses.Field[Any], whose: object) -> bool:
    if _WHEN in item.metadata:
        return bool(item.metadata[_WHEN](whose))
    return item.default is dataclasses.MISSING or getattr(whose, item.name) != item.default


def decode(content: object, kind: type[_Value], path: Path | None, whose: str = "") -> _Value:
    """What JSON says, as a type. In sentences, places come after `whose`."""
    try:
        return msgspec.convert(content, kind, dec_hook=_from_json)
    except msgspec.ValidationError as error:
        raise InputError(_sentence(content, kind, str(error), whose), path) from error
    except RecursionError as error:
        raise InputError("this JSON is nested too deeply", path) from error


def must_be(place: str, words: str, value: object) -> str:
    """The sentence about a wrong value."""
    found = json.dumps(value, default=repr)
    shown = found if len(found) <= _MOST_SHOWN else f"{found[:_MOST_SHOWN]}..."
    return f"{place} must be {words}, not {shown}"


def schema(kind: type, title: str) -> dict[str, Any]:
    """The JSON Schema of a type."""
    found = msgspec.json.schema(kind, schema_hook=_schema_of)
    for name, item in found["$defs"].items():
        item["description"] = " ".join(item.get("description", name).split())
        item["properties"] = dict(sorted(item["properties"].items()))
        item["required"] = sorted(item.get("required", ()))
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return dict(as_json({**about, **found}))


def _from_json(kind: type, found: Any) -> Any:  # noqa: ANN401 (hook for any type)
    """A value of one of our own types; a `ValueError` says what it must be."""
    if kind is Moment:
        try:
            return Moment(dataclasses.astuple(msgspec.convert(found, _MomentKeys)))
        except msgspec.ValidationError as error:
            raise ValueError(str(error)) from error  # so that msgspec adds where the object is
    if kind is Amount:
        if type(found) in (int, float):
            return Amount(repr(found))
        raise ValueError("a number")
    is_factor = isinstance(found, str) and re.fullmatch(_FACTOR, found)
    if not is_factor or Fraction(found) < 1:
        raise ValueError('a fraction as a text, 1 or more, such as "3/2"')
    return Fraction(found)


def _schema_of(kind: type) -> dict[str, Any]:
    if kind is Moment:
        found = msgspec.json.schema_components([_MomentKeys])[1]
        return {**found["_MomentKeys"], "title": "Moment"}
    return {"type": "number"} if kind is Amount else {"type": "string", "pattern": f"^{_FACTOR}$"}


def _sentence(content: Any, kind: type, said: str, whose: str) -> str:  # noqa: ANN401
    """What msgspec found wrong, in our words and with the place in full."""
    message, tokens = _parsed(said)
    value = content
    place = ""
    for depth, token in enumerate(tokens, start=1):
        if isinstance(value, list):
            place, value = f"{place}[{token}]", value[int(token)]
            continue
        name = _wrong_key(content, kind, value, tokens[:depth]) if token == _ANY_KEY else token
        place, value = f"{place}.{name}" if place else name, value[name]
    missing = re.match(r"Object missing required field `(.*)`", message)
    if missing:
        return f"{whose}{place}{'.' if place else ''}{missing[1]} is missing"
    expected = re.match(r"Expected `(\w+)[^`]*`(?: ([<>]=) (.*))?", message)
    if expected and expected[2]:
        message = f"{expected[3]} {_COMPARISONS[expected[2]]}"
    elif expected:
        message = _TYPES[expected[1]]
    elif message == "Number out of range":
        message = "a number up to 1e308"
    return must_be(f"{whose}{place}" or "the whole file", message, value)


def _parsed(said: str) -> tuple[str, list[str]]:
    """The message of msgspec, and the place as field names, indices and `_ANY_KEY`."""
    message, *places = said.split(" - at ")
    place = "".join(place.strip("`") for place in reversed(places))
    return message, [name or index for name, index in _TOKEN.findall(place)]


def _wrong_key(content: object, kind: type, inside: dict[str, Any], place: list[str]) -> str:
    """The key of a mapping whose value is wrong, by halving: msgspec does not name it.

    Of the mapping, which is part of the content, only that key is left.
    """
    while len(inside) > 1:
        items = list(inside.items())
        half = dict(items[: len(items) // 2])
        inside.clear()
        inside.update(half)
        try:
            msgspec.convert(content, kind, dec_hook=_from_json)
            is_here = False
        except msgspec.ValidationError as error:
            is_here = _parsed(str(error))[1][: len(place)] == place
        if not is_here:
            inside.clear()
            inside.update(items[len(half) :])
    return next(iter(inside))

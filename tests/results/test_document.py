"""From types to JSON, back, and to a schema; what is wrong is one sentence with its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import pytest
from msgspec import Meta

from plancost.errors import InputError
from plancost.results.document import Amount, Moment, as_json, decode, schema, written_if

FILE = Path("file.json")


@dataclass(frozen=True)
class Part:
    """A part."""

    size: int
    note: str | None = None


@dataclass(frozen=True)
class Whole:
    """All of it."""

    name: str
    parts: tuple[Part, ...] = ()
    costs: dict[str, Annotated[int, Meta(ge=1, le=9)]] = field(default_factory=dict)
    by_kind: dict[str, dict[str, Part]] = field(default_factory=dict)
    amount: Amount | None = None
    factor: Fraction | None = None
    factor_again: Fraction | None = field(
        default=None, metadata=written_if(lambda whole: whole.factor is not None)
    )
    moments: tuple[Moment, ...] = ()


def test_there_and_back() -> None:
    content = {
        "name": "x",
        "parts": [{"size": 10**30, "note": None}],
        "costs": {"(a)": 1},
        "by_kind": {"b": {"c": {"size": 2, "note": "n"}}},
        "amount": 0.1,
        "factor": "3/2",
        "factor_again": None,
        "moments": [{"seconds": 0.5, "optimal": 1, "bound": 2}],
    }
    found = decode({**content, "of a later version": 1}, Whole, FILE)
    assert found.amount == Fraction(1, 10) and found.factor == Fraction(3, 2)
    assert found.moments == ((0.5, 1, 2),)
    assert as_json(found, Whole) == content


def test_what_is_left_out() -> None:
    assert as_json(Whole("x", costs={}), Whole) == {"name": "x", "costs": {}, "by_kind": {}}
    assert as_json(Part(1)) == {"size": 1, "note": None}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ([], "the whole file must be an object, not []"),
        ({}, "name is missing"),
        ({"name": 1}, "name must be a text, not 1"),
        ({"name": "x", "parts": {}}, "parts must be a list, not {}"),
        ({"name": "x", "parts": [{"size": 1}, {"size": True}]}, "parts[1].size must be a whole "),
        ({"name": "x", "parts": [{"size": 1.0}]}, "parts[0].size must be a whole number, not 1.0"),
        ({"name": "x", "costs": {"(a)": 10}}, "costs.(a) must be 9 or less, not 10"),
        ({"name": "x", "factor": "1/0"}, "factor must be a fraction as a text, 1 or more"),
        ({"name": "x", "factor": "1/2"}, "factor must be a fraction as a text, 1 or more"),
        ({"name": "x", "factor": "1e999999999"}, "factor must be a fraction as a text"),
        ({"name": "x", "factor": 2}, "factor must be a fraction as a text"),
        ({"name": "x", "amount": True}, "amount must be a number, not true"),
        ({"name": "x", "moments": [{"seconds": 1}]}, "moments[0].optimal is missing"),
        (
            {"name": "x", "moments": [{"seconds": 10**400, "optimal": 1, "bound": 1}]},
            "moments[0].seconds must be a number up to 1e308",
        ),
        ({"name": "x" * 99, "parts": "y" * 99}, f'parts must be a list, not "{"y" * 39}...'),
    ],
)
def test_one_sentence(content: object, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        decode(content, Whole, FILE)
    assert str(caught.value).startswith(f"file.json: {sentence}")


@pytest.mark.parametrize("wrong", [0, 1, 500, 998, 999])
def test_the_wrong_key_of_many_is_named(wrong: int) -> None:
    costs: dict[str, Any] = {f"(a {number})": 1 for number in range(1000)}
    costs[f"(a {wrong})"] = "x"
    with pytest.raises(InputError, match=rf'costs\.\(a {wrong}\) must be a whole number, not "x"'):
        decode({"name": "x", "costs": costs}, Whole, FILE)
    kinds = {f"k{n}": {"p": {"size": 1}, "q": {"size": "x" if n == 7 else 1}} for n in range(9)}
    with pytest.raises(InputError, match=r"by_kind\.k7\.q\.size must be a whole number"):
        decode({"name": "x", "by_kind": kinds}, Whole, FILE)


def test_whose_place_it_is() -> None:
    with pytest.raises(InputError, match=r"the cost of \(a\) must be a whole number, not null"):
        decode({"(a)": None}, dict[str, int], FILE, "the cost of ")


def test_the_schema() -> None:
    found = schema(Whole, "a title")
    whole = found["$defs"]["Whole"]
    assert (found["title"], whole["required"]) == ("a title", ["name"])
    assert whole["properties"]["amount"]["anyOf"][0] == {"type": "number"}
    assert whole["properties"]["moments"]["items"]["required"] == ["seconds", "optimal", "bound"]

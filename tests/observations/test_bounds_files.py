"""Bounds and fixed values as users write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.errors import InputError, UsageError
from plancost.learning.problem.cost_options import CostOptions
from plancost.observations.bounds_files import CostBound, parse_fix, ranges_for, read_bounds

ACTIONS = ("(drive a b)", "(drive b a)", "(load p a)", "(wait)")


def test_fix() -> None:
    bound = parse_fix("(Drive  A b) = 3")
    assert (bound.pattern, bound.least, bound.greatest) == ("(drive a b)", 3, 3)


@pytest.mark.parametrize("text", ["(drive a b)", "(drive a b)=x", "(drive a b)=0", "=3", "a=1.5"])
def test_fix_that_makes_no_sense(text: str) -> None:
    with pytest.raises(UsageError, match="bounds takes"):
        parse_fix(text)


def test_json(tmp_path: Path) -> None:
    path = tmp_path / "bounds.json"
    path.write_text(
        '{"(drive a b)": 3, "(drive b *)": [2, null], "(wait)": {"greatest": 4}, '
        '"(load * a)": null}'
    )
    found = read_bounds(path)
    assert [(b.pattern, b.least, b.greatest) for b in found] == [
        ("(drive a b)", 3, 3),
        ("(drive b *)", 2, None),
        ("(wait)", 1, 4),
        ("(load * a)", 1, None),
    ]
    assert ranges_for(ACTIONS, found) == ((3, 3), (2, None), (1, None), (1, 4))


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "bounds.csv"
    path.write_text("action, least, greatest\n(drive * *),2,\n(drive a b),,7\n\n(wait),5,5\n")
    assert ranges_for(ACTIONS, read_bounds(path)) == ((2, 7), (2, None), (1, None), (5, 5))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"(wait)": [3, 2]}', "least cost 3 above its greatest 2"),
        ('{"(wait)": 1.5}', "whole numbers from 1"),
        ('{"(wait)": true}', "whole numbers from 1"),
        ('{"(wait)": [1]}', r"must be \[least, greatest\]"),
        ('{"(wait)": 0}', "whole numbers from 1"),
        ('{"(wait)": 1', "not JSON"),
        ("{}", "no bounds"),
        ("action,low\n(wait),1\n", "columns action,least,greatest"),
        ("action,least\n(wait),x\n", ":2: the bounds of"),
        ("action,least\n,2\n", ":2: expected an action"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bounds"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_bounds(path)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_bounds(tmp_path / "none")


def test_an_unknown_action() -> None:
    with pytest.raises(InputError, match=r"bounds .*\(drive a c\); is \(drive a b\) meant"):
        ranges_for(ACTIONS, [parse_fix("(drive a c)=2")])
    with pytest.raises(InputError, match="no action of this case"):
        ranges_for(ACTIONS, [parse_fix("(drive *)=2")])


def test_bounds_that_contradict_each_other() -> None:
    bounds = [parse_fix("(wait)=5"), CostBound("(wait)", 1, 4, "file.csv:7")]
    with pytest.raises(
        InputError, match=r"\(wait\) must cost at least 5 .* at most 4 \(file.csv:7"
    ):
        ranges_for(ACTIONS, bounds)
    with pytest.raises(InputError, match="max_cost=3"):
        ranges_for(ACTIONS, CostOptions(bounds=tuple(bounds[:1]), max_cost=3).all_bounds)


def test_a_largest_cost() -> None:
    bounds = CostOptions(bounds=(parse_fix("(wait)=2"),), max_cost=9).all_bounds
    assert ranges_for(ACTIONS, bounds) == ((1, 9), (1, 9), (1, 9), (2, 2))


def test_brackets_are_part_of_a_name() -> None:
    actions = ("(walk a1 c)", "(walk a[1] c)")
    assert ranges_for(actions, [parse_fix("(walk a[1] c)=7")]) == ((1, None), (7, 7))
    with pytest.raises(InputError, match="no action of this case"):
        ranges_for(actions[:1], [parse_fix("(walk a[1] c)=7")])


def test_an_action_may_be_called_as_all_of_them_are() -> None:
    actions = ("*", "2")
    assert ranges_for(actions, [CostBound("*", 5, 5)]) == ((5, 5), (5, 5))
    assert ranges_for(actions, [CostBound("*", 5, 5, is_name=True)]) == ((5, 5), (1, None))
    with pytest.raises(InputError, match="no action of this case"):
        ranges_for(actions, [CostBound("3", 5, 5, is_name=True)])


@pytest.mark.parametrize(
    ("text", "least", "greatest"),
    [("(a b)=2..5", 2, 5), ("(A  b) = 2 .. ", 2, None), ("(a b)=..5", 1, 5), ("(a b)=4..4", 4, 4)],
)
def test_a_range_in_place_of_a_number(text: str, least: int, greatest: int | None) -> None:
    assert parse_fix(text) == CostBound("(a b)", least, greatest, f"--fix '{text}'")


@pytest.mark.parametrize("text", ["(a b)=..", "(a b)=0..2", "(a b)=1...3", "=1..2", "(a)=1..2..3"])
def test_what_is_no_range(text: str) -> None:
    with pytest.raises(UsageError, match="or two such as"):
        parse_fix(text)

"""An option is declared once, and everything else follows from that."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from plancost.errors import UsageError
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.declaration import (
    Flag,
    Topic,
    check_values,
    declared_in,
    option,
    used_in,
)
from plancost.learning.problem.options import LearnOptions


class Colour(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Options:
    colour: Colour = option(Colour.RED, "--colour: a colour", topic=Topic.SEARCH)
    size: int | None = option(
        None, "--size, --how-large N: a size", topic=Topic.SEARCH, kinds=(int,), least=2
    )
    wait_s: float = option(1.0, "--wait S: wait", topic=Topic.SEARCH, kinds=(float,), above=0)
    kept: int = 7

    def __post_init__(self) -> None:
        check_values(self)


def test_a_flag_is_read_from_its_help() -> None:
    assert Flag.of("--max-cost M: at most M: no more") == Flag(
        ("--max-cost",), "M", "at most M: no more"
    )
    assert Flag.of("--new, --old K: a number").names == ("--new", "--old")
    assert Flag.of("--refine: change costs").metavar is None
    assert Flag.of("--no-cache: none").argument == "no_cache"


def test_only_declared_fields_are_options() -> None:
    names = [item.name for item, _ in declared_in(Options)]
    assert names == ["colour", "size", "wait_s"]
    assert Options().kept == 7


def test_words_become_choices() -> None:
    assert Options(colour="blue").colour is Colour.BLUE  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^colour is one of red, blue, not 'green'$"):
        Options(colour="green")  # type: ignore[arg-type]


def test_numbers_that_are_too_small() -> None:
    with pytest.raises(UsageError, match=r"^size takes a whole number of at least 2$"):
        Options(size=1)
    with pytest.raises(UsageError, match=r"^wait takes a number of seconds above 0$"):
        Options(wait_s=0)


def test_what_is_used() -> None:
    assert not list(used_in(Options(colour=Colour.RED, wait_s=1)))
    assert [item.name for item, _ in used_in(Options(size=3, colour=Colour.BLUE))] == [
        "colour",
        "size",
    ]


def test_every_option_of_learning_has_a_flag() -> None:
    """But for `started_at`, which the command line knows, and two that have flags of their own."""
    names = {item.name for item, _ in declared_in(LearnOptions)}
    assert set(LearnOptions.__dataclass_fields__) - names == {
        "certificate",
        "concept",
        "started_at",
    }
    assert {item.name for item, _ in declared_in(Concept)} == set(Concept.__dataclass_fields__)


def test_flags_are_declared_once() -> None:
    flags = [
        name
        for kind in (Concept, LearnOptions)
        for _, declared in declared_in(kind)
        for flag in declared.flags
        for name in flag.names
    ]
    assert len(flags) == len(set(flags))


@pytest.mark.parametrize(
    ("options", "name", "words"),
    [
        ({}, None, None),
        ({"max_cost": 3}, "--max-cost", "bounds on costs"),
        ({"share": ("schema",)}, "--share", "shared costs"),
        ({"soft_costs": True}, "--soft-costs", None),
        ({"require": ("p.plan",)}, "--require", "required plans"),
        ({"drop": ("p.plan",)}, None, None),
        ({"ignore_costs": True, "initial_costs": Path("x"), "seed": 3}, None, None),
    ],
    ids=str,
)
def test_what_options_go_with(options: dict[str, Any], name: str | None, words: str | None) -> None:
    found = LearnOptions(**options)
    assert (found.exact_only, found.constrained_by) == (name, words)

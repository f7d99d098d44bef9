"""The classes of links on the map."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.routes.network import Link, Network
from plancost.routes.page.colours import CLASSES, find_colours


def network(count: int, **columns: int) -> Network:
    numbers = {name: Fraction(value) for name, value in columns.items()}
    return Network(tuple(Link(f"l{n}", "a", "b", numbers) for n in range(count)))


@pytest.mark.parametrize(
    ("cost", "initial", "expected"),
    [
        (24, 100, 0),
        (25, 100, 1),
        (50, 100, 2),
        (94, 100, 2),
        (95, 100, 3),
        (100, 100, 3),
        (104, 100, 3),
        (105, 100, 4),
        (200, 100, 5),
        (399, 100, 5),
        (400, 100, 6),
        (1, 0, 3),
        (3, 0, 5),
    ],
)
def test_learned_over_initial_cost(cost: int, initial: int, expected: int) -> None:
    found = find_colours(network(1), {"l0": cost}, {"l0": initial})
    assert found.classes == (expected,)
    assert found.diverging and found.title == "learned over initial cost"


def test_by_length_where_there_are_no_initial_costs() -> None:
    links = (
        Link("l0", "a", "b", {"metres": Fraction(10)}),
        Link("l1", "a", "b", {"metres": Fraction(1)}),
    )
    found = find_colours(Network(links), {"l0": 10, "l1": 5}, None)
    assert found.title == "learned cost by metres"
    assert found.classes == (0, 6)
    assert (found.labels[0], found.labels[6]) == ("1", "5")


def test_links_of_no_length_are_coloured_by_cost() -> None:
    assert find_colours(network(2, metres=0), {"l0": 1, "l1": 2}, None).title == "learned cost"


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=60))
def test_more_expensive_links_have_no_lower_class(values: list[int]) -> None:
    costs = {f"l{n}": value for n, value in enumerate(values)}
    found = find_colours(network(len(values)), costs, None)
    pairs = sorted(zip(values, found.classes, strict=True))
    classes = [number for _, number in pairs]
    assert classes == sorted(classes)
    assert len(set(zip(values, found.classes, strict=True))) == len(set(values))
    assert all(0 <= number < CLASSES and found.labels[number] for number in classes)
    assert len(found.labels) == len(found.ticks) == CLASSES

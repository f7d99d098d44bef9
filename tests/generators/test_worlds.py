"""The domains ground with the real translator, and a seed fixes all but I and G."""

from __future__ import annotations

import hashlib
from itertools import islice

import pytest

from plancost.errors import UsageError
from plancost.generators.barman import Barman
from plancost.generators.grid import Grid
from plancost.generators.openstacks import Openstacks
from plancost.generators.streets import Streets
from plancost.generators.transport import Transport
from plancost.generators.world import World, different_problems
from plancost.generators.worlds import WORLDS
from plancost.observations.grounding import ground
from plancost.observations.pddl import (
    initial_cost,
    parse_domain,
    parse_problem,
    static_predicates,
    task_key,
    world_key,
)
from plancost.observations.sas import SasTask
from plancost.system.processes import Limits

SMALL: list[World] = [
    Grid(side=3),
    Barman(ingredients=2, cocktails=1, shots=2),
    Openstacks(orders=3, products=2),
    Transport(places=4, vehicles=1, packages=2),
    Streets(links=100),
]
USUAL: list[World] = [Grid(), Barman(), Openstacks(), Transport(), Streets()]


def facts(sas: SasTask) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(variable.values) for variable in sas.variables)


def meaning(sas: SasTask) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Each action with its preconditions and effects, in words."""
    return {
        operator.name: (
            frozenset(
                sas.variables[variable].values[value] for variable, value in operator.preconditions
            ),
            frozenset(sas.variables[e.variable].values[e.value] for e in operator.effects),
        )
        for operator in sas.operators
    }


@pytest.mark.parametrize("world", [*SMALL, *USUAL], ids=repr)
def test_a_seed_fixes_facts_and_actions(world: World) -> None:
    domain = parse_domain(world.domain(seed=3))
    problems = [parse_problem(text) for text in islice(different_problems(world, seed=3), 3)]
    assert len({task_key(domain, problem) for problem in problems}) == 3
    assert len({world_key(domain, problem) for problem in problems}) == 1
    first, *others = problems
    static = static_predicates(domain)
    grounded = ground(domain, first, Limits())
    assert grounded.operators
    for other in others:
        assert other.objects == first.objects
        assert other.init_values == first.init_values
        assert other.init_atoms != first.init_atoms or str(other.goal) != str(first.goal)
        assert not any(atom[0] in static for atom in other.init_atoms ^ first.init_atoms)
        again = ground(domain, other, Limits())
        assert facts(again) == facts(grounded)
        assert meaning(again) == meaning(grounded)


@pytest.mark.parametrize("world", [*SMALL, *USUAL], ids=repr)
def test_texts_come_from_the_seed_alone(world: World) -> None:
    same = type(world)(**world.sizes())
    assert [world.problem(1, draw) for draw in (5, 2)] == [same.problem(1, draw) for draw in (5, 2)]
    assert world.domain(1) == same.domain(1)
    assert [world.problem(1, n) for n in range(5)] != [world.problem(2, n) for n in range(5)]


@pytest.mark.parametrize(
    ("world", "expected"),
    [
        (Grid(), "e7a23e8ffabd"),
        (Barman(), "47bf0583a069"),
        (Openstacks(), "74dd3296b404"),
        (Transport(), "1eccd770b215"),
        (Streets(), "5ec06690d7c8"),
    ],
    ids=lambda item: item.name if isinstance(item, World) else "",
)
def test_texts_stay_as_they_are(world: World, expected: str) -> None:
    """Pools can be made again only as long as no text changes."""
    text = world.domain(1) + "".join(world.problem(1, draw) for draw in range(3))
    assert hashlib.sha256(text.encode()).hexdigest()[:12] == expected


def costs_of(world: World) -> dict[str, set[int]]:
    """The costs in C̄ by action schema."""
    domain, problem = parse_domain(world.domain(0)), parse_problem(world.problem(0, 0))
    assert problem.metric is not None
    found: dict[str, set[int]] = {}
    for name in ground(domain, problem, Limits()).operators_by_name:
        schema = name.strip("()").split()[0]
        found.setdefault(schema, set()).add(initial_cost(domain, problem, name))
    return found


def test_costs_are_those_of_the_competitions() -> None:
    assert costs_of(Grid(side=3)) == {"move": {1}}
    barman = costs_of(Barman(2, 1, 2))
    assert barman.pop("fill-shot") == barman.pop("refill-shot") == {10}
    assert len(barman) == 10
    assert all(costs == {1} for costs in barman.values())
    openstacks = costs_of(Openstacks(3, 2))
    assert openstacks.pop("open-stack") == {1}
    assert set(openstacks) == {
        "start-order", "make-product1", "make-product2", "ship-order1", "ship-order2", "ship-order3"
    }  # fmt: skip
    assert all(costs == {0} for costs in openstacks.values())
    transport = costs_of(Transport(5, 1, 1))
    assert transport.pop("pick-up") == transport.pop("drop") == {1}
    assert len(transport["drive"]) > 1


def test_sizes_are_those_of_the_paper() -> None:
    assert Barman().sizes() == {"ingredients": 3, "cocktails": 3, "shots": 4}
    assert Grid().side == 10
    assert Transport().sizes() == {"places": 10, "vehicles": 2, "packages": 3}
    assert Grid(5).usual_problems == 10
    assert {world().usual_problems for world in WORLDS.values()} == {50}


def test_all_places_are_connected() -> None:
    for seed in range(5):
        problem = parse_problem(Transport(places=12).problem(seed, 0))
        roads = {atom[1:] for atom in problem.init_atoms if atom[0] == "road"}
        reached = {"place1"}
        for _ in range(12):
            reached |= {b for a, b in roads if a in reached}
        assert len(reached) == 12
        assert {(b, a) for a, b in roads} == roads


@pytest.mark.slow
def test_there_are_no_more_problems_than_there_are() -> None:
    assert len(list(different_problems(Grid(side=2), 0))) == 4 * 3


def test_a_size_that_makes_no_sense() -> None:
    with pytest.raises(
        UsageError, match="grid: the number of cells along a side must be from 2 to 1000"
    ):
        Grid(side=1)
    for wrong in ("3", 2.5, None):
        message = f"must be a whole number from 2 to 1000, not {wrong!r}$"
        with pytest.raises(UsageError, match=message):
            Grid(wrong)  # type: ignore[arg-type]
    assert Grid(3.0) == Grid(3)  # type: ignore[arg-type]
    assert type(Grid(3.0).side) is int  # type: ignore[arg-type]

"""Road maps with parallel flights: small ones, and one as large as a town."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product
from random import Random

from benchmarks.soak.worlds import Action, Atom, Problem, World, as_atoms

ROADS = """(define (domain roads)
  (:requirements :strips :typing :action-costs)
  (:types place)
  (:predicates (at ?p - place) (road ?a ?b - place) (line ?a ?b - place))
  (:functions (total-cost) - number (length ?a ?b - place) - number)
  (:action drive :parameters (?from ?to - place)
    :precondition (and (at ?from) (road ?from ?to))
    :effect (and (not (at ?from)) (at ?to) (increase (total-cost) (length ?from ?to))))
  (:action fly :parameters (?from ?to - place)
    :precondition (and (at ?from) (line ?from ?to))
    :effect (and (not (at ?from)) (at ?to) (increase (total-cost) 2))))
"""
_PLACES = [f"p{n}" for n in range(6)]
_ODD_PLACES = ["p1", "p[1]", "p2", "p[!1]", "p[12]", "[p]"]
"""Some of these would stand for others if they were patterns."""

Pair = tuple[str, str]


def draw_roads(random: Random) -> World:
    """Up to six places; the lengths of some maps are fractions."""
    places = random.choice([_PLACES, _ODD_PLACES])[: random.randint(3, 6)]
    pairs = list(permutations(places, 2))
    roads = random.sample(pairs, min(len(pairs), random.randint(7, 14)))
    lines = random.sample(pairs, random.randint(0, 2))
    lengths = {road: random.randint(0, 4) for road in roads}
    return _world(places, lengths, lines, fractional=random.random() < 0.12)


def draw_town(random: Random) -> World:
    """Streets from neighbour to neighbour, most of them both ways, and a few flights."""
    width, height = random.randint(5, 9), random.randint(5, 9)
    name = {spot: f"x{spot[0]}y{spot[1]}" for spot in product(range(width), range(height))}
    roads = [
        (name[x, y], name[x + dx, y + dy])
        for x, y in name
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if (x + dx, y + dy) in name and (dx + dy > 0 or random.random() < 0.9)
    ]
    lines = random.sample(list(permutations(name.values(), 2)), random.randint(0, 4))
    lengths = {road: random.randint(1, 6) for road in roads}
    return _world(list(name.values()), lengths, lines, fractional=False)


def between(start: str, goal: str) -> Problem:
    """From one place to another."""
    return Problem(as_atoms(f"at {start}"), as_atoms(f"at {goal}"))


def _world(
    places: Sequence[str], lengths: Mapping[Pair, int], lines: Sequence[Pair], *, fractional: bool
) -> World:
    part = ".5" if fractional else ""
    actions = tuple(
        Action(
            (schema, a, b),
            as_atoms(f"at {a}"),
            frozenset(),
            as_atoms(f"at {b}"),
            as_atoms(f"at {a}"),
            lengths[a, b] if schema == "drive" else 2,
        )
        for schema, edges in (("drive", lengths), ("fly", lines))
        for a, b in edges
    )
    static = "\n".join(
        [f"    (road {a} {b}) (= (length {a} {b}) {n}{part})" for (a, b), n in lengths.items()]
        + [f"    (line {a} {b})" for a, b in lines]
    )
    parameters = {"drive": ("?from", "?to"), "fly": ("?from", "?to")}
    pairs = list(permutations(places, 2))
    length: Atom = ("length", "?from", "?to")
    return World(
        *("roads", ROADS, f"{' '.join(places)} - place", static, actions, parameters),
        lambda random: between(*random.choice(pairs)),
        features={} if fractional else {"drive": (length,)},
        values={("length", *road): n for road, n in lengths.items()},
        fractional=fractional,
    )

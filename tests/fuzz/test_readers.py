"""The readers by themselves: whatever a file holds, they return, or raise one of our errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from benchmarks.packed import PackedRecords
from hypothesis import given
from hypothesis import strategies as st

from conftest import BLOCKS, DOMAIN, TABLE_1, graph_problem
from plancost.errors import PlancostError
from plancost.experiments.statistics import Outcome
from plancost.files.input_files import read_text
from plancost.monitoring.state import MonitorState, StateFile, Watched
from plancost.observations.bounds_files import read_bounds
from plancost.observations.files import read_manifest
from plancost.observations.outside import NamedFolders
from plancost.observations.pddl import (
    check_same_domain,
    explain_missing_action,
    initial_cost,
    parse_domain,
    parse_problem,
    read_domain,
    read_problem,
    task_key,
    without_costs,
    world_key,
)
from plancost.observations.plan_costs import known_cost, suboptimality
from plancost.observations.planfile import read_plan
from plancost.pictures.coordinates import read_coordinates
from plancost.results.claims import read_learned_costs
from plancost.results.document import Moment
from plancost.results.learned import read_learned
from plancost.results.reading import read_result
from plancost.results.result import ObservationResult, Result, Secondary
from plancost.routes.costs import read_costs
from plancost.routes.graphml import network_in_graphml
from plancost.routes.network import Link, Network
from plancost.routes.read_links import read_network
from plancost.routes.read_pairs import read_pairs
from plancost.routes.read_trips import read_trips
from plancost.routes.turns import read_turns
from support.fuzzing import examples
from support.mutations import mutated_file, mutated_json

PROBLEM = graph_problem("p1", "abcdef", TABLE_1, "a", "d")
ADL = """(define (domain d) (:requirements :adl :derived-predicates)
  (:types a b - object c - (either a b)) (:constants k - a)
  (:predicates (p ?x - a) (q ?x ?y)) (:functions (total-cost) - number (f ?x))
  (:derived (q ?x ?y) (and (p ?x) (= ?x ?y)))
  (:action go :parameters (?x - a ?y - (either a b))
    :precondition (or (p ?x) (not (q ?x ?y))
                      (forall (?z - a) (imply (p ?z) (exists (?w) (q ?z ?w)))))
    :effect (and (when (p ?x) (not (p ?y))) (forall (?z) (p ?z)) (increase (total-cost) 3))))
"""
MANIFEST = (
    "problem,plan,count,cost,time,group,suboptimality\n"
    "p1.pddl,p1.plan,2,3.5,2024-01-01,a,1.1\n"
    'p1.pddl,"p1.plan",1,3,,b,11/10\n'
)
BOUNDS = {"(move a b)": 3, "(move * c)": [1, 5], "(move c d)": {"least": 2, "greatest": None}}
RESULT = Result(
    solution="mcf",
    strict=False,
    refined=True,
    alternatives="exact",
    options={"seed": 0, "bounds": [["(a)", 1, 2]], "initial_costs": "c.json"},
    plans=2,
    optimal_plans=1,
    upper_bound=1,
    proved=True,
    believed_optimal=1,
    secondary=Secondary(3, 3, True),
    costs={"(a)": 1, "(b x)": 2},
    observations=(
        ObservationResult("p.pddl", "p.plan", 1, True, 1, 1),
        ObservationResult(
            "p.pddl",
            "q.plan",
            1,
            False,
            2,
            1,
            ("(a)",),
            1,
            {"reason": "redundant", "redundant": ["(b x)"], "redundant_steps": [1]},
        ),
    ),
    verified=True,
    seconds={"total": 0.5},
    history=(Moment((0.1, 1, 2)),),
    notes=("a note",),
    initial_costs={"(a)": 0, "(b x)": 2},
).to_json()
STATE = MonitorState({"(a)": 2}, [1.0, 1.5], 3, "ab", 1, [Watched(2, 1.0, 0.5)], 2)

PACKED = {
    "key": {"kind": "run", "pool": "grid", "size": 3, "refine": False, "plancost": "1"},
    "status": "solved",
    "reason": None,
    "plans": 3,
    "optimal_plans": 2,
    "proved": True,
    "secondary": {"value": 1, "proved": True},
    "seconds": {"total": 1.5, "milp": 1.0},
}


LINKS = (
    "link,from,to,minutes,geometry,x_from,y_from,x_to,y_to\n"
    '1,a,b,0.5,"LINESTRING (0 0, 1 1)",0,0,1,1\n2,b,a,1e-2,,,,,\n'
)
GRAPHML = """<?xml version="1.0" encoding="utf-8"?>
<graphml><key id="d0" for="edge" attr.name="length" attr.type="string"/>
<key id="d1" for="node" attr.name="x" attr.type="string"/>
<graph edgedefault="directed"><node id="a"><data key="d1">1.5</data></node><node id="b"/>
<edge source="a" target="b" id="0"><data key="d0">12.5</data></edge></graph></graphml>
"""
STREETS = Network((Link("1", "a", "b"), Link("2", "b", "a")), source="links.csv")


def use_graphml(path: Path) -> None:
    network_in_graphml(read_text(path), path)


def use_domain(path: Path) -> None:
    domain, problem = read_domain(path), parse_problem(PROBLEM)
    task_key(domain, problem)
    world_key(domain, problem)
    without_costs(domain, problem)
    for name in ("(move a f)", "(mov a)", "(pickup a)", "(go k k)"):
        explain_missing_action(domain, problem, name)
    initial_cost(domain, problem, "(move a b)")
    check_same_domain(domain, problem)


def use_problem(path: Path) -> None:
    domain, problem = parse_domain(DOMAIN), read_problem(path)
    task_key(domain, problem)
    world_key(domain, problem)
    without_costs(domain, problem)
    explain_missing_action(domain, problem, "(move a f)")
    initial_cost(domain, problem, "(move a b)")
    check_same_domain(domain, problem)


def use_manifest(path: Path) -> None:
    (path.parent / "p1.pddl").touch()
    (path.parent / "p1.plan").touch()
    for row in read_manifest(path, NamedFolders.of(path)):
        known_cost(row)
        suboptimality(row, Fraction(1))


def use_state(path: Path) -> None:
    state, sentence = StateFile(path, {"window": 40}).load()
    assert (state is None) == (sentence is not None)


def use_packed(path: Path) -> None:
    for content in PackedRecords([path]).contents:
        Outcome.of(content)


Reader = Callable[[Path], object]
READERS: dict[str, tuple[st.SearchStrategy[bytes], Reader]] = {
    "domain": (
        st.one_of(mutated_file(DOMAIN), mutated_file(BLOCKS), mutated_file(ADL)),
        use_domain,
    ),
    "problem": (mutated_file(PROBLEM), use_problem),
    "plan": (mutated_file("; a plan\n(move a b)\n(move b  d) ; go\n"), read_plan),
    "manifest": (mutated_file(MANIFEST), use_manifest),
    "bounds": (
        st.one_of(
            mutated_file("action,least,greatest\n(move a b),1,3\n(move * b),,5\n"),
            mutated_file(json.dumps(BOUNDS)),
            mutated_json(BOUNDS),
        ),
        read_bounds,
    ),
    "costs": (mutated_json({"(move a b)": 3, "(move b c)": 4}), read_learned_costs),
    "costs of a result": (mutated_json(RESULT), read_learned_costs),
    "coordinates": (mutated_file("place,x,y\na,1,2\nb,2.5,-3\n"), read_coordinates),
    "result": (st.one_of(mutated_json(RESULT), mutated_file(json.dumps(RESULT))), read_result),
    "learned": (mutated_json(RESULT), read_learned),
    "state": (
        mutated_json({"format": 1, "request": {"window": 40}, "state": STATE.to_json()}),
        use_state,
    ),
    "links": (mutated_file(LINKS), lambda path: read_network(path, needed=("minutes",))),
    "GraphML": (mutated_file(GRAPHML), use_graphml),
    "trips": (
        st.one_of(
            mutated_file("trip,links,count,group,time\nx,1 2,2,g,8:00\ny,2,,,\n"),
            mutated_file("trip,nodes\nx,a b a\ny,b a\n"),
        ),
        lambda path: read_trips(path, STREETS),
    ),
    "pairs": (mutated_file("from,to\na,b\nb,a\n"), lambda path: read_pairs(path, STREETS)),
    "turns": (
        mutated_file("link,next,angle,cost,forbidden\n1,2,3.14,0.5,1\n2,1,0,,0\n"),
        lambda path: read_turns(path, STREETS),
    ),
    "costs of links": (mutated_json({"1": 3, "2": 4}), read_costs),
    "packed records": (
        st.one_of(
            mutated_file(json.dumps(PACKED) + "\n" + json.dumps(PACKED)),
            mutated_json(PACKED).map(lambda data: data.replace(b"\n", b"")),
        ),
        use_packed,
    ),
}


@pytest.mark.parametrize("name", READERS)
def test_only_our_errors_come_out(name: str, tmp_path: Path) -> None:
    strategy, read = READERS[name]
    refused = 0

    @examples(60)
    @given(strategy)
    def fuzz(data: bytes) -> None:
        nonlocal refused
        path = tmp_path / "file"
        path.write_bytes(data)
        try:
            read(path)
        except PlancostError as error:
            refused += 1
            assert str(path) in str(error), error
            assert len(str(error)) < len(str(path)) + 800, error

    fuzz()
    # A state that is damaged is put aside instead; all other readers refuse most of it.
    assert refused or name == "state"


def test_the_files_are_right_before_they_are_changed(tmp_path: Path) -> None:
    """Otherwise all of this would only test one sentence."""
    contents: dict[str, tuple[Any, Reader]] = {
        "domain": (DOMAIN, use_domain),
        "problem": (PROBLEM, use_problem),
        "manifest": (MANIFEST, use_manifest),
        "bounds": (json.dumps(BOUNDS), read_bounds),
        "result": (json.dumps(RESULT), read_result),
        "learned": (json.dumps(RESULT), read_learned),
        "packed records": (json.dumps(PACKED), use_packed),
        "links": (LINKS, lambda path: read_network(path, needed=("minutes",))),
        "GraphML": (GRAPHML, use_graphml),
    }
    for name, (text, read) in contents.items():
        path = tmp_path / name
        path.write_text(text)
        read(path)

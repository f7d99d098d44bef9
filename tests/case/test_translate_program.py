"""The ground actions that problems share, against the translator's own, problem by problem."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from plancost.case.grounding import Grounding, Request, ground

_OWN = """
import contextlib, io, json, pathlib, sys
from fast_downward.translate import instantiate, normalize, options, pddl_parser
found = []
for problem in sys.argv[2:]:
    options.set_options(["--keep-no-ops", sys.argv[1], problem])
    with contextlib.redirect_stdout(io.StringIO()):
        task = pddl_parser.open(sys.argv[1], problem)
        normalize.normalize(task)
        reachable, _, actions, goal, _, _ = instantiate.explore(task)
    found.append([reachable and goal is not None, sorted({a.name for a in actions})])
print(json.dumps(found))
"""

_ROADS = """(define (domain roads) (:requirements :adl :derived-predicates)
(:types place thing - object)
(:predicates (at ?x - thing ?p - place) (road ?a ?b - place) (closed ?a ?b - place)
  (clean ?x - thing) (dirty ?x - thing) (lit ?p - place) (near ?p ?q - place) (fine ?x - thing))
(:derived (near ?p ?q - place) (or (road ?p ?q) (exists (?r - place)
   (and (road ?p ?r) (near ?r ?q) (lit ?r)))))
(:derived (fine ?x - thing) (and (clean ?x) (not (dirty ?x))))
(:action go :parameters (?x - thing ?a ?b - place)
  :precondition (and (at ?x ?a) (road ?a ?b) (not (closed ?a ?b)) (not (= ?a ?b)))
  :effect (and (not (at ?x ?a)) (at ?x ?b) (when (lit ?b) (clean ?x))))
(:action force :parameters (?x - thing ?a ?b - place)
  :precondition (and (closed ?a ?b) (at ?x ?a) (or (clean ?x) (exists (?p - place) (lit ?p))))
  :effect (and (at ?x ?b) (when (not (closed ?b ?a)) (dirty ?x))))
(:action light :parameters (?p - place)
  :precondition (forall (?x - thing) (imply (at ?x ?p) (fine ?x)))
  :effect (forall (?q - place) (when (near ?p ?q) (lit ?q))))
(:action rest :parameters (?x - thing) :precondition (dirty ?x) :effect (and)))"""

_GOALS = (
    "(at t0 p2)",
    "(and (at t0 p1) (not (dirty t1)))",
    "(or (lit p0) (clean t1))",
    "(forall (?x - thing) (fine ?x))",
    "(exists (?p - place) (and (at t0 ?p) (lit ?p)))",
    "(and)",
)


def _problem(random_: random.Random, roads: list[str]) -> str:
    places, things = [f"p{n}" for n in range(4)], ["t0", "t1"]
    facts = [*roads]
    facts += [f"(at {thing} {random_.choice(places)})" for thing in things]
    facts += [f"(clean {thing})" for thing in things if random_.random() < 0.5]
    facts += [f"(lit {place})" for place in places if random_.random() < 0.2]
    goal = random_.choice(_GOALS)
    return (
        f"(define (problem p) (:domain roads) (:objects {' '.join(places)} - place "
        f"{' '.join(things)} - thing) (:init {' '.join(facts)}) (:goal {goal}))"
    )


def _roads(random_: random.Random) -> list[str]:
    pairs = [(a, b) for a in range(4) for b in range(4)]
    facts = [f"(road p{a} p{b})" for a, b in pairs if random_.random() < 0.25]
    return facts + [f"(closed p{a} p{b})" for a, b in pairs if random_.random() < 0.2]


def _actions(grounding: Grounding, name: str) -> list[str]:
    problem = grounding.problems[name]
    operators = grounding.worlds[problem.world]["operators"]
    return sorted({o[0] for n, o in enumerate(operators) if n not in problem.missed})


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("jobs", [1, 2])
def test_same_actions_as_the_translator_finds_for_each_problem_alone(
    tmp_path: Path, seed: int, jobs: int
) -> None:
    random_ = random.Random(seed)
    statics = [_roads(random_) for _ in range(3)]
    texts = {f"p{n}.pddl": _problem(random_, random_.choice(statics)) for n in range(12)}
    grounding = ground(Request(_ROADS, texts, "domain.pddl", jobs=jobs))

    (tmp_path / "domain.pddl").write_text(_ROADS)
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-c", _OWN, "domain.pddl", *texts]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    alone = dict(zip(texts, json.loads(done.stdout), strict=True))
    assert {name for name, (solvable, _) in alone.items() if not solvable} == set(
        grounding.unsolvable
    )
    for name in grounding.problems:
        assert _actions(grounding, name) == alone[name][1], texts[name]
    assert grounding.problems

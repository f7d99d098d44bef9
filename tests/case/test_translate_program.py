"""The ground actions that problems share, against what the translator finds in each alone."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from plancost.case.grounding import Request, ground

# Of each problem the actions that the translator keeps, and those applied in the first states.
_OWN = """
import contextlib, io, json, sys
from fast_downward.translate import axiom_rules, instantiate, main, normalize, options, pddl_parser

def holds(literals, state):
    return all((literal.positive() in state) != literal.negated for literal in literals)

def completed(state, axioms, layers):
    state = set(state)
    for layer in sorted(set(layers.values())):
        size = -1
        while size < len(state):
            size = len(state)
            for axiom in axioms:
                if layers[axiom.effect] == layer and holds(axiom.condition, state):
                    state.add(axiom.effect)
    return frozenset(state)

def applied(task, most=400):
    _, _, actions, _, axioms, _ = instantiate.explore(task)
    axioms, layers = axiom_rules.handle_axioms(actions, axioms, [], "min")
    start = frozenset(task.init)
    names, seen, queue = set(), {start}, [start]
    while queue and len(seen) < most:
        state = queue.pop(0)
        full = completed(state, axioms, layers)
        for action in actions:
            if holds(action.precondition, full):
                names.add(action.name)
                new = state - {e for c, e in action.del_effects if holds(c, full)}
                new |= {e for c, e in action.add_effects if holds(c, full)}
                if new not in seen:
                    seen.add(new)
                    queue.append(new)
    return names

found = []
for problem in sys.argv[2:]:
    options.set_options(["--keep-no-ops", "--keep-unimportant-variables", sys.argv[1], problem])
    with contextlib.redirect_stdout(io.StringIO()):
        task = pddl_parser.open(sys.argv[1], problem)
        normalize.normalize(task)
        kept = {operator.name for operator in main.pddl_to_sas(task).operators}
        found.append([sorted(kept), sorted(applied(task))])
print(json.dumps(found))
"""

# Conditions of effects are about what the effect changes: else the translator takes in too much.
_ROADS = """(define (domain roads) (:requirements :adl :derived-predicates)
(:types place thing - object)
(:predicates (at ?x - thing ?p - place) (road ?a ?b - place) (closed ?a ?b - place)
  (clean ?x - thing) (dirty ?x - thing) (lit ?p - place) (near ?p ?q - place) (fine ?x - thing)
  (safe ?p - place) (finished) (met ?x ?y - thing) (free ?x - thing))
(:derived (near ?p ?q - place) (or (road ?p ?q) (exists (?r - place)
   (and (road ?p ?r) (near ?r ?q) (lit ?r)))))
(:derived (safe ?p - place) (exists (?q - place) (near ?p ?q)))
(:derived (fine ?x - thing) (and (clean ?x) (not (dirty ?x))))
(:action go :parameters (?x - thing ?a ?b - place)
  :precondition (and (at ?x ?a) (road ?a ?b) (not (closed ?a ?b)) (not (= ?a ?b)))
  :effect (and (not (at ?x ?a)) (at ?x ?b) (when (free ?x) (clean ?x))))
(:action finish :parameters (?x - thing) :effect (finished))
(:action meet :parameters (?x ?y - thing ?a ?b - place)
  :precondition (and (at ?x ?a) (at ?y ?b) (not (clean ?y)) (or (= ?x ?y) (road ?b ?a)))
  :effect (and (met ?x ?y) (when (free ?x) (clean ?x))))
(:action part :parameters (?x ?y - thing) :precondition (and (met ?x ?y) (not (free ?x)))
  :effect (and (not (met ?x ?y)) (free ?y)))
(:action force :parameters (?x - thing ?a ?b - place)
  :precondition (and (closed ?a ?b) (at ?x ?a) (or (clean ?x) (exists (?p - place) (lit ?p))))
  :effect (and KEEP (at ?x ?b) (when (not (closed ?b ?a)) (dirty ?x))))
(:action light :parameters (?p - place)
  :precondition (forall (?x - thing) (imply (at ?x ?p) (fine ?x)))
  :effect (forall (?q - place) (when (safe ?q) (lit ?q))))
(:action rest :parameters (?x - thing) :precondition (dirty ?x) :effect (and)))"""

_GOALS = (
    "(at t0 p2)",
    "(and (at t0 p1) (not (dirty t1)))",
    "(or (lit p0) (clean t1))",
    "(forall (?x - thing) (fine ?x))",
    "(exists (?p - place) (and (at t0 ?p) (lit ?p)))",
    "(not (met t0 t0))",
    "(and (at t0 p0) (met t0 t1) (at t0 p1))",
)


def _problem(random_: random.Random, roads: list[str]) -> str:
    places, things = [f"p{n}" for n in range(4)], ["t0", "t1"]
    facts = [*roads]
    facts += [f"(at {thing} {random_.choice(places)})" for thing in things]
    facts += [f"(clean {thing})" for thing in things if random_.random() < 0.5]
    facts += [f"(free {thing})" for thing in things if random_.random() < 0.5]
    facts += [f"(lit {place})" for place in places if random_.random() < 0.2]
    goal = random_.choice(_GOALS)
    return (
        f"(define (problem p) (:domain roads) (:objects {' '.join(places)} - place "
        f"{' '.join(things)} - thing) (:init {' '.join(facts)}) (:goal (and (finished) {goal})))"
    )


def _roads(random_: random.Random) -> list[str]:
    pairs = [(a, b) for a in range(4) for b in range(4)]
    facts = [f"(road p{a} p{b})" for a, b in pairs if random_.random() < 0.25]
    return facts + [f"(closed p{a} p{b})" for a, b in pairs if random_.random() < 0.2]


@pytest.mark.parametrize("seed", range(6))
def test_all_actions_that_can_be_applied_and_none_that_the_translator_leaves_out(
    tmp_path: Path, seed: int
) -> None:
    random_ = random.Random(seed)
    domain = _ROADS.replace("KEEP", random_.choice(["", "(not (at ?x ?a))"]))
    statics = [_roads(random_) for _ in range(3)]
    texts = {f"p{n}.pddl": _problem(random_, random_.choice(statics)) for n in range(9)}
    (tmp_path / "domain.pddl").write_text(domain)
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-c", _OWN, "domain.pddl", *texts]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    alone = dict(zip(texts, json.loads(done.stdout), strict=True))

    for names in [list(texts), *(random_.sample(list(texts), 2) for _ in range(6))]:
        some = {name: texts[name] for name in names}
        found, unsolvable = ground(Request(domain, some, "domain.pddl"))
        assert set(unsolvable) == {name for name in names if not alone[name][0]}
        kept, applied = (
            {name for own in names if alone[own][0] for name in alone[own][part]} for part in (0, 1)
        )
        assert {name.replace(" )", ")") for name in applied} <= set(found.actions) <= kept, some

"""A random house: a small world whose PDDL uses what the other worlds do not.

Constants, a predicate of either type, equality, negative and disjunctive conditions, conditional
effects, a derived predicate, and an action that changes nothing. Problems have windows of their
own, so that one name may stand for different ground actions. All of it is grounded by hand: what is
possible in one of two ways is two actions of the same name.
"""

from __future__ import annotations

from itertools import permutations
from random import Random

from benchmarks.soak.worlds import Action, Atom, Problem, World, as_atoms, numbers

_DOMAIN = """(define (domain house)
  (:requirements :adl :derived-predicates :action-costs)
  (:types room thing - object light opener - thing)
  (:constants hall - room)
  (:predicates (in ?r - room) (door ?a ?b - room) (window ?r - room) (locked ?r - room)
    (have ?x - (either light opener)) (shines) (lit ?r - room) (informed))
  (:functions (total-cost) - number (size ?r - room))
  (:derived (lit ?r - room) (or (window ?r) (and (in ?r) (shines))))
  (:action walk :parameters (?a ?b - room)
    :precondition (and (in ?a) (door ?a ?b) (not (= ?a ?b))
      (or (not (locked ?b)) (exists (?k - opener) (have ?k))))
    :effect (and (not (in ?a)) (in ?b) (increase (total-cost) 2)))
  (:action take :parameters (?x - thing)
    :precondition (in hall)
    :effect (and (have ?x) (increase (total-cost) 1)))
  (:action switch :parameters (?x - light)
    :precondition (have ?x)
    :effect (and (when (shines) (not (shines))) (when (not (shines)) (shines))
      (increase (total-cost) 1)))
  (:action read :parameters (?r - room)
    :precondition (and (in ?r) (lit ?r))
    :effect (and (informed) (increase (total-cost) 3)))
  (:action wait :parameters () :precondition (and)
    :effect (and (increase (total-cost) 1))))
"""
_USES = (
    *("constants", "either types", "equality", "negative conditions", "disjunctive conditions"),
    *("conditional effects", "derived predicates", "actions that change nothing"),
)
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "walk": ("?a", "?b"),
    "take": ("?x",),
    "switch": ("?x",),
    "read": ("?r",),
    "wait": (),
}


def draw_house(random: Random) -> World:
    """Rooms with doors and windows."""
    rooms = ["hall", "r1", "r2", "r3"][: random.randint(2, 4)]
    pairs = list(permutations(rooms, 2))
    doors = random.sample(pairs, min(len(pairs), random.randint(3, 8)))
    actions = [_action("wait", cost=1)]
    for a, b in doors:
        # Never two ways at once: each plan is listed once.
        for needs, needs_not in ((f"in {a}", f"locked {b}"), (f"in {a},locked {b},have key", "")):
            there, back = f"in {b}", f"in {a}"
            actions.append(_action(f"walk {a} {b}", needs, needs_not, there, back, cost=2))
    for thing in ("lamp", "key"):
        actions.append(_action(f"take {thing}", "in hall", adds=f"have {thing}"))
    actions.append(_action("switch lamp", "have lamp,shines", deletes="shines"))
    actions.append(_action("switch lamp", "have lamp", needs_not="shines", adds="shines"))
    dark = [_action(f"read {r}", f"in {r},shines", adds="informed", cost=3) for r in rooms]
    light = {r: _action(f"read {r}", f"in {r}", adds="informed", cost=3) for r in rooms}

    def own_actions(problem: Problem) -> tuple[Action, ...]:
        """To read in a room with a window needs no light: a window is a fact of one problem."""
        lit = [action for r, action in light.items() if f"(window {r})" in problem.static]
        names = {action.name for action in lit}
        return (*actions, *lit, *(action for action in dark if action.name not in names))

    def problem(random: Random) -> Problem:
        start = [f"in {random.choice(rooms)}"]
        start += [f"locked {room}" for room in rooms if random.random() < 0.3]
        start += [fact for fact in ("have key", "have lamp", "shines") if random.random() < 0.2]
        goal = random.choice([["informed"], [f"in {rooms[-1]}"], ["shines", f"in {rooms[-1]}"]])
        windows = random.sample(rooms, random.randint(0, 1))
        facts = " ".join(f"(window {room})" for room in windows)
        return Problem(as_atoms(*start), as_atoms(*goal), facts)

    values: dict[Atom, int] = {("size", room): random.randint(0, 3) for room in rooms}
    static = " ".join([f"(door {a} {b})" for a, b in doors]) + numbers(values)
    objects = f"{' '.join(rooms[1:])} - room lamp - light key - opener"
    features = {"walk": (("size", "?a"), ("size", "?b")), "read": (("size", "?r"),)}
    return World(
        *("house", _DOMAIN, objects, static, (*actions, *dark), _PARAMETERS, problem),
        features=features,
        values=values,
        uses=_USES,
        own_actions=own_actions,
    )


def _action(
    name: str,
    needs: str = "",
    needs_not: str = "",
    adds: str = "",
    deletes: str = "",
    cost: int = 1,
) -> Action:
    """A ground action; facts are separated by commas."""

    def facts(text: str) -> frozenset[Atom]:
        return as_atoms(*filter(None, text.split(",")))

    effects = facts(adds), facts(deletes)
    return Action(tuple(name.split()), facts(needs), facts(needs_not), *effects, cost)

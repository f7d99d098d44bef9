"""The programs that plancost runs and the solver that it links, each really tried.

The tiny task is a corner to cut: two steps that cost 1 each, or one that costs 3.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from pathlib import Path

from plancost.doctor.finding import Finding, State, one_line
from plancost.errors import PlancostError
from plancost.observations.grounding import ground
from plancost.observations.pddl import parse_domain, parse_problem
from plancost.observations.planfile import plan_cost
from plancost.observations.sas import Effect, Operator, SasTask, Variable, sas_text
from plancost.oracles import fast_downward, symk
from plancost.oracles.downward_family import Planner
from plancost.oracles.fast_downward import FAST_DOWNWARD
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.oracles.symk import SYMK
from plancost.solver.model import Model, Status
from plancost.system import binaries as own_programs
from plancost.system.binaries import own_program
from plancost.system.processes import Limits

_LIMITS = Limits(time_s=60.0)
_TRANSLATOR = "fast-downward.translate"

_DOMAIN = """(define (domain corner) (:requirements :strips)
  (:predicates (at ?p) (road ?p ?q))
  (:action move :parameters (?p ?q) :precondition (and (at ?p) (road ?p ?q))
    :effect (and (not (at ?p)) (at ?q))))
"""
_PROBLEM = """(define (problem corner) (:domain corner) (:objects a b c)
  (:init (at a) (road a b) (road b c) (road a c)) (:goal (at c)))
"""
_COSTS = {"(move a b)": 1, "(move b c)": 1, "(move a c)": 3}
_LEAST_COST = 2


def translator() -> Finding:
    """Ground the tiny task."""
    name = "translator"
    try:
        own = own_program(own_programs.TRANSLATOR)
    except PlancostError as error:
        return Finding(name, State.MISSING, one_line(error))
    version = _version(_TRANSLATOR)
    if version is None and own is None:
        return Finding(name, State.MISSING, "not installed", _install(_TRANSLATOR))
    again = _again(_TRANSLATOR) if own is None else _own(own_programs.TRANSLATOR)
    try:
        task = ground(
            parse_domain(_DOMAIN, Path("domain.pddl")),
            parse_problem(_PROBLEM, Path("problem.pddl")),
            _LIMITS,
        )
    except PlancostError as error:
        return Finding(name, State.BROKEN, one_line(error), again)
    if set(task.operators_by_name) != set(_COSTS):
        return Finding(name, State.BROKEN, "grounds a tiny task wrongly", again)
    what = f"{_TRANSLATOR} {version}" if own is None else str(own)
    return Finding(name, State.OK, f"{what}, grounds a tiny task")


def planner_fast_downward() -> Finding:
    """Solve the tiny task with Fast Downward."""
    return _planner(
        FAST_DOWNWARD,
        lambda: fast_downward.optimal_plan(sas_text(_tiny_task(), _COSTS), limits=_LIMITS),
    )


def planner_symk() -> Finding:
    """Solve the tiny task with SymK."""
    return _planner(SYMK, lambda: symk.optimal_plan(sas_text(_tiny_task(), _COSTS), limits=_LIMITS))


def solver_highs() -> Finding:
    """Minimise x + y with x + 2 y >= 3 and x <= 1: x = 0, y = 3/2."""
    name = "HiGHS"
    try:
        from plancost.solver import highs
    except ImportError as error:
        state = State.MISSING if _version("highspy") is None else State.BROKEN
        return Finding(name, state, one_line(error), _again("highspy"))
    model = Model()
    x, y = model.add_column(upper=1.0, objective=1.0), model.add_column(objective=1.0)
    model.add_row({x: 1.0, y: 2.0}, lower=3.0)
    outcome = highs.solve(model, time_limit_s=_LIMITS.time_s)
    right = outcome.objective is not None and abs(outcome.objective - 1.5) < 1e-6
    if outcome.status is not Status.OPTIMAL or not right:
        return Finding(name, State.BROKEN, "solves a tiny program wrongly", _again("highspy"))
    return Finding(name, State.OK, f"highspy {_version('highspy')}, solves a tiny program")


def _planner(planner: Planner, search: Callable[[], SearchOutcome]) -> Finding:
    try:
        planner.binary()
    except PlancostError as error:
        return Finding(planner.name, State.MISSING, one_line(error))
    own = own_program(planner.variable)
    again = _again(planner.distribution) if own is None else _own(planner.variable)
    try:
        outcome = search()
    except PlancostError as error:
        return Finding(planner.name, State.BROKEN, one_line(error), again)
    if outcome.verdict is not Verdict.FOUND:
        return Finding(planner.name, State.BROKEN, f"a tiny task: {outcome.verdict.value}", again)
    if plan_cost(outcome.plans[0], _COSTS) != _LEAST_COST:
        return Finding(planner.name, State.BROKEN, "solves a tiny task wrongly", again)
    what = f"{planner.distribution} {planner.version()}" if own is None else str(own)
    said = f"{what}, solves a tiny task in {outcome.seconds:.2f} s"
    return Finding(planner.name, State.OK, said)


def _tiny_task() -> SasTask:
    """The tiny task, grounded by hand: the planners are checked without the translator."""
    places = Variable("var0", -1, ("Atom at(a)", "Atom at(b)", "Atom at(c)"))
    operators = tuple(
        Operator(name, ((0, "abc".index(name[6])),), (Effect((), 0, "abc".index(name[8])),))
        for name in _COSTS
    )
    return SasTask((places,), (), (0,), ((0, 2),), operators, ())


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _install(distribution: str) -> str:
    return f"run 'pip install {distribution}'"


def _own(variable: str) -> str:
    return f"mend the program that {variable} names, or unset it to use the bundled one"


def _again(distribution: str) -> str:
    return f"run 'pip install --force-reinstall {distribution}'"

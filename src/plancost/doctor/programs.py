"""The programs that plancost runs and the solver that it links, each tested on a tiny task.

The tiny task has two plans: two steps that cost 1 each, or one step that costs 3.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from plancost.doctor.finding import CheckError, State, check, failing
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
from plancost.system import binaries
from plancost.system.binaries import installed_version, named_binary
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


_WITHOUT = (
    "without it learn, verify, explain and report work where state graphs fit; solve, generate, "
    "--alternatives K and larger problems need it"
)


def _again(distribution: str) -> str:
    return f"run 'pip install --force-reinstall {distribution}'"


@check("translator")
def translator() -> str:
    """Ground the tiny task."""
    with failing(state=State.MISSING):
        own = named_binary(binaries.TRANSLATOR)
    if own is None and installed_version(_TRANSLATOR) is None:
        mend = f"run 'pip install {_TRANSLATOR}'"
        raise CheckError("not installed", mend, State.MISSING)
    what, mend = _origin(own, binaries.TRANSLATOR, _TRANSLATOR)
    domain = parse_domain(_DOMAIN, Path("domain.pddl"))
    problem = parse_problem(_PROBLEM, Path("problem.pddl"))
    with failing(mend):
        if set(ground(domain, problem, _LIMITS).operators_by_name) != set(_COSTS):
            raise CheckError("grounds a tiny task wrongly")
    return f"{what}, grounds a tiny task"


@check("Fast Downward", required=False)
def planner_fast_downward() -> str:
    """Solve the tiny task with Fast Downward."""
    return _solved(FAST_DOWNWARD, fast_downward.optimal_plan)


@check("SymK", required=False)
def planner_symk() -> str:
    """Solve the tiny task with SymK."""
    return _solved(SYMK, symk.optimal_plan)


@check("HiGHS", _again("highspy"))
def solver_highs() -> str:
    """Minimise x + y with x + 2 y >= 3 and x <= 1: x = 0, y = 3/2."""
    version = installed_version("highspy")
    with failing(state=State.MISSING if version is None else State.BROKEN):
        from plancost.solver import highs
    model = Model()
    x, y = model.add_column(upper=1.0, objective=1.0), model.add_column(objective=1.0)
    model.add_row({x: 1.0, y: 2.0}, lower=3.0)
    outcome = highs.solve(model, time_limit_s=_LIMITS.time_s)
    right = outcome.objective is not None and abs(outcome.objective - 1.5) < 1e-6
    if outcome.status is not Status.OPTIMAL or not right:
        raise CheckError("solves a tiny program wrongly")
    return f"highspy {version}, solves a tiny program"


def _solved(planner: Planner, optimal_plan: Callable[..., SearchOutcome]) -> str:
    with failing(_WITHOUT, State.MISSING):
        planner.binary()
        own = named_binary(planner.variable)
    what, mend = _origin(own, planner.variable, planner.distribution)
    with failing(mend):
        outcome = optimal_plan(sas_text(_tiny_task(), _COSTS), limits=_LIMITS)
        if outcome.verdict is not Verdict.FOUND:
            raise CheckError(f"a tiny task: {outcome.verdict.value}")
        if plan_cost(outcome.plans[0], _COSTS) != _LEAST_COST:
            raise CheckError("solves a tiny task wrongly")
    return f"{what}, solves a tiny task in {outcome.seconds:.2f} s"


def _origin(own: Path | None, variable: str, distribution: str) -> tuple[str, str]:
    """What is checked, the user's own build or a wheel, and what to do if it does not work."""
    if own is None:
        return f"{distribution} {installed_version(distribution)}", _again(distribution)
    return str(own), f"mend the program that {variable} names, or unset it to use the bundled one"


def _tiny_task() -> SasTask:
    """The tiny task, grounded by hand: the planners are checked without the translator."""
    places = Variable("var0", -1, ("Atom at(a)", "Atom at(b)", "Atom at(c)"))
    operators = tuple(
        Operator(name, ((0, "abc".index(name[6])),), (Effect((), 0, "abc".index(name[8])),))
        for name in _COSTS
    )
    return SasTask((places,), (), (0,), ((0, 2),), operators, ())

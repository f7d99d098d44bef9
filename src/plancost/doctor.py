"""Does everything that plancost needs work on this machine? Each program solves a tiny problem."""

from __future__ import annotations

import importlib.util
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version

import numpy as np

from plancost.case.model import Network, Task
from plancost.case.read import pddl_case
from plancost.clock import Clock
from plancost.errors import EXTRAS, INSTALL, PlancostError, SolverError
from plancost.processes import Limits, usable_cores
from plancost.search.downward import FAST_DOWNWARD, SYMK, Program, Verdict, sas_of_network

_SECONDS = 20.0
"""For each program; they need less than one."""
_LEAST_MEMORY_MB = 1000
_PACKAGES = ("numpy", "scipy", "numba", "highspy", "pyscipopt", "fast-downward.translate")
_DOMAIN = """(define (domain tiny) (:requirements :strips) (:predicates (half) (done))
(:action a :parameters () :precondition (and) :effect (half))
(:action b :parameters () :precondition (half) :effect (done))
(:action c :parameters () :precondition (and) :effect (done)))"""
_PROBLEM = "(define (problem one) (:domain tiny) (:init) (:goal (done)))"


@dataclass(frozen=True)
class Finding:
    """What was looked at, whether it is fine, and what was found or has to be done."""

    name: str
    ok: bool
    words: str


def examine() -> tuple[Finding, ...]:
    """Look at everything; what is optional is fine when it is missing."""
    return (
        Finding("Python", ok=True, words=platform.python_version()),
        *(_tried(name, partial(version, name)) for name in _PACKAGES),
        _tried("translator and HiGHS", _learn),
        _planner(FAST_DOWNWARD, "astar(blind())"),
        _planner(SYMK, "sym_bd()"),
        _tried("SCIP", partial(_program, "SCIP")),
        *map(_extra, EXTRAS),
        _memory(),
    )


def _tried(name: str, solve: Callable[[], str]) -> Finding:
    try:
        return Finding(name, ok=True, words=solve())
    except (PlancostError, OSError, ImportError) as error:
        return Finding(name, ok=False, words=str(error))


def _learn() -> str:
    from plancost.api import learn

    case = pddl_case({"one": _PROBLEM}, {"one": "(a)\n(b)"}, domain=_DOMAIN)
    result = learn(case, time_limit=_SECONDS)
    return _right("learning", result.costs == {"(a)": 1, "(b)": 1, "(c)": 2})


def _planner(program: Program, search: str) -> Finding:
    module = program.distribution.replace("-", "_")
    if program.variable in os.environ or importlib.util.find_spec(module):
        return _tried(program.name, partial(_plan, program, search))
    words = f"not installed; for what memory cannot hold: pip install {program.distribution}"
    return Finding(f"{program.name} (optional)", ok=True, words=words)


def _plan(program: Program, search: str) -> str:
    source, target, action = np.array([0, 1, 0]), np.array([1, 2, 2]), np.array([0, 1, 2])
    network = Network(("a", "b", "c"), source, target, action)
    task = sas_of_network(network, Task("", 0, frozenset([0]), goal_states=frozenset([2])))
    answer = program.search(task.text([1, 2, 4], 4), search, Limits(_SECONDS))
    if answer.verdict is not Verdict.FOUND or answer.plans[0] != ((0, 1), 3):
        raise program.error("does not solve a tiny problem", answer.output)
    return f"solves a tiny problem ({program.binary().name})"


def _program(solver: str) -> str:
    """The least whole x with 3 x >= 7, by SCIP or CBC."""
    from pyscipopt import Model

    from plancost.learn.lacfip import by_cbc, by_scip

    model = Model()
    model.addCons(3 * model.addVar("x", vtype="I", lb=0, ub=9, obj=1) >= 7)
    clock = Clock(_SECONDS)
    found = by_cbc(model, clock) if solver == "CBC" else by_scip(model, clock, 0)
    return _right(solver, found.values is not None and round(found.values["x"]) == 3)


def _right(name: str, is_right: bool) -> str:
    if not is_right:
        raise SolverError(f"{name} does not solve a tiny problem")
    return "solves a tiny problem"


def _extra(name: str) -> Finding:
    """A library that is optional."""
    module, purpose = EXTRAS[name]
    called = f"{name} (optional)"
    if importlib.util.find_spec(module) is None:
        words = f"not installed; for {purpose}: {INSTALL.format(name)}"
        return Finding(called, ok=True, words=words)
    return _tried(called, partial(_program, "CBC") if name == "cbc" else partial(version, module))


def _memory() -> Finding:
    megabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    words = f"{megabytes} MB, {usable_cores()} cores (SymK alone takes 600 MB)"
    return Finding("memory", megabytes >= _LEAST_MEMORY_MB, words)

"""Does everything that plancost needs work on this machine? Each program solves a tiny problem."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from plancost.case.grounding import Request, ground
from plancost.case.model import Network, Task
from plancost.clock import Clock
from plancost.errors import PlancostError, SolverError
from plancost.extras import EXTRAS, INSTALL
from plancost.processes import Limits, private_directory, usable_cores
from plancost.search.downward import FAST_DOWNWARD, SYMK, Program, Verdict, sas_of_network

_SECONDS = 20.0
"""For each program; they need less than one."""
_LEAST_MEMORY_MB = 1000
_PACKAGES = ("numpy", "scipy", "numba", "highspy", "pyscipopt", "fast-downward.translate")
_DOMAIN = """(define (domain tiny) (:requirements :strips) (:predicates (done))
(:action finish :parameters () :precondition (and) :effect (done)))"""
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
        *map(_package, _PACKAGES),
        _tried("translator", _translate),
        _planner(FAST_DOWNWARD, "astar(blind())"),
        _planner(SYMK, "sym_bd()"),
        _tried("SCIP", _scip),
        _tried("HiGHS", _highs),
        *map(_extra, EXTRAS),
        _tried("temporary directory", _write),
        _memory(),
    )


def _package(name: str) -> Finding:
    try:
        return Finding(name, ok=True, words=importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, ok=False, words=f"is not installed: run 'pip install {name}'")


def _tried(name: str, solve: Callable[[], str]) -> Finding:
    try:
        return Finding(name, ok=True, words=solve())
    except (PlancostError, OSError, ImportError) as error:
        return Finding(name, ok=False, words=str(error))


def _translate() -> str:
    found, _ = ground(Request(_DOMAIN, {"one": _PROBLEM}, "a tiny domain", clock=Clock(_SECONDS)))
    if found.actions != ("(finish)",):
        raise PlancostError("it does not find the only action of a tiny problem")
    return "grounds a tiny problem"


def _planner(program: Program, search: str) -> Finding:
    module = program.distribution.replace("-", "_")
    if program.variable in os.environ or importlib.util.find_spec(module):
        return _tried(program.name, lambda: _plan(program, search))
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


def _scip() -> str:
    from pyscipopt import Model

    from plancost.learn.solvers import run_scip

    model = Model()
    column = model.addVar(vtype="I", lb=0, obj=1)
    model.addCons(3 * column >= 7)
    run_scip(model, Clock(_SECONDS))
    _require("SCIP", model.getStatus() == "optimal" and round(model.getObjVal()) == 3)
    return f"solves a tiny program, version {model.version():g}"


def _highs() -> str:
    from plancost.learn.solvers import quiet_highs

    solver = quiet_highs()
    none, one = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int32)
    solver.addCols(1, np.ones(1), np.zeros(1), np.array([9.0]), 0, none, none, np.zeros(0))
    solver.addRow(7.0, 9.0, 1, one, np.array([3.0]))
    solver.run()
    _require("HiGHS", abs(3 * solver.getInfo().objective_function_value - 7) < 1e-6)
    return f"solves a tiny program, version {solver.version()}"


def _extra(name: str) -> Finding:
    """A library that is optional."""
    module, purpose = EXTRAS[name]
    called = f"{name} (optional)"
    if importlib.util.find_spec(module) is None:
        words = f"not installed; for {purpose}: {INSTALL.format(name)}"
        return Finding(called, ok=True, words=words)
    return _tried(called, _cbc if name == "cbc" else lambda: importlib.metadata.version(module))


def _cbc() -> str:
    from pyscipopt import Model

    from plancost.learn.lacfip import by_cbc

    model = Model()
    model.addCons(3 * model.addVar("x", vtype="I", lb=0, obj=1) >= 7)
    _require("CBC", by_cbc(model, Clock(_SECONDS)).values == {"x": 3.0})
    return "solves a tiny program"


def _require(solver: str, is_right: bool) -> None:
    if not is_right:
        raise SolverError(f"{solver} does not solve a tiny program")


def _write() -> str:
    with private_directory() as directory:
        (directory / "try").write_text("try", encoding="ascii")
        return str(directory.parent)


def _memory() -> Finding:
    megabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    words = f"{megabytes} MB, {usable_cores()} cores (SymK alone takes 600 MB)"
    return Finding("memory", megabytes >= _LEAST_MEMORY_MB, words)

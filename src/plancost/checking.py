"""Runs the checker as a program of its own, and asks plancost about what it takes as given."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plancost.case.costs import with_costs
from plancost.case.model import UNBOUNDED, Case
from plancost.case.read import read_case
from plancost.clock import Clock
from plancost.errors import InputError, PlancostError
from plancost.processes import Ending, Limits, run

PROVEN, NOT_PROVEN, WRONG = "proven", "not proven", "wrong"
_CHECKER = Path(__file__).parent / "proof" / "check.py"


@dataclass(frozen=True)
class ProofCheck:
    """What the checker says: "proven", "not proven" (what is missing) or "wrong" (where)."""

    verdict: str
    said: tuple[str, ...]


def run_check(
    case: Path, result: Path, others: Mapping[str, Path], clock: Clock, memory_limit: int | None
) -> ProofCheck:
    """The checker's word, unless what was asked of costs is not what it was given.

    `others` are the domain or the links of the case, if they are not in its folder.
    """
    command = [sys.executable, "-I", str(_CHECKER), str(case), str(result)]
    command += [word for name, path in others.items() for word in (f"--{name}", str(path))]
    limits = Limits(clock.remaining, memory_limit)
    finished = run(command, directory=Path.cwd(), limits=limits)
    if finished.ending is Ending.OUT_OF_TIME:
        return ProofCheck(NOT_PROVEN, ("the time limit was reached",))
    word, *said = finished.output.strip().split("\n")
    if word not in (PROVEN, NOT_PROVEN, WRONG):
        if finished.ending is Ending.EXITED and "MemoryError" not in finished.output:
            raise InputError(finished.output.strip()[-200:])
        return ProofCheck(NOT_PROVEN, ("the memory did not suffice",))
    checked = ProofCheck(word, tuple(said))
    if checked.verdict == WRONG:
        return checked
    try:
        return _other_given(case, result, others, clock) or checked
    except PlancostError as error:
        return ProofCheck(NOT_PROVEN, (f"what was asked cannot be read: {error}", *checked.said))


def _other_given(
    case: Path, result: Path, others: Mapping[str, Path], clock: Clock
) -> ProofCheck | None:
    """A contradiction if bounds, features or known costs are not as the options of the result say.

    The checker cannot know them and names them "as given".
    """
    told = json.loads(result.read_bytes())
    options, is_divided = told["options"], "groups" in told
    names = [f".proof.{n}.json" for n in range(1, 1 + len(told.get("groups") or ()))]
    proofs = [result.with_suffix(name) for name in (names if is_divided else [".proof.json"])]
    documents = [json.loads(path.read_bytes()) for path in proofs if path.exists()]
    found = [own["given"] for own in documents if "given" in own]  # else the run was ended
    if not found:
        return None
    reading: dict[str, Any] = {**others, "on_invalid": "skip", "allow_outside": True}
    seen = read_case(case, **reading, clock=clock)
    keywords = {name: options[name] for name in ("refine", "bounds")}
    expected = given_of(with_costs(seen, features=options["features"], **keywords))
    is_so = all(given == expected for given in found)
    return None if is_so else ProofCheck(WRONG, ("costs were not given as the options say",))


def given_of(case: Case) -> dict[str, Any]:
    """Of actions what their costs are made of, bounds, and known costs, where there are some."""
    model, names = case.costs, case.costs.parameters
    made, bounds = {}, {}
    ends = zip(model.least.tolist(), model.greatest.tolist(), strict=True)
    for action, own, (low, high) in zip(case.actions, model.parts(), ends, strict=True):
        parts = {names[parameter]: times for parameter, times in own}
        if parts != {action: 1}:
            made[action] = parts
        if (low, high) != (1, UNBOUNDED):
            bounds[action] = [low, None if high == UNBOUNDED else high]
    found: dict[str, Any] = {"made": made, "bounds": bounds}
    if model.initial is not None:
        found["known"] = dict(zip(case.actions, model.initial.tolist(), strict=True))
    return found

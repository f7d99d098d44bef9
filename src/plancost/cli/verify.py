"""What is true of costs: ``plancost verify``, ``explain`` and ``check-proof``."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from msgspec import UnsetType

from plancost.api import check_proof, proof_of
from plancost.checking import NOT_PROVEN, PROVEN
from plancost.cli import exit_codes, inputs
from plancost.cli.streams import complain, show
from plancost.explanation import Explanation
from plancost.pipeline import verify_case
from plancost.result.model import ObservationResult, Result
from plancost.result.tables import check_lines
from plancost.values import first_of

_MEANING = ("solution", "ties", "suboptimality")
_CALLED = {"impossible": "impossible alone", "conflict": "in conflict"}
_STATUS = {PROVEN: exit_codes.OK, NOT_PROVEN: exit_codes.UNDECIDED}


@dataclass(frozen=True)
class _Explained:
    explanations: tuple[Explanation, ...]


def add_verify(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_given(parser, *_MEANING, "oracle", "time_limit", "memory_limit", "jobs")


def run_verify(arguments: argparse.Namespace) -> int:
    """Check costs, and say where the check finds something else than the file says."""
    with inputs.opened(arguments) as given:
        found = verify_case(given.case, given.costs, given.options, given.clock)
    is_other = any(name in arguments for name in _MEANING)
    told = given.costs if isinstance(given.costs, Result) and not is_other else None
    wrong = [] if told is None else _contradictions(told, found)
    agrees = told is not None and not wrong and _plans(told) == _plans(found)
    more = [f"this agrees with {arguments.costs}"] if agrees else []
    show(found, [*check_lines(found), *more], arguments)
    for sentence in wrong[:3]:
        complain(f"{arguments.costs}: {sentence}")
    if wrong:
        return exit_codes.CONTRADICTED
    if found.ending in ("interrupted", "failed"):
        return exit_codes.of_result(found)
    return exit_codes.OK if found.verified else exit_codes.UNDECIDED


def _plans(result: Result) -> dict[tuple[str | UnsetType, str, str], ObservationResult]:
    return {(item.group, *item.key): item for item in result.observations}


def _contradictions(told: Result, found: Result) -> list[str]:
    """What a result says otherwise than the check, or than itself."""
    before, after = _plans(told), _plans(found)
    sentences = []
    for which, own, others in (("case", after, before), ("result", before, after)):
        if missing := [item.name for key, item in others.items() if key not in own]:
            sentences.append(f"plans that the {which} does not have: {first_of(missing)}")
    for key, item in after.items():
        for what in ("count", "cost", "optimal_cost", "optimal"):
            said, is_so = getattr(before.get(key), what, None), getattr(item, what)
            if said is not None and is_so is not None and said != is_so:
                sentences.append(f"{what} of {item.name} is {is_so}, not {said}")
    are_known = before.keys() == after.keys() and told.verified and found.verified
    if are_known and told.optimal_plans != found.optimal_plans:
        sentences.append(f"{found.optimal_plans} plans are optimal, not {told.optimal_plans}")
    for part in told.parts:
        total, said = sum(part.costs.values()), part.secondary
        if said is not None and not part.refined and said.value != total:
            sentences.append(f"the sum of costs is {total}, not {said.value}")
        if part.ending != "none exists" and part.optimal_plans > part.upper_bound:
            sentences.append("more plans are optimal than its upper bound says")
    return sentences


def add_explain(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_given(parser, "time_limit", "memory_limit", "jobs")
    parser.add_argument("--plan", metavar="NAME", help="only this plan or trip")


def run_explain(arguments: argparse.Namespace) -> int:
    """Explain, and show."""
    from plancost.explain import explain_case  # brings a solver

    with inputs.opened(arguments) as given:
        limits = given.options, given.clock, proof_of(arguments.costs)
        found = explain_case(given.case, given.costs, arguments.plan, *limits)
    asked = (item for item in given.case.observations if arguments.plan in (None, item.name))
    plans, kinds = sum(item.count for item in asked), Counter[str]()
    for one in found:
        kinds[_CALLED.get(one.kind, one.kind)] += one.count
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    head = f"{kinds.total()} of {plans} plans are not optimal{': ' if counts else ''}{counts}"
    show(_Explained(found), [head, *(line for one in found for line in one.lines)], arguments)
    return exit_codes.OK


def add_check_proof(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add = parser.add_argument
    add("case", metavar="CASE", type=Path, help="a folder, manifest or trips.csv")
    add("result", metavar="RESULT", type=Path, help="RESULT.json, beside its proof")
    add("--domain", metavar="FILE", type=Path, help="the PDDL domain of a manifest")
    add("--links", metavar="FILE", type=Path, help="the links of trips (CSV)")
    inputs.add_options(parser, "time_limit", "memory_limit")
    inputs.add_shown(parser)


def run_check_proof(arguments: argparse.Namespace) -> int:
    """Let the checker read the files, and say what it says."""
    limits = inputs.options_of(arguments)
    places = {"domain": arguments.domain, "links": arguments.links}
    checked = check_proof(arguments.case, arguments.result, **places, **limits)
    show(checked, (checked.verdict, *checked.said), arguments)
    return _STATUS.get(checked.verdict, exit_codes.CONTRADICTED)

"""``plancost verify``."""

from __future__ import annotations

import argparse

from msgspec import UnsetType

from plancost.cli import exit_codes, inputs
from plancost.cli.streams import complain, show
from plancost.pipeline import verify_case
from plancost.result.model import ObservationResult, Result
from plancost.result.tables import check_lines
from plancost.values import first_of

_MEANING = {"solution", "ties", "suboptimality"}
_OPTIONS = ("solution", "ties", "suboptimality", "oracle", "time_limit", "memory_limit", "jobs")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser)
    inputs.add_costs(parser)
    inputs.add_options(parser, *_OPTIONS)
    inputs.add_shown(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check costs, and say where the check finds something else than the file says."""
    with inputs.opened(arguments) as given:
        found = verify_case(given.case, given.costs, given.options, given.clock)
    is_other = bool(_MEANING & vars(arguments).keys())
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

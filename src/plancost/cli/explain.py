"""``plancost explain``."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass

from plancost.api import proof_of
from plancost.cli import exit_codes, inputs
from plancost.cli.streams import show
from plancost.explanation import Explanation

_CALLED = {"impossible": "impossible alone", "conflict": "in conflict"}


@dataclass(frozen=True)
class _Answer:
    explanations: tuple[Explanation, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser)
    inputs.add_costs(parser)
    parser.add_argument("--plan", metavar="NAME", help="only this plan or trip")
    inputs.add_options(parser, "time_limit", "memory_limit", "jobs")
    inputs.add_shown(parser)


def run(arguments: argparse.Namespace) -> int:
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
    show(_Answer(found), [head, *(line for one in found for line in one.lines)], arguments)
    return exit_codes.OK

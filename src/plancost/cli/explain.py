"""``plancost explain``."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass

from plancost.api import proof_of
from plancost.cli import exit_codes, inputs
from plancost.cli.streams import show
from plancost.result.explanation import Explanation

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
        asked = arguments.plan, given.options, given.clock, proof_of(arguments.costs)
        found = explain_case(given.case, given.costs, *asked)
    plans = 1 if arguments.plan else len(given.case.observations)
    kinds = Counter(_CALLED.get(one.kind, one.kind) for one in found)
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    head = f"{len(found)} of {plans} plans are not optimal{': ' if counts else ''}{counts}"
    show(_Answer(found), [head, *(line for one in found for line in one.lines)], arguments)
    return exit_codes.OK

"""``plancost explain``."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from plancost.api import clock_of, options_for, proof_of
from plancost.cli import exit_codes, inputs
from plancost.cli.progress_line import shown
from plancost.cli.streams import say
from plancost.result.explanation import Explanation
from plancost.result.given import read_costs

_LIMITS = ("time_limit", "memory_limit", "jobs")
_CALLED = {"impossible": "impossible alone", "conflict": "in conflict"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser)
    inputs.add_costs(parser)
    parser.add_argument("--plan", metavar="NAME", help="only this plan or trip")
    inputs.add_options(parser, *_LIMITS)
    inputs.add_shown(parser)


def run(arguments: argparse.Namespace) -> int:
    """Explain, and show."""
    from plancost.explain import explain_case  # brings a solver

    given = read_costs(arguments.costs)
    options = options_for(given, **inputs.options_of(arguments))
    clock = clock_of(options)
    with shown(clock, quiet=arguments.quiet, verbose=arguments.verbose):
        case = inputs.case_of(arguments, options, clock)
        knowledge = proof_of(arguments.costs)
        found = explain_case(case, given, arguments.plan, options, clock, knowledge)
    if arguments.json:
        say(json.dumps({"explanations": [asdict(one) for one in found]}, indent=1))
    elif not arguments.quiet:
        say(_summary(found, 1 if arguments.plan else len(case.observations)))
        for one in found:
            say("\n".join(one.lines))
    return exit_codes.OK


def _summary(found: Sequence[Explanation], plans: int) -> str:
    counts = Counter(_CALLED.get(one.kind, one.kind) for one in found)
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    return f"{len(found)} of {plans} plans are not optimal{': ' if kinds else ''}{kinds}"

"""``plancost check-proof``."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.api import check_proof
from plancost.checking import NOT_PROVEN, PROVEN
from plancost.cli import exit_codes, inputs
from plancost.cli.streams import show

_STATUS = {PROVEN: exit_codes.OK, NOT_PROVEN: exit_codes.UNDECIDED}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("case", metavar="CASE", type=Path, help="a folder, manifest or trips.csv")
    parser.add_argument("result", metavar="RESULT", type=Path, help="RESULT.json, beside its proof")
    parser.add_argument("--domain", metavar="FILE", type=Path, help="the PDDL domain of a manifest")
    parser.add_argument("--links", metavar="FILE", type=Path, help="the links of trips (CSV)")
    inputs.add_options(parser, "time_limit", "memory_limit")
    inputs.add_shown(parser)


def run(arguments: argparse.Namespace) -> int:
    """Let the checker read the files, and say what it says."""
    limits = inputs.options_of(arguments)
    places = {"domain": arguments.domain, "links": arguments.links}
    checked = check_proof(arguments.case, arguments.result, **places, **limits)
    show(checked, (checked.verdict, *checked.said), arguments)
    return _STATUS.get(checked.verdict, exit_codes.CONTRADICTED)

"""The arguments of ``plancost apply`` and ``plancost solve``."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.numbers import count_from_one, count_from_zero, seconds
from plancost.cli.shared_arguments import (
    Commands,
    add_command,
    add_memory,
    add_no_cache,
    add_talk,
)

_RULE = """Actions that have no learned cost get the median of the learned costs of the same
action schema, rounded up and at least 1; or 1 if nothing of that schema was learned; or N with
--default-cost N."""
_APPLY = f"""PROBLEM.pddl is any problem of the domain, not only an observed one. {_RULE}"""
_SOLVE = f"""The costs are those in the PDDL (1 everywhere if it has none), or with --costs those
that were learned. {_RULE}

Several plans (--count) are the cheapest that visit no state twice; one ordering stands for all
orderings of the same actions."""


def add_apply(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add ``plancost apply``."""
    parser = add_command(
        commands, "apply", "write learned costs into a new problem", _APPLY, exit_codes.APPLY
    )
    parser.add_argument(
        "costs", type=Path, metavar="RESULT.json", help="a RESULT.json or a plain object of costs"
    )
    _problem(parser)
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="the folder to write PDDL to"
    )
    _default_cost(parser)
    _limits(parser)
    add_talk(parser, "no summary")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")


def add_solve(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add ``plancost solve``."""
    parser = add_command(
        commands, "solve", "find the cheapest plans of a problem", _SOLVE, exit_codes.SOLVE
    )
    _problem(parser)
    parser.add_argument(
        "--costs", type=Path, metavar="RESULT.json", help="a RESULT.json or a plain object of costs"
    )
    _default_cost(parser)
    parser.add_argument(
        "--planner",
        choices=["fast-downward", "symk"],
        help="who searches (default: both side by side; symk with --count above 1)",
    )
    parser.add_argument(
        "--count",
        type=count_from_one,
        default=1,
        metavar="K",
        help="find the K cheapest plans, with SymK (default: 1)",
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="write the plan to this file; with --count above 1 to FILE.1, FILE.2, ...",
    )
    _limits(parser)
    add_no_cache(parser)
    add_talk(parser, "do not print the plans")
    parser.add_argument("--json", action="store_true", help="print the plans as JSON")


def _problem(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("problem", type=Path, metavar="PROBLEM.pddl", help="the problem")
    parser.add_argument(
        "--domain", type=Path, required=True, metavar="DOMAIN.pddl", help="its domain"
    )


def _default_cost(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--group", metavar="NAME", help="which group, if the costs have several")
    parser.add_argument(
        "--default-cost",
        type=count_from_zero,
        metavar="N",
        help="cost of the actions without a learned one (default: by their schema, see above)",
    )


def _limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--time-limit", type=seconds, metavar="S", help="seconds for the whole run")
    add_memory(parser)

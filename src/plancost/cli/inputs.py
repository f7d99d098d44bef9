"""What several commands are given: the case, and where answers may be written."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from plancost.api import clock_of, options_for
from plancost.case.model import Case
from plancost.case.read import read_case
from plancost.cli.progress_line import shown
from plancost.clock import Clock
from plancost.errors import InputError
from plancost.files import check_place
from plancost.options import LearnOptions
from plancost.progress import Progress
from plancost.result.given import read_costs
from plancost.result.model import Result, read_result


def add_case(parser: argparse.ArgumentParser) -> None:
    """The case, and how it is read."""
    parser.add_argument("case", metavar="CASE", type=Path, help="a folder, manifest or trips.csv")
    parser.add_argument("--domain", metavar="FILE", type=Path, help="the PDDL domain of a manifest")
    parser.add_argument(
        "--links", metavar="FILE", type=Path, help="the links of trips (CSV, GraphML)"
    )
    parser.add_argument(
        "--on-invalid",
        choices=("error", "skip"),
        default="error",
        help="what to do about plans that do not solve their problem (default: error)",
    )
    parser.add_argument(
        "--allow-outside", action="store_true", help="read files outside the folder of the case"
    )


def add_costs(parser: argparse.ArgumentParser) -> None:
    """Costs that are there already."""
    words = 'RESULT.json, or {"(drive a b)": 3}'
    parser.add_argument("costs", metavar="COSTS", type=Path, help=words)


@dataclass(frozen=True)
class Given:
    """A case and costs that are there already, and what limits the command."""

    case: Case
    costs: Result | Mapping[str, Any]
    options: LearnOptions
    clock: Clock


@contextmanager
def opened(arguments: argparse.Namespace) -> Iterator[Given]:
    """Read the costs and the case; the clock runs, and progress is shown, while a block runs."""
    costs = read_costs(arguments.costs)
    options = options_for(costs, **options_of(arguments))
    with reading(arguments, options) as (case, clock, _):
        yield Given(case, costs, options, clock)


@contextmanager
def reading(
    arguments: argparse.Namespace, options: LearnOptions
) -> Iterator[tuple[Case, Clock, Progress]]:
    """The case, read within the limits; the same for commands without costs."""
    clock = clock_of(options)
    with shown(clock, quiet=arguments.quiet, verbose=arguments.verbose) as progress:
        case = read_case(
            arguments.case,
            domain=arguments.domain,
            links=arguments.links,
            on_invalid=arguments.on_invalid,
            allow_outside=arguments.allow_outside,
            clock=clock,
            memory_limit=options.memory_limit,
        )
        yield case, clock, progress


def add_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """A flag for each of the options of `learn`, or for those that are named."""
    for option in fields(LearnOptions):
        if names and option.name not in names:
            continue
        more: dict[str, Any] = {"choices": option.metadata.get("choices")}
        if option.name == "refine":
            more = {"nargs": "?", "const": True}
        elif option.name == "features":
            more = {"action": "append"}
        if not more.get("choices"):
            more["metavar"] = option.metadata["metavar"]
        words = option.metadata["help"]
        if option.default not in (None, False, ()):
            default = f"{option.default:g}" if isinstance(option.default, float) else option.default
            words = f"{words} (default: {default})"
        flag = "--" + option.name.replace("_", "-")
        parser.add_argument(flag, default=argparse.SUPPRESS, help=words, **more)


def options_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options that were given."""
    known = {option.name for option in fields(LearnOptions)}
    return {name: value for name, value in vars(arguments).items() if name in known}


def at_least_one(text: str) -> int:
    """A number of things, of which there must be one."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of at least 1")
    return int(text)


def check_output(path: Path) -> None:
    """Refuse a place that cannot be written, or that has something other than a RESULT.json.

    So no file of the case is ever overwritten.
    """
    check_place(path)
    if path.is_file():
        try:
            read_result(path)
        except InputError:
            words = "this file is there already and is no RESULT.json; remove it or name another"
            raise InputError(words, path) from None


def add_shown(parser: argparse.ArgumentParser) -> None:
    """How much is printed."""
    parser.add_argument("--json", action="store_true", help="print JSON, not a table")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")

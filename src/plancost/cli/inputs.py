"""What several commands are given: the case, costs, options; and how long reading them may take."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from plancost.api import Given, clock_of, options_for
from plancost.case.model import Case
from plancost.case.read import read_case
from plancost.cli.streams import progress_shown
from plancost.clock import Clock
from plancost.options import LearnOptions
from plancost.progress import Progress
from plancost.result.given import read_costs


def add_case(parser: argparse.ArgumentParser, *options: str, prints: bool = True) -> None:
    """The case, how it is read, some options of `learn`, and how much is printed."""
    add = parser.add_argument
    add("case", metavar="CASE", type=Path, help="a folder, manifest or trips.csv")
    add("--domain", metavar="FILE", type=Path, help="the PDDL domain of a manifest")
    add("--links", metavar="FILE", type=Path, help="the links of trips (CSV, GraphML)")
    words = "what to do about plans that do not solve their problem (default: error)"
    add("--on-invalid", choices=("error", "skip"), default="error", help=words)
    add("--allow-outside", action="store_true", help="read files outside the folder of the case")
    add_options(parser, *options)
    add_shown(parser, prints=prints)


def add_shown(parser: argparse.ArgumentParser, *, prints: bool = True) -> None:
    """How much is printed."""
    if prints:
        parser.add_argument("--json", action="store_true", help="print JSON, not a table")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")


def add_given(parser: argparse.ArgumentParser, *options: str, prints: bool = True) -> None:
    """The same, and costs that are there already."""
    add_case(parser, *options, prints=prints)
    words = 'RESULT.json, or {"(drive a b)": 3}'
    parser.add_argument("costs", metavar="COSTS", type=Path, help=words)


def add_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """A flag for each of these options of `learn`."""
    for option in fields(LearnOptions):
        if option.name not in names:
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
    names = ("domain", "links", "on_invalid", "allow_outside")
    how = {name: getattr(arguments, name) for name in names}
    with progress_shown(clock, quiet=arguments.quiet, verbose=arguments.verbose) as progress:
        case = read_case(arguments.case, **how, clock=clock, memory_limit=options.memory_limit)
        yield case, clock, progress

"""``plancost report``: a page about a result. Also that of ``learn --report``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command, add_case, add_domain, add_quiet
from plancost.cli.options import add, add_option
from plancost.cli.output.terminal import print_written
from plancost.errors import UsageError

if TYPE_CHECKING:
    from plancost.observations.case import Case
    from plancost.results.result import Result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_case_and_result(parser)
    add(parser, "--output REPORT.html: the page", Path, required=True)
    add_coordinates(parser)


def add_case_and_result(parser: argparse.ArgumentParser) -> None:
    """The arguments that ``plot`` has too."""
    add_case_and_whole_result(parser)
    add(parser, "--group NAME: which group, if the result has several")


def add_case_and_whole_result(parser: argparse.ArgumentParser) -> None:
    """The arguments that ``pddl`` has too."""
    add_case(parser)
    add(parser, "result RESULT.json: what learn --output wrote for this case", Path)
    add_domain(parser)
    add_option(parser, "allow_outside", default=False)
    add_quiet(parser, "print neither progress nor the names of files")
    parser.set_defaults(time_limit=None)


def add_coordinates(parser: argparse.ArgumentParser) -> None:
    """``--coordinates``, for every command that draws a map."""
    add(
        parser,
        "--coordinates FILE: where places are on the map: a CSV file with the columns place,x,y",
        Path,
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the page; all groups are on it, unless one is asked for."""
    if arguments.group is None:
        result, case = read_case_and_whole_result(arguments)
    else:
        result, case = read_case_and_result(arguments)
    _write(result, case, arguments.output, arguments)
    print_written([arguments.output], arguments)
    return exit_codes.OK


def check_coordinates(arguments: argparse.Namespace) -> None:
    """``learn --report``: find out what is wrong before the learning, not after it."""
    if arguments.coordinates is not None:
        if arguments.report is None:
            raise UsageError("--coordinates is for the map of a report: add --report FILE")
        from plancost.pictures.coordinates import read_coordinates

        read_coordinates(arguments.coordinates)


def write_page(result: Result, arguments: argparse.Namespace) -> list[Path]:
    """``learn --report``: the page written, if one was asked for."""
    path: Path | None = arguments.report
    if path is None or result.case is None:
        return []
    _write(result, result.case, path, arguments)
    return [path]


def read_case_and_result(arguments: argparse.Namespace) -> tuple[Result, Case]:
    """Read both, check that they belong together, and take the group that was asked for."""
    from plancost.results.one_group import one_group

    result, case = read_case_and_whole_result(arguments)
    return one_group(result, case, arguments.group)


def read_case_and_whole_result(
    arguments: argparse.Namespace, *, with_dropped: bool = False
) -> tuple[Result, Case]:
    """Read both, and check that they belong together.

    The case has the plans that the result left out only if they are asked for.
    """
    from plancost.cli.output.messages import progress_and_log
    from plancost.observations.case import load_case
    from plancost.observations.parts import without_plans
    from plancost.results.reading import check_fits, read_result
    from plancost.system.processes import usable_cores

    result = read_result(arguments.result)
    with progress_and_log(arguments) as progress:
        case = load_case(
            arguments.case,
            domain=arguments.domain,
            skip_invalid=result.options.get("on_invalid") == "skip",
            allow_outside=arguments.allow_outside,
            jobs=usable_cores(),
            progress=progress,
        )
    kept = without_plans(case, result.options.get("drop", ()))
    check_fits(result, kept, arguments.result)
    return result, case if with_dropped else kept


def _write(result: Result, case: Case, path: Path, arguments: argparse.Namespace) -> None:
    from plancost.report.page import write_report

    name = arguments.case.resolve().name
    write_report(result, case, path, coordinates=arguments.coordinates, title=name)


COMMAND = Command(
    "report",
    "write a page that shows costs, plans, explanations and the map",
    "One HTML file that needs neither network nor other files.",
    add_arguments,
    run,
)

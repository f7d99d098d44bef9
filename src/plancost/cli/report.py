"""``plancost plot`` and ``plancost report``: from a result to a picture or a page."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.talk import talking
from plancost.cli.terminal import say
from plancost.errors import InputError, UsageError
from plancost.observations.case import Case, load_case
from plancost.pictures.coordinates import read_coordinates
from plancost.pictures.files import check_ending, write_picture
from plancost.pictures.maps import NO_MAP, find_map, scene_of
from plancost.report.page import write_report
from plancost.results.one_group import one_group
from plancost.results.pddl_out import folder_names
from plancost.results.reading import check_fits, read_result
from plancost.results.result import Result


def plot(arguments: argparse.Namespace) -> int:
    """``plancost plot``."""
    check_ending(arguments.output)
    result, case = _read(arguments)
    most = len(case.observations)
    for number in arguments.plans or ():
        if number > most:
            raise UsageError(f"--plans: there is no plan {number}; there are {most}")
    found = find_map(case, arguments.coordinates)
    if found is None:
        raise InputError(NO_MAP, arguments.case)
    write_picture(scene_of(found, case, result.costs, arguments.plans), arguments.output)
    return _done(arguments)


def report(arguments: argparse.Namespace) -> int:
    """``plancost report``."""
    result, case = _read(arguments)
    _write(result, case, arguments.output, arguments)
    return _done(arguments)


def check_report_options(arguments: argparse.Namespace) -> None:
    """``learn --report``: find out what is wrong before the learning, not after it."""
    if arguments.coordinates is not None:
        if arguments.report is None:
            raise UsageError("--coordinates is for the map of a report: say --report FILE too")
        read_coordinates(arguments.coordinates)


def report_of_learning(result: Result, arguments: argparse.Namespace) -> list[Path]:
    """``learn --report``: the pages written, one for each group if there are groups."""
    path: Path | None = arguments.report
    if path is None or result.case is None:
        return []
    if not result.groups:
        _write(result, result.case, path, arguments)
        return [path]
    names = [group.name for group in result.groups if group.plans]
    pages = []
    for name, word in zip(names, folder_names(names), strict=True):
        page = path.with_name(f"{path.stem}-{word}{path.suffix}")
        _write(*one_group(result, result.case, name), page, arguments)
        pages.append(page)
    return pages


def _write(result: Result, case: Case, path: Path, arguments: argparse.Namespace) -> None:
    name = arguments.case.resolve().name
    write_report(result, case, path, coordinates=arguments.coordinates, title=name)


def _read(arguments: argparse.Namespace) -> tuple[Result, Case]:
    result = read_result(arguments.result)
    with talking(arguments) as progress:
        case = load_case(
            arguments.case,
            domain=arguments.domain,
            skip_invalid=result.options.get("on_invalid") == "skip",
            allow_outside=arguments.allow_outside,
            jobs=os.cpu_count() or 1,
            progress=progress,
        )
    check_fits(result, case, arguments.result)
    return one_group(result, case, arguments.group)


def _done(arguments: argparse.Namespace) -> int:
    if not arguments.quiet:
        say(f"wrote {arguments.output}")
    return exit_codes.OK

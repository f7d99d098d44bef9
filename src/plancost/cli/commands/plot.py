"""``plancost plot``: a map of plans and costs."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.command import Command
from plancost.cli.commands.report import (
    add_case_and_result,
    add_coordinates,
    read_case_and_result,
)
from plancost.cli.number_arguments import positive_list
from plancost.cli.options import add
from plancost.cli.output.terminal import print_written
from plancost.errors import InputError

_TEXT = """A case has a map if one object moves in it and its plans are mostly moves, or if it
has at most 60 states. Places are drawn at the coordinates of a file, of the problem's init
values such as (= (x n1) 3), or of names such as c2-3; without any, they are laid out by how
far they are apart."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_case_and_result(parser)
    add(
        parser,
        "--output PICTURE: NAME.svg, or NAME.png (needs the extra plancost[plots])",
        Path,
        required=True,
    )
    add_coordinates(parser)
    add(
        parser,
        "--plans N,N,...: draw only these plans, counted from 1 in the order of RESULT.json",
        positive_list,
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the picture."""
    from plancost.pictures.files import check_ending, write_picture
    from plancost.pictures.maps import NO_MAP, find_map, scene_of

    check_ending(arguments.output)
    result, case = read_case_and_result(arguments)
    found = find_map(case, arguments.coordinates)
    if found is None:
        raise InputError(NO_MAP, arguments.case)
    write_picture(scene_of(found, case, result.costs, arguments.plans), arguments.output)
    print_written([arguments.output], arguments)
    return exit_codes.OK


COMMAND = Command(
    "plot", "draw the observed plans and the costs on a map", _TEXT, add_arguments, run
)

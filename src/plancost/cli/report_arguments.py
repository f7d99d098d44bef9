"""The arguments of ``plancost plot`` and ``plancost report``."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli.numbers import counts_from_one
from plancost.cli.shared_arguments import Commands, add_case_files, add_command, add_talk

_PLOT = "draw the observed plans and the costs on a map"
_PLOT_TEXT = """A case has a map if one object moves in it and its plans are mostly moves, or if it
has at most 60 states. Places are drawn at the coordinates of a file, of the problem's init
values such as (= (x n1) 3), or of names such as c2-3; without any, they are laid out by how
far they are apart."""
_REPORT = "write a page that shows costs, plans, explanations and the map"
_REPORT_TEXT = """One HTML file that needs neither network nor other files."""


def add_plot(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add ``plancost plot``."""
    parser = add_command(commands, "plot", _PLOT, _PLOT_TEXT)
    _case_and_result(parser)
    parser.add_argument(
        "--output",
        type=Path,
        required=True,
        metavar="PICTURE",
        help="NAME.svg, or NAME.png (needs the extra plancost[plots])",
    )
    _coordinates(parser)
    parser.add_argument(
        "--plans",
        type=counts_from_one,
        metavar="N,N,...",
        help="draw only these plans, counted from 1 in the order of RESULT.json",
    )
    _talk(parser)


def add_report(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add ``plancost report``."""
    parser = add_command(commands, "report", _REPORT, _REPORT_TEXT)
    _case_and_result(parser)
    parser.add_argument(
        "--output", type=Path, required=True, metavar="REPORT.html", help="the page"
    )
    _coordinates(parser)
    _talk(parser)


def add_learn_report(parser: argparse.ArgumentParser) -> None:
    """``plancost learn --report``."""
    parser.add_argument(
        "--report",
        type=Path,
        metavar="REPORT.html",
        help="write a page that shows costs, plans, explanations and the map (one for each group)",
    )
    _coordinates(parser)


def _case_and_result(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", type=Path, metavar="CASE", help="case folder or CSV manifest")
    parser.add_argument(
        "result", type=Path, metavar="RESULT.json", help="what learn --output wrote for this case"
    )
    add_case_files(parser)
    parser.add_argument("--group", metavar="NAME", help="which group, if the result has several")


def _coordinates(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--coordinates",
        type=Path,
        metavar="FILE",
        help="where places are on the map: a CSV file with the columns place,x,y",
    )


def _talk(parser: argparse.ArgumentParser) -> None:
    add_talk(parser, "no progress, and not what was written")
    parser.set_defaults(time_limit=None)

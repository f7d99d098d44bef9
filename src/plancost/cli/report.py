"""``plancost report``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from plancost.api import clock_of, write_report
from plancost.cli import exit_codes, inputs
from plancost.cli.progress_line import shown
from plancost.cli.streams import say
from plancost.errors import InputError
from plancost.options import checked

_LIMITS = ("time_limit", "memory_limit")
_MARK = b'<meta name="generator" content="plancost '
"""At the beginning of each of our pages."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    inputs.add_case(parser)
    inputs.add_costs(parser)
    words = "the page: one HTML file that needs no network"
    parser.add_argument("--output", metavar="P.html", type=Path, required=True, help=words)
    inputs.add_options(parser, *_LIMITS)
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")


def run(arguments: argparse.Namespace) -> int:
    """Write the page, and say so."""
    limits = {name: getattr(arguments, name) for name in _LIMITS if name in arguments}
    options = checked(**limits)
    clock = clock_of(options)
    check_page(arguments.output)
    with shown(clock, quiet=arguments.quiet, verbose=arguments.verbose):
        case = inputs.case_of(arguments, options, clock)
        write_report(case, arguments.costs, arguments.output, **limits)
    if not arguments.quiet:
        say(f"wrote {arguments.output}")
    return exit_codes.OK


def check_page(path: Path) -> None:
    """Refuse a place that cannot be written, or that has something other than a page of ours."""
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {path.parent}; make it first", path)
    if path.is_dir():
        raise InputError("this is a folder; name a file", path)
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError("this cannot be written", path)
    if path.is_file():
        with path.open("rb") as file:
            if _MARK not in file.read(1000):
                words = "this file is there already and is no report; remove it or name another"
                raise InputError(words, path)

"""The arguments of ``plancost reproduce``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.numbers import count_from_one, count_from_zero, seconds
from plancost.experiments.plan import SCALES, TARGETS

_SUMMARY = "do the paper's experiments again, with tables and figures"
_WHAT = """table2: small grids, up to all alternatives. table3: four domains, mcf. scf, mcfc and
scfc: the same for the other concepts (appendix C). figure2, figure2-scf, ...: the seconds of the
same runs. figure1: two tasks on a grid. Each run leaves a record; the same command goes on where
it was stopped, and repeats nothing."""


def add_reproduce(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "reproduce",
        help=_SUMMARY,
        description=f"{_SUMMARY[0].upper()}{_SUMMARY[1:]}.\n\n{_WHAT}",
        epilog=exit_codes.HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "target", choices=TARGETS, metavar="WHAT", help=f"one of {', '.join(TARGETS)}"
    )
    parser.add_argument(
        "--scale",
        choices=SCALES,
        default="smoke",
        help="smoke: tiny worlds, minutes; small: 3 tasks a cell, 300 s a run, hours; "
        "paper: as published, days (default: smoke)",
    )
    parser.add_argument(
        "--time-limit",
        type=seconds,
        metavar="S",
        help="seconds for each run (default: 20, 300 or 1800, by scale)",
    )
    parser.add_argument(
        "--memory-limit",
        type=count_from_one,
        metavar="MB",
        help="megabytes of address space for each process (default: 8192)",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("reproduction"),
        metavar="DIR",
        help="where pools, records, tables and figures are (default: %(default)s)",
    )
    parser.add_argument(
        "--jobs",
        type=count_from_one,
        default=os.cpu_count() or 1,
        metavar="N",
        help="runs at the same time (default: the number of cores)",
    )
    parser.add_argument("--seed", type=count_from_zero, default=0, metavar="N", help="default: 0")
    parser.add_argument(
        "--report-only",
        action="store_true",
        help="run nothing; write tables and figures from the records that are there",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")

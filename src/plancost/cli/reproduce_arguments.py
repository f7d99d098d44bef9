"""The arguments of ``plancost reproduce``."""

from __future__ import annotations

import argparse
from pathlib import Path

from plancost.cli import exit_codes
from plancost.cli.numbers import count_from_one, counts_from_one, seconds
from plancost.cli.shared_arguments import Commands, add_command, add_jobs, add_seed
from plancost.experiments.paper import DOMAINS
from plancost.experiments.plan import ALL, BASELINE, EXACT, SCALES, TARGETS

_SUMMARY = "do the paper's experiments again, with tables and figures"
_WHAT = """table2: small grids, up to all alternatives. table3: four domains, mcf. scf, mcfc and
scfc: the same for the other concepts (appendix C). figure2, figure2-scf, ...: the seconds of the
same runs. figure1: two tasks on a grid. Each run leaves a record; the same command goes on where
it was stopped, and repeats nothing."""


def _domains(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in DOMAINS:
            known = ", ".join(DOMAINS)
            raise argparse.ArgumentTypeError(f"there is no domain '{name}'; there are {known}")
    return names


def _rows(text: str) -> tuple[str, ...]:
    rows = tuple(row.strip() for row in text.split(","))
    for row in rows:
        if row not in (BASELINE, EXACT, ALL) and not row.isdecimal():
            raise argparse.ArgumentTypeError(f"a row is baseline, exact, a number or all: '{row}'")
    return rows


def add_reproduce(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = add_command(commands, "reproduce", _SUMMARY, _WHAT, exit_codes.REPRODUCE)
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
    add_jobs(parser, "runs at the same time")
    add_seed(parser)
    parser.add_argument(
        "--domains",
        type=_domains,
        metavar="NAME,...",
        help=f"do only the runs of these: {', '.join(DOMAINS)}",
    )
    parser.add_argument(
        "--sizes",
        type=counts_from_one,
        metavar="N,...",
        help="do only the runs with so many plans",
    )
    parser.add_argument(
        "--tasks",
        type=count_from_one,
        metavar="N",
        help="do only the first N tasks of each cell",
    )
    parser.add_argument(
        "--rows",
        type=_rows,
        metavar="ROW,...",
        help="do only these rows: baseline, exact, a number k, all",
    )
    parser.add_argument(
        "--report-only",
        action="store_true",
        help="run nothing; write tables and figures from the records that are there",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")

"""``plancost reproduce``: runs that leave records, then reports out of the records."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.cli import exit_codes
from plancost.cli.command import Command, Output
from plancost.cli.number_arguments import positive, positive_list
from plancost.cli.options import add, add_option
from plancost.cli.output.terminal import print_line, print_written
from plancost.experiments.paper import DOMAINS
from plancost.experiments.plan import ALL, BASELINE, EXACT, FIGURE_1, SCALES, STUDIES, TARGETS

if TYPE_CHECKING:
    from plancost.experiments.layout import Layout
    from plancost.experiments.plan import Part, Study
    from plancost.experiments.reports import Written

_TEXT = """table2: small grids, up to all alternatives. table3: four domains, mcf. scf, mcfc and
scfc: the same for the other concepts (appendix C). figure2, figure2-scf, ...: the seconds of the
same runs. figure1: two tasks on a grid. Each run leaves a record; the same command resumes where
it was stopped, and repeats nothing."""
_NOTHING = "{}: nothing left to run"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add(parser, f"target WHAT: one of {', '.join(TARGETS)}", choices=TARGETS)
    add(
        parser,
        "--scale: smoke: tiny worlds, minutes; small: 3 tasks a cell, 300 s a run, hours; paper: "
        "as published, days (default: smoke)",
        choices=SCALES,
        default="smoke",
    )
    add_option(parser, "time_limit_s", "seconds for each run (default: 20, 300 or 1800, by scale)")
    add_option(
        parser, "memory_limit_mb", "megabytes of address space for each process (default: 8192)"
    )
    add(
        parser,
        "--output DIR: where pools, records, tables and figures are (default: %(default)s)",
        Path,
        default=Path("reproduction"),
    )
    add_option(parser, "jobs", "runs at the same time (default: the number of cores)")
    add_option(parser, "seed", default=0)
    add(parser, f"--domains NAME,...: do only the runs of these: {', '.join(DOMAINS)}", _domains)
    add(parser, "--sizes N,...: do only the runs with these numbers of plans", positive_list)
    add(parser, "--tasks N: do only the first N tasks of each cell", positive)
    add(parser, "--rows ROW,...: do only these rows: baseline, exact, a number k, all", _rows)
    add(
        parser,
        "--report-only: run nothing; write tables and figures from the existing records",
        bool,
    )
    add(
        parser,
        "--dry-run: run nothing; say how many runs are left, and how long they can take at most",
        bool,
    )
    add(parser, "--quiet: no progress, no summary", bool)


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


def run(arguments: argparse.Namespace) -> int:
    """Do the runs that have no record, then write the reports."""
    from plancost.experiments.layout import Layout

    layout = Layout(arguments.output)
    layout.check_is_ours()
    if arguments.dry_run:
        print_line(_left(arguments, layout))
        return exit_codes.OK
    try:
        if not arguments.report_only:
            summary = _work(arguments, layout)
            if not arguments.quiet:
                print_line(summary)
        written = _report(arguments, layout)
    except KeyboardInterrupt:
        print_line("plancost: interrupted; the same command resumes from here", error=True)
        return exit_codes.INTERRUPTED
    for note in written.notes:
        print_line(f"plancost: {note}", error=True)
    print_written(written.files, arguments)
    return exit_codes.OK


def _work(arguments: argparse.Namespace, layout: Layout) -> str:
    """Do what has no record, and count it."""
    from plancost.experiments.figure1 import draw_up
    from plancost.experiments.reproduce import Reproduction
    from plancost.progress.terminal import TerminalBar

    if arguments.target == FIGURE_1:
        return f"{layout.root}: {draw_up(layout)} of 2 tasks learned now"
    study = _study(arguments, arguments.target)
    with TerminalBar(quiet=arguments.quiet) as progress:
        done = Reproduction(study, layout, _part(arguments), arguments.jobs, progress).run()
    if done.runs == 0:
        return f"{_NOTHING.format(layout.root)}; {done.runs_before} runs have records"
    implied = f" ({done.inferred} of them inferred from smaller k)" if done.inferred else ""
    before = f"{done.runs_before} had been done before"
    return f"{layout.root}: {done.runs} runs done now{implied}, {before}"


def _left(arguments: argparse.Namespace, layout: Layout) -> str:
    """How many runs have no record, and how long they can take at most."""
    from plancost.experiments.agenda import Agenda, most_seconds
    from plancost.experiments.figure1 import ROUTES, figure1_key

    if arguments.target == FIGURE_1:
        left = sum(layout.records.load(figure1_key(side)) is None for side in ROUTES)
        return f"{layout.root}: {left} of 2 tasks left" if left else _NOTHING.format(layout.root)
    study = _study(arguments, arguments.target)
    runs = Agenda(study, layout.records, _part(arguments)).without_record()
    if not runs:
        return _NOTHING.format(layout.root)
    first = [run for run in runs if run.task == 1 or not study.first_decides]
    jobs = arguments.jobs
    words = f"{layout.root}: {len(first)} runs left, at most {most_seconds(first) / jobs:.0f} s"
    if len(runs) > len(first):
        rest_s = (most_seconds(runs) - most_seconds(first)) / jobs
        words += (
            f"; and up to {len(runs) - len(first)} runs of further tasks where the first ends "
            f"in time, at most {rest_s:.0f} s"
        )
    missing = [pool.name for pool in study.pools if not layout.pool(pool).exists()]
    return f"{words}, checks and margins included, with {jobs} at a time" + (
        f"; pools to make first: {', '.join(missing)}" if missing else ""
    )


def _report(arguments: argparse.Namespace, layout: Layout) -> Written:
    from plancost.experiments.reports import write_figure1, write_reports

    if arguments.target == FIGURE_1:
        return write_figure1(layout)
    study = _study(arguments, arguments.target)
    first_names = {name: target for target, name in reversed(STUDIES.items())}
    others = [_study(arguments, target) for target in reversed(first_names.values())]
    return write_reports(study, others, layout, arguments.scale)


def _part(arguments: argparse.Namespace) -> Part:
    from plancost.experiments.plan import Part

    return Part(arguments.domains, arguments.sizes, arguments.tasks, arguments.rows)


def _study(arguments: argparse.Namespace, target: str) -> Study:
    from plancost.experiments import plan

    return plan.study_of(
        target,
        arguments.scale,
        arguments.seed,
        time_s=arguments.time_limit,
        memory_mb=arguments.memory_limit,
    )


COMMAND = Command(
    "reproduce",
    "do the paper's experiments again, with tables and figures",
    _TEXT,
    add_arguments,
    run,
    exit_codes.meanings(
        "all runs have records (also of runs that a limit stopped); tables are written",
        {exit_codes.UNDECIDED: "a pool was given up: too few plans were found within the limits"},
        stopped=exit_codes.RESUMABLE,
    ),
    output=Output.FOLDER,
    owns_folder=True,
)

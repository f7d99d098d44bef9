"""``plancost reproduce``: runs that leave records, then reports out of the records."""

from __future__ import annotations

import argparse

from plancost.cli import exit_codes
from plancost.cli.progress_bar import ProgressBar
from plancost.cli.terminal import say
from plancost.experiments.figure1 import draw_up
from plancost.experiments.layout import Layout
from plancost.experiments.plan import FIGURE_1, STUDIES, Part, Study, study_of
from plancost.experiments.reports import Written, write_figure1, write_reports
from plancost.experiments.reproduce import Reproduction


def reproduce(arguments: argparse.Namespace) -> int:
    """``plancost reproduce``."""
    layout = Layout(arguments.output)
    layout.check_is_ours()
    try:
        if not arguments.report_only:
            said = _work(arguments, layout)
            if not arguments.quiet:
                say(said)
        written = _report(arguments, layout)
    except KeyboardInterrupt:
        say("plancost: interrupted; the same command goes on from here", error=True)
        return exit_codes.INTERRUPTED
    for note in written.notes:
        say(f"plancost: {note}", error=True)
    if not arguments.quiet:
        for path in written.files:
            say(f"wrote {path}")
    return exit_codes.OK


def _work(arguments: argparse.Namespace, layout: Layout) -> str:
    """Do what has no record; says how much that was."""
    if arguments.target == FIGURE_1:
        return f"{layout.root}: {draw_up(layout)} of 2 tasks learned now"
    study = _study(arguments, arguments.target)
    with ProgressBar(quiet=arguments.quiet) as progress:
        part = Part(arguments.domains, arguments.sizes, arguments.tasks, arguments.rows)
        done = Reproduction(study, layout, part, arguments.jobs, progress).run()
    return f"{layout.root}: {done.runs} runs done now, {done.runs_before} had been done before"


def _report(arguments: argparse.Namespace, layout: Layout) -> Written:
    if arguments.target == FIGURE_1:
        return write_figure1(layout)
    study = _study(arguments, arguments.target)
    first_names = {name: target for target, name in reversed(STUDIES.items())}
    others = [_study(arguments, target) for target in reversed(first_names.values())]
    return write_reports(study, others, layout, arguments.scale)


def _study(arguments: argparse.Namespace, target: str) -> Study:
    return study_of(
        target,
        arguments.scale,
        arguments.seed,
        time_s=arguments.time_limit,
        memory_mb=arguments.memory_limit,
    )

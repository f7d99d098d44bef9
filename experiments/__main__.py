"""The paper's tables and figures.

    python -m experiments table2 --scale small --output DIR    run, then write tables and figures
    python -m experiments table3 scf --dry-run --output DIR    what is left to run
    python -m experiments tables --output DIR                  from the records in DIR only
    python -m experiments results --output DIR                 keep these, write docs/results.md

A command that was ended goes on where it was. DIR gets pools, records.jsonl, tables and figures.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from experiments import figure1
from experiments.figures import write_figures
from experiments.kept import copy_kept, keep
from experiments.page import write_page
from experiments.records import Records
from experiments.running import STOP, Job, Place, commit, is_wanted, stages
from experiments.studies import DOMAINS, ROWS, SCALES, STUDY_OF, Run, Study, study_of
from experiments.tables import write_tables
from plancost.errors import PlancostError
from plancost.executor import Workers, workers

_ASKED = (*STUDY_OF, "figure1", "tables", "results")


def main(words: Sequence[str] | None = None) -> int:
    """Do what the arguments say; the exit status."""
    arguments = _parser().parse_args(words)
    try:
        _do(arguments)
    except KeyboardInterrupt:
        STOP.set()
        print("interrupted; the same command goes on", file=sys.stderr)
        return 130
    except PlancostError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _do(arguments: argparse.Namespace) -> None:
    place, asked = Place(arguments.output), set(arguments.asked)
    if arguments.kept:
        copy_kept(place.records)
    names = dict.fromkeys(STUDY_OF[name] for name in arguments.asked if name in STUDY_OF)
    limit_s = arguments.time_limit
    studies = [study_of(name, arguments.scale, limit_s) for name in names]
    runs = [run for study in studies for run in study.runs() if _is_asked(run, arguments)]
    if arguments.dry_run:
        print(_left(runs, place, arguments.jobs))
        return
    if runs:
        _run(runs, place, workers(arguments.scheduler, arguments.jobs))
    if "figure1" in asked:
        figure1.learn(place, commit())
    if "results" in asked:
        keep(place.records)
        write_page()
    else:
        _write(studies or _all(arguments.scale, limit_s), place)


def _all(scale: str, limit_s: float | None) -> list[Study]:
    return [study_of(name, scale, limit_s) for name in dict.fromkeys(STUDY_OF.values())]


def _run(runs: Sequence[Run], place: Place, team: Workers) -> None:
    """Do the runs that have no records."""
    _prepare(runs, place, team)
    by = commit()
    for stage in stages(runs, place):
        team.call(team.place(Job, [(run, place, by) for run in stage]), "do")


def _prepare(runs: Sequence[Run], place: Place, team: Workers) -> None:
    """Have all pools and manifests."""
    for pool in dict.fromkeys(run.pool for run in runs):
        first = next(run for run in runs if run.pool == pool)
        own = place.pool(first)
        if not own.is_complete and not own.unpack():
            print(f"SymK lists the plans of {pool.name}", flush=True)
            own.make(team)
    for run in runs:
        place.pool(run).task(run.plans, run.task)


def _write(studies: Sequence[Study], place: Place) -> None:
    """Tables and figures of what has records."""
    records = Records([place.records])
    written = write_tables(studies, records, place.folder / "tables")
    written += write_figures(studies, records, place.folder / "figures")
    print("\n".join(map(str, written)) or f"there are no records of these in {place.folder}")


def _is_asked(run: Run, arguments: argparse.Namespace) -> bool:
    return (
        run.row in (arguments.rows or run.study.rows)
        and run.plans in (arguments.sizes or run.study.sizes)
        and run.pool.world.name in (arguments.domains or DOMAINS)
        and run.task <= (arguments.tasks or run.study.tasks)
    )


def _left(runs: Sequence[Run], place: Place, jobs: int) -> str:
    records = Records([place.records])
    states = [(run, is_wanted(run, records)) for run in runs]
    sure = [run for run, wanted in states if wanted]
    perhaps = [run for run, wanted in states if wanted is None]
    lines = [f"{len(sure)} runs are left: {_minutes(sure, jobs)}"]
    if perhaps:
        words = "more if the first of their cell ends in time"
        lines.append(f"{len(perhaps)} {words}: {_minutes(perhaps, jobs)}")
    return "\n".join(lines)


def _minutes(runs: Sequence[Run], jobs: int) -> str:
    seconds = sum(run.study.limit_s for run in runs)
    return f"at most {seconds / 60 / jobs:.0f} minutes with {jobs} at a time"


def _some_of(known: Sequence[str]) -> Callable[[str], list[str]]:
    """Reads words between commas."""

    def read(text: str) -> list[str]:
        words = text.split(",")
        for word in words:
            if word not in known:
                raise argparse.ArgumentTypeError(f"{word!r} is none of {', '.join(known)}")
        return words

    return read


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m experiments",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("asked", nargs="+", choices=_ASKED, metavar="WHAT", help=", ".join(_ASKED))
    parser.add_argument("--output", type=Path, default=Path("experiment"), metavar="DIR")
    parser.add_argument("--scale", choices=SCALES, default="small")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="runs at a time")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster to run on")
    parser.add_argument("--time-limit", type=float, metavar="S", help="of each run")
    parser.add_argument("--rows", type=_some_of(ROWS), help=f"of {','.join(ROWS)}")
    parser.add_argument("--sizes", type=_numbers, help="plans of a task, such as 10,100")
    parser.add_argument("--domains", type=_some_of(DOMAINS), help=f"of {','.join(DOMAINS)}")
    parser.add_argument("--tasks", type=int, metavar="N", help="only the first N tasks of a cell")
    parser.add_argument("--kept", action="store_true", help="go on from the records of docs/")
    parser.add_argument("--dry-run", action="store_true", help="say how much is left to run")
    return parser


if __name__ == "__main__":
    sys.exit(main())

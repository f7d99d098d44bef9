"""Everything that docs/results.md needs and that has no record yet, with one command.

    python -m benchmarks.fill DIR --dry-run              # what is left, and the most it can take
    python -m benchmarks.fill DIR --jobs 2               # the runs, then records and page
    python -m benchmarks.fill DIR --jobs 2 --cases CASES # also on tasks of the paper's authors
    python -m benchmarks.fill DIR --page                 # only records and page, with what there is
    python -m benchmarks.fill DIR --take-up BUILD ...    # what these commits did, elsewhere
    python -m benchmarks.fill DIR --take-up              # all records here

DIR is the folder of `plancost reproduce`, with its pools; pools that are not there are made.
First the first task of every cell of all four tables, then further tasks where the first ended
in time. It can be stopped at any time; the same command resumes. In the end the records and
the pools in benchmarks/records and docs/results.md are written. Records of an earlier build stay
for tasks that have no new ones. `--take-up` fills a new DIR from the repository, so that it is
continued there; with `--again exact` the exact rows only by the last of these commits, so that
those of earlier ones are done again. `--page --build BUILD` names the commit of what is new.
"""

from __future__ import annotations

import argparse
import tarfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import paper_tasks, results
from benchmarks.packed import PackedRecords, add, current_build, pack
from plancost.cli.main import main as plancost
from plancost.experiments.agenda import Agenda, ended_by_itself, most_seconds, run_limit_s
from plancost.experiments.inference import inferred
from plancost.experiments.layout import Layout
from plancost.experiments.plan import Run
from plancost.experiments.records import Content, run_key

POOLS = "pools.tar.xz"
TARGETS = {"table3": "mcf", "scf": "scf", "mcfc": "mcfc", "scfc": "scfc"}


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--take-up", metavar="BUILD", nargs="*")
    parser.add_argument("--again", metavar="ROW", nargs="+", default=[])
    parser.add_argument("--build", default=None)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--page", action="store_true")
    arguments = parser.parse_args()
    if arguments.take_up is not None:
        taken = take_up(arguments.folder, arguments.take_up, arguments.again)
        print(f"{taken} records of {', '.join(arguments.take_up) or 'all commits'}, and the pools")
        return
    if arguments.dry_run:
        print(left(arguments.folder, arguments.cases, arguments.jobs))
        return
    build = arguments.build or current_build()  # not what is committed in the meantime
    if not arguments.page:
        _do_all(arguments.folder, arguments.cases, arguments.jobs)
    keep(arguments.folder, build)
    results.main([])


def keep(folder: Path, build: str | None) -> None:
    """Write records and pools of a folder into the repository.

    Pools of another machine may be others, so earlier records of a task that has new ones are left
    out: rows of one task are only compared if they are about the same plans. Those by a commit that
    the folder has records of are about the same pools, and stay where there is no new one.
    """
    layout, file = Layout(folder), results.RECORDS / "small.jsonl"
    earlier = PackedRecords([file]).contents
    print(f"{pack(layout.records.folder, file, build)} runs packed")
    new = PackedRecords([file])
    tasks = {_task(content) for content in new.contents}
    same_pools = {content.get("build") for content in new.contents} - {None}
    add(
        file,
        [
            content
            for content in earlier
            if new.load(content["key"]) is None
            and (_task(content) not in tasks or content.get("build") in same_pools)
        ],
    )
    with tarfile.open(results.RECORDS / POOLS, "w:xz") as archive:
        archive.add(layout.root / "pools", "pools", filter=_anonymous)


def _task(content: Content) -> tuple[object, ...]:
    """The learning task that a record is about."""
    return tuple(content["key"].get(name) for name in ("kind", "domain", "size", "task"))


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without times and owners, so that the same pools make the same archive."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


def take_up(folder: Path, builds: Sequence[str], again: Sequence[str] = ()) -> int:
    """Fill a folder with the pools and the records by some builds (none named: all); how many.

    Rows that are to be done again are taken up only if the last of the named builds did them.
    """
    layout, packed = Layout(folder), results.packed()
    layout.make()
    with tarfile.open(results.RECORDS / POOLS) as archive:
        archive.extractall(folder, filter="data")
    taken = 0
    for study in (results.STUDIES[name] for name in TARGETS.values()):
        for run in study.runs():
            content = packed.load(run_key(run))
            if content is None:
                continue
            wanted = builds[-1:] if run.row in again else builds
            is_wanted = content.get("build") in wanted or not (builds or run.row in again)
            if is_wanted:
                kept = {name: content[name] for name in content if name != "key"}
                layout.records.save(run_key(run), kept)
                taken += 1
    return taken


def left(folder: Path, cases: Path | None, jobs: int) -> str:
    """How many runs are left, and how long they can take."""
    records, packed = Layout(folder).records, results.packed()
    runs: list[Run] = []
    for name in TARGETS.values():
        runs += Agenda(results.STUDIES[name], records).without_record()
    first = [run for run in runs if run.task == 1]
    rest = [run for run in runs if run.task > 1]
    lines = [
        f"first tasks: {_words(first, jobs, packed)}",
        f"further tasks, where the first ends in time: up to {_words(rest, jobs, packed)}",
    ]
    if cases is not None:
        studies = list(paper_tasks.STUDIES.values())
        items = paper_tasks.runs_left(paper_tasks.runs_in(cases, studies))
        lines.append(f"tasks of the authors: {_words([item.run for item in items], jobs, packed)}")
    if not runs:
        lines.append("nothing left to run")
    return "\n".join(lines)


def _words(runs: list[Run], jobs: int, packed: PackedRecords) -> str:
    """The most that runs can take, and what earlier records of their cells say."""
    expected = sum(_expected_s(run, packed) for run in runs)
    return (
        f"{len(runs)} runs, with {jobs} at a time at most {most_seconds(runs) / jobs:.0f} s; "
        f"{expected / jobs:.0f} s as far as earlier records tell"
    )


def _expected_s(run: Run, packed: PackedRecords) -> float:
    """What earlier records of its cell took, or the most that it can take."""
    if inferred(run, packed) is not None:
        return 0.0
    if run.task > 1:
        first = _earlier(replace(run, task=1), packed)
        if first is not None and not ended_by_itself(run, first):
            return 0.0
    content = _earlier(run, packed)
    if content is None:
        return run_limit_s(run.study.bounds.time_s)
    seconds = content["seconds"]
    return float(seconds["total"] + seconds.get("verification", 0))


def _earlier(run: Run, packed: PackedRecords) -> Content | None:
    """An earlier record of the run, of another task of its cell, or of another concept."""
    studies = (run.study, *(results.STUDIES[name] for name in TARGETS.values()))
    keys = (
        run_key(replace(run, study=study, task=task))
        for study in studies
        for task in (run.task, *study.task_numbers)
    )
    return next((content for key in keys if (content := packed.load(key)) is not None), None)


def _do_all(folder: Path, cases: Path | None, jobs: int) -> None:
    plancost(["reproduce", "figure1", "--output", str(folder)])
    for tasks in (1, results.STUDIES["mcf"].tasks):
        for target in TARGETS:
            words = ["--scale", "small", "--output", str(folder), "--jobs", str(jobs)]
            if plancost(["reproduce", target, *words, "--tasks", str(tasks)]):
                raise SystemExit(f"{target} did not end; the same command resumes")
    if cases is not None:
        studies = list(paper_tasks.STUDIES.values())
        paper_tasks.fill(paper_tasks.runs_left(paper_tasks.runs_in(cases, studies)), jobs)


if __name__ == "__main__":
    main()

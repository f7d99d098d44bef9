"""The exact answers on learning tasks of the paper's authors, as records.

    python -m benchmarks.paper_tasks CASES --domains grid,transport --sizes 10 --jobs 2
    python -m benchmarks.paper_tasks CASES --domains grid --sizes 10 --studies table3 --factor 1.1

CASES has one case folder for each task of the public benchmark, called DOMAIN-PLANS_NUMBER or
DOMAIN-SIDE_PLANS_NUMBER. Only the answers are kept, in records/paper-tasks.jsonl, one line for
each task and concept; those that are there are not done again. Problems of one task give some
actions two initial costs; refining takes the first (--cost-conflicts first). With --factor a plan
counts that costs at most so many times as much as every alternative (--suboptimality).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock

from benchmarks.packed import PackedRecords, add, current_build
from plancost.experiments.paper import DOMAINS
from plancost.experiments.plan import EXACT, Part, Run, Study, study_of
from plancost.experiments.records import Content, Key, Recorded, run_key
from plancost.experiments.runs import learn, outcome
from plancost.system.processes import Ending, Limits
from plancost.system.workers import Workers

FILE = Path(__file__).parent / "records" / "paper-tasks.jsonl"
POOL = "the authors' benchmark"
STUDIES = {name: study_of(name, "small") for name in ("table3", "scf", "mcfc", "scfc")}
_NAME = re.compile(r"([a-z]+)-(?:\d+_)?(\d+)_(\d+)")


@dataclass(frozen=True)
class PaperRun:
    """The exact learner on one task of the authors."""

    folder: Path
    run: Run
    factor: str | None = None

    @property
    def key(self) -> Key:
        """What tells it from all others."""
        return authors_key(self.run, self.factor)


def authors_key(run: Run, factor: str | None = None) -> Key:
    """The key of the same run on a task of the authors."""
    more = {} if factor is None else {"suboptimality": factor}
    return {**run_key(run), "pool": POOL, **more}


def runs_in(cases: Path, studies: list[Study]) -> Iterator[PaperRun]:
    """The runs of all case folders of the paper's domains, small ones first."""
    named = [(path, _NAME.fullmatch(path.name)) for path in sorted(cases.iterdir())]
    found = [(path, match) for path, match in named if match and match[1] in DOMAINS]
    for path, match in sorted(found, key=lambda item: int(item[1][2])):
        for study in studies:
            pool = next(pool for pool in study.pools if pool.domain == match[1])
            yield PaperRun(path, Run(study, pool, int(match[2]), int(match[3]), EXACT))


def answer(item: PaperRun) -> Content | None:
    """The record of one run; None if it was called off."""
    study = item.run.study
    limit_s = study.bounds.time_s  # for everything, as in a reproduction
    arguments = [
        *(str(item.folder.resolve()), "--time-limit", f"{limit_s:g}"),
        *("--solution", study.solution),
        *(("--refine", "--cost-conflicts", "first") if study.refine else ()),
        *(("--suboptimality", item.factor) if item.factor else ()),
    ]
    limits = Limits(limit_s * 1.1, study.bounds.memory_mb)
    finished, result = learn(arguments, limits)
    if finished.ending is Ending.STOPPED:
        return None
    if result is not None:
        return outcome(item.run, result, 0.0)
    reason = "out of time" if finished.ending is Ending.OUT_OF_TIME else "failed"
    return {"status": "failed", "reason": reason, "seconds": {"total": round(finished.seconds, 3)}}


def authors_answers(
    study: Study, domain: str, size: int, records: Recorded, factor: str | None = None
) -> list[Content]:
    """The records of one cell, in the order of the authors' numbers."""
    pool = next(pool for pool in study.pools if pool.domain == domain)
    runs = (Run(study, pool, size, number, EXACT) for number in range(10))
    found = (records.load(authors_key(run, factor)) for run in runs)
    return [content for content in found if content is not None]


def main() -> None:
    """Do what has no record yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--domains", default=",".join(DOMAINS))
    parser.add_argument("--sizes", default="10,100,1000")
    parser.add_argument("--studies", default=",".join(STUDIES))
    parser.add_argument("--factor")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    part = Part(tuple(arguments.domains.split(",")), tuple(map(int, arguments.sizes.split(","))))
    studies = [STUDIES[name] for name in arguments.studies.split(",")]
    runs = (replace(item, factor=arguments.factor) for item in runs_in(arguments.cases, studies))
    fill(runs_left(item for item in runs if part.has(item.run)), arguments.jobs)


def runs_left(wanted: Iterable[PaperRun]) -> list[PaperRun]:
    """The runs that have no record."""
    known = PackedRecords([FILE] if FILE.exists() else [])
    return [item for item in wanted if known.load(item.key) is None]


def fill(left: list[PaperRun], jobs: int) -> None:
    """Do these runs, and add each to the file as soon as it is done."""
    lock, build = Lock(), current_build()
    named = {} if build is None else {"build": build}

    def do(number: int, item: PaperRun) -> None:
        content = answer(item)
        if content is not None:
            with lock:
                add(FILE, [{"key": dict(item.key), **named, **content}])
                words = f"{content.get('optimal_plans')} of {content.get('plans')} optimal"
                print(
                    f"{number} of {len(left)}: {item.folder.name}, {item.run.study.name}: {words}"
                )

    with Workers(jobs) as workers:
        for future in [
            workers.submit(partial(do, number, item)) for number, item in enumerate(left, start=1)
        ]:
            future.result()


if __name__ == "__main__":
    main()

"""Kill learning at random moments, go on each time, and compare with an undisturbed run.

The moments are drawn from the time that learning took in the undisturbed run (or with --whole from
the time of the whole run). At each of them the whole process group is killed with SIGKILL, and the
same command is started again; its learning lasts until the next moment, and after the last one to
its end. What is proven must be the same then. Processor seconds (of plancost and its children) say
what the killed runs cost, since other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from typing import Any

from benchmarks.grids import write_grid_tasks

_PROVEN = ("plans", "optimal_plans", "upper_bound", "proved", "secondary", "verified", "costs")


@dataclass(frozen=True)
class Run:
    """One run of the command, to its end or to its death."""

    seconds: float
    processor_s: float
    killed: bool


def main() -> None:
    """Print a line for each run and whether the results agree; exit status 1 if they do not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=10)
    parser.add_argument("--plans", type=int, default=100)
    parser.add_argument("--problems", type=int, default=10, help="that the plans are drawn from")
    parser.add_argument("--kills", type=int, default=10, help="in one learning")
    parser.add_argument("--times", type=int, default=1, help="how often to learn with kills")
    parser.add_argument("--whole", action="store_true", help="kill during grounding as well")
    parser.add_argument("--every", type=float, default=1.0, help="--checkpoint-every")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--manifest", type=Path, help="use this learning task instead of a grid")
    parser.add_argument("--domain", type=Path, help="its domain")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        manifest, domain = arguments.manifest, arguments.domain
        if manifest is None:
            sizes = [arguments.plans]
            pool = folder / "pool"
            drawn = write_grid_tasks(
                pool, arguments.side, arguments.problems, sizes, 1, arguments.seed
            )
            manifest, domain = drawn.tasks[arguments.plans][0], pool / "domain.pddl"
        command = [
            *(sys.executable, "-m", "plancost", "learn", str(manifest), "--domain", str(domain)),
            *("--quiet", "--jobs", str(arguments.jobs)),
            *("--checkpoint-every", str(arguments.every), "--output"),
        ]
        draw = random.Random(arguments.seed)
        trial = Trial(command, folder, arguments.kills, draw, arguments.whole)
        sys.exit(trial.go(arguments.times))


@dataclass(frozen=True)
class Trial:
    """A command that is killed, and its log, which says when learning has begun."""

    command: list[str]
    folder: Path
    kills: int
    draw: random.Random
    whole: bool

    def go(self, times: int) -> int:
        """Learn undisturbed, then with kills; 1 if the results are not the same."""
        undisturbed = self.folder / "undisturbed.json"
        alone = self._run(undisturbed, None)
        _say("undisturbed", alone)
        first = json.loads(undisturbed.read_text())
        span = alone.seconds - (0.0 if self.whole else first["seconds"]["grounding"])
        print({key: first[key] for key in _PROVEN if key != "costs"}, _stages(first), sep="\n")
        kills = others = 0
        for number in range(1, times + 1):
            output = self.folder / f"disturbed-{number}.json"
            kills += self._disturbed(output, span)
            others += not _is_same(first, output)
        print(f"{kills} kills, {times} times learned, {others} other results")
        return 1 if others else 0

    def _disturbed(self, output: Path, span: float) -> int:
        """Learn with kills; how many there were."""
        moments = [0.0, *sorted(self.draw.uniform(0, span) for _ in range(self.kills))]
        pauses: list[float | None] = [b - a for a, b in itertools.pairwise(moments)]
        runs: list[Run] = []
        for pause in [*pauses, None]:
            if not runs or runs[-1].killed:
                runs.append(self._run(output, pause))
                _say(f"  run {len(runs)}", runs[-1])
        used = sum(run.processor_s for run in runs)
        print(f"{len(runs) - 1} kills: {used:.1f} s of processor in all", flush=True)
        return len(runs) - 1

    def _run(self, output: Path, kill_after_s: float | None) -> Run:
        """Run the command; kill it so long after its start, or after its log speaks of learning."""
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        started, before = time.monotonic(), _processor_s()
        begun = started if self.whole else None
        words = [*self.command, str(output), "--log-file", str(log)]
        process = Popen(words, start_new_session=True)
        killed = False
        while process.poll() is None:
            if begun is None and log.exists() and "first objective" in log.read_text():
                begun = time.monotonic()
            moment = None if begun is None or kill_after_s is None else begun + kill_after_s
            if moment is not None and time.monotonic() > moment:
                os.killpg(process.pid, signal.SIGKILL)
                killed = True
                process.wait()
            time.sleep(0.01)
        return Run(time.monotonic() - started, _processor_s() - before, killed)


def _is_same(first: dict[str, Any], output: Path) -> bool:
    second = json.loads(output.read_text())
    same = all(first[key] == second[key] for key in _PROVEN)
    left = output.with_name(output.name + ".checkpoint").exists()
    print("the same result" if same else "ANOTHER RESULT", "CHECKPOINT LEFT" if left else "")
    print(f"went on from {second['options'].get('resumed')}; last run: {_stages(second)}")
    return same and not left


def _processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _say(name: str, run: Run) -> None:
    end = "killed" if run.killed else "ended"
    print(
        f"{name}: {end} after {run.seconds:.1f} s, {run.processor_s:.1f} s of processor", flush=True
    )


def _stages(result: dict[str, Any]) -> str:
    return ", ".join(f"{name} {seconds:.1f} s" for name, seconds in result["seconds"].items())


if __name__ == "__main__":
    main()

"""Pools: the problems of a world, each with its cheapest plans by SymK, and learning tasks of them.

A pool is a folder: ``domain.pddl``, problems ``p01.pddl`` in the order of their draws, and plans
``p01.001.plan``, the cheapest first under the costs of the domain. A problem is written after its
plans, so that one that is there is complete. Where SymK does not list as many plans as asked for
(or all there are) within the limit, the next draw takes the place of the problem.

A learning task is a manifest: so many plans of the pool, drawn without repetition, each as likely
as any other. The pools that docs/results.md is about are in ``data/pools.tar.xz``. SymK need not
list the same ones of several plans that cost the same, so pools made anew may be others.
"""

from __future__ import annotations

import random
import tarfile
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from experiments.studies import PoolPlan
from plancost.case.costs import with_costs
from plancost.case.grounding import Request, ground
from plancost.clock import Clock
from plancost.errors import LimitError
from plancost.executor import Workers
from plancost.files import make_folder, write_atomically
from plancost.search.planners import ANSWERS, Planners

ARCHIVE = Path(__file__).with_name("data") / "pools.tar.xz"
LIMIT_S = 300.0
"""For the plans of one problem."""
_LEFT_OUT = ".left-out"
_MOST_LEFT_OUT = 5
"""If so many more problems are left out than kept, there will be no pool."""


class Pool:
    """A pool in its folder, complete or not."""

    def __init__(self, plan: PoolPlan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder / plan.name

    @property
    def is_complete(self) -> bool:
        """Whether it has all its problems."""
        return len(self._problems()) >= self.plan.problems

    def unpack(self) -> bool:
        """Take it from the archive, if that has it."""
        with tarfile.open(ARCHIVE) as archive:
            inside = f"pools/{self.plan.name}/"
            members = [m for m in archive if m.name.startswith(inside)]
            for member in members:
                member.name = member.name.removeprefix(inside)
            wanted = [m for m in members if m.name.endswith((".pddl", ".plan"))]
            archive.extractall(self.folder, wanted, filter="data")
        return bool(wanted)

    def make(self, workers: Workers) -> None:
        """Let SymK list the plans of each problem that is missing."""
        make_folder(self.folder)
        write_atomically(self.folder / "domain.pddl", self.plan.world.domain(self.plan.seed))
        while missing := self.plan.problems - len(self._problems()):
            left_out = len(list(self.folder.glob(f"*{_LEFT_OUT}")))
            if left_out >= len(self._problems()) + _MOST_LEFT_OUT:
                words = f"SymK did not list the plans of {left_out} problems within {LIMIT_S:g} s"
                raise LimitError(f"{self.plan.name}: {words}")
            batch = list(islice(self._unsettled(), missing))
            if not batch:
                raise LimitError(f"{self.plan.name}: there are not so many different problems")
            placed = workers.place(_Problem, [(one, self.plan.plans) for one in batch])
            workers.call(placed, "solve")

    def task(self, plans: int, number: int) -> Path:
        """The manifest of a learning task of a complete pool."""
        path = self.folder / "tasks" / f"{plans}-{number:02d}.csv"
        if path.exists():
            return path
        names = sorted(plan.name for plan in self.folder.glob("p*.plan"))
        draw = random.Random(f"task-{self.plan.seed}-{plans}-{number}")
        chosen = [names[n] for n in sorted(draw.sample(range(len(names)), plans))]
        lines = (f"../{name.partition('.')[0]}.pddl,../{name}\n" for name in chosen)
        make_folder(path.parent)
        write_atomically(path, "problem,plan\n" + "".join(lines))
        return path

    def _problems(self) -> list[Path]:
        return sorted(self.folder.glob("p*.pddl"))

    def _unsettled(self) -> list[tuple[str, str]]:
        """Path and text of the problems that were not tried yet, in the order of their draws."""
        texts = islice(self.plan.world.problems(self.plan.seed), 10 * self.plan.problems)
        places = (
            (self.folder / f"p{number:02d}.pddl", text) for number, text in enumerate(texts, 1)
        )
        return [
            (str(path), text)
            for path, text in places
            if not path.exists() and not path.with_suffix(_LEFT_OUT).exists()
        ]


@dataclass(frozen=True)
class _Problem:
    """A problem that is to be solved."""

    place: tuple[str, str]
    plans: int

    def solve(self) -> None:
        """Write its plans and then the problem, or that it is left out."""
        path, text = Path(self.place[0]), self.place[1]
        clock = Clock(LIMIT_S)
        domain = path.with_name("domain.pddl")
        found, _ = ground(
            Request(domain.read_text(encoding="utf-8"), {path.name: text}, domain, clock=clock)
        )
        case = with_costs(found, refine=True)
        costs = case.costs.initial
        assert costs is not None
        listed = Planners(case, jobs=1).top_k(0, costs, self.plans, clock)
        if listed.verdict not in ANSWERS or not listed.plans:
            write_atomically(path.with_suffix(_LEFT_OUT), f"{listed.verdict.value}\n")
            return
        for number, plan in enumerate(listed.plans[: self.plans], 1):
            steps = "".join(f"{case.actions[action]}\n" for action in plan)
            write_atomically(path.with_name(f"{path.stem}.{number:03d}.plan"), steps)
        write_atomically(path, text)

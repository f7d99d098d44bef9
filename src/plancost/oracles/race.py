"""Is there a plan below a bound? Cheapest question first, and the faster planner last.

Greedy search finds a plan quickly where there is one. That there is none takes an
exhaustive search; which planner is faster at that differs from task to task, so the first
time both run side by side, and the winner is remembered.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from plancost.clock import Deadline
from plancost.oracles import fast_downward, symk
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.processes import Limits

Search = Callable[[threading.Event | None], SearchOutcome]
_GREEDY_S = 10.0
"""How long greedy search may look for a plan before the exhaustive searches start."""


class BoundedSearch:
    """Looks for plans below a bound, and remembers who is fast at which task."""

    def __init__(self, memory_mb: int | None, planner: str | None = None) -> None:
        self._memory_mb = memory_mb
        self._only = planner
        self._winner: dict[int, str] = {}

    def below(self, task: int, sas: str, bound: int, deadline: Deadline) -> SearchOutcome:
        """A plan of the task that costs less than the bound, or the proof that none does."""
        if self._only != "symk":
            greedy = fast_downward.any_plan_below(
                sas, bound, limits=self._limits(deadline.within(_GREEDY_S))
            )
            if greedy.verdict is Verdict.FOUND:
                return greedy
        searches: dict[str, Search] = {
            "fast-downward": lambda stop: fast_downward.optimal_plan_below(
                sas, bound, limits=self._limits(deadline), stop=stop
            ),
            "symk": lambda stop: symk.optimal_plan(sas, limits=self._limits(deadline), stop=stop),
        }
        name = self._only or self._winner.get(task)
        if name is not None:
            return searches[name](None)
        name, outcome = _race(searches)
        self._winner[task] = name
        return outcome

    def _limits(self, deadline: Deadline) -> Limits:
        return Limits(deadline.remaining(), self._memory_mb)


def _race(searches: dict[str, Search]) -> tuple[str, SearchOutcome]:
    """Run all side by side; the first with an answer stops the others."""
    stop = threading.Event()
    with ThreadPoolExecutor(max_workers=len(searches)) as pool:
        running: dict[Future[SearchOutcome], str] = {
            pool.submit(search, stop): name for name, search in searches.items()
        }
        try:
            last: tuple[str, SearchOutcome] | None = None
            pending = set(running)
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for future in done:
                    last = running[future], future.result()
                    if last[1].verdict in (Verdict.FOUND, Verdict.NONE):
                        return last
            assert last is not None
            return last
        finally:
            stop.set()

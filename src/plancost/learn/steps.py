"""The steps of a run, each as far as the clock lets it.

Whatever ends a step early (the clock, Ctrl-C, a program that fails) is noted, and what was found
stays: at the end the best costs so far are checked all the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from plancost.clock import Clock, OutOfTimeError
from plancost.errors import PlancostError, PlannerError, SolverError
from plancost.learn.feasibility import UndecidedError
from plancost.learn.incumbent import Incumbent
from plancost.learn.oracles import Oracles
from plancost.learn.outcome import AFTER_INTERRUPT_S, CHECK_MORE_S, Ending, Learned, Verdict
from plancost.learn.verify import verify

T = TypeVar("T")

_CHECK_MORE = 0.025
"""On long runs such a part of the limit, up to two seconds."""

_WORST_LAST: tuple[Ending, ...] = (
    "done", "time limit", "gave up", "out of memory", "interrupted", "failed",
)  # fmt: skip


class Steps:
    """Does one step after the other; how they ended is in the fields."""

    def __init__(self, incumbent: Incumbent, oracles: Oracles) -> None:
        self.incumbent, self.oracles, self.clock = incumbent, oracles, incumbent.clock
        self.ending: Ending = "done"
        self.notes: list[str] = []
        self.seconds: dict[str, float] = {}

    @property
    def may_go_on(self) -> bool:
        """Whether nothing has happened that ends the run."""
        return self.ending in ("done", "time limit")

    def take(self, name: str, step: Callable[[Clock], T], clock: Clock) -> T | None:
        """Do a step; what ends it early is noted."""
        began = time.monotonic()
        try:
            found = step(clock)
            self._ended("time limit" if clock.is_over else "done")
            return found
        except OutOfTimeError:
            self._ended("time limit")
        except UndecidedError as trouble:
            self.notes.append(f"numerical trouble ended the search early: {trouble}")
        except KeyboardInterrupt:
            self._ended("interrupted")
        except MemoryError:
            self._ended("out of memory")
        except (PlannerError, SolverError) as failure:
            self._failed(str(failure))
        except ModuleNotFoundError as missing:
            self._failed(f"{missing.name} is not installed: run 'pip install {missing.name}'")
        except PlancostError as limit:
            if not self.incumbent.plans:
                raise
            self.notes.append(str(limit))
            self._ended("time limit")
        finally:
            self.seconds[name] = round(time.monotonic() - began, 3)
        return None

    def learned(self, *, none_exists: bool) -> Learned:
        """What is known now, after a check of the costs."""
        incumbent, task = self.incumbent, self.incumbent.task
        second, parameters = incumbent.second_objective, task.parameters
        costs = tuple(parameters.costs(incumbent.values).tolist())
        chosen = set(incumbent.plans)
        claimed = tuple(plan in chosen for plan in task.plan_of)
        verdicts = self._checked(costs, claimed)
        pairs = zip(task.case.observations, verdicts, strict=True)
        if sum(seen.count for seen, verdict in pairs if verdict.optimal) == incumbent.bound:
            # No costs make more plans optimal: about the others nothing is left to decide.
            verdicts = tuple(replace(v, optimal=v.optimal is True) for v in verdicts)
            if second.proved and self.ending == "time limit":
                self.ending = "done"
        elif any(verdict.optimal is None for verdict in verdicts):
            self._ended(self.oracles.undecided(self.clock))
        self.seconds["total"] = round(self.clock.seconds, 3)
        return Learned(
            costs=costs,
            parameters=tuple(incumbent.values[: parameters.own_count].tolist()),
            claimed=claimed,
            upper_bound=incumbent.bound,
            second=None if none_exists else second,
            verdicts=verdicts,
            ending="none exists" if none_exists else self.ending,
            seconds=self.seconds,
            history=tuple(incumbent.history),
            notes=tuple(self.notes),
        )

    def _checked(self, costs: Sequence[int], claimed: Sequence[bool]) -> tuple[Verdict, ...]:
        """What the check says, as far as it comes."""
        found: dict[int, Verdict] = {}

        def check(clock: Clock) -> None:
            self.incumbent.say("check")
            verify(costs, self.oracles, clock, claimed, found)

        self.take("check", check, self._for_check())
        case = self.incumbent.task.case
        own = (case.cost(observation.actions, costs) for observation in case.observations)
        return tuple(found.get(n, Verdict(cost, None, None)) for n, cost in enumerate(own))

    def _for_check(self) -> Clock:
        """It may take a moment more than the limit, since it is what makes an answer worth
        anything; but nobody who has pressed Ctrl-C wants to wait.
        """
        if self.ending == "interrupted":
            return self.clock.part(AFTER_INTERRUPT_S)
        more = min(2.0, max(CHECK_MORE_S, _CHECK_MORE * self.clock.limit))
        return replace(self.clock, limit=self.clock.limit + more)

    def _failed(self, why: str) -> None:
        if why not in self.notes:
            self.notes.append(why)
        self._ended("failed")

    def _ended(self, ending: Ending) -> None:
        """The worst of all endings counts."""
        self.ending = max(self.ending, ending, key=_WORST_LAST.index)

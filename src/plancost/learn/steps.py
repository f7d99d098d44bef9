"""The steps of a run, each as far as the clock lets it.

Whatever ends a step early (the clock, Ctrl-C, a program that fails) is noted, and what was found
stays: at the end the best costs so far are checked all the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from plancost.clock import Clock, OutOfTimeError
from plancost.errors import PlancostError, PlannerError, SolverError
from plancost.learn.feasibility import UndecidedError
from plancost.learn.incumbent import Incumbent
from plancost.learn.outcome import AFTER_INTERRUPT_S, CHECK_MORE_S, Ending, Learned, worst
from plancost.learn.verify import Check, Oracles
from plancost.options import LearnOptions

_LEAST_CHECK_S = 2.0
"""However late a solver comes back: without a check nothing of what was found counts."""
_CHECK_MORE = 0.025
"""On long runs such a part of the limit, up to two seconds."""


class Steps:
    """A run does one step after the other; how they ended is in the fields."""

    def __init__(self, incumbent: Incumbent, options: LearnOptions, oracles: Oracles) -> None:
        self.incumbent, self.task, self.clock = incumbent, incumbent.task, incumbent.clock
        self.options, self.oracles = options, oracles
        self.ending: Ending = "done"
        self.notes: list[str] = []
        self.seconds: dict[str, float] = {}

    @property
    def none_exists(self) -> bool:
        """Whether it is proven (icf) that not all plans can be optimal."""
        everything = int(self.task.weights.sum())
        return self.options.solution == "icf" and self.incumbent.bound < everything

    def take(self, name: str, step: Callable[[Clock], None], clock: Clock) -> None:
        """Do a step; what ends it early is noted."""
        began = time.monotonic()
        try:
            step(clock)
            self._ended("time limit" if clock.is_over else "done")
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

    def learned(self) -> Learned:
        """What is known now, after a check of the costs as far as it comes."""
        incumbent, case, parameters = self.incumbent, self.task.case, self.task.parameters
        costs, chosen = tuple(parameters.costs(incumbent.values).tolist()), set(incumbent.plans)
        claimed = tuple(plan in chosen for plan in self.task.plan_of)
        check = Check(costs, self.oracles, claimed)
        incumbent.say("check")
        self.take("check", check.run, self._for_check())
        verdicts = check.verdicts
        second, seen = incumbent.second_objective, zip(case.observations, verdicts, strict=True)
        if sum(one.count for one, verdict in seen if verdict.optimal) == incumbent.bound:
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
            second=None if self.none_exists else second,
            verdicts=verdicts,
            ending="none exists" if self.none_exists else self.ending,
            seconds=self.seconds,
            history=tuple(incumbent.history),
            notes=tuple(self.notes),
        )

    def _for_check(self) -> Clock:
        """It may take a moment more than the limit, since it is what makes an answer worth
        anything; but nobody who has pressed Ctrl-C wants to wait.
        """
        if self.ending == "interrupted":
            return self.clock.part(AFTER_INTERRUPT_S)
        more = min(2.0, max(CHECK_MORE_S, _CHECK_MORE * self.clock.limit))
        limit = max(self.clock.limit + more, self.clock.seconds + _LEAST_CHECK_S)
        return replace(self.clock, limit=limit)

    def _failed(self, why: str) -> None:
        if why not in self.notes:
            self.notes.append(why)
        self._ended("failed")

    def _ended(self, ending: Ending) -> None:
        """The worst of all endings counts."""
        self.ending = worst(self.ending, ending)

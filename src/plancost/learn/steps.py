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
from plancost.learn.oracles import Oracles
from plancost.learn.outcome import Ending, Learned, Verdict
from plancost.learn.verify import verify


class Steps:
    """Does one step after the other; how they ended is in the fields."""

    def __init__(self, incumbent: Incumbent, oracles: Oracles) -> None:
        self.incumbent, self.oracles, self.clock = incumbent, oracles, incumbent.clock
        self.ending, self.complaint = Ending.DONE, ""
        self.notes: list[str] = []
        self.seconds: dict[str, float] = {}
        self._verdicts: tuple[Verdict, ...] = ()

    @property
    def may_go_on(self) -> bool:
        """Whether nothing has happened that ends the run."""
        return self.ending in (Ending.DONE, Ending.LIMIT)

    def take(self, name: str, step: Callable[[Clock], None], clock: Clock) -> None:
        """Do a step; what ends it early is noted."""
        began = time.monotonic()
        try:
            step(clock)
            self._ended(Ending.LIMIT if clock.is_over else Ending.DONE)
        except OutOfTimeError:
            self._ended(Ending.LIMIT)
        except UndecidedError as trouble:
            self.notes.append(f"numerical trouble ended the search early: {trouble}")
        except KeyboardInterrupt:
            self._ended(Ending.INTERRUPTED)
        except (PlannerError, SolverError) as failure:
            self.complaint = str(failure)
            self._ended(Ending.FAILED)
        except PlancostError as limit:
            if not self.incumbent.plans:
                raise
            self.notes.append(str(limit))
            self._ended(Ending.LIMIT)
        self.seconds[name] = round(time.monotonic() - began, 3)

    def learned(self, *, none_exists: bool) -> Learned:
        """What is known now, after a check of the costs."""
        incumbent, parameters = self.incumbent, self.incumbent.task.parameters
        second = incumbent.second_objective
        if self.ending is Ending.LIMIT and incumbent.is_proved and second.proved:
            self.ending = Ending.DONE
        self._check_costs()
        self.seconds["total"] = round(self.clock.seconds, 3)
        chosen = set(incumbent.plans)
        return Learned(
            costs=tuple(parameters.costs(incumbent.values).tolist()),
            parameters=tuple(incumbent.values[: parameters.own_count].tolist()),
            claimed=tuple(plan in chosen for plan in incumbent.task.plan_of),
            upper_bound=incumbent.bound,
            second=None if none_exists else second,
            verdicts=self._verdicts,
            none_exists=none_exists,
            ending=self.ending,
            complaint=self.complaint,
            seconds=self.seconds,
            history=tuple(incumbent.history),
            notes=tuple(self.notes),
        )

    def _check_costs(self) -> None:
        """It may take a moment more than the limit: the check is what makes an answer worth
        anything.
        """
        case = self.incumbent.task.case
        costs = self.incumbent.task.parameters.costs(self.incumbent.values).tolist()
        own = [case.cost(observation.actions, costs) for observation in case.observations]
        chosen = set(self.incumbent.plans)
        claimed = [n for n, plan in enumerate(self.incumbent.task.plan_of) if plan in chosen]
        self._verdicts = tuple(Verdict(cost, None, None) for cost in own)

        def check(clock: Clock) -> None:
            self.incumbent.say("check")
            self._verdicts = verify(costs, self.oracles, clock, claimed)

        limit = self.clock.limit + min(2.0, 0.05 * self.clock.limit)
        self.take("check", check, replace(self.clock, limit=limit))
        if self._confirmed == self.incumbent.bound:
            # No costs make more plans optimal: about the others nothing is left to decide.
            self._verdicts = tuple(replace(v, optimal=v.optimal is True) for v in self._verdicts)
        elif any(verdict.optimal is None for verdict in self._verdicts):
            self._ended(Ending.LIMIT)

    @property
    def _confirmed(self) -> int:
        """Plans that the check found to be optimal, with multiplicity."""
        observations = self.incumbent.task.case.observations
        pairs = zip(observations, self._verdicts, strict=True)
        return sum(own.count for own, verdict in pairs if verdict.optimal is True)

    def _ended(self, ending: Ending) -> None:
        """The worst of all endings counts."""
        self.ending = max(self.ending, ending, key=list(Ending).index)

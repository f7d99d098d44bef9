"""How probable a plan of a stream is to be optimal, by samples of the costs."""

from __future__ import annotations

from dataclasses import dataclass

from plancost.evaluation.measures import Measurer
from plancost.probability.outlook import Searcher, outlooks
from plancost.probability.sampled_costs import SampledCosts, sampled_costs
from plancost.results.samples import Samples
from plancost.system.clock import Deadline


@dataclass(frozen=True)
class Chance:
    """What samples say of one plan."""

    probability: float
    """The share of the samples under which no plan is cheaper."""
    least_regret: float
    """Its regret under the sample that favours it most."""


class Chances:
    """Asks samples about plans; many in a row are of one measurer, whose graphs are used."""

    def __init__(self, samples: Samples, default_cost: int) -> None:
        self._samples = samples
        self._default = default_cost
        self._last: tuple[Measurer, Searcher, SampledCosts] | None = None

    def of(self, measurer: Measurer, number: int, deadline: Deadline) -> Chance | None:
        """Of the plan that the measurer knows by this number; None: there was no time."""
        if self._last is None or self._last[0] is not measurer:
            actions, default = measurer.case.actions, self._default
            drawn = sampled_costs(self._samples, actions, default_cost=default)
            self._last = measurer, Searcher(measurer.run, measurer.case), drawn
        _, searcher, drawn = self._last
        observed = measurer.case.observations[number]
        task, plan = observed.task, observed.plan
        look = outlooks(searcher, [task], drawn, deadline, plans={task: [plan]})[0]
        if not look.searched:
            return None
        place = look.number(plan)
        return Chance(float(look.optimal[place].mean()), float(look.regrets[place].min()))

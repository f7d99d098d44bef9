"""How probable observed plans are to be optimal, by samples of costs."""

from __future__ import annotations

from dataclasses import replace

from plancost.errors import UsageError
from plancost.learning.problem.options import LearnOptions
from plancost.probability.outlook import Outlook, Searcher, outlooks
from plancost.probability.sampled_costs import sampled_costs
from plancost.results.claims import Claims
from plancost.results.result import ObservationResult, Result
from plancost.results.samples import GivenSamples, samples_of
from plancost.system.progress import Progress, no_progress

_DIGITS = 6


def with_probabilities(
    result: Result,
    samples: GivenSamples,
    claims: Claims,
    options: LearnOptions,
    progress: Progress = no_progress,
) -> Result:
    """A checked result with the probability that each observed plan is optimal.

    A plan is optimal under a sample if none is cheaper, whatever the concept is. If not all
    samples were searched in time, a note says so.
    """
    case = result.case
    if case is None:
        raise UsageError("probabilities need the case that was checked")
    if result.groups:
        raise UsageError("--samples does not go with several groups")
    deadline = options.deadline()
    drawn = sampled_costs(
        samples_of(samples), case.actions, claims=claims, default_cost=options.default_cost
    )
    plans = {
        task: [case.observations[member].plan for member in members]
        for task, members in enumerate(case.observations_of_task)
    }
    searcher = Searcher.of(case, options, deadline)
    tasks = range(len(case.tasks))
    looks = outlooks(searcher, tasks, drawn, deadline, plans=plans, progress=progress)
    observations = tuple(
        _with(item, looks[observation.task], observation.plan)
        for item, observation in zip(result.observations, case.observations, strict=True)
    )
    searched = min((look.searched for look in looks), default=0)
    notes = result.notes
    if searched < drawn.count:
        notes = (*notes, f"{searched} of {drawn.count} samples were searched in time")
    return replace(result, observations=observations, notes=notes)


def _with(item: ObservationResult, look: Outlook, plan: tuple[str, ...]) -> ObservationResult:
    number = look.number(plan)
    probability, regret = look.probability(number), look.expected_regret(number)
    if probability is None or regret is None:
        return item
    return replace(
        item, probability=round(probability, _DIGITS), expected_regret=round(regret, _DIGITS)
    )

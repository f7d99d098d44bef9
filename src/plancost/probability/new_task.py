"""How probable each plan of a new problem is to be optimal, by samples of costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from plancost.learning.problem.keywords import learn_options
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import Case, Task
from plancost.observations.grounding import ground
from plancost.observations.pddl import check_same_domain, read_domain, read_problem
from plancost.observations.planfile import Plan
from plancost.probability.outlook import Outlook, Searcher, outlooks
from plancost.probability.sampled_costs import sampled_costs, unknown_notes
from plancost.progress.shown import shows_progress
from plancost.results.claims import GivenCosts, claims_of
from plancost.results.samples import GivenSamples, samples_of
from plancost.system.executors import LocalExecutor
from plancost.system.processes import Limits
from plancost.system.progress import Progress
from plancost.system.values import PathLike, as_path

DIGITS = 6


@dataclass(frozen=True)
class ProbablePlan:
    """A plan, and what samples say of it."""

    steps: Plan
    probability: float
    """The share of the samples under which it is optimal."""
    expected_regret: float
    """The mean over the samples of its cost over the optimal cost."""
    predicted: bool
    """Whether it is the plan that is expected to cost least."""

    def to_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "steps": list(self.steps),
            "probability": round(self.probability, DIGITS),
            "expected_regret": round(self.expected_regret, DIGITS),
            "predicted": self.predicted,
        }


@dataclass(frozen=True)
class ProbablePlans:
    """The plan to predict and all that are optimal under some sample, the most probable first."""

    plans: tuple[ProbablePlan, ...]
    samples: int
    searched: int
    """How many samples were searched in time; probabilities are shares of these."""
    unknown: tuple[str, ...] = ()
    """Actions that the samples do not know; their costs were drawn from those of their schema."""

    @classmethod
    def of(cls, look: Outlook, samples: int, unknown: tuple[str, ...] = ()) -> ProbablePlans:
        """From what was searched."""
        found = [
            ProbablePlan(plan, float(optimal.mean()), float(regrets.mean()), number == 0)
            for number, (plan, optimal, regrets) in enumerate(
                zip(look.plans, look.optimal, look.regrets, strict=True)
            )
            if look.searched
        ]
        found.sort(key=lambda plan: (-plan.probability, plan.expected_regret))
        return cls(tuple(found), samples, look.searched, unknown)

    def notes(self) -> list[str]:
        """What to know beside the figures."""
        return unknown_notes(self.unknown)

    def to_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "samples": self.samples,
            "searched": self.searched,
            "unknown_actions": list(self.unknown),
            "plans": [plan.to_json() for plan in self.plans],
        }


@shows_progress
def probable_plans(
    problem: PathLike,
    samples: GivenSamples,
    *,
    domain: PathLike,
    costs: GivenCosts | None = None,
    options: LearnOptions | None = None,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> ProbablePlans:
    """Find the plans of a problem that are optimal under samples of costs.

    Args:
        problem: The PDDL problem.
        samples: The path of a file that ``--samples-out`` wrote, or a result with samples.
        domain: Its PDDL domain.
        costs: The result that the samples belong to, if its costs are shared; else it is only
            checked that they belong to it.
        options: How to search; of these limits, `oracle`, `jobs` and `default_cost` matter.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            what is being done and how far it is.
        keywords: Single options, such as ``time_limit_s=60``.

    Returns:
        The plans, the most probable first.

    Raises:
        InputError: A file is wrong, or the samples are of another result.
        UnsolvableError: The problem has no plan.
    """
    assert not isinstance(progress, bool)
    options = learn_options(options, keywords)
    deadline = options.deadline()
    case = _case(as_path(problem, "problem"), as_path(domain, "domain"), options)
    drawn = sampled_costs(
        samples_of(samples),
        case.actions,
        claims=None if costs is None else claims_of(costs),
        default_cost=options.default_cost,
    )
    searcher = Searcher.of(case, options, deadline)
    look = outlooks(searcher, [0], drawn, deadline, progress=progress)[0]
    return ProbablePlans.of(look, drawn.count, drawn.unknown)


def _case(problem: Path, domain: Path, options: LearnOptions) -> Case:
    """The problem as a case without observed plans."""
    the_domain, the_problem = read_domain(domain), read_problem(problem)
    check_same_domain(the_domain, the_problem)
    executor = LocalExecutor.within(options.jobs, options.memory)
    limits = Limits(options.deadline().remaining())
    sas = executor.run(partial(ground, the_domain, the_problem), limits)
    task = Task.of(the_domain, the_problem, sas)
    return Case(problem.parent, the_domain, ((the_problem, 0),), (task,), (), ())

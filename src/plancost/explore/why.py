"""Why not this plan? One that was observed, or any other that solves an observed problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from plancost.errors import InputError
from plancost.learning.diagnose.explanations import Explanation
from plancost.learning.diagnose.own_explanations import explain_observations
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.verify.verification import Verdict, verify_costs
from plancost.observations.case import Case, Observation, what_is_wrong
from plancost.observations.files import ObservedFile
from plancost.observations.planfile import Plan, parse_plan
from plancost.observations.replay import replay
from plancost.results.assemble import plan_files
from plancost.results.explaining import explanation_json, sentences
from plancost.system.clock import Deadline

YOURS = "your plan"
"""What a plan is called that was typed."""


@dataclass(frozen=True)
class Asked:
    """A plan of a task that somebody asks about, and what it is called."""

    task: int
    plan: Plan
    name: str = YOURS

    @classmethod
    def typed(cls, case: Case, task: int, text: str) -> Asked:
        """Read a plan as it stands in plan files; of streets, links between blanks."""
        if case.domain is None:
            return cls(task, tuple(text.split()))
        return cls(task, parse_plan(text, Path(YOURS)))

    def added_to(self, case: Case) -> Case:
        """The case with this plan as one more observation; an error if it is none."""
        sas = case.tasks[self.task].sas
        replayed = replay(sas, self.plan)
        wrong = what_is_wrong(sas, self.plan, replayed)
        if wrong is not None:
            raise InputError(wrong, Path(self.name))
        source = ObservedFile(Path(case.tasks[self.task].name), case.root / self.name)
        more = Observation(self.task, self.plan, replayed.visits_a_state_twice, source)
        return replace(case, observations=(*case.observations, more))


@dataclass(frozen=True)
class Reasons:
    """What is known of a plan under given costs."""

    name: str
    cost: int
    best: int | None
    """What the cheapest plan costs."""
    optimal: bool | None
    rival: Plan | None
    words: tuple[str, ...]


def why_not(run: Run, task: LearningTask, costs: Costs) -> Reasons:
    """Check the last observation by search, and say why it cannot join those that are optimal."""
    asked = len(task.case.observations) - 1
    verdicts = verify_costs(run.share(0.5), task, costs)
    verdict = verdicts[asked]
    words: Sequence[str] = _in_short(verdict, task)
    if verdict.optimal is False:
        words = [*words, *_reasons(run, task, asked, verdicts)]
    name = plan_files(task).of_observation(asked)
    return Reasons(
        name, verdict.cost, verdict.optimal_cost, verdict.optimal, verdict.rival, tuple(words)
    )


def _in_short(verdict: Verdict, task: LearningTask) -> list[str]:
    if verdict.optimal is None:
        return [f"it costs {verdict.cost}; whether that is the least was not found out in time"]
    if verdict.optimal:
        return [f"it is optimal already: it costs {verdict.cost}, and no other plan costs less"]
    if verdict.optimal_cost == verdict.cost:
        return [f"it costs {verdict.cost}, and another plan costs no more"]
    return [f"it costs {verdict.cost}, and the cheapest plan costs {verdict.optimal_cost}"]


def _reasons(
    run: Run, task: LearningTask, asked: int, verdicts: Sequence[Verdict]
) -> Sequence[str]:
    subproblem = first_subproblem(run, task)
    wrong = {task.candidate_of_observation[n] for n, v in enumerate(verdicts) if not v.optimal}
    chosen = frozenset(range(len(task.candidates))) - wrong
    return _sentences(subproblem, chosen, task.candidate_of_observation[asked], asked, run.deadline)


def conflict_in_words(subproblem: Subproblem, members: PlanSet, deadline: Deadline) -> list[str]:
    """Why some plans cannot all be optimal: of the last of them beside the others."""
    last = max(members)
    first = subproblem.task.candidates[last].observations[0]
    return _sentences(subproblem, members - {last}, last, first, deadline)


def _sentences(
    subproblem: Subproblem, chosen: PlanSet, candidate: int, observation: int, deadline: Deadline
) -> list[str]:
    task = subproblem.task
    found: dict[int, Explanation] = explain_observations(subproblem, chosen, [candidate], deadline)
    plan = task.case.observations[observation].plan
    return sentences(explanation_json(found[observation], plan, plan_files(task, {observation})))

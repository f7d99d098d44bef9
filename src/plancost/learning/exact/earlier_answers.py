"""What earlier questions about the same plans have found, for a question that is a little other.

Alternatives are rows again. Proofs of conflicts hold as soon as their rows are known here and they
add up in exact arithmetic. Earlier costs, and sets of plans that were optimal together, count only
as far as a search confirms them. So this changes the way, and neither the answer nor what is proven
of it.
"""

from __future__ import annotations

from dataclasses import replace

from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.subproblem.conflict import Conflict, Possible
from plancost.learning.subproblem.earlier import Earlier, PlanOfTask
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.verify.verification import verify_costs
from plancost.system.progress import no_progress
from plancost.system.schedule import SCHEDULE

_MOST_ANSWERS = 5


def found_by(incumbent: Incumbent, before: Earlier) -> Earlier:
    """What a search has found, with what was known before it."""
    task = incumbent.task
    rows = {plan: dict.fromkeys(known) for plan, known in before.rows.items()}
    proofs = dict.fromkeys(before.proofs)
    for subproblem in (incumbent.first, incumbent.full):
        if subproblem is None:
            continue
        for cut in list(subproblem.cuts()):
            rows.setdefault(_named(task, cut.candidate), {})[cut.row, cut.alternative] = None
        proofs |= {c.certificate: None for c in subproblem.proofs if c.certificate is not None}
    best = frozenset(_named(task, number) for number in incumbent.chosen)
    others = [answer for answer in before.answers if answer[0] != best]
    answers = [(best, incumbent.costs), *others] if best else others
    return Earlier(rows, tuple(proofs), tuple(answers[:_MOST_ANSWERS]))


def take_up_rows(run: Run, subproblem: Subproblem) -> None:
    """Make known the rows of the plans that are still asked about."""
    if not run.earlier.rows:
        return
    task = subproblem.task
    for number, candidate in enumerate(task.candidates):
        for row, alternative in run.earlier.rows.get(_named(task, number), ()):
            coefficients, margin = row
            # A plan that was left out since then may no longer tie.
            is_same = margin == task.margin(candidate, alternative)
            if is_same and all(action in subproblem.actions for action, _ in coefficients):
                subproblem.add(Cut(number, row, alternative))


def take_up_proofs(run: Run, subproblem: Subproblem) -> list[Conflict]:
    """The conflicts that known proofs prove here."""
    found = [
        subproblem.prove(proof.rows, proof.multipliers)
        for proof in run.earlier.proofs
        if all(map(subproblem.knows, proof.rows))
    ]
    return [conflict for conflict in found if conflict is not None and conflict.classes]


def take_up_answers(run: Run, subproblem: Subproblem, incumbent: Incumbent) -> bool:
    """Begin with an earlier answer; False if none of them is of use.

    First its costs, moved to where they may be now: a search says which plans they make optimal.
    Then the set that it had: it may be possible still, with other costs.
    """
    task = subproblem.task
    until = run.deadline.share(SCHEDULE.earlier_answers)
    began_with = incumbent.weight
    for known, costs in run.earlier.answers:
        if until.is_over:
            break
        _take_costs(run.until(until), subproblem, incumbent, costs)
        chosen = _candidates(task, known)
        if task.weight(chosen) <= incumbent.weight:
            continue
        answer = subproblem.decide(chosen, until)
        if isinstance(answer, Possible):
            incumbent.improve((chosen, answer.costs))
        elif isinstance(answer, Conflict) and answer.classes:
            incumbent.conflicts.append(answer)
    subproblem.alone |= incumbent.chosen
    return incumbent.weight > began_with


def _take_costs(run: Run, subproblem: Subproblem, incumbent: Incumbent, costs: Costs) -> None:
    """Take earlier costs within the bounds of now, if they make more plans optimal."""
    task = subproblem.task
    if len(costs) != len(task.terms):
        return
    moved = tuple(term.clipped(cost) for term, cost in zip(task.terms, costs, strict=True))
    if not task.admits(moved):
        return
    chosen = _optimal_under(run, subproblem, moved)
    if chosen is not None and task.required_candidates <= chosen:
        incumbent.improve((chosen, moved))


def _optimal_under(run: Run, subproblem: Subproblem, costs: Costs) -> PlanSet | None:
    """The candidates that these costs make optimal among all actions; None: not in time.

    Where the subproblem knows some of the actions only, the check by search says so.
    """
    task = subproblem.task
    everyone = frozenset(range(len(task.candidates)))
    if not task.prices_out:
        return subproblem.optimal_under(costs, everyone, run.deadline)
    verdicts = verify_costs(replace(run, progress=no_progress), task, costs)
    return everyone - {
        task.candidate_of_observation[n] for n, v in enumerate(verdicts) if not v.optimal
    }


def _named(task: LearningTask, number: int) -> PlanOfTask:
    candidate = task.candidates[number]
    return task.case.tasks[candidate.task].key, candidate.plan


def _candidates(task: LearningTask, known: frozenset[PlanOfTask]) -> PlanSet:
    """Those of a known set that are still asked about, and those that are required."""
    numbers = range(len(task.candidates))
    return task.required_candidates | {n for n in numbers if _named(task, n) in known}

"""What an answer says, as plain data for the page: numbers, changes, and what is proven."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plancost.explore.question import Question
from plancost.results.result import ObservationResult, Result
from plancost.results.wording import name_of_secondary, proof_of_plans, proof_of_secondary

_MOST_LISTED = 20


@dataclass(frozen=True)
class Answer:
    """A question and the result that was learned for it."""

    number: int
    """Each answer has another one."""
    question: Question
    result: Result
    seconds: float = 0.0

    @property
    def is_final(self) -> bool:
        """Whether asking again could not change anything."""
        return self.result.proved and self.result.secondary.proved and self.result.verified

    def summary(self) -> dict[str, Any]:
        """Its numbers, and what is proven of them."""
        result = self.result
        return {
            "plans": f"{result.optimal_plans} of {result.plans}",
            "plansProof": proof_of_plans(result),
            "secondary": result.secondary.value,
            "secondaryProof": proof_of_secondary(result),
            "verified": result.verified,
            "seconds": round(self.seconds, 1),
            "final": self.is_final,
        }


def changes(before: Answer, now: Answer) -> dict[str, Any]:
    """Which plans are no longer optimal, which are optimal now, and which costs changed."""
    was = {item.plan: item for item in before.result.observations}
    lost: list[ObservationResult] = []
    won: list[ObservationResult] = []
    for item in now.result.observations:
        earlier = was.get(item.plan)
        if earlier is None or earlier.optimal == item.optimal:
            continue
        (won if item.optimal else lost).append(item)
    costs = before.result.costs
    moved = [
        {"action": name, "before": costs[name], "now": cost}
        for name, cost in sorted(now.result.costs.items())
        if costs.get(name, cost) != cost
    ]
    return {
        "lost": [_lost(item) for item in lost[:_MOST_LISTED]],
        "won": [item.plan for item in won[:_MOST_LISTED]],
        "costs": moved[:_MOST_LISTED],
        "counts": {"lost": len(lost), "won": len(won), "costs": len(moved)},
    }


def _lost(item: ObservationResult) -> dict[str, Any]:
    others = [] if item.explanation is None else item.explanation.get("plans", [])
    return {"plan": item.plan, "against": [name for name in others if name != item.plan]}


def question_in_words(question: Question) -> list[dict[str, Any]]:
    """What was changed, in the order of `Question.without_each`."""
    found: list[dict[str, Any]] = []
    for action, least, greatest in question.bounds:
        if least == greatest:
            words = f"costs {least}"
        elif greatest is None:
            words = f"costs at least {least}"
        else:
            words = f"costs at most {greatest}" if least == 1 else f"costs {least} to {greatest}"
        found.append({"what": action, "words": words})
    for plan in question.dropped:
        found.append({"what": plan, "words": "is left out"})
    for plan in question.required:
        found.append({"what": plan, "words": "must be optimal"})
    return found


def secondary_name(answer: Answer) -> str:
    """What the second objective is called."""
    return name_of_secondary(answer.result)

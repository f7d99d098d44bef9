"""What a result says, in words, for whoever shows it."""

from __future__ import annotations

from collections.abc import Mapping

from plancost.results.result import CostRange, ObservationResult, Result

_VERDICTS = {True: "yes", False: "no", None: "unknown"}


def proof_of_plans(result: Result) -> str:
    """What is proven of the first objective."""
    if result.proved:
        if len(result.groups) > 1 and result.options.get("assignment") == "search":
            return f"proven: no {len(result.groups)} cost functions make more plans optimal"
        return "proven: no costs make more plans optimal"
    return f"not proven most: at most {result.upper_bound}"


def name_of_secondary(result: Result) -> str:
    """What the second objective counts."""
    return "distance from the initial costs" if result.refined else "sum of costs"


def proof_of_secondary(result: Result) -> str:
    """What is proven of the second objective."""
    secondary = result.secondary
    if secondary.proved:
        return "proven least"
    if result.groups and all(group.secondary.proved for group in result.groups):
        return "proven least for the plans that are optimal in each group"
    if secondary.value == secondary.lower_bound:
        return "no costs have less"
    return f"not proven least, at least {secondary.lower_bound}"


def remarks(result: Result) -> list[str]:
    """What else there is to know before the costs are used."""
    found = []
    if "answer_from" in result.options:
        answer, bound = result.options["answer_from"], result.options["bound_from"]
        found.append(f"groups found by: {answer}; bound from: {bound}")
    if not result.verified:
        found.append(
            f"The check by search could not finish: it has found {result.optimal_plans} plans "
            f"optimal so far, and the optimiser believes that {result.believed_optimal} are."
        )
    elif result.believed_optimal != result.optimal_plans:
        found.append(
            f"The optimiser believed {result.believed_optimal} plans optimal; "
            f"the check by search confirmed {result.optimal_plans}."
        )
    if result.exists is False:
        found.append("No costs make all plans optimal (proven).")
        if result.conflict:
            found.append("These plans cannot all be optimal: " + ", ".join(result.conflict))
    if result.interrupted:
        found.append("Interrupted: this is the best answer so far.")
    return found


def costs_in_short(costs: Mapping[str, int], what: str = "actions") -> str:
    """How many actions cost more than the least."""
    least = min(costs.values(), default=1)
    dearer = sum(cost > least for cost in costs.values())
    if not dearer:
        return f"all {len(costs)} {what} cost {least}"
    return f"{dearer} of {len(costs)} {what} cost more than {least}"


def range_in_words(found: CostRange) -> str:
    """What an action can cost in an answer as good."""
    words = str(found.least)
    if found.least != found.greatest:
        words = f"{found.least} to {found.greatest}"
    return words if found.proved else f"{words} or more"


def verdict(item: ObservationResult) -> str:
    """Whether a plan is optimal: yes, no, no (tied) or unknown."""
    if item.optimal is False and item.cost == item.optimal_cost:
        return "no (tied)"
    return _VERDICTS[item.optimal]


def rival_in_words(item: ObservationResult) -> str | None:
    """What the plan found by search costs, if there is one."""
    if item.rival is None or item.rival_cost is None:
        return None
    less = item.cost - item.rival_cost
    much = f"{less} less" if less else "as little"
    return f"found by search: this costs {item.rival_cost}, {much}"

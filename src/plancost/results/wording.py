"""What a result says, in words, for whoever shows it."""

from __future__ import annotations

from collections.abc import Mapping

from plancost.learning.choose.choice import Uncertainty
from plancost.observations.features import CONSTANT
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
    if result.choice is not None:
        return f"not the least: see --choose {result.options['choose']}"
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


def summary_rows(result: Result) -> list[tuple[str, str, str]]:
    """The figures of a result: what is counted, the number, and what is known about it."""
    rows = [
        ("optimal plans", f"{result.optimal_plans} of {result.plans}", proof_of_plans(result)),
        (name_of_secondary(result), f"{result.secondary.value}", proof_of_secondary(result)),
    ]
    if result.trips is not None and result.trips.split_trips:
        trips = result.trips
        cut = f"{trips.split_trips} of them cut into parts, which are the plans"
        rows.insert(0, ("optimal trips", f"{trips.optimal_trips} of {trips.trips}", cut))
    if result.deviation is not None:
        known = sum(item.known_cost is not None for item in result.observations)
        rows.append(("deviation", f"{float(result.deviation):g}", f"from {known} known costs"))
    if result.choice is not None and "r_hat" in result.choice:
        mixed = f"split R-hat {result.choice['r_hat']:.3f}"
        rows.append(("effective sample size", f"{result.choice['effective_size']}", mixed))
    if result.unshared is not None:
        other = result.unshared
        most = "the most" if other.proved else f"at most {other.upper_bound}"
        without = "without sharing" if result.linear is None else "with costs of their own"
        rows.append((without, f"{other.optimal_plans} of {result.plans}", most))
    return rows


def costs_in_short(costs: Mapping[str, int], what: str = "actions") -> str:
    """How many actions cost more than the least."""
    least = min(costs.values(), default=1)
    higher = sum(cost > least for cost in costs.values())
    if not higher:
        return f"all {len(costs)} {what} cost {least}"
    return f"{higher} of {len(costs)} {what} cost more than {least}"


def linear_in_words(weights: Mapping[str, int]) -> str:
    """Such as ``2 + 3 x (road-length ?from ?to)``; parts with the weight 0 are left out."""
    parts = [
        str(weight) if name == CONSTANT else name if weight == 1 else f"{weight} x {name}"
        for name, weight in weights.items()
        if weight
    ]
    return " + ".join(parts)


def range_in_words(found: CostRange) -> str:
    """What an action can cost, the same plans optimal at the same secondary cost."""
    words = str(found.least)
    if found.least != found.greatest:
        words = f"{found.least} to {found.greatest}"
    return words if found.proved else f"{words} or more"


def verdict(item: ObservationResult) -> str:
    """Whether a plan is optimal: yes, no, no (tied) or unknown."""
    if item.optimal is False and item.cost == item.optimal_cost:
        return "no (tied)"
    return _VERDICTS[item.optimal]


def uncertainty_in_words(found: Uncertainty) -> str:
    """Between which costs an action is with a probability of 90 %."""
    words = f"{found.least:.0f} to {found.greatest:.0f}"
    return words if found.observed else f"{words} (nothing observed)"


def known_in_words(item: ObservationResult) -> str | None:
    """What the plan was known to cost, and how far from it the costs are."""
    if item.known_cost is None:
        return None
    known = f"known to cost {float(item.known_cost):g}"
    off = item.cost - item.known_cost
    if not off:
        return f"{known}, and does under these costs"
    return f"{known}: {abs(float(off)):g} {'more' if off > 0 else 'less'} under these costs"


def ratio_in_words(item: ObservationResult) -> str | None:
    """How near to optimal the plan is, beside what is asked of it."""
    if item.suboptimality is None:
        return None
    allowed = f"may cost {float(item.suboptimality):g} times as much as the cheapest plan"
    if item.ratio is None:
        return allowed
    return f"{allowed}, costs {float(item.ratio):.4g} times as much"


def least_factor_in_words(item: ObservationResult) -> str | None:
    """How near to optimal the plan can be at best, whatever the costs."""
    least = item.least_factor
    if least is None:
        return None
    if least.infimum is None:
        return "how near to optimal it can be at best was not found within the limits"
    times = f"{float(least.infimum):.4g} times as much as the cheapest plan"
    if least.infimum == 1 and least.attained:
        words = "alone, it can be optimal"
    elif least.attained:
        words = f"alone, it costs at least {times}, whatever the costs"
    else:
        words = f"alone, it costs more than {times}, as little more as you like"
    if least.within_bounds is not None:
        words += f"; {float(least.within_bounds):.4g} times within the bounds"
    return words


def rival_in_words(item: ObservationResult) -> str | None:
    """What the plan found by search costs, if there is one."""
    if item.rival is None or item.rival_cost is None:
        return None
    less = item.cost - item.rival_cost
    much = f"{less} less" if less else "as little"
    return f"found by search: this costs {item.rival_cost}, {much}"

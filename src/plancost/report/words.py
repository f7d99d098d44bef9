"""What the page says in sentences: what was asked, what is proven, and what is not."""

from __future__ import annotations

from typing import Any

from plancost.report.alternatives import Alternative
from plancost.result.model import ObservationResult, Result
from plancost.result.tables import summary

_SAME = {"plan": "plan of the same task", "trip": "way between the same places"}


def headline(result: Result) -> str:
    """The answer in one sentence."""
    if result.ending == "none exists":
        return f"No {result.bounded} make all {result.plans:,} {result.noun}s optimal"
    costs = "the most likely costs" if result.solution == "likely" else "the learned costs"
    if _is_given(result):
        costs = "these costs"
    if result.groups:
        costs = f"the costs of their {len(result.groups)} groups"
    found = f"{result.optimal_plans:,} of {result.plans:,} {result.noun}s"
    return f"{'' if result.verified else 'At least '}{found} are optimal under {costs}"


def asked(result: Result) -> str:
    """The question in one sentence."""
    if result.solution == "likely":
        return f"Asked: the costs under which the observed {result.noun}s are most likely."
    if _is_given(result):
        return f"Asked: how many observed {result.noun}s are optimal under given costs."
    which = "all" if result.solution == "icf" else "as many as possible of the"
    same, factor = _SAME[result.noun], result.options.get("suboptimality")
    meaning = f"no {same} costs less"
    if result.solution == "scf":
        ties = result.options.get("ties", "none")
        meaning = f"every other {same} costs more" + f", but for ties: {ties}" * (ties != "none")
    elif factor is not None:
        meaning = f"they cost at most {factor} times as much as any {same}"
    least = "closest to known ones" if result.refined else "smallest"
    words = f"Asked: costs under which {which} observed {result.noun}s are optimal ({meaning})"
    return f"{words}, and of these the {least}."


def claims(result: Result) -> list[dict[str, str]]:
    """What is proven of a result, and what is not: lines with a name, a value, words, and a state
    (proven, open or plain).
    """
    (name, value, proof), *others = summary(result)
    if _is_given(result):
        proof = "nothing was learned, so no bound was looked for"
    unknown = sum(item.count for item in result.observations if item.optimal is None)
    check = f"not checked: {unknown:,} {result.noun}s are undecided; more time may decide them"
    if result.verified:
        check = f"an independent search, and the bound, decide about all {result.noun}s"
    rows = [
        (name, value, proof),
        ("check", "complete" if result.verified else "not complete", check),
        *others,
        ("time", f"{result.seconds.get('total', 0.0):,.1f} s", f"ended: {result.ending}"),
    ]
    return [
        {"name": name.capitalize(), "value": value, "state": _state(words), "words": words}
        for name, value, words in rows
    ]


def best_known(item: ObservationResult, other: Alternative | None) -> int | None:
    """The cost of a cheapest plan, if the result says it or the alternative is one."""
    if item.optimal_cost is None and other is not None and other.cost < item.cost:
        return other.cost
    return item.optimal_cost


def of_plan(item: ObservationResult, other: Alternative | None) -> str:
    """What a plan costs, and what its cheapest alternative does."""
    same, costs = _SAME["trip" if item.trip else "plan"], f"It costs {item.cost:,}"
    best = best_known(item, other)
    if best is None and item.optimal is False:
        return f"{costs}; another {same} costs less."
    if best is None:
        return f"{costs}; whether that is the least is not known."
    if item.cost > best:
        return f"{costs}, {item.cost - best:,} more than the cheapest {same} ({best:,})."
    if other is None:
        return f"{costs}, as little as any; no alternative was found."
    if other.cost == item.cost:
        return f"{costs}, and so does another {same}: the two tie."
    more = other.cost - item.cost
    return f"{costs}; its cheapest alternative costs {other.cost:,}, {more:,} more."


def short(value: float) -> str:
    """A number with as many digits as can be told apart."""
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 10 else f"{value:.2g}"


def _is_given(result: Result) -> bool:
    """Whether costs were given, not learned."""
    if result.alternatives == "baseline":
        return True
    is_learned = result.ending == "none exists" or result.solution == "likely" or result.history
    return result.secondary is None and not is_learned


def _state(words: str) -> str:
    if words.startswith("proven"):
        return "proven"
    return "open" if words.startswith("not ") else "plain"


def plot(result: Result) -> dict[str, Any] | None:
    """The best answer and its bound in the course of time, as lines in a square of 100; None where
    there is too little to see.
    """
    points = result.history
    if len(points) < 2:
        return None
    begin, last = points[0].seconds, points[-1]
    end = max(last.seconds, begin + 0.001)
    least = min(point.optimal for point in points)
    most = max(point.bound for point in points)

    def line(values: list[int]) -> str:
        """Steps: a value holds until the next one."""
        across = [100 * (point.seconds - begin) / (end - begin) for point in points]
        down = [100 * (most - value) / max(1, most - least) for value in values]
        steps = zip(across[1:], down[1:], strict=True)
        return f"M0,{down[0]:.2f}" + "".join(f"H{x:.2f}V{y:.2f}" for x, y in steps)

    answer, bound = line([p.optimal for p in points]), line([p.bound for p in points])
    words = f"{last.optimal:,} {result.noun}s optimal, at most {last.bound:,}, after {short(end)} s"
    return {"answer": answer, "bound": bound, "least": least, "most": most, "words": words}

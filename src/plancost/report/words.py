"""What the page says in sentences: what was asked, what is proven, and what is not."""

from __future__ import annotations

from dataclasses import dataclass

from plancost.report.alternatives import Alternative
from plancost.report.colours import short
from plancost.result.model import ObservationResult, Result
from plancost.result.tables import proof_of_plans

_SAME = {"plan": "plan of the same task", "trip": "way between the same places"}
_TIES = {
    "reorderings": ", but for other orders of the same actions",
    "observed": ", but for those observed",
}
_ENDINGS = {
    "done": "the search came to its end",
    "none exists": "it is proven that there are no such costs",
    "time limit": "the time limit ended the search",
    "gave up": "planners gave up",
    "out of memory": "memory ran out",
    "interrupted": "the search was interrupted",
    "failed": "a program failed, see the notes",
}


@dataclass(frozen=True)
class Claim:
    """One line of what is proven."""

    name: str
    value: str
    state: str
    """proven, open or plain."""
    words: str


def headline(result: Result, noun: str) -> str:
    """The answer in one sentence."""
    costs = "the most likely costs" if result.solution == "likely" else "the learned costs"
    if result.alternatives == "baseline" or _is_check(result):
        costs = "these costs"
    if result.groups:
        costs = f"the costs of their {len(result.groups)} groups"
    if result.ending == "none exists":
        return f"No {result.bounded} make all {result.plans:,} {noun}s optimal"
    least = "" if result.verified else "At least "
    return f"{least}{result.optimal_plans:,} of {result.plans:,} {noun}s are optimal under {costs}"


def asked(result: Result, noun: str) -> str:
    """The question in one sentence."""
    if result.solution == "likely":
        words = f"Asked: the costs under which the observed {noun}s are most likely"
    elif result.alternatives == "baseline":
        words = "Asked: nothing was learned; the costs are all 1, or the known ones"
    elif _is_check(result):
        words = f"Asked: how many observed {noun}s are optimal under given costs"
    else:
        which = "all" if result.solution == "icf" else "as many as possible of the"
        words = f"Asked: costs under which {which} observed {noun}s are optimal"
        words += f" ({_optimal_means(result, noun)}), and of these the "
        words += "closest to known ones" if result.refined else "smallest"
    if features := result.options.get("features"):
        words += f"; costs are made of {', '.join(map(str, features))}"
    if result.alternatives not in ("exact", "baseline"):
        words += f"; by the paper's algorithm with {result.alternatives} alternatives"
    return f"{words}."


def _optimal_means(result: Result, noun: str) -> str:
    same, factor = _SAME[noun], result.options.get("suboptimality")
    if result.solution == "scf":
        ties = _TIES.get(str(result.options.get("ties")), "")
        return f"every other {same} costs more{ties}"
    if factor is not None:
        return f"they cost at most {factor} times as much as any {same}"
    return f"no {same} costs less"


def claims(result: Result, noun: str) -> list[Claim]:
    """What is proven of a result, and what is not."""
    found = [_optimal(result, noun), _check(result, noun)]
    second = result.secondary
    if second is not None:
        name = "Distance from the known costs" if result.refined else "Sum of all costs"
        words = f"proven: no set of as many {noun}s has less"
        if not second.proved:
            words = f"not proven least; it is at least {second.lower_bound:,}"
        found.append(Claim(name, f"{second.value:,}", _state(second.proved), words))
    if result.likely:
        value = result.likely.log_likelihood
        shown = "none" if value is None else f"{value:,.1f}"
        words = f"of all {noun}s; {result.likely.units_per_nat} units of cost are one nat"
        found.append(Claim("Log-likelihood", shown, "plain", words))
    total = result.seconds.get("total")
    if total is not None:
        words = _ENDINGS[result.ending]
        found.append(Claim("Time", f"{total:,.1f} s", "plain", words))
    return found


def best_known(item: ObservationResult, other: Alternative | None) -> int | None:
    """The cost of a cheapest plan, if the result says it or the alternative is one."""
    if item.optimal_cost is None and other is not None and other.cost < item.cost:
        return other.cost
    return item.optimal_cost


def of_plan(item: ObservationResult, other: Alternative | None, noun: str) -> str:
    """What a plan costs, and what its cheapest alternative does."""
    same, costs = _SAME[noun], f"It costs {item.cost:,}"
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


def _optimal(result: Result, noun: str) -> Claim:
    value = f"{result.optimal_plans:,} of {result.plans:,}"
    state, words = _state(result.proved), proof_of_plans(result, f"{noun}s")
    if result.solution == "likely":
        state = "plain"
    elif result.alternatives == "baseline" or _is_check(result):
        state, words = "plain", "nothing was learned, so no bound was looked for"
    return Claim(f"Optimal {noun}s", value, state, words)


def _is_check(result: Result) -> bool:
    """Whether costs were given, not learned."""
    is_learned = result.ending == "none exists" or result.solution == "likely" or result.history
    return result.secondary is None and not is_learned


def _check(result: Result, noun: str) -> Claim:
    unknown = sum(item.count for item in result.observations if item.optimal is None)
    if result.verified:
        words = f"no {noun} is left open: an independent search, and the bound, decide about all"
        return Claim("Check", "complete", "proven", words)
    words = f"{unknown:,} {noun}s are undecided; more time may decide them"
    return Claim("Check", "not complete", "open", words)


def _state(proved: bool) -> str:
    return "proven" if proved else "open"


@dataclass(frozen=True)
class Plot:
    """The best answer and its bound in the course of time, as lines in a square of 100."""

    answer: str
    bound: str
    least: int
    most: int
    words: str


def plot(result: Result, noun: str) -> Plot | None:
    """None where there is too little to see."""
    points = result.history
    if len(points) < 2:
        return None
    begin = points[0].seconds
    end = max(points[-1].seconds, begin + 0.001)
    answers = [(point.seconds, point.optimal) for point in points]
    bounds = [(point.seconds, point.bound) for point in points]
    least = min(value for _, value in answers)
    most = max(value for _, value in bounds)

    def line(values: list[tuple[float, int]]) -> str:
        """Steps: a value holds until the next one."""
        parts: list[str] = []
        for seconds, value in values:
            across = 100 * (seconds - begin) / (end - begin)
            down = 100 * (most - value) / max(1, most - least)
            parts.append(f"H{across:.2f}V{down:.2f}" if parts else f"M{across:.2f},{down:.2f}")
        return "".join(parts)

    last = points[-1]
    words = f"{last.optimal:,} {noun}s optimal, at most {last.bound:,}, after {short(end)} s"
    return Plot(line(answers), line(bounds), least, most, words)

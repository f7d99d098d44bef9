"""Explanations as they stand in RESULT.json, and as sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plancost.learning.diagnose.explanations import Argument, Explanation, Given, Reason
from plancost.observations.planfile import Plan
from plancost.results.result import ExplanationKeys, Inequality
from plancost.results.sums import listed, sum_of

_COPIES = {
    "steps": "a copy of {}: the same steps",
    "actions": "the same actions as {} in another order: both always cost the same",
    "costs": "other actions than {}, but both always cost the same",
}


@dataclass(frozen=True)
class PlanFiles:
    """How plans are called: the file of a candidate, and that of an observation."""

    of_candidate: Callable[[int], str]
    of_observation: Callable[[int], str]


def explanation_json(explanation: Explanation, plan: Plan, files: PlanFiles) -> ExplanationKeys:
    """The ``explanation`` of an observation."""
    content: ExplanationKeys = {"reason": explanation.reason.value}
    if explanation.reason is Reason.REDUNDANT:
        content["redundant"] = [plan[step] for step in explanation.redundant]
        content["redundant_steps"] = [step + 1 for step in explanation.redundant]
    if explanation.possible:
        content["possible"] = True
    if explanation.reason is Reason.CONFLICT:
        content["plans"] = [files.of_candidate(member) for member in explanation.members]
    if explanation.arguments:
        content["certificate"] = [argument_json(item, files) for item in explanation.arguments]
    if explanation.by_solver:
        content["integers"] = False
    if _is_other_order(explanation, plan):
        content["another_order"] = True
    return content


def copy_in_words(explanation: ExplanationKeys) -> str | None:
    """Of which plan this one is a copy, and in what sense."""
    if "copy_of" not in explanation or "copy_has" not in explanation:
        return None
    return _COPIES[explanation["copy_has"]].format(explanation["copy_of"])


def _is_other_order(explanation: Explanation, plan: Plan) -> bool:
    """Whether it is never optimal because its own actions do in another order too."""
    if explanation.reason is not Reason.NEVER_OPTIMAL or len(explanation.arguments) != 1:
        return False
    first = explanation.arguments[0]
    return isinstance(first, Argument) and sorted(first.alternative) == sorted(plan)


def argument_json(argument: Argument | Given, files: PlanFiles) -> Inequality:
    """One inequality of a certificate."""
    if isinstance(argument, Given):
        given: Inequality = {
            "given": argument.kind,
            "plans": [files.of_observation(number) for number in argument.observations],
            "actions": dict(argument.coefficients),
            "most": argument.most,
            "times": argument.times,
        }
        if not given["plans"]:
            del given["plans"]
        return given
    demand: Inequality = {
        "plan": files.of_candidate(argument.candidate),
        "alternative": list(argument.alternative),
        "plan_only": list(argument.plan_only),
        "alternative_only": list(argument.alternative_only),
        "strict": bool(argument.margin),
        "times": argument.times,
    }
    if argument.factor != 1:
        demand["suboptimality"] = str(argument.factor)
    if argument.weights is not None:
        demand["weights"] = dict(argument.weights)
    if argument.made_of:
        demand["made_of"] = {name: dict(parts) for name, parts in argument.made_of}
    return demand


def note_copy(explanation: ExplanationKeys, plan: Plan, first: Plan, name: str) -> None:
    """Say what a plan has in common with the first one that costs the same under all costs."""
    explanation["copy_of"] = name
    if plan == first:
        explanation["copy_has"] = "steps"
    else:
        explanation["copy_has"] = "actions" if sorted(plan) == sorted(first) else "costs"


def sentences(explanation: ExplanationKeys) -> list[str]:
    """An explanation from RESULT.json for a person to read and check by hand."""
    reason = explanation["reason"]
    certificate = explanation.get("certificate", [])
    if reason == Reason.REDUNDANT:
        numbers = explanation["redundant_steps"]
        steps = f"step{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
        left_out = listed(Counter(explanation["redundant"]))
        return [
            f"redundant: without {left_out} ({steps}) the rest still "
            "reaches the goal, and costs less whatever the costs are"
        ]
    if explanation.get("possible"):
        return [
            "not in the way of the others: other costs make it optimal together with all plans "
            "that are optimal now"
        ]
    if reason == Reason.NOT_PROVEN:
        return ["not proven: no reason was found within the limits"]
    if reason == Reason.CONFLICT:
        others = ", ".join(explanation["plans"])
        found = [f"in conflict: these plans cannot all be optimal: {others}"]
    else:
        found = ["never optimal: no costs satisfy what its alternatives demand"]
        if len(certificate) == 1 and certificate[0].get("plan_only") == []:
            return [_always_as_dear(explanation, certificate[0]["alternative"])]
    if not explanation.get("integers", True):
        found.append("whole numbers within the bounds do not do it, by the solver's word")
        return found
    found += [_demand(item) for item in certificate]
    found.append(_contradiction(certificate))
    return found


def _always_as_dear(explanation: ExplanationKeys, alternative: list[str]) -> str:
    """Of a plan that must be cheaper than another that costs the same whatever the costs are."""
    steps = " ".join(alternative)
    if explanation.get("another_order"):
        return (
            f"never optimal: another order of the same actions is a plan too: {steps} "
            "(--reorderings same counts all orders as one plan)"
        )
    return f"never optimal: another plan costs the same whatever the costs are: {steps}"


def _demand(item: Inequality) -> str:
    times = f" (taken {item['times']} times)" if item["times"] > 1 else ""
    if "given" in item:
        whose = f" of {', '.join(item['plans'])}" if "plans" in item else ""
        return f"given ({item['given']}{whose}): {_limit(item['actions'], item['most'])}{times}"
    relation = "must cost less than" if item["strict"] else "must cost no more than"
    if "suboptimality" in item:
        relation += f" {item['suboptimality']} times"
    own = listed(Counter(item["plan_only"])) or "nothing"
    other = listed(Counter(item["alternative_only"])) or "nothing"
    said = f"{item['plan']}: {own} {relation} {other}{times}"
    if "weights" not in item:
        return said
    if not item["weights"]:
        return f"{said}, but both always cost the same"
    return f"{said}, that is, {_limit(item['weights'], -int(item['strict']))}"


def _limit(actions: dict[str, int], most: int) -> str:
    """Such as ``(move a b) + 2 x (move b c) costs at most 5``."""
    costs = "costs" if len(actions) == 1 else "cost"
    positive = {name: count for name, count in actions.items() if count > 0}
    negative = {name: -count for name, count in actions.items() if count < 0}
    if not negative:
        return f"{listed(positive)} {costs} at most {most}"
    if not positive:
        return f"{listed(negative)} {costs} at least {-most}"
    more = f" + {most}" if most > 0 else f" - {-most}" if most else ""
    return f"{listed(positive)} cost at most {listed(negative)}{more}"


def _contradiction(certificate: Sequence[Inequality]) -> str:
    """What adding up the demands says."""
    left, most_given = sum_of(certificate)
    if not any("given" in item for item in certificate):
        most = "nothing" if not most_given else "less than nothing"
        if not left:
            return "together: both sides add up to the same, and yet one must cost less"
        return f"together: {listed(left)} would have to cost {most}"
    if not left:
        return f"together: nothing is left, and 0 would have to be at most {most_given}"
    return f"together: {listed(left)} would have to cost at most {most_given}"

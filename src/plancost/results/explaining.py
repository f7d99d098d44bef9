"""Explanations as they stand in RESULT.json, and as sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from plancost.learning.explanations import Argument, Explanation, Reason
from plancost.observations.planfile import Plan

FileOf = Callable[[int], str]
"""The plan file of a candidate."""


def explanation_json(explanation: Explanation, plan: Plan, file_of: FileOf) -> dict[str, Any]:
    """The ``explanation`` of an observation."""
    content: dict[str, Any] = {"reason": explanation.reason.value}
    if explanation.reason is Reason.REDUNDANT:
        content["redundant"] = [plan[step] for step in explanation.redundant]
        content["redundant_steps"] = [step + 1 for step in explanation.redundant]
    if explanation.possible:
        content["possible"] = True
    if explanation.reason is Reason.CONFLICT:
        content["plans"] = [file_of(member) for member in explanation.members]
    if explanation.arguments:
        content["certificate"] = [argument_json(item, file_of) for item in explanation.arguments]
    return content


def argument_json(argument: Argument, file_of: FileOf) -> dict[str, Any]:
    """One inequality of a certificate."""
    return {
        "plan": file_of(argument.candidate),
        "alternative": list(argument.alternative),
        "plan_only": list(argument.plan_only),
        "alternative_only": list(argument.alternative_only),
        "strict": bool(argument.margin),
        "times": argument.times,
    }


def sentences(explanation: dict[str, Any]) -> list[str]:
    """An explanation from RESULT.json for a person to read and check by hand."""
    reason = explanation["reason"]
    certificate = explanation.get("certificate", [])
    if reason == Reason.REDUNDANT:
        steps = ", ".join(map(str, explanation["redundant_steps"]))
        return [
            f"redundant: without {listed(explanation['redundant'])} (steps {steps}) the rest still "
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
        if len(certificate) == 1 and not certificate[0]["plan_only"]:
            order = " ".join(certificate[0]["alternative"])
            return [f"never optimal: another order of the same actions is a plan too: {order}"]
    found += [_demand(item) for item in certificate]
    found.append(_contradiction(certificate))
    return found


def _demand(item: dict[str, Any]) -> str:
    relation = "must cost less than" if item["strict"] else "must cost no more than"
    times = f" (taken {item['times']} times)" if item["times"] > 1 else ""
    own = listed(item["plan_only"]) or "nothing"
    other = listed(item["alternative_only"]) or "nothing"
    return f"{item['plan']}: {own} {relation} {other}{times}"


def _contradiction(certificate: list[dict[str, Any]]) -> str:
    """What adding up the demands says."""
    total: Counter[str] = Counter()
    for item in certificate:
        for name in item["plan_only"]:
            total[name] += item["times"]
        for name in item["alternative_only"]:
            total[name] -= item["times"]
    left = [name for name, count in sorted(total.items()) for _ in range(count)]
    strict = sum(item["times"] for item in certificate if item["strict"])
    most = "nothing" if not strict else "less than nothing"
    if not left:
        return "together: both sides add up to the same, and yet one must cost less"
    return f"together: {listed(left)} would have to cost {most}"


def listed(actions: Iterable[str]) -> str:
    """Actions with their counts, for a sentence."""
    counts = Counter(actions)
    return " + ".join(name if count == 1 else f"{count} x {name}" for name, count in counts.items())

"""The many ways to write one problem, one plan and its name; none of them may change an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from plancost.observations.planfile import Plan

_ENTRY = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)")
_TYPED = re.compile(r"(\S.*?) - (\S+)")
_NOT_LINE_ENDS = "\v\f\x1c\x85\u2028\u2029"


def problem_text(
    random: Random, name: str, domain: str, objects: str, facts: str, goal: Sequence[str]
) -> str:
    """The PDDL of a problem: facts in any order and twice, with and without costs and metric."""
    entries = _ENTRY.findall(facts)
    if random.random() < 0.5:
        random.shuffle(entries)
        entries += [entry for entry in entries[:3] if "=" not in entry]
    if random.random() < 0.7:
        entries.insert(random.randint(0, len(entries)), "(= (total-cost) 0)")
    metric = "(:metric minimize (total-cost))" if random.random() < 0.7 else ""
    text = (
        f"(define (problem {name}) (:domain {domain})\n"
        f"  {f'(:objects {objects})' if objects else ''}\n"
        f"  (:init {' '.join(entries)})\n"
        f"  (:goal {_goal(random, list(goal))})\n  {metric})\n"
    )
    return random.choice([text, text, text.upper()])


def without(facts: str, objects: frozenset[str]) -> str:
    """The facts that speak of none of these objects."""
    entries = _ENTRY.findall(facts)
    kept = [e for e in entries if objects.isdisjoint(e.replace("(", " ").replace(")", " ").split())]
    return " ".join(kept)


def objects_without(objects: str, absent: frozenset[str]) -> str:
    """A list of typed objects without some of them."""
    kept = []
    for names, kind in _TYPED.findall(objects):
        left = [name for name in names.split() if name not in absent]
        kept += [f"{' '.join(left)} - {kind}"] if left else []
    return " ".join(kept)


def _goal(random: Random, facts: list[str]) -> str:
    random.shuffle(facts)
    if len(facts) == 1 and random.random() < 0.5:
        return facts[0]
    cut = random.randint(0, len(facts))
    inner = f"(and {' '.join(facts[cut:])})" if random.random() < 0.3 else " ".join(facts[cut:])
    return f"(and {' '.join(facts[:cut])} {inner})"


def plan_text(random: Random, plan: Plan) -> str:
    """The text of a plan file, never empty; comments may look like steps."""
    end = random.choice(["\n", "\n", "\r\n", "\r"])
    sign = random.choice(_NOT_LINE_ENDS)
    lines = [step if random.random() < 0.9 else f"{step.upper()} ;{sign}{step}" for step in plan]
    if not plan or random.random() < 0.3:
        lines.append(f"; cost = {len(plan)} (unit cost)")
    return "".join(f"{line}{end}" for line in lines)


def plan_file(random: Random, problem: str, position: int) -> str:
    """What a plan of a problem may be called; no two positions give one name."""
    if position == 0:
        return f"{problem}.{random.choice(['plan', 'plan', 'plan', 'PLAN', 'soln', 'Soln'])}"
    plain = f"{problem}.{position}.plan"
    odd = [f"{problem}.{position}\u202e\u2028<b>.plan", f"{problem}.{position}.PLAN"]
    odd.append(f"{problem}.plan.{position}")
    return plain if random.random() < 0.7 else random.choice(odd)

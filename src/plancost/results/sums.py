"""The proof of an explanation as arithmetic: each demand as a row, and what the rows add up to.

A row is a sum of costs that is at most a number. Costs that are shared or linear are written with
what they are made of. Nothing here knows how a proof was found: RESULT.json says it all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from plancost.results.result import ExplanationKeys, Inequality

Row = tuple[dict[str, int], int]
"""``sum of number x cost <= most``."""


def sums(explanation: ExplanationKeys) -> list[str]:
    """The proof as lines that add up on paper; empty if the explanation has none."""
    certificate = explanation.get("certificate", [])
    if not certificate:
        return []
    lines = ["to check by hand:"]
    made_of: dict[str, dict[str, int]] = {}
    for item in certificate:
        made_of |= item.get("made_of", {})
    lines += [f"  {name} costs {listed(parts) or '0'}" for name, parts in sorted(made_of.items())]
    for number, item in enumerate(certificate, start=1):
        lines += [f"  ({number}) {_source(item)}", f"      {_as_text(row_of(item))}"]
    total = sum_of(certificate)
    taken = " + ".join(
        f"({number})" if item["times"] == 1 else f"{item['times']} x ({number})"
        for number, item in enumerate(certificate, start=1)
    )
    return [*lines, f"  {taken}: {_as_text(total)}", f"  {_verdict(total)}"]


def row_of(item: Inequality) -> Row:
    """What one demand, or something that was given, says of the costs."""
    if "given" in item:
        return {name: count for name, count in item["actions"].items() if count}, item["most"]
    most = -int(item["strict"])
    if "weights" in item:
        return {name: count for name, count in item["weights"].items() if count}, most
    factor = Fraction(item.get("suboptimality", 1))
    total: Counter[str] = Counter()
    for name in item["plan_only"]:
        total[name] += factor.denominator
    for name in item["alternative_only"]:
        total[name] -= factor.numerator
    return {name: count for name, count in total.items() if count}, most


def sum_of(certificate: Sequence[Inequality]) -> Row:
    """All rows, each as many times as it is taken, added up."""
    total: Counter[str] = Counter()
    most = 0
    for item in certificate:
        row, own = row_of(item)
        most += item["times"] * own
        for name, count in row.items():
            total[name] += item["times"] * count
    return {name: count for name, count in sorted(total.items()) if count}, most


def _source(item: Inequality) -> str:
    """Where a row comes from."""
    if "given" in item:
        whose = f" of {', '.join(item['plans'])}" if "plans" in item else ""
        return f"given: {item['given']}{whose}"
    relation = "less than" if item["strict"] else "no more than"
    if "suboptimality" in item:
        relation += f" {item['suboptimality']} times the cost of"
    steps = " ".join(item["alternative"]) or "(no step)"
    return f"{item['plan']} must cost {relation} this plan: {steps}"


def _as_text(row: Row) -> str:
    """Such as ``2 x (a) + (b) - (c) <= 0``."""
    counts, most = row
    text = ""
    for name, count in counts.items():
        sign = "-" if count < 0 else "+" if text else ""
        text += f" {sign} " if text else sign and f"{sign} "
        text += listed({name: abs(count)})
    return f"{text or '0'} <= {most}"


def _verdict(total: Row) -> str:
    counts, most = total
    least = least_of(counts)
    if not counts:
        return f"this is false: 0 is more than {most}"
    reason = "every action costs at least 1"
    if any(not name.startswith("(") for name in counts):
        reason += ", and other parts of a cost at least 0"
    return f"this is false: {reason}, so the left side is at least {least}"


def listed(counts: Mapping[str, int]) -> str:
    """Actions with their counts, for a sentence."""
    return " + ".join(name if count == 1 else f"{count} x {name}" for name, count in counts.items())


def least_of(counts: Mapping[str, int]) -> int:
    """The least that a sum without negative numbers can be: only actions cost at least 1."""
    return sum(count for name, count in counts.items() if name.startswith("("))

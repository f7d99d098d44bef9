"""Certificates added up by who knows nothing of the learner: from JSON, and from the sentences.

The sum of the demands says ``total . costs + constant <= 0``. Names of actions and of classes begin
with a parenthesis and cost at least 1; all other names are weights and may be 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from plancost.results.result import Inequality

Sum = tuple[dict[str, int], int]
_TIMES = re.compile(r"^(?P<said>.*?)(?: \(taken (?P<times>\d+) times\))?$")
_DEMAND = re.compile(
    r"^(?P<plan>[^:]+): (?P<own>.*) must cost (?P<strict>less|no more) than "
    r"(?:(?P<factor>[\d/]+) times )?(?P<other>.*)$"
)
_GIVEN = re.compile(r"^given \(.*?\): (?P<limit>.*)$")
_LIMIT = re.compile(r"^(?P<left>.*) costs? at (?P<most>most|least) (?P<right>.*)$")


def is_contradiction(found: Sum) -> bool:
    """Whether no costs of at least 1, and weights of at least 0, do what the sum says."""
    total, constant = found
    least = sum(count for name, count in total.items() if name.startswith("("))
    return all(count >= 0 for count in total.values()) and least + constant > 0


def sum_of_json(certificate: Iterable[Inequality]) -> Sum:
    """Add up the ``certificate`` of an explanation."""
    return _added((_of_json(item), item["times"]) for item in certificate)


def _of_json(item: Inequality) -> Sum:
    if "given" in item:
        return item["actions"], -item["most"]
    if "weights" in item:
        return item["weights"], int(item["strict"])
    factor = Fraction(item.get("suboptimality", 1))
    counts = Counter({n: c * factor.denominator for n, c in Counter(item["plan_only"]).items()})
    counts.subtract({n: c * factor.numerator for n, c in Counter(item["alternative_only"]).items()})
    return counts, int(item["strict"])


def sum_of_sentences(demands: Iterable[str]) -> Sum:
    """Add up what the sentences between the first and the last say."""
    return _added(map(_of_sentence, demands))


def said_together(sentence: str) -> dict[str, int]:
    """The actions and weights that the last sentence says are left."""
    match = re.match(r"together: (.*) would have to cost .*", sentence)
    return _terms(match[1]) if match else {}


def _of_sentence(sentence: str) -> tuple[Sum, int]:
    given = _GIVEN.match(sentence)
    said, _, in_weights = sentence.partition(", that is, ")
    if sentence.endswith(", but both always cost the same"):
        said = sentence.removesuffix(", but both always cost the same")
    taken = _TIMES.match(said)
    assert taken is not None
    times = int(taken["times"] or 1)
    if given is not None:
        found = _GIVEN.match(taken["said"])
        assert found is not None
        return _limit(found["limit"]), times
    demand = _DEMAND.match(taken["said"])
    assert demand is not None, sentence
    strict = int(demand["strict"] == "less")
    if in_weights:
        return _limit(in_weights), times
    if said != sentence:
        return ({}, strict), times
    factor = Fraction(demand["factor"] or 1)
    counts = Counter({n: c * factor.denominator for n, c in _terms(demand["own"]).items()})
    counts.subtract({n: c * factor.numerator for n, c in _terms(demand["other"]).items()})
    return (counts, strict), times


def _limit(text: str) -> Sum:
    match = _LIMIT.match(text)
    assert match is not None, text
    left, right = _terms(match["left"]), match["right"]
    if match["most"] == "least":
        return {name: -count for name, count in left.items()}, int(right)
    if re.fullmatch(r"-?\d+", right):
        return left, -int(right)
    other = re.fullmatch(r"(.*?)(?: (and|less) (\d+))?", right)
    assert other is not None
    number = int(other[3] or 0)
    counts = Counter(left)
    counts.subtract(_terms(other[1]))
    return counts, number if other[2] == "less" else -number


def _terms(text: str) -> dict[str, int]:
    found: Counter[str] = Counter()
    for term in text.split(" + ") if text != "nothing" else ():
        match = re.fullmatch(r"(?:(\d+) x )?(.*)", term)
        assert match is not None
        found[match[2]] += int(match[1] or 1)
    return found


def _added(demands: Iterable[tuple[Sum, int]]) -> Sum:
    total: Counter[str] = Counter()
    constant = 0
    for (counts, margin), times in demands:
        constant += times * margin
        for name, count in counts.items():
            total[name] += times * count
    return {name: count for name, count in total.items() if count}, constant

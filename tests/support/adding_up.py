"""Certificates added up by who knows nothing of the learner: from JSON, and from the sentences.

The sum of the demands says ``total . costs + constant <= 0``. Names of actions and of classes begin
with a parenthesis and cost at least 1; all other names are weights and may be 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from plancost.results.result import Inequality

Sum = tuple[dict[str, int], int]
_TIMES = re.compile(r"^(?P<said>.*?)(?: \(taken (?P<times>\d+) times\))?$")
_DEMAND = re.compile(
    r"^(?P<plan>[^:]+): (?P<own>.*) must cost (?P<strict>less|no more) than "
    r"(?:(?P<factor>[\d/]+) times )?(?P<other>.*)$"
)
_ON_PAPER = re.compile(
    r"(?P<plan>.+?) must cost (?P<strict>less|no more) than "
    r"(?:(?P<factor>[\d/]+) times the cost of )?this plan: (?P<steps>.*)"
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


def check_on_paper(lines: Sequence[str], plans: Mapping[str, Sequence[str]]) -> Sum:
    """Do what a person does with ``explain --check``: from plans to rows, from rows to their sum.

    `plans` has the steps of each plan file. All numbers that are printed are computed anew.
    """
    assert lines[0] == "to check by hand:"
    made_of: dict[str, dict[str, int]] = {}
    rows: list[Sum] = []
    stripped = [line.strip() for line in lines[1:-2]]
    while stripped and (cost := re.fullmatch(r"(\(.*\)) costs (.*)", stripped[0])):
        made_of[cost[1]] = _terms(cost[2]) if cost[2] != "0" else {}
        stripped.pop(0)
    for number, (source, text) in enumerate(zip(stripped[::2], stripped[1::2], strict=True), 1):
        said = source.removeprefix(f"({number}) ")
        assert said != source
        rows.append(_signed(text))
        demand = _ON_PAPER.fullmatch(said)
        if demand is None:
            assert said.startswith("given: ")
            continue
        steps = re.findall(r"\([^()]*\)", demand["steps"].replace("(no step)", ""))
        factor = Fraction(demand["factor"] or 1)
        total: Counter[str] = Counter()
        own = plans[demand["plan"]]
        for plan, times in ((own, factor.denominator), (steps, -factor.numerator)):
            for step in plan:
                for name, part in made_of.get(step, {step: 1}).items():
                    total[name] += times * part
        found = {name: count for name, count in total.items() if count}
        assert rows[-1] == (found, int(demand["strict"] == "less"))
    taken, _, total_text = lines[-2].strip().partition(": ")
    parts = [re.fullmatch(r"(?:(\d+) x )?\((\d+)\)", part) for part in taken.split(" + ")]
    added = _added((rows[int(part[2]) - 1], int(part[1] or 1)) for part in parts if part)
    assert len(parts) == len(rows) and _signed(total_text) == added
    least = sum(count for name, count in added[0].items() if name.startswith("("))
    end = f"so the left side is at least {least}" if added[0] else f"0 is more than {-added[1]}"
    assert lines[-1].strip().startswith("this is false") and lines[-1].endswith(end)
    return added


def _signed(text: str) -> Sum:
    """A printed row, such as ``2 x (a) - (b) <= 0``."""
    left, most = text.rsplit(" <= ", 1)
    total: Counter[str] = Counter()
    parts = re.split(r"(?:^| )([+-]) ", left if left[:2] == "- " else f"+ {left}")[1:]
    for sign, term in zip(parts[::2], parts[1::2], strict=True):
        for name, count in ({} if term == "0" else _terms(term)).items():
            total[name] += count if sign == "+" else -count
    return dict(total), -int(most)


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
    other = re.fullmatch(r"(.*?)(?: ([+-]) (\d+))?", right)
    assert other is not None
    number = int(other[3] or 0)
    counts = Counter(left)
    counts.subtract(_terms(other[1]))
    return counts, number if other[2] == "-" else -number


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
